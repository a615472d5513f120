"""Given names and their short forms."""

from recollect.language.nickname import GIVEN_NAMES, formal_names, same_given_name


def test_short_forms() -> None:
    """A short form leads to its formal names, an unknown name to itself."""
    assert formal_names("bob") == {"robert"}
    assert formal_names("alex") == {"alexander", "alexandra"}
    assert formal_names("makesh") == {"makesh"}


def test_the_same_given_name() -> None:
    """Bob, Rob and Robert are one name; Alexander and Alexandra are two."""
    assert same_given_name("bob", "rob")
    assert same_given_name("robert", "bob")
    assert not same_given_name("alexander", "alexandra")
    assert not same_given_name("bob", "bill")


def test_names_are_lower_case_words() -> None:
    """The table is looked up with words of slugs."""
    assert all(name.isalpha() and name == name.lower() for name in GIVEN_NAMES)

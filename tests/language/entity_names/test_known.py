"""Known names, without labels: for drafts and for questions."""

from recollect.language.entity_names import find_known, other_names


def test_other_names_of_who_is_asked_about() -> None:
    """A question about Bob also looks for Robert once both are one, and the other way round."""
    aliases = {"person:robert": "person:bob", "person:rob": "person:robert", "org:acme": "org:acme_corp"}
    assert other_names("What does Bob do?", aliases) == ("rob", "robert")
    assert other_names("does robert like tea", aliases) == ("bob", "rob")
    assert other_names("Who works for Acme Corp?", aliases) == ("acme",)
    assert other_names("What is new?", aliases) == ()
    assert other_names("What does Bob do?", {}) == ()


def test_the_longest_known_name_counts() -> None:
    """John Doe is not also John, and one mention is one entity."""
    known = {"person:john", "person:john_doe", "place:doe"}
    assert [item.key for item in find_known("I saw John Doe today", known)] == ["person:john_doe"]
    assert find_known("I saw John Doe today", set()) == []


def test_a_name_inside_a_word_is_none() -> None:
    """Ann is not in Annual, and Jane is not Jane-Marie."""
    known = {"person:ann", "person:jane"}
    assert find_known("The Annual report by Jane-Marie", known) == []

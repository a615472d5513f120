"""Variants: pairs of names that may mean one entity."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.records.entity import EntityType, entity_key
from recollect.rules.variant import Variant, disagree, variants

# Type, two names, and whether it is sure.
ALIKE = (
    ("person", "Makesh", "Mukesh", False),
    ("person", "Bob", "Robert", False),
    ("person", "Bob Smith", "Robert Smith", False),
    ("person", "Bill", "William", False),
    ("person", "Alex", "Alexandra", False),
    ("person", "Mohammed", "Muhammad", False),
    ("person", "John", "John Doe", False),
    ("person", "Doe", "John Doe", False),
    ("person", "J. Doe", "John Doe", False),
    ("person", "Sofia", "Sophia", False),
    ("person", "Sara", "Sarah", False),
    ("person", "Eric", "Erik", False),
    ("person", "Schmidt", "Schmitt", False),
    ("person", "Jon Doe", "John Doe", False),
    ("person", "Katherine", "Catherine", False),
    ("person", "Wolfgang", "Wolfgnag", False),
    ("person", "Dr. Patel", "Patel", False),
    ("person", "Dr. Patel", "Anita Patel", False),
    ("person", "Philip", "Phillip", False),
    ("person", "Mackenzie", "McKenzie", False),
    ("person", "Steven", "Stephen", False),
    ("person", "Aisha", "Ayesha", False),
    ("person", "Rachel", "Rachael", False),
    ("person", "Yusuf", "Yousuf", False),
    ("person", "Jürgen", "Jurgen", True),
    ("person", "José", "Jose", True),
    ("person", "Mary-Ann", "Maryann", True),
    ("org", "Acme", "Acme Corp", True),
    ("org", "Acme Corp", "Acme Corporation", True),
    ("org", "The Guardian", "Guardian", True),
    ("org", "Acme Inc", "Acme GmbH", False),
    ("org", "IBM", "International Business Machines", False),
    ("org", "Stanford", "Stanford University", False),
    ("org", "Siemens", "Simens", False),
    ("place", "Zürich", "Zurich", True),
    ("place", "Netherlands", "The Netherlands", True),
    ("place", "Austin", "Austin, Texas", False),
    ("project", "Nimbus-X", "NimbusX", True),
    ("project", "Phoenix", "Phenix", False),
)
APART = (
    ("person", "Tim", "Tom"),
    ("person", "Maria", "Mario"),
    ("person", "Paul", "Paula"),
    ("person", "Daniel", "Daniela"),
    ("person", "Christian", "Christina"),
    ("person", "Jane", "Jan"),
    ("person", "Kate", "Nate"),
    ("person", "Anna", "Hannah"),
    ("person", "Mark", "Mary"),
    ("person", "Ben", "Ken"),
    ("person", "Julia", "Julian"),
    ("person", "Marina", "Martina"),
    ("person", "John Doe", "Jane Doe"),
    ("person", "John Doe", "John Roe"),
    ("person", "Peter", "Petra"),
    ("person", "Andrea", "Andreas"),
    ("person", "Carl", "Carla"),
    ("person", "Antonio", "Antonia"),
    ("person", "Wang Wei", "Wang Lei"),
    ("person", "Simon", "Simone"),
    ("person", "Emil", "Emily"),
    ("person", "Leonard", "Leonardo"),
    ("person", "王小明", "王小红"),
    ("org", "Acme", "Acne"),
    ("org", "Apple", "Apple Records Shop"),
    ("org", "Studio 1", "Studio 2"),
    ("place", "Paris", "Parma"),
    ("place", "North Carolina", "South Carolina"),
    ("project", "Phoenix", "Phoenix 2"),
    ("project", "Atlas", "Atlas Migration"),
)


def _named(type: str, *names: str) -> list[tuple[str, str, int]]:
    return [(entity_key(EntityType(type), name), name, 1) for name in names]


@pytest.mark.parametrize(("type", "first", "second", "sure"), ALIKE)
def test_variants_are_found(type: str, first: str, second: str, sure: bool) -> None:
    """One pair, with its evidence; sure only where it cannot be otherwise."""
    (found,) = variants(_named(type, first, second))
    assert {found.alias, found.into} == {key for key, _, _ in _named(type, first, second)}
    assert (found.sure, bool(found.evidence), 0 < found.score <= 1) == (sure, True, True)


@pytest.mark.parametrize(("type", "first", "second"), APART)
def test_others_are_left_apart(type: str, first: str, second: str) -> None:
    """Two people, firms, places or projects with similar names."""
    assert variants(_named(type, first, second)) == []


def test_the_fuller_or_more_frequent_name_stays() -> None:
    """A part and an initial go; of two spellings the rarer goes."""
    assert variants(_named("person", "John", "John Doe"))[0].into == "person:john_doe"
    assert variants(_named("person", "J. Doe", "John Doe"))[0].into == "person:john_doe"
    (found,) = variants([("person:makesh", "Makesh", 9), ("person:mukesh", "Mukesh", 2)])
    assert (found.alias, found.into) == ("person:mukesh", "person:makesh")


def test_a_part_of_two_names_is_nobody() -> None:
    """With John Doe and John Roe nobody can say which one John is."""
    assert variants(_named("person", "John", "John Doe", "John Roe")) == []


def test_a_firm_with_two_legal_forms_is_not_sure() -> None:
    """Acme may be Acme Inc or Acme GmbH: somebody must say."""
    found = variants(_named("org", "Acme", "Acme Inc", "Acme GmbH"))
    assert len(found) == 3
    assert not any(item.sure for item in found)


def test_people_of_whom_other_things_are_known_are_two() -> None:
    """Different roles, or different birthdays, are different people; the same role speaks for nothing."""
    names = _named("person", "Jane", "Jayne")
    wife, daughter = ["Jane is User's wife"], ["Jayne is User's daughter"]
    assert variants(names, facts={"person:jane": wife, "person:jayne": daughter}) == []
    assert len(variants(names, facts={"person:jane": wife, "person:jayne": ["Jayne is User's wife"]})) == 1
    born = {"person:jane": ["Jane was born on May 3"], "person:jayne": ["Jayne was born on June 8"]}
    assert disagree("person:jane", "person:jayne", born)
    born["person:jayne"] = ["Jayne was born on May 3"]
    assert not disagree("person:jane", "person:jayne", born)


def test_only_what_changed_is_compared() -> None:
    """With `changed` a pair needs one of these keys."""
    names = _named("person", "Makesh", "Mukesh", "Sofia", "Sophia")
    assert [item.into for item in variants(names, changed={"person:sofia"})] == ["person:sophia"]
    assert variants(names, changed=set()) == []


def test_the_shape_on_the_wire() -> None:
    """As the routes give it."""
    item = Variant(alias="a", into="b", score=0.5, evidence="why")
    assert item.to_dict() == {"from": "a", "into": "b", "evidence": "why", "score": 0.5, "sure": False}


_NAMES = st.lists(
    st.tuples(
        st.sampled_from(list(EntityType)),
        st.sampled_from(["Bob", "Robert", "Rob", "Bob Smith", "Acme", "Acme Inc", "Zoë", "Zoe", "J. Doe", "John Doe", "李雷"])
        | st.text("abcdeé 1-.", min_size=1, max_size=8).filter(lambda text: any(map(str.isalnum, text))),
        st.integers(0, 5),
    ),
    max_size=12,
)  # fmt: skip


@given(_NAMES)
def test_each_pair_once_and_within_a_type(drawn: list[tuple[EntityType, str, int]]) -> None:
    """No pair in both directions, none of a name with itself, none across types."""
    names = [(entity_key(type, name), name, count) for type, name, count in drawn]
    found = variants(names)
    pairs = [frozenset((item.alias, item.into)) for item in found]
    assert len(pairs) == len(set(pairs))
    assert all(len(pair) == 2 for pair in pairs)
    assert all(item.alias.partition(":")[0] == item.into.partition(":")[0] for item in found)

"""Subjects: who a clause speaks of."""

import pytest

from recollect.language.judge.rule import Who
from recollect.language.judge.subject_of import Person, subject_of

_MARIA = Person(called="my sister Maria", name="Maria", role="sister")
_TOM = Person(called="my son Tom", name="Tom", role="son")


@pytest.mark.parametrize(
    ("clause", "who", "subject", "predicate"),
    [
        ("I live in Rome", Who.SELF, "I", "live in Rome"),
        ("we both like tea", Who.US, "we", "like tea"),
        ("my older sister Maria has a dog", Who.PERSON, "my older sister Maria", "has a dog"),
        ("my sister's name is Maria", Who.THING, "my sister's name", "is Maria"),
        ("our launch is in May", Who.THING, "our launch", "is in May"),
        ("Mom lives in Rome", Who.PERSON, "my mom", "lives in Rome"),
        ("people call me Ben", Who.SELF, "I", "prefer to be called Ben"),
        ("the kids are homeschooled", Who.PERSON, "my kids", "are homeschooled"),
    ],
)
def test_a_subject_of_ours(clause: str, who: Who, subject: str, predicate: str) -> None:
    """The speaker, the household, somebody close, something owned."""
    found = subject_of(clause, [], {})
    assert found is not None and (found.who, found.subject, found.predicate) == (who, subject, predicate)


def test_a_pronoun_means_the_only_one_who_fits() -> None:
    """She is the sister, he the son; between two of a kind nobody knows."""
    found = subject_of("she lives in Rome", [_MARIA, _TOM], {})
    assert found is not None and found.subject == "my sister Maria"
    other = Person(called="my aunt Ida", name="Ida", role="aunt")
    assert subject_of("she lives in Rome", [_MARIA, other], {}) is None
    assert subject_of("she lives in Rome", [], {}) is None


def test_a_known_name_is_somebody() -> None:
    """Case does not matter; an unknown name is no subject of ours."""
    found = subject_of("maria lives in Rome", [], {"maria": _MARIA})
    assert found is not None and found.subject == "Maria"
    assert subject_of("Kim lives in Rome", [], {"maria": _MARIA}) is None


@pytest.mark.parametrize(
    ("said", "predicate"),
    [
        ("My doctor switched me from metformin to Ozempic", "take Ozempic instead of metformin"),
        ("My company switched us from Slack to Teams last month", "use Teams instead of Slack"),
        ("my doctor put me on lithium", "was put on lithium"),
    ],
)
def test_what_another_changes_for_the_user_is_the_user_s(said: str, predicate: str) -> None:
    """A medicine or a tool in the place of another is taken or used from then on."""
    found = subject_of(said, [], {})
    assert found is not None
    assert (found.subject, found.predicate) == ("I", predicate)

"""Which memory somebody means who asks to forget."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from recollect.domain.draft import Request, compose
from recollect.domain.forgetting import MAX_NAMED, Candidate, Meant, meant
from recollect.domain.memory import MemoryRecord

_NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def _known(content: str, number: int = 1) -> MemoryRecord:
    draft = compose(Request(content=content), {})
    return draft.to_record(user_id="ann", memory_id=f"m{number}", now=_NOW, tokens=5)


def _meant(what: str, *contents: str, cosine: float = 0.7, key: str | None = None) -> Meant:
    known = [_known(content, number) for number, content in enumerate(contents, 1)]
    return meant(what, key, [Candidate(memory=item, cosine=cosine) for item in known], threshold=0.95)


def _ids(found: Meant) -> list[str]:
    return [memory.memory_id for memory in found.named]


@pytest.mark.parametrize("what", ["User likes jazz", "user likes jazz.", "User likes  jazz!"])
def test_the_very_statement(what: str) -> None:
    """A memory that says the same is meant, whatever else touches the topic."""
    found = _meant(what, "User plays jazz with Tom every week", "User likes jazz")
    assert found.sure is not None
    assert found.sure.memory_id == "m2"


def test_the_same_key_without_a_new_detail() -> None:
    """Other words for the same fact mean it: a key and a close meaning are enough where no detail differs."""
    known = _known("User prefers using TypeScript for all projects")
    found = meant(
        "User likes TypeScript", known.memory_key, [Candidate(memory=known, cosine=0.71)], threshold=0.95
    )
    assert found.sure == known


def test_the_same_key_with_another_value_is_asked() -> None:
    """Who asks to forget that they live in Graz, and is known to live in Vienna, is asked."""
    known = _known("User lives in Vienna")
    found = meant(
        "User lives in Graz", known.memory_key, [Candidate(memory=known, cosine=0.8)], threshold=0.95
    )
    assert (found.sure, found.named) == (None, (known,))


def test_a_topic_and_little_else() -> None:
    """The only memory about a topic is meant if it is about nothing else."""
    assert _meant("jazz", "User likes jazz", "User lives in Graz").sure is not None
    found = _meant("jazz", "User's sister Maria plays jazz piano in Oslo on Sundays", "User lives in Graz")
    assert found.sure is None
    assert _ids(found) == ["m1"]


def test_several_are_asked() -> None:
    """A topic of several memories means none of them for certain."""
    found = _meant("jazz", "User likes jazz", "User plays jazz", "User lives in Graz")
    assert found.sure is None
    assert _ids(found) == ["m1", "m2"]


def test_a_weaker_likeness_is_asked() -> None:
    """The topic in another sentence is named, not erased."""
    found = _meant("User likes jazz", "User plays jazz every week with Tom")
    assert found.sure is None
    assert _ids(found) == ["m1"]


def test_an_entity_by_its_name() -> None:
    """What mentions the named entity is about it, also under another name."""
    known = [_known("User's sister Maria lives in Oslo", 1), _known("User's sister Maria is a nurse", 2)]
    found = meant("Mary", None, [Candidate(memory=item, mentions=True) for item in known], threshold=0.95)
    assert found.sure is None
    assert len(found.named) == 2


def test_a_pinned_memory_is_never_erased_unasked() -> None:
    """To pin was a wish too: somebody decides."""
    known = replace(_known("User likes jazz"), pinned=True)
    found = meant("User likes jazz", None, [Candidate(memory=known, cosine=1.0)], threshold=0.95)
    assert (found.sure, found.named) == (None, (known,))


@pytest.mark.parametrize("what", ["everything", "User", "all the things you know about me", "", "skiing"])
def test_nothing_is_meant(what: str) -> None:
    """Words that name nothing known, or nothing at all, mean no memory; everything is forgotten elsewhere."""
    assert _meant(what, "User likes jazz", "User lives in Graz") == Meant()


def test_a_proposal_names_only_so_many() -> None:
    """A person decides over a list that can be read."""
    found = _meant("jazz", *(f"User likes jazz record number {number}" for number in range(40)))
    assert len(found.named) == MAX_NAMED

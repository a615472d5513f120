"""Which memory somebody means who asks to forget."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from recollect.language.forgetting import MAX_NAMED, Candidate, Meant, meant
from recollect.records.memory import MemoryRecord
from recollect.rules.draft import Request, compose

_NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def _known(content: str, number: int = 1) -> MemoryRecord:
    draft = compose(Request(content=content), {})
    return draft.to_record(user_id="ann", memory_id=f"m{number}", now=_NOW, tokens=5)


def _meant(what: str, *contents: str, certain: bool = True) -> Meant:
    known = [_known(content, number) for number, content in enumerate(contents, 1)]
    candidates = [Candidate(memory=item, cosine=0.7) for item in known]
    return meant(what, None, candidates, threshold=0.95, certain=certain)


def _meant_by_key(what: str, known: MemoryRecord, cosine: float) -> Meant:
    candidates = [Candidate(memory=known, cosine=cosine)]
    return meant(what, known.memory_key, candidates, threshold=0.95, certain=True)


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
    assert _meant_by_key("User likes TypeScript", known, 0.71).sure == known


def test_the_same_key_with_another_value_is_asked() -> None:
    """Who asks to forget that they live in Graz, and is known to live in Vienna, is asked."""
    known = _known("User lives in Vienna")
    assert _meant_by_key("User lives in Graz", known, 0.8) == Meant(named=(known,))


def test_a_memory_that_says_more_is_asked() -> None:
    """What a memory tells besides was not asked to be forgotten."""
    known = _known("User likes Python 3.12 for data science")
    assert _meant_by_key("User likes Python", known, 0.8) == Meant(named=(known,))


def test_a_topic_is_only_ever_named() -> None:
    """The only memory about a topic is not erased unasked, though it is about nothing else."""
    found = _meant("jazz", "User likes jazz", "User lives in Graz")
    assert (found.sure, _ids(found)) == (None, ["m1"])


def test_a_statement_that_is_not_certain_is_only_named() -> None:
    """Beside a joke or a question the memory that says just that is named, not erased."""
    found = _meant("User likes jazz", "User likes jazz", certain=False)
    assert (found.sure, _ids(found)) == (None, ["m1"])


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
    candidates = [Candidate(memory=item, mentions=True) for item in known]
    found = meant("Mary", None, candidates, threshold=0.95, certain=False)
    assert found.sure is None
    assert len(found.named) == 2


def test_a_pinned_memory_is_never_erased_unasked() -> None:
    """To pin was a wish too: somebody decides."""
    known = replace(_known("User likes jazz"), pinned=True)
    candidates = [Candidate(memory=known, cosine=1.0)]
    found = meant("User likes jazz", None, candidates, threshold=0.95, certain=True)
    assert (found.sure, found.named) == (None, (known,))


@pytest.mark.parametrize("what", ["everything", "User", "all the things you know about me", "", "skiing"])
def test_nothing_is_meant(what: str) -> None:
    """Words that name nothing known, or nothing at all, mean no memory; everything is forgotten elsewhere."""
    assert _meant(what, "User likes jazz", "User lives in Graz") == Meant()


def test_a_proposal_names_only_so_many() -> None:
    """A person decides over a list that can be read."""
    found = _meant("jazz", *(f"User likes jazz record number {number}" for number in range(40)))
    assert len(found.named) == MAX_NAMED

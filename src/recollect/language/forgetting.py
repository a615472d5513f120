"""What somebody means who says "forget that …": which of the known memories, and whether that is certain.

Where the user states the fact, the one memory that says just that is meant. Whatever is less clear, and every topic, is
named, so that a person can decide: erasing cannot be taken back. It erases nothing, finds no candidates and does not
know how a request is meant (`forget_request`). Asking a model which memory is meant was rejected: a mistake would
destroy one. So was taking the only memory about a topic: "forget my dog, what about me?" names one too.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from recollect.language.terms import terms
from recollect.records.memory import MemoryRecord
from recollect.rules import duplicate

#: Memories that a proposal names at most; who asks to forget more says so by entity or altogether.
MAX_NAMED = 20
#: Words that name nothing by themselves.
_EMPTY = frozenset(
    terms(
        "User everything anything all something things stuff facts memories know told said about name named called"
    )
)
# Verbs of liking and having say little about what a memory is about.
_PALE = frozenset(
    terms(
        "likes like loves love enjoys enjoy prefers prefer uses use favorite favourite lives works based named called"
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A memory that may be meant."""

    memory: MemoryRecord
    #: To the words of the request.
    cosine: float = 0.0
    #: It mentions the entity that the request names.
    mentions: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Meant:
    """What is meant."""

    #: To be erased without a question.
    sure: MemoryRecord | None = None
    #: Otherwise, what somebody should be asked about; empty: nothing was found.
    named: tuple[MemoryRecord, ...] = ()


def meant(
    what: str, key: str | None, candidates: Sequence[Candidate], *, threshold: float, certain: bool
) -> Meant:
    """Choose among memories of the user; `key` is the memory key of the words, where they have one.

    `certain`: the user stated the fact and nothing takes it back. Otherwise memories are only named.
    """
    same = [item.memory for item in candidates if _says(what, key, item, threshold)]
    if same:
        return _decided(same) if certain and not _says_more(what, same[0]) else _named(same)
    about = frozenset(terms(what)) - _EMPTY
    within = [
        item for item in candidates if item.mentions or (about and about <= set(terms(item.memory.content)))
    ]
    telling = about - _PALE
    near = [
        item.memory
        for item in candidates
        if item in within
        or (key is not None and item.memory.memory_key == key)
        or (telling and telling <= set(terms(item.memory.content)))
    ]
    return _named(near)


def _says(what: str, key: str | None, item: Candidate, threshold: float) -> bool:
    same_key = key is not None and item.memory.memory_key == key
    verdict = duplicate.judge(
        what, item.memory.content, cosine=item.cosine, same_key=same_key, threshold=threshold
    )
    return verdict.duplicate


def _says_more(what: str, memory: MemoryRecord) -> bool:
    """Whether the memory tells something besides, which nobody asked to forget."""
    return bool(duplicate.telling(memory.content) - duplicate.telling(what))


def _decided(found: Sequence[MemoryRecord]) -> Meant:
    """One is certain, unless somebody pinned it: that was a wish too."""
    if len(found) == 1 and not found[0].pinned:
        return Meant(sure=found[0])
    return _named(found)


def _named(found: Sequence[MemoryRecord]) -> Meant:
    return Meant(named=tuple(found[:MAX_NAMED]))

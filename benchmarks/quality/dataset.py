"""A data set: conversations, questions about them, and labels that say which turns hold the evidence.

The records and the one way to read them from a file. A file is checked as a whole before anything is measured, because a
label with a typing error would only show as a lower number. It knows no measure and no store. Labels that name a turn which
was not said yet are kept: they count as never found, and `Conversation.unreachable` tells of them. Reading conversation by
conversation was rejected: the largest files hold some megabytes once the sessions of a pool are shared.
"""

import gzip
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from itertools import chain
from pathlib import Path
from typing import Any

from recollect.errors import InvalidInput
from recollect.interchange.portable_value import fields, listed, moment, truth, whole
from recollect.records.memory import check_text
from recollect.records.message import Role

#: How a file that gzip wrote begins.
_GZIP = b"\x1f\x8b"
_SPEAKING = (Role.USER, Role.ASSISTANT)


class Level(StrEnum):
    """What a label names."""

    TURN = "turn"
    SESSION = "session"


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One utterance."""

    #: Unique within the conversation.
    id: str
    speaker: str
    role: Role
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DataSession:
    """Turns that were said in one sitting; conversations built from one pool share them."""

    id: str
    date: datetime | None
    turns: tuple[Turn, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question and where its answer is."""

    id: str
    question: str
    answer: str
    category: str
    #: False: the conversation does not tell; no search can be right or wrong.
    answerable: bool
    date: datetime | None
    #: Asked when this many sessions were stored; None: all of them.
    after: int | None
    #: Ids of turns, and of sessions.
    evidence: tuple[str, ...]
    evidence_sessions: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """What one store holds, and what is asked of it."""

    id: str
    speakers: tuple[str, ...]
    sessions: tuple[DataSession, ...]
    questions: tuple[Asked, ...]

    def turns(self, after: int | None = None) -> tuple[Turn, ...]:
        """What was said in the first so many sessions, in order."""
        return tuple(chain.from_iterable(session.turns for session in self.sessions[:after]))

    def session_of(self) -> dict[str, str]:
        """The session of every turn."""
        return {turn.id: session.id for session in self.sessions for turn in session.turns}

    def unreachable(self, question: Asked, level: Level) -> tuple[str, ...]:
        """Labels that no search can find, because nothing of that id was stored when the question is asked."""
        if level is Level.TURN:
            stored = {turn.id for turn in self.turns(question.after)}
        else:
            stored = {session.id for session in self.sessions[: question.after]}
        return tuple(label for label in labels(question, level) if label not in stored)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """A file of labelled conversations."""

    name: str
    part: str
    licence: str
    conversations: tuple[Conversation, ...]


def labels(question: Asked, level: Level) -> tuple[str, ...]:
    """The evidence at a level."""
    return question.evidence if level is Level.TURN else question.evidence_sessions


def labelled(question: Asked, level: Level) -> bool:
    """Whether a search can be judged by this question: it has an answer, and labels say where."""
    return question.answerable and bool(labels(question, level))


def read(path: Path) -> Dataset:
    """A data set from a `.json` or `.json.gz` file; what is wrong with it is said by file, conversation and field."""
    try:
        return _dataset(fields(decoded(path), "the file"), path.name.split(".")[0])
    except InvalidInput as error:
        raise InvalidInput(f"{path}: {error.message}", field=error.field) from error


def decoded(path: Path) -> object:
    """The JSON of a file, unpacked if gzip packed it."""
    try:
        data = path.read_bytes()
        return json.loads(gzip.decompress(data) if data.startswith(_GZIP) else data)
    except (OSError, EOFError, zlib.error) as error:
        # Python's own words would repeat the path, behind a number.
        reason = getattr(error, "strerror", None) or error
        raise InvalidInput(f"cannot be read: {reason}.", field="path") from error
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"is not JSON: {error}.", field="path") from error


def _dataset(file: Mapping[str, Any], fallback: str) -> Dataset:
    shared = {
        name: _turns(turns, f"pool.{name}") for name, turns in fields(file.get("pool", {}), "pool").items()
    }
    found = listed(file.get("conversations"), "conversations")
    if not found:
        raise InvalidInput("conversations is empty.", field="conversations")
    conversations = tuple(_conversation(item, number, shared) for number, item in enumerate(found))
    _distinct([conversation.id for conversation in conversations], "conversations")
    return Dataset(
        name=_text(file, "dataset", default=fallback),
        part=_text(file, "part", default=""),
        licence=_text(file, "license", default=""),
        conversations=conversations,
    )


def _conversation(item: object, number: int, shared: Mapping[str, tuple[Turn, ...]]) -> Conversation:
    held = fields(item, f"conversations[{number}]")
    id = _name(held, "id", f"conversations[{number}].")
    try:
        sessions = _sessions(held, shared)
        questions = tuple(
            _asked(fields(asked, f"questions[{place}]"), f"questions[{place}].", len(sessions))
            for place, asked in enumerate(listed(held.get("questions"), "questions"))
        )
        _distinct([session.id for session in sessions], "sessions")
        _distinct([turn.id for session in sessions for turn in session.turns], "turns")
        _distinct([question.id for question in questions], "questions")
        speakers = _texts(held, "speakers", "")
    except InvalidInput as error:
        raise InvalidInput(f"conversation {id!r}: {error.message}", field=error.field) from error
    return Conversation(id=id, speakers=speakers, sessions=sessions, questions=questions)


def _sessions(
    conversation: Mapping[str, Any], shared: Mapping[str, tuple[Turn, ...]]
) -> tuple[DataSession, ...]:
    if ("sessions" in conversation) == ("session_refs" in conversation):
        raise InvalidInput("needs either sessions or session_refs.", field="sessions")
    if "sessions" in conversation:
        found = listed(conversation["sessions"], "sessions")
        return tuple(_session(item, f"sessions[{place}]") for place, item in enumerate(found))
    found = listed(conversation["session_refs"], "session_refs")
    return tuple(_referred(item, f"session_refs[{place}]", shared) for place, item in enumerate(found))


def _session(item: object, field: str) -> DataSession:
    held = fields(item, field)
    return DataSession(
        id=_name(held, "id", f"{field}."),
        date=_date(held.get("date"), f"{field}.date"),
        turns=_turns(held.get("turns"), f"{field}.turns"),
    )


def _referred(item: object, field: str, shared: Mapping[str, tuple[Turn, ...]]) -> DataSession:
    """A session of the pool, with the date that it has in this conversation."""
    pair = listed(item, field)
    if len(pair) != 2 or not isinstance(pair[0], str):
        raise InvalidInput(f"{field} must be a session's id and its date.", field=field)
    if pair[0] not in shared:
        raise InvalidInput(f"{field}: the pool has no session {pair[0]!r}.", field=field)
    return DataSession(id=pair[0], date=_date(pair[1], f"{field}[1]"), turns=shared[pair[0]])


def _turns(items: object, field: str) -> tuple[Turn, ...]:
    return tuple(_turn(item, f"{field}[{place}]") for place, item in enumerate(listed(items, field)))


def _turn(item: object, field: str) -> Turn:
    held = fields(item, field)
    role = held.get("role")
    if role not in _SPEAKING:
        raise InvalidInput(f'{field}.role must be "user" or "assistant".', field=f"{field}.role")
    return Turn(
        id=_name(held, "id", f"{field}."),
        speaker=_text(held, "speaker", f"{field}."),
        role=Role(role),
        text=_text(held, "text", f"{field}."),
    )


def _asked(held: Mapping[str, Any], prefix: str, sessions: int) -> Asked:
    return Asked(
        id=_name(held, "id", prefix),
        question=_name(held, "question", prefix),
        answer=_text(held, "answer", prefix, default=""),
        category=_text(held, "category", prefix, default=""),
        answerable=truth(held.get("answerable", True), f"{prefix}answerable"),
        date=_date(held.get("date"), f"{prefix}date"),
        after=_after(held.get("after"), f"{prefix}after", sessions),
        evidence=_texts(held, "evidence", prefix),
        evidence_sessions=_texts(held, "evidence_sessions", prefix),
    )


def _text(held: Mapping[str, Any], name: str, prefix: str = "", *, default: str | None = None) -> str:
    return check_text(held.get(name, default), field=prefix + name)


def _name(held: Mapping[str, Any], name: str, prefix: str) -> str:
    """A text that has to say something."""
    text = _text(held, name, prefix)
    if not text.strip():
        raise InvalidInput(f"{prefix}{name} is empty.", field=prefix + name)
    return text


def _texts(held: Mapping[str, Any], name: str, prefix: str) -> tuple[str, ...]:
    found = listed(held.get(name, []), prefix + name)
    return tuple(check_text(item, field=f"{prefix}{name}[{place}]") for place, item in enumerate(found))


def _date(value: object, field: str) -> datetime | None:
    return None if value is None else moment(value, field)


def _after(value: object, field: str, sessions: int) -> int | None:
    if value is None:
        return None
    after = whole(value, field)
    if after > sessions:
        raise InvalidInput(f"{field} is {after}, and there are {sessions} sessions.", field=field)
    return after


def _distinct(ids: Sequence[str], field: str) -> None:
    if len(set(ids)) == len(ids):
        return
    seen: set[str] = set()
    twice = next(id for id in ids if id in seen or seen.add(id))
    raise InvalidInput(f"{field}: the id {twice!r} stands there twice.", field=field)

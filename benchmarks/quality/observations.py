"""Observations of a conversation, as LoCoMo has them: sentences about a speaker that others wrote down while reading it.

They were not made for a judge: many tell of a day and not of a person, so what is measured is only a proxy of recall, and
precision cannot be told at all. Each speaker is judged alone, as the user, with the others as whoever answers. An observation
is carried when one memory has at least half of its telling words. Files without observations are refused with that reason.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from benchmarks.quality.dataset import Conversation, DataSession, decoded, read
from benchmarks.quality.judging import Progress
from recollect.errors import InvalidInput
from recollect.interchange.portable_value import fields, listed
from recollect.language.terms import terms
from recollect.models.judge import Judge
from recollect.records.judgement import Material
from recollect.records.memory import check_text
from recollect.records.message import Message, Role

#: The share of an observation's telling words that one memory must have.
CARRIED = 0.5
#: Sessions without a date follow day by day from here.
_START = datetime(2023, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """What somebody noted about a speaker."""

    conversation: str
    speaker: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """How much of what others noted the judge keeps too."""

    observations: int
    carried: int
    #: The mean share of an observation's words in the nearest memory.
    share: float
    memories: int
    missed: tuple[Observation, ...]


def observations(path: Path) -> tuple[Observation, ...]:
    """The observations of a file; an error names the file, the conversation and the field."""
    try:
        found = tuple(_of_file(fields(decoded(path), "the file")))
    except InvalidInput as error:
        raise InvalidInput(f"{path}: {error.message}", field=error.field) from error
    if not found:
        raise InvalidInput(
            f"{path}: no conversation there has observations, so a judge cannot be measured by it.",
            field="data",
        )
    return found


def _of_file(file: Mapping[str, Any]) -> Iterator[Observation]:
    for place, item in enumerate(listed(file.get("conversations"), "conversations")):
        held = fields(item, f"conversations[{place}]")
        field = f"conversations[{place}].observations"
        if "observations" in held:
            name = check_text(held.get("id"), field=f"conversations[{place}].id")
            yield from _of_conversation(fields(held["observations"], field), name, field)


def _of_conversation(held: Mapping[str, Any], conversation: str, field: str) -> Iterator[Observation]:
    """LoCoMo's own shape: session, speaker, then pairs of a sentence and the turn that it is from."""
    for session, speakers in held.items():
        for speaker, pairs in fields(speakers, f"{field}.{session}").items():
            where = f"{field}.{session}.{speaker}"
            for place, pair in enumerate(listed(pairs, where)):
                noted = listed(pair, f"{where}[{place}]")
                text = check_text(noted[0] if noted else None, field=f"{where}[{place}][0]")
                yield Observation(conversation=conversation, speaker=speaker, text=text)


async def cover(judge: Judge, path: Path, *, progress: Progress | None = None) -> Coverage:
    """Judge the conversations of a file, speaker by speaker, and count what of the observations is kept."""
    noted = observations(path)
    conversations = {one.id: one for one in read(path).conversations}
    work = sorted({(one.conversation, one.speaker) for one in noted})
    shares: list[float] = []
    missed: list[Observation] = []
    memories = 0
    for done, (conversation, speaker) in enumerate(work, 1):
        kept: list[frozenset[str]] = []
        for session, at in _dated(conversations[conversation]):
            judgement = await judge.judge(_material(session, at, speaker, conversation))
            kept += [frozenset(terms(one.content)) for one in judgement.memories]
        memories += len(kept)
        own = [one for one in noted if (one.conversation, one.speaker) == (conversation, speaker)]
        for one in own:
            shares.append(_share(one, kept))
            if shares[-1] < CARRIED:
                missed.append(one)
        if progress:
            progress(done, len(work))
    return Coverage(
        observations=len(noted),
        carried=len(noted) - len(missed),
        share=sum(shares) / len(shares),
        memories=memories,
        missed=tuple(missed),
    )


def _share(one: Observation, kept: list[frozenset[str]]) -> float:
    """How much of an observation the nearest memory has; whom it is about does not count."""
    telling = frozenset(terms(one.text)) - frozenset(terms(one.speaker))
    return max((len(telling & words) / len(telling) for words in kept), default=0.0) if telling else 1.0


def _dated(conversation: Conversation) -> Iterator[tuple[DataSession, datetime]]:
    for place, session in enumerate(conversation.sessions):
        yield session, session.date or _START + timedelta(days=place)


def _material(session: DataSession, at: datetime, speaker: str, conversation: str) -> Material:
    return Material(
        messages=tuple(
            Message(
                user_id="eval",
                message_id=f"{conversation}:{turn.id}",
                chat_id=f"{conversation}:{session.id}",
                position=place + 1,
                role=Role.USER if turn.speaker == speaker else Role.ASSISTANT,
                text=turn.text,
                tokens=len(turn.text) // 4 + 1,
                importance_score=5.0,
                created_at=at + timedelta(minutes=place),
            )
            for place, turn in enumerate(session.turns)
        )
    )

"""What tests of conversations share: a writer that does as it is told, and the rules that every chat obeys."""

import asyncio
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from patience import LIMIT

from recollect import Chat, Memory, Settings
from recollect.engine.parts import Parts
from recollect.errors import ModelError
from recollect.language.spine_material import SpineMaterial
from recollect.records.message import Message
from recollect.records.session_summary import SessionDigest
from recollect.records.spine import SpineContent
from recollect.records.summary import Summary
from recollect.records.turn import Turn, messages_of
from recollect.rules.fold import Folded

#: Folds after a few short turns; what is said stays unjudged.
QUICK = Settings(
    sqlite_synchronous="normal", raw_turns=2, fold_threshold_tokens=200, summary_token_cap=100, judge="off"
)


class FakeWriter:
    """A writer that repeats what it is given, fails, waits, or says what the test wants."""

    def __init__(self) -> None:
        #: While true, every call fails as an unreachable model would.
        self.failing = False
        #: Kinds of summaries that wait.
        self.held: set[str] = set()
        #: Which kinds were asked for, in order; one that waits is there already.
        self.asked: list[str] = []
        #: The existing brief and the turns of each fold.
        self.folds: list[tuple[str, list[Turn]]] = []
        self.answer: Callable[[str, Sequence[Turn]], str] = lambda existing, turns: (
            f"{existing} {words(turns)}".strip()
        )

    @property
    def name(self) -> str:
        return "fake"

    @property
    def notes_name(self) -> str:
        return "fake notes"

    async def fold(self, existing: str, turns: Sequence[Turn], *, cap: int) -> Folded:
        self.folds.append((existing, list(turns)))
        await self._asked("brief")
        return Folded(brief=self.answer(existing, turns))

    async def session(self, turns: Sequence[Turn]) -> SessionDigest:
        await self._asked("session")
        return SessionDigest(one_liner=words(turns)[:200])

    async def rolling(self, previous: str, turns: Sequence[Turn]) -> str:
        await self._asked("rolling")
        return f"{previous} | {words(turns)}"[-600:]

    async def spine(self, previous: SpineContent | None, material: SpineMaterial) -> SpineContent:
        await self._asked("spine")
        return SpineContent(profile="\n".join(material.profile))

    async def aclose(self) -> None:
        """Nothing is held."""

    async def _asked(self, kind: str) -> None:
        self.asked.append(kind)
        while True:
            if kind not in self.held:
                break
            await asyncio.sleep(0.001)
        if self.failing:
            raise ModelError("The model cannot be reached.")


def words(turns: Sequence[Turn]) -> str:
    """Everything that was said in some turns."""
    return " ".join(message.text for message in messages_of(turns))


def parts_of(memory: Memory) -> Parts:
    """What the engine of a memory works with, or that of the service behind a client."""
    return getattr(memory, "behind", memory._memory)._parts


def written_by(memory: Memory, writer: FakeWriter) -> FakeWriter:
    """Let a fake write this memory's summaries."""
    object.__setattr__(parts_of(memory), "writer", writer)
    return writer


def talk(chat: Chat, turns: int, *, start: int = 1, words: str = "") -> list[Message]:
    """Numbered turns, each in a call of its own; the messages."""
    said: list[Message] = []
    for number in range(start, start + turns):
        about = f"number {number} about the garden, its roses, hedges, gates, ponds and gravel paths {words}"
        recorded = chat.add(user=f"Question {about}".strip(), assistant=f"Answer {about}".strip())
        said += recorded.messages
    return said


def until(done: Callable[[], object]) -> None:
    """Wait for something that happens in the background."""
    deadline = time.monotonic() + LIMIT
    while not done():
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.005)


def on_disk(path: Path, needles: Iterable[str]) -> list[str]:
    """Which of the words can be read in the files of the database, whatever their case."""
    data = b"".join(file.read_bytes() for file in path.parent.glob(path.name + "*")).lower()
    return [needle for needle in needles if needle.lower().encode() in data]


def everything_said(chat: Chat) -> list[Message]:
    """Every message of a chat, however many."""
    said = chat.messages(limit=1000)
    while page := chat.messages(limit=1000, before=said[0].position) if said else []:
        said = page + said
    return said


def check_chat(chat: Chat) -> None:
    """Counters equal a recount, segments touch and cover each message once, and the brief ends where they end."""
    said = everything_said(chat)
    record, segments, brief = chat.info(), chat.summaries(), chat.brief()
    assert record.message_count == len(said)
    positions = [message.position for message in said]
    assert positions == sorted(set(positions))
    assert record.last_position >= max(positions, default=0)
    covered = _covered(said, segments)
    assert covered == said[: len(covered)], "segments do not touch"
    assert [message for message in said if message.position <= record.folded_position] == covered
    rest = said[len(covered) :]
    assert record.unfolded_messages == len(rest)
    assert record.unfolded_tokens == sum(message.tokens for message in rest)
    assert brief.last_summarized_message_id == (segments[-1].end_message_id if segments else None)
    assert bool(brief.global_summary) <= bool(segments)


def _covered(said: Sequence[Message], segments: Sequence[Summary]) -> list[Message]:
    covered: list[Message] = []
    for segment in segments:
        inside = [item for item in said if segment.start_position <= item.position <= segment.end_position]
        assert (inside[0].message_id, inside[-1].message_id) == (
            segment.start_message_id,
            segment.end_message_id,
        )
        assert segment.message_count == len(inside)
        assert segment.covered_tokens == sum(item.tokens for item in inside)
        covered += inside
    return covered

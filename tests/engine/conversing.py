"""What tests of conversations share: a writer that does as it is told, and the rules that every chat obeys."""

import asyncio
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from patience import LIMIT

from recollect import Chat, Memory, Settings
from recollect.client.chat import AsyncClientChat
from recollect.client.reading import read
from recollect.engine.parts import Parts
from recollect.errors import ModelError
from recollect.language.spine_material import SpineMaterial
from recollect.records.chat import ChatRecord, Summary
from recollect.records.message import Message, Turn, messages_of
from recollect.records.session import SessionDigest
from recollect.records.spine import Spine, SpineContent
from recollect.rules.fold import Folded
from recollect.store import chats, links

#: Folds after a few short turns; what is said stays unjudged.
QUICK = Settings(
    sqlite_synchronous="normal",
    raw_turns=2,
    fold_threshold_tokens=200,
    summary_token_cap=100,
    judge_model="off",
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
    return getattr(memory, "behind", memory._inner)._engine.parts


def flush(memory: Memory) -> None:
    """Write down the uses that are still being gathered."""
    memory._thread.run(parts_of(memory).accesses.flush())


def contradict(memory: Memory, newer: str, older: str) -> None:
    """Let two memories contradict each other, as the engine notes it."""
    parts = parts_of(memory)
    work = parts.database.write("local", lambda tx: links.contradicts(tx, "local", newer, older, parts.now()))
    memory._thread.run(work)


def spines_of(memory: Memory, **whose: str) -> list[Spine]:
    """Every version of the spine, oldest first."""
    spine = memory.spine(revisions=True, **whose)
    return list(spine.revisions) if spine else []


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
    page = chat.messages(limit=1000)
    said = list(page)
    while page.next_cursor:
        page = chat.messages(limit=1000, cursor=page.next_cursor)
        said = [*page, *said]
    return said


def record_of(chat: Chat) -> ChatRecord:
    """What is stored of a chat, or what the service says of it."""
    inner = chat._inner
    if isinstance(inner, AsyncClientChat):
        values = chat._thread.run(inner._transport.get(inner._path(), user=chat.user_id))
        return read(ChatRecord, values, user=chat.user_id)
    work = inner._engine.parts.database.read(
        chat.user_id, lambda tx: chats.get(tx, chat.user_id, chat.chat_id)
    )
    found = chat._thread.run(work)
    assert found is not None
    return found


def check_chat(chat: Chat) -> None:
    """Counters equal a recount, segments touch and cover each message once, and the brief ends where they end."""
    said = everything_said(chat)
    record, segments, brief = record_of(chat), chat.summaries(), chat.brief()
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

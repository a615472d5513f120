"""Fill a database with a believable user: three months, two personas, 2,000 messages, and everything that came of them.

    python tools/seed_console.py FILE                      for the user `local`, ending today
    python tools/seed_console.py FILE --user U --start 2026-01-12

The words are in `seed_story.py`. They are said as an assistant would record them, session by session, on a clock of the
script's own, and everything else is the engine's work: memories by the judge of rules, pins, folds, briefs, sessions with
their summaries, spine versions, todos, entities, proposals. Afterwards somebody corrects a few things by hand. The dice are
seeded, so two runs with one start differ in ids alone. Without a start it ends today: memories fade, and a user of last
year would be tidied away as soon as a worker looks.
"""

import argparse
import asyncio
import random
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from seed_story import ASIDES, CHATS, HOME, MOMENTS, WORK, people, small_talk

from recollect import AsyncMemory, Settings
from recollect.admin import AsyncAdmin
from recollect.api.engine import engine_of
from recollect.records.job import MAX_ATTEMPTS, JobKind, NewJob, chat_lane
from recollect.records.message import Message
from recollect.store import jobs

#: How much there is of what.
MESSAGES = 2000
DAYS = 90
PEOPLE = 170
#: When each day begins.
MORNING = 7
#: Seconds for the work behind one session.
_PATIENCE = 120.0
_SEED = 20_260_112


def _ending_today() -> datetime:
    """The first morning of a story whose last day was yesterday."""
    today = datetime.now(UTC).replace(hour=MORNING, minute=0, second=0, microsecond=0)
    return today - timedelta(days=DAYS + 2)


class Clock:
    """The time in the story."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now


async def fill(
    database: str | Path,
    *,
    user: str = "local",
    embedder: Any = None,
    start: datetime | None = None,
    messages: int = MESSAGES,
) -> dict[str, int]:
    """Tell the whole story; what there is afterwards, counted."""
    clock = Clock(start or _ending_today())
    settings = replace(Settings.from_env(), fold_threshold_tokens=1200, sqlite_synchronous="normal")
    given = {} if embedder is None else {"embedder": embedder}
    async with AsyncMemory(database, settings=settings, clock=clock, **given) as memory:
        story = _Story(memory, clock, user, messages)
        await story.tell()
        await _correct(memory, clock, user, story.said)
        clock.now += timedelta(hours=1)
        await memory.drain(user=user, timeout=_PATIENCE)
        await _leave_a_failure(memory, clock, user)
        await engine_of(memory).parts.accesses.flush()
        return await _counted(memory, user)


class _Story:
    """Says everything, day by day."""

    def __init__(self, memory: AsyncMemory, clock: Clock, user: str, messages: int) -> None:
        self._memory = memory
        self._clock = clock
        self._user = user
        self._start = clock.now
        self._left = messages
        self._dice = random.Random(_SEED)
        self._people = list(people(PEOPLE))
        self._asides = list(ASIDES)
        self._names = ["Elin", "Davi", "Sofia", "Priya Raman", "my mother"]
        #: What was recorded, by the words.
        self.said: dict[str, Message] = {}

    async def tell(self) -> None:
        """Every day has a session, and a second one when something happens."""
        for day in range(DAYS):
            due = [moment for moment in MOMENTS if moment.day == day]
            chats = list(dict.fromkeys(moment.chat for moment in due)) or [self._dice.choice(list(CHATS))]
            for place, chat in enumerate(chats):
                begins = self._start + timedelta(days=day, hours=4 * place, minutes=self._dice.randint(0, 50))
                turns = [(moment.user, moment.assistant) for moment in due if moment.chat == chat]
                last = day == DAYS - 1 and place == len(chats) - 1
                await self._session(chat, begins, turns, self._share(day, last))
                await self._memory.drain(user=self._user, timeout=_PATIENCE)
        for chat, (_, title) in CHATS.items():
            if title:
                await self._memory.chat(chat, user=self._user).rename(title)

    def _share(self, day: int, last: bool) -> int:
        """Turns of a session: what is left, spread over the days that are left."""
        return self._left // 2 if last else max(1, round(self._left / 2 / max(1, DAYS - day) / 1.15))

    async def _session(
        self, chat: str, begins: datetime, turns: Sequence[tuple[str, str]], share: int
    ) -> None:
        """One stretch of talk in one chat. The clock goes on once, to where it is over: jobs must not see it jump."""
        mentioned = [self._people.pop(0) for _ in range(min(2, len(self._people)))]
        self._names += [name for name, _ in mentioned]
        aside = [self._asides.pop(0)] if self._asides else []
        told = [(text, "Good to know.") for text in (*(text for _, text in mentioned), *aside)]
        said = [*turns, *told][: max(share, len(turns))]
        while len(said) < share:
            said.append(small_talk(chat, self._names[-30:], self._dice))
        talk = self._memory.chat(chat, user=self._user, persona=CHATS[chat][0])
        lines = list(self._timed(said, begins))
        self._clock.now = lines[-1]["created_at"] + timedelta(minutes=31)
        for found in (await talk.add(lines)).messages:
            self.said[found.text] = found
        self._left -= len(lines)

    def _timed(self, said: Iterable[tuple[str, str]], at: datetime) -> Iterable[dict[str, Any]]:
        for asked, answered in said:
            for role, text in (("user", asked), ("assistant", answered)):
                at += timedelta(seconds=self._dice.randint(8, 60))
                yield {"role": role, "text": text, "created_at": at}


async def _correct(memory: AsyncMemory, clock: Clock, user: str, said: dict[str, Message]) -> None:
    """What a person does in a console now and then: pins, edits, todos, merges, a look at what is double."""
    clock.now += timedelta(hours=2)
    known = await memory.memories(user=user, limit=1000)
    for item in known[:40:8]:
        await memory.update(item.memory_id, user=user, pinned=True)
    for item in known[5:60:20]:
        await memory.update(item.memory_id, user=user, tags=["checked"], importance=6.5)
    for item in known[60:64]:
        await memory.update(item.memory_id, user=user, status="ARCHIVED")
    await _pin(memory, user, said)
    await _note_todos(memory, clock, user)
    for moment, better in (
        (MOMENTS[19], "My bank is now Länsförsäkringar; I left Nordea."),
        (MOMENTS[34], "I ran 18.5 kilometres today. I always run along the Göta river."),
    ):
        await memory.edit(said[moment.user].message_id, better, user=user)
    await memory.set_seed(
        [{"content": "User studied interaction design in Umeå.", "category": "fact"}],
        notes="Mara writes British English.",
        user=user,
    )
    await memory.drain(user=user, timeout=_PATIENCE)
    await memory.consolidate(user=user)


async def _pin(memory: AsyncMemory, user: str, said: dict[str, Message]) -> None:
    for number, kind in ((2, "manual"), (15, "concept"), (17, "manual"), (36, "auto")):
        moment = MOMENTS[number]
        await memory.chat(moment.chat, user=user).pin(
            moment.user, importance_score=8.0, pin_type=kind, source_message_id=said[moment.user].message_id
        )


async def _note_todos(memory: AsyncMemory, clock: Clock, user: str) -> None:
    for kind, text, persona, days, status in (
        ("commitment", "Send Priya the icon set", WORK, 2, "open"),
        ("commitment", "Call the restaurant for the birthday", HOME, -1, "open"),
        ("commitment", "Book the hotel in Stockholm", WORK, 20, "done"),
        ("habit", "Stretch after every run", HOME, None, "open"),
        ("habit", "No screens after ten", HOME, None, "dropped"),
        ("thread", "Whether to apply for the grant", WORK, None, "open"),
        ("thread", "What to read after Le Guin", HOME, None, "done"),
        ("friction", "The build fails on Mondays", WORK, None, "open"),
        ("friction", "Too many meetings before lunch", WORK, None, "open"),
    ):
        due = None if days is None else clock.now + timedelta(days=days)
        await memory.add_todo(text, user=user, kind=kind, persona=persona, due_at=due, status=status)


async def _leave_a_failure(memory: AsyncMemory, clock: Clock, user: str) -> None:
    """A job that failed too often, as one does when a model could not be reached for minutes."""
    chat = "late-thoughts"
    lost = NewJob(kind=JobKind.FOLD, lane=chat_lane(chat), subject=chat, payload={"chat_id": chat})
    opened = engine_of(memory).parts.database

    def fail(tx: Any) -> None:
        jobs.add(tx, user, [lost], now=clock.now, new_id=lambda: "0000000000000-seeded00")
        job = next(item for item in jobs.of_user(tx, user) if item.kind is JobKind.FOLD)
        for tried in range(1, MAX_ATTEMPTS + 1):
            held = jobs.claim(tx, job, lease="seed", until=clock.now + timedelta(minutes=1), now=clock.now)
            assert held is not None
            again = None if tried == MAX_ATTEMPTS else clock.now
            jobs.failed(tx, held, "ModelError: the model did not answer within 30 seconds.", again)

    await opened.write(user, fail)


async def _counted(memory: AsyncMemory, user: str) -> dict[str, int]:
    stats = await memory.stats(user=user)
    proposals = await memory.proposals(user=user)
    spine = await memory.spine(user=user, revisions=True)
    found = Counter(
        {
            "messages": stats.messages,
            "chats": stats.chats,
            "memories": stats.total,
            "entities": len(await memory.entities(user=user, limit=1000)),
            "sessions": len(await memory.sessions(user=user, limit=1000)),
            "spines": len(spine.revisions) if spine else 0,
            "todos": len(await memory.todos(user=user, limit=1000, status=None)),
            "proposals": len(proposals),
            "dead jobs": len(await AsyncAdmin(memory).jobs(user=user, status="dead")),
        }
    )
    for chat in CHATS:
        talk = memory.chat(chat, user=user)
        found["pins"] += len(await talk.pins())
        found["summaries"] += len(await talk.summaries())
    return dict(found)


def main() -> None:
    """Fill the database that the command names."""
    parser = argparse.ArgumentParser(description="Fill a database with a believable user.")
    parser.add_argument("database", type=Path)
    parser.add_argument("--user", default="local")
    parser.add_argument("--start", type=datetime.fromisoformat, help="The first day; default: ends today.")
    given = parser.parse_args()
    start = given.start and given.start.replace(hour=MORNING, tzinfo=UTC)
    began = time.monotonic()
    found = asyncio.run(fill(given.database, user=given.user, start=start))
    print(
        ", ".join(f"{count} {name}" for name, count in found.items()), f"in {time.monotonic() - began:.0f} s"
    )


if __name__ == "__main__":
    main()

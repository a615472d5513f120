"""Amend: an edited message takes its pins, its summaries and what was retold of it along."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from recollect import Conflict, Memory
from recollect.engine import amend
from recollect.engine.record import record
from recollect.records.chat import ChatRecord
from recollect.records.message import Role, Utterance
from recollect.records.pin import Pin
from recollect.store import chats
from recollect.store.database import Connection

from .conftest import Opener
from .conversing import QUICK, FakeWriter, check_chat, parts_of, spines_of, talk, until, written_by
from .fakes import FakeClock

# pyright: reportPrivateUsage=false


@pytest.fixture
def quick(opener: Opener, database_url: str) -> Memory:
    """A memory that folds after a few turns, on each of the two databases."""
    memory = opener(database_url, settings=QUICK)
    written_by(memory, FakeWriter())
    return memory


def test_a_fact_that_another_message_states_stays_pinned(memory: Memory) -> None:
    """Of two messages that say the same only one brought the pin; when that one changes, the other brings it."""
    chat = memory.chat("c", user="ann")
    first = chat.add(user="I am allergic to penicillin.").messages[0]
    second = chat.add(user="Do not forget: I am allergic to penicillin!").messages[0]
    assert len(chat.pins()) == 1
    memory.edit(first.message_id, "I had a nice day.", user=chat.user_id)
    (pin,) = chat.pins()
    assert (pin.source_message_id, pin.importance_score) == (second.message_id, 10.0)
    memory.forget(message=second.message_id, user=chat.user_id)
    assert chat.pins() == []


def test_a_pin_that_was_taken_away_does_not_come_back(memory: Memory) -> None:
    """What somebody unpinned by hand stays unpinned when another message is edited."""
    chat = memory.chat("c", user="ann")
    chat.add(user="I am allergic to penicillin.")
    other = chat.add(user="My sister is allergic to walnuts.").messages[0]
    memory.unpin(next(pin.pin_id for pin in chat.pins() if "penicillin" in pin.content), user=chat.user_id)
    memory.edit(other.message_id, "My sister is well.", user=chat.user_id)
    assert chat.pins() == []


def test_the_older_statement_comes_back(memory: Memory) -> None:
    """When the newest dose is deleted, the last one before it is pinned again; an edited older one does not win."""
    chat = memory.chat("c", user="ann")
    said = [chat.add(user=f"My dad takes metformin {dose} mg").messages[0] for dose in (500, 850, 1000)]
    amended = memory.edit(said[0].message_id, "My dad takes metformin 250 mg", user=chat.user_id)
    assert (amended.removed_pins, amended.added_pins) == ((), ())
    for dose, gone in ((1000, said[2]), (850, said[1]), (250, said[0])):
        (pin,) = chat.pins()
        assert pin.content == f"User's dad takes metformin {dose} mg"
        memory.forget(message=gone.message_id, user=chat.user_id)
    assert chat.pins() == []


def test_an_edit_replaces_and_gives_back(memory: Memory) -> None:
    """New words replace an older pin, and say so; when they go, the older one is pinned again."""
    chat = memory.chat("c", user="ann")
    (older,) = chat.add(user="I take warfarin 3 mg").pins
    message = chat.add(user="Good morning").messages[0]
    amended = memory.edit(message.message_id, "I take warfarin 5 mg", user=chat.user_id)
    assert amended.removed_pins == (older,)
    assert tuple(chat.pins()) == amended.added_pins
    amended = memory.edit(message.message_id, "Good evening", user=chat.user_id)
    assert [pin.content for pin in chat.pins()] == [older.content]
    assert tuple(chat.pins()) == amended.added_pins


def test_a_message_in_between_is_not_the_last_word(memory: Memory) -> None:
    """A dose that is told again after a message stands, even if that message is edited to say another."""
    chat = memory.chat("c", user="ann")
    chat.add(user="I take warfarin 3 mg")
    middle = chat.add(user="Good morning").messages[0]
    chat.add(user="I take warfarin 3 mg")
    memory.edit(middle.message_id, "I take warfarin 5 mg", user=chat.user_id)
    assert [pin.content for pin in chat.pins()] == ["User takes warfarin 3 mg"]


def test_a_dose_told_again_comes_back_as_the_last_word(memory: Memory, clock: FakeClock) -> None:
    """One dose, another, the first again, a third: when that is deleted, the first is the newest pin, not the second."""
    chat = memory.chat("c", user="ann")
    chat.add(user="I take metformin 500 mg and warfarin 3 mg")
    for said in (
        "metformin 850 mg and aspirin 50 mg",
        "metformin 500 mg",
        "metformin 1000 mg and aspirin 100 mg",
    ):
        clock.move(hours=1)
        last = chat.add(user=f"I take {said}").messages[0]
    memory.forget(message=last.message_id, user=chat.user_id)
    about = [pin for pin in chat.pins() if "metformin" in pin.content]
    assert max(about, key=lambda pin: pin.created_at).content == "User takes metformin 500 mg"


def _interrupted(
    memory: Memory, meanwhile: list[Callable[[Connection], object]]
) -> Callable[..., Awaitable[Any]]:
    """Writing as ever, but something else of the same user comes first, once for each."""
    write = parts_of(memory).database.write

    async def run(user_id: str, work: Callable[[Connection], Any]) -> Any:
        if meanwhile:
            await write(user_id, meanwhile.pop())
        return await write(user_id, work)

    return run


def _folded(tx: Connection) -> None:
    chat = chats.get(tx, "ann", "c")
    assert chat is not None
    chats.save(tx, replace(chat, revision=chat.revision + 1))


@pytest.mark.parametrize(("changes", "fits"), [(0, True), (2, True), (9, False)])
def test_a_chat_that_changes_meanwhile_is_read_again(memory: Memory, changes: int, fits: bool) -> None:
    """The work is done on the chat as it is, after a few tries; a chat that never rests is a conflict, and is left alone."""
    message = memory.chat("c", user="ann").add(user="I take warfarin 3 mg").messages[0]
    seen: list[int] = []

    def work(reread: amend.Reread, chat: ChatRecord, tx: Connection) -> int:
        seen.append(chat.revision)
        assert reread.chats[0].revision == chat.revision
        return chat.revision

    run = _interrupted(memory, [_folded] * changes)
    changing = amend.change_message(parts_of(memory), "ann", message.message_id, work, run)
    if fits:
        assert memory._thread.run(changing) == changes
    else:
        with pytest.raises(Conflict):
            memory._thread.run(changing)
    assert seen == ([changes] if fits else [])


def test_what_is_said_meanwhile_is_pinned_too(memory: Memory) -> None:
    """A message that says the same while the first one is being changed brings the pin."""
    chat = memory.chat("c", user="ann")
    first = chat.add(user="I am allergic to penicillin.").messages[0]
    parts = parts_of(memory)

    async def run(user_id: str, work: Callable[[Connection], Any]) -> Any:
        said = [Utterance(role=Role.USER, text="I'm allergic to penicillin!")]
        assert (await record(parts, user_id, "c", said)).pins == ()
        return await parts.database.write(user_id, work)

    def work(reread: amend.Reread, found: ChatRecord, tx: Connection) -> list[Pin]:
        amend.unpin(tx, reread.before)
        return list(amend.repin(parts, tx, reread).added)

    added = memory._thread.run(amend.change_message(parts, "ann", first.message_id, work, run))
    assert chat.pins() == added and added[0].source_message_id == chat.messages()[-1].message_id


def test_editing_the_tail_folds_nothing(quick: Memory) -> None:
    """A message that no summary covers changes without touching any; the counters follow its size."""
    chat = quick.chat("c", user="ann")
    talk(chat, 12)
    assert quick.drain(user="ann")
    segments = chat.summaries()
    last = chat.messages(limit=1)[0]
    assert quick.edit(last.message_id, "word " * 300, user=chat.user_id).refolded == 0
    check_chat(chat)
    assert chat.summaries()[: len(segments)] == segments


def test_what_was_retold_is_told_anew(quick: Memory, clock: FakeClock) -> None:
    """Session summaries, rolling summaries and spines that could have told the old words are dropped and rebuilt."""
    chat = quick.chat("c", user="ann")
    secret = chat.add(user="I live in Wolframstadt.", assistant="I see.").messages[0]
    for number in range(20):
        clock.move(seconds=1)
        chat.add(user=f"I know {number} songs.")
    assert quick.drain(user="ann")
    clock.move(minutes=40)
    assert quick.drain(user="ann")
    (session,) = quick.sessions(user="ann")
    assert session.summary is not None
    assert "Wolframstadt" in session.summary.digest.one_liner
    assert any(
        "Wolframstadt" in item.summary for item in quick.state(user="ann", revisions=True).rolling_summaries
    )
    assert "Wolframstadt" in str(quick.spine(user="ann"))
    quick.edit(secret.message_id, "I live in Graz.", user=chat.user_id)
    assert quick.drain(user="ann")
    (session,) = quick.sessions(user="ann")
    assert session.summary is not None
    assert "I live in Graz" in session.summary.digest.one_liner
    assert quick.state(user="ann", revisions=True).rolling_summaries
    assert "lives in Graz" in str(quick.spine(user="ann"))
    told = (
        str(quick.sessions(session=session.session.session_id, revisions=True, user="ann")[0].summaries),
        str(quick.state(user="ann", revisions=True).rolling_summaries),
        str(spines_of(quick, user="ann")),
        str(quick.state(user="ann").to_dict()),
    )
    assert all("Wolframstadt" not in text for text in told)


@pytest.mark.parametrize("kind", ["session", "rolling", "spine"])
def test_a_retelling_that_is_being_written_is_thrown_away(
    opener: Opener, clock: FakeClock, kind: str
) -> None:
    """A summary whose message is edited while it is written is not saved; the one that is tells the new words."""
    memory = opener()
    writer = written_by(memory, FakeWriter())
    writer.held.add(kind)
    chat = memory.chat("c", user="ann")
    said = [chat.add(user=f"I live in Wolframstadt number {number}.").messages[0] for number in range(20)]
    if kind == "session":
        clock.move(minutes=31)
    until(lambda: kind in writer.asked)
    for message in said:
        memory.edit(message.message_id, "I live in Graz.", user=chat.user_id)
    writer.held.clear()
    assert memory.drain(user="ann")
    told = {
        "session": lambda: str([past.summary for past in memory.sessions(user="ann")]),
        "rolling": lambda: str(memory.state(user="ann", revisions=True).rolling_summaries),
        "spine": lambda: str(spines_of(memory, user="ann")),
    }[kind]()
    assert "Graz" in told
    assert "Wolframstadt" not in told

"""Standing: what a person decided by hand outlives messages that are read late, or again."""

import pytest

from recollect import Memory, Settings
from recollect.admin import Admin, AsyncAdmin
from recollect.encoder.minilm import MiniLM
from recollect.engine.rederive import rederive
from recollect.types import ProposalKind

from .conftest import Opener
from .conversing import parts_of
from .fakes import FakeClock
from .judged_talk import FakeJudge, contents, judged_by


@pytest.fixture
def memory(opener: Opener, database_url: str) -> Memory:
    """A memory on each of the two databases, in which nothing happens by itself."""
    opened = opener(database_url, settings=Settings(sqlite_synchronous="normal", worker="off"))
    judged_by(parts_of(opened), FakeJudge())
    return opened


class Say:
    """Says lines in a chat, each a message of its own, a minute apart."""

    def __init__(self, memory: Memory, clock: FakeClock) -> None:
        self._memory = memory
        self._clock = clock

    def __call__(self, *lines: str, read: bool = True, chat: str = "c") -> list[str]:
        ids: list[str] = []
        for line in lines:
            self._clock.move(minutes=1)
            ids.append(self._memory.chat(chat, user="ann").add(user=line).messages[0].message_id)
        self._clock.move(minutes=1)
        if read:
            Admin(self._memory).judge(user="ann")
            self._clock.move(minutes=1)
        return ids


@pytest.fixture
def say(memory: Memory, clock: FakeClock) -> Say:
    return Say(memory, clock)


def _id_of(memory: Memory, content: str) -> str:
    (found,) = [item for item in memory.memories(user="ann") if item.content == content]
    return found.memory_id


def _everything(memory: Memory) -> object:
    """All that reading again could change."""
    known = memory.memories(user="ann", status=None, past=True)
    return (
        known,
        [memory.history(item.memory_id, user="ann") for item in known],
        memory.proposals(user="ann", status=None),
        memory.todos(user="ann", status=None),
    )


def _again(memory: Memory, clock: FakeClock) -> None:
    """Read everything again, twice, and see that nothing changes."""
    before = _everything(memory)
    for _ in range(2):
        clock.move(minutes=1)
        Admin(memory).judge(user="ann", again=True)
        assert _everything(memory) == before


@pytest.mark.parametrize(
    ("said", "content", "corrected"),
    [
        ("I live in Rome", "User lives in Rome", "User lives in Milan"),
        (
            "I walk around the lake at dawn",
            "User walks around the lake at dawn",
            "User swims in the sea at night",
        ),
    ],
    ids=["with a key", "without a key"],
)
def test_a_correction_stands(
    memory: Memory, say: Say, clock: FakeClock, said: str, content: str, corrected: str
) -> None:
    """A text that a person wrote is not replaced by the message that it corrects, nor joined by it."""
    say(f"fact: {said}")
    memory.update(_id_of(memory, content), content=corrected, user="ann")
    _again(memory, clock)
    assert contents(memory) == [corrected]


def test_a_correction_gives_way_to_later_words(memory: Memory, say: Say) -> None:
    """What is said after the correction replaces it, and so do the old words, said anew."""
    say("fact: I live in Rome")
    memory.update(_id_of(memory, "User lives in Rome"), content="User lives in Milan", user="ann")
    say("fact: I live in Oslo")
    assert contents(memory) == ["User lives in Oslo"]
    say("fact: I live in Rome")
    assert contents(memory) == ["User lives in Rome"]


def test_what_a_person_archived_stays_archived(memory: Memory, say: Say, clock: FakeClock) -> None:
    """Reading again revives nothing; saying it anew does."""
    say("fact: I live in Rome", "fact: I walk around the lake at dawn")
    for item in memory.memories(user="ann"):
        memory.update(item.memory_id, status="ARCHIVED", user="ann")
    _again(memory, clock)
    assert contents(memory) == []
    say("fact: I live in Rome")
    assert contents(memory) == ["User lives in Rome"]


def test_what_was_restored_stays_restored(memory: Memory, say: Say, clock: FakeClock) -> None:
    """An old value that a person brought back is not replaced by the message that replaced it before."""
    say("fact: I live in Rome", "fact: I live in Oslo")
    (rome,) = [
        item for item in memory.memories(user="ann", past=True) if item.content == "User lives in Rome"
    ]
    memory.update(_id_of(memory, "User lives in Oslo"), status="ARCHIVED", user="ann")
    clock.move(minutes=1)
    memory.update(rome.memory_id, status="ACTIVE", user="ann")
    _again(memory, clock)
    assert contents(memory) == ["User lives in Rome"]


def test_the_older_of_a_contradiction_is_not_proposed_again(
    opener: Opener, database_url: str, clock: FakeClock, minilm: MiniLM
) -> None:
    """With the rules and the packaged model: what was accepted is neither revived nor proposed again."""
    settings = Settings(sqlite_synchronous="normal", worker="off")
    memory = opener(database_url, settings=settings, embedder=minilm)
    chat = memory.chat("c", user="ann")
    for text in ("I am a vegetarian.", "I love eating steak."):
        clock.move(minutes=1)
        chat.add(user=text)
    clock.move(minutes=1)
    Admin(memory).judge(user="ann")
    (proposal,) = memory.proposals(user="ann", kind=ProposalKind.CONTRADICTION)
    clock.move(minutes=1)
    memory.resolve(proposal.proposal_id, accept=True, user="ann")
    _again(memory, clock)
    assert contents(memory) == ["User loves eating steak."]


def test_what_was_replaced_does_not_come_back(memory: Memory, say: Say, clock: FakeClock) -> None:
    """A value that was replaced stays in the past, even when the one that replaced it is archived."""
    say("fact: I live in Rome", "fact: I live in Oslo")
    memory.update(_id_of(memory, "User lives in Oslo"), status="ARCHIVED", user="ann")
    _again(memory, clock)
    assert contents(memory) == []


def test_two_values_in_one_message(memory: Memory, say: Say, clock: FakeClock) -> None:
    """The second value of one message stands, however often it is read."""
    say("fact: I live in Rome\nfact: I live in Oslo")
    _again(memory, clock)
    assert contents(memory) == ["User lives in Oslo"]


def test_a_message_that_is_read_late(memory: Memory, say: Say, clock: FakeClock) -> None:
    """What was said before a person decided, and is read for the first time afterwards, does not undo it."""
    for text in ("I live in Rome", "I walk around the lake at dawn", "I play the cello on Sundays"):
        memory.add(text, user="ann")
    say("fact: I live in Oslo", "fact: I walk around the lake at dawn", read=False)
    memory.update(_id_of(memory, "User lives in Rome"), content="User lives in Milan", user="ann")
    memory.update(_id_of(memory, "User walks around the lake at dawn"), status="ARCHIVED", user="ann")
    Admin(memory).judge(user="ann")
    assert contents(memory) == ["User lives in Milan", "User plays the cello on Sundays"]


def test_what_others_did_is_no_decision(memory: Memory, say: Say, clock: FakeClock) -> None:
    """A change by the judge itself does not keep a later message from being believed."""
    say("fact: I live in Rome")
    say("fact: I live in Oslo", read=False)
    clock.move(minutes=1)
    Admin(memory).judge(user="ann", again=True)
    assert contents(memory) == ["User lives in Oslo"]


def test_an_edited_message_may_bring_back_its_own(memory: Memory, say: Say, clock: FakeClock) -> None:
    """What went because its message was edited comes back when the message is edited back."""
    (message,) = say("fact: I walk around the lake at dawn")
    chat = memory.chat("c", user="ann")
    for text, known in (
        ("Never mind.", []),
        ("fact: I walk around the lake at dawn", ["User walks around the lake at dawn"]),
    ):
        clock.move(minutes=1)
        memory.edit(message, text, user=chat.user_id)
        _work(memory)
        assert contents(memory) == known


def test_an_edit_leaves_a_correction_alone(memory: Memory, say: Say, clock: FakeClock) -> None:
    """New words around the corrected statement change nothing; a new value is the user's last word."""
    (message,) = say("fact: I live in Rome")
    memory.update(_id_of(memory, "User lives in Rome"), content="User lives in Milan", user="ann")
    clock.move(minutes=1)
    chat = memory.chat("c", user="ann")
    memory.edit(message, "Well.\nfact: I live in Rome", user=chat.user_id)
    _work(memory)
    assert contents(memory) == ["User lives in Milan"]
    clock.move(minutes=1)
    memory.edit(message, "Well.\nfact: I live in Oslo", user=chat.user_id)
    _work(memory)
    assert contents(memory) == ["User lives in Oslo"]


def _work(memory: Memory) -> None:
    """Do what an edit left to be done."""

    async def run() -> None:
        parts = parts_of(memory)
        for job in await AsyncAdmin(memory._inner).jobs(user="ann"):
            if job.kind == "rederive":
                await rederive(parts, "ann", job.subject)

    memory._thread.run(run())


def test_todos_stay_as_a_person_left_them(memory: Memory, say: Say, clock: FakeClock) -> None:
    """Done, dropped, rewritten or dated by hand: the message that told a todo changes nothing about it."""
    say("todo: call Tom", "todo: water the plants", "todo: buy milk", "todo: send the report")
    found = {todo.text: todo.todo_id for todo in memory.todos(user="ann")}
    changes = {
        "call Tom": {"status": "done"},
        "water the plants": {"status": "dropped"},
        "buy milk": {"text": "order oat drink online"},
        "send the report": {"due_at": "2026-04-01T10:00:00Z"},
    }
    for text, change in changes.items():
        memory.update_todo(found[text], **change, user="ann")
    _again(memory, clock)
    assert len(memory.todos(user="ann", status=None)) == 4


def test_a_todo_that_was_closed_after_it_was_said(memory: Memory, say: Say, clock: FakeClock) -> None:
    """Another message from before it was closed, read late, does not open it; one from after does."""
    say("todo: call Tom")
    say("todo: call Tom", read=False, chat="d")
    (todo,) = memory.todos(user="ann")
    memory.update_todo(todo.todo_id, status="done", user="ann")
    Admin(memory).judge(user="ann")
    assert memory.todos(user="ann") == []
    say("todo: call Tom", chat="d")
    assert len(memory.todos(user="ann")) == 1


def test_a_second_todo_of_a_message_is_found_later(memory: Memory, say: Say, clock: FakeClock) -> None:
    """A rewritten todo stands for one that its message tells, not for all of them."""
    say("todo: call Tom\ntodo: buy milk")
    found = {todo.text: todo.todo_id for todo in memory.todos(user="ann")}
    memory.update_todo(found["call Tom"], text="write to the bank", user="ann")
    memory.forget(todo=found["buy milk"], user="ann")
    clock.move(minutes=1)
    Admin(memory).judge(user="ann", again=True)
    assert sorted(todo.text for todo in memory.todos(user="ann")) == ["buy milk", "write to the bank"]

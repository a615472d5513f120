"""What methods return, as a person meets it: iterated, indexed, printed; and texts whose length counts as stored."""

import pytest

from recollect import InvalidInput, Memory, NewMemory
from recollect.records.cursor import cursor
from recollect.types import Page, Refused, Remembered

from .conftest import Opener


def test_what_is_printed_is_readable(memory: Memory) -> None:
    """A line for each: what it says, and the id to go on with."""
    done = memory.add("User keeps bees behind the house")
    known = done.memory
    assert str(known) == f"User keeps bees behind the house ({known.memory_id})"
    assert str(done) == f"added: {known}"
    found = memory.search("bees")
    assert str(found) == f"{found[0].score:.2f}  {known}"
    chat = memory.chat("c")
    (said,) = chat.add(user="I walk the dog.").messages
    assert str(said) == f"user: I walk the dog. ({said.message_id})"
    pin = chat.pin("The gate is green")
    assert str(pin) == f"The gate is green ({pin.pin_id})"
    todo = memory.add_todo("Water the roses", due_at="2026-03-02")
    assert str(todo) == f"Water the roses [open, due 2026-03-02] ({todo.todo_id})"
    assert str(memory.memories()) == str(known)
    assert str(memory.chats()[0]) == "I walk the dog. (c)"
    assert str(memory.search("dog")).endswith(f"{said}")
    assert str(memory.forget(known.memory_id)).startswith("erased: memories 1")


def test_lengths_end_where_they_ended(memory: Memory) -> None:
    """S2's words, for what is too short or too long as a stored sentence; much too long a text is not even read."""
    for text in ("short", "I am", "x" * 9):
        with pytest.raises(InvalidInput, match=r"Content too short \(minimum 10 characters\)"):
            memory.add(text, category="fact")
    for text in ("User has " + "x" * 492, "I have " + "x" * 495, "word " * 1_000_000):
        with pytest.raises(InvalidInput, match=r"Content too long \(maximum 500 characters\)"):
            memory.add(text, category="fact")
    kept = memory.add("Please remember that I have " + "x" * 480, category="fact").memory
    assert len(kept.content) <= 500


def test_a_new_memory_says_everything_itself(memory: Memory) -> None:
    """Taken by `add` and `add_many`, where texts and values mix; a keyword beside it is refused."""
    new = NewMemory("I work at Acme as a nurse", tags=("job",), source_message_ids=("m1",), persona="coach")
    stored = memory.add(new).memory
    assert (stored.tags, stored.source_message_ids, stored.persona_id) == (("job",), ("m1",), "coach")
    with pytest.raises(InvalidInput, match="Set category in the NewMemory") as refused:
        memory.add(new, category="fact")
    assert refused.value.field == "category"
    done = memory.add_many(
        ["I live in Oslo", NewMemory("I keep three bees", persona="chef"), 5], persona="coach"
    )  # type: ignore[list-item]
    assert [item.memory.persona_id for item in done if isinstance(item, Remembered)] == ["coach", "chef"]
    assert isinstance(done[2], Refused)
    assert done[2].reason == "add_many() takes texts and NewMemory values, not int."
    for wrong in ("I live in Oslo", new, 5, {"content": "I live in Oslo"}):
        with pytest.raises(InvalidInput, match="takes a list of texts"):
            memory.add_many(wrong)  # type: ignore[arg-type]


def test_a_page_is_a_list(memory: Memory) -> None:
    """Of so many rows, with the cursor of the next page, and None on the last one, also when it is full."""
    for number in range(4):
        memory.add(f"User owns the pearl{number} of lake{number * 7}")
    page = memory.memories(limit=2)
    assert isinstance(page, Page)
    assert isinstance(page, list)
    rest = memory.memories(limit=2, cursor=page.next_cursor)
    assert [*page, *rest] == memory.memories()
    assert rest.next_cursor is None


def test_a_todo_changes_by_keywords(memory: Memory) -> None:
    """What is not given stays; a date of None is taken away; nothing at all is refused."""
    todo = memory.add_todo("Water the roses", kind="habit", due_at="2026-03-02")
    done = memory.update_todo(todo.todo_id, status="done")
    assert (done.text, done.kind, done.status, done.due_at) == (todo.text, "habit", "done", todo.due_at)
    assert memory.update_todo(todo.todo_id, due_at=None).due_at is None
    assert memory.update_todo(todo.todo_id, text="Water all roses", due_at="2026-04-01").due_at is not None
    with pytest.raises(InvalidInput, match="Nothing to change"):
        memory.update_todo(todo.todo_id)
    receipt = memory.forget(todo=todo.todo_id)
    assert receipt.counts["todos"] == 1
    assert memory.todos(status=None) == []


def test_revisions_are_asked_for(opener: Opener) -> None:
    """Brief, spine, state and session name their revisions when somebody asks, and none otherwise."""
    memory = opener()
    chat = memory.chat("c", persona="coach")
    for number in range(25):
        chat.add(user=f"I planted rose number {number}. " + "It is red. " * 40, assistant="Very nice. " * 40)
    assert memory.drain()
    brief = chat.brief(revisions=True)
    assert chat.brief().revisions == ()
    assert brief.revisions[-1] == chat.brief()
    assert chat.brief(revision=brief.revisions[0].revision) == brief.revisions[0]
    spine = memory.spine(revisions=True)
    assert spine is not None
    assert spine.revisions[-1] == memory.spine() == memory.spine(version=spine.version)
    state = memory.state(persona="coach", revisions=True)
    assert state.rolling_summaries[-1] == state.rolling
    assert state.personas == ("coach",)
    assert memory.state(persona="coach").rolling_summaries == ()
    (past,) = memory.sessions(session=memory.sessions()[0].session.session_id, revisions=True)
    assert [where.chat_id for where in past.chats] == ["c"]


@pytest.mark.parametrize("beyond", [2**63, -(2**63), 10**30])
def test_a_position_that_no_database_takes_is_refused(memory: Memory, beyond: int) -> None:
    """A cursor that reads well but names an impossible position is an invalid one."""
    with pytest.raises(InvalidInput, match="Invalid cursor"):
        memory.chat("c").messages(cursor=cursor(beyond))

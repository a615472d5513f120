"""Told todos: what the user says becomes todos, closes them, and opens them again when it no longer counts."""

import logging
from collections.abc import Callable

import pytest

from recollect import Memory, Settings
from recollect.admin import Admin
from recollect.records.todo import Todo

from .conftest import Opener
from .fakes import FakeClock

#: Says something as a user and waits until it was judged; the id of the message.
Say = Callable[..., str]


@pytest.fixture
def memory(opener: Opener) -> Memory:
    """A memory that judges by rules."""
    return opener(settings=Settings(sqlite_synchronous="normal"))


@pytest.fixture
def say(memory: Memory, clock: FakeClock) -> Say:
    def said(text: str, *, user: str = "ann", chat: str = "c", read: bool = True) -> str:
        clock.move(seconds=20)
        memory.chat(chat, user=user).add(user=text, assistant="I see.")
        assert not read or memory.drain(user=user)
        return memory.chat(chat, user=user).messages()[-2].message_id

    return said


def _open(memory: Memory, user: str = "ann") -> list[str]:
    return sorted(todo.text for todo in memory.todos(user=user))


def _only(memory: Memory) -> Todo:
    (todo,) = memory.todos(user="ann", status=None)
    return todo


_PLAIN = [
    ("Remind me to renew my passport", "I renewed my passport."),
    ("Remind me to renew my passport by Friday", "I renewed my passport."),
    ("I need to renew my passport before the trip.", "Ok, I just renewed my passport!"),
    ("Remind me to call the dentist", "I finally called the dentist today."),
    ("Remind me to send Anna the report", "I've sent Anna the report."),
    ("I promised Anna to send the report", "Good news: I sent the report."),
]


def test_what_is_plainly_told_as_done_is_done(memory: Memory, say: Say) -> None:
    """Each of these closes its todo; the todo keeps the sources that told it."""
    left: dict[str, list[str]] = {}
    for number, (todo, deed) in enumerate(_PLAIN):
        source = say(todo, user=f"u{number}")
        say(deed, user=f"u{number}")
        (found,) = memory.todos(user=f"u{number}", status=None)
        if found.status != "done" or found.source_message_ids != (source,):
            left[deed] = [found.text]
    assert left == {}


def test_two_deeds_in_one_breath(memory: Memory, say: Say) -> None:
    """Both todos are closed, and no other."""
    for text in ("pay the rent", "book the hotel", "buy milk"):
        say(f"Remind me to {text}")
    say("Good news: I paid the rent and booked the hotel.")
    assert _open(memory) == ["Buy milk."]


#: Todo and words that an earlier rule took for its deed.
_NOT_DONE = [
    ("send Anna the report", "I sent Anna an email about the report"),
    ("call mom", "I called my mom's doctor"),
    ("renew my passport by Friday", "I renewed my daughter's passport"),
    ("turn off the heating", "I turned on the heating"),
    ("write the essay", "I wrote the first paragraph of the essay"),
    ("call the dentist", "I called the dentist but got voicemail"),
    ("renew my passport", "I renewed my passport, didn't I?"),
    ("renew my passport", "I renewed my passport. Just kidding!"),
    ("renew my passport", "I renewed my passport, right?"),
    ("renew my passport", "I renewed my passport, or so I thought"),
    ("renew my passport", "I was told I renewed my passport"),
    ("renew my passport", "Tom: I renewed my passport"),
    ("renew my passport", "I renewed my passport online but it was rejected"),
    ("renew my passport", "Off the record: I renewed my passport."),
    ("pay the rent", "I paid Bob to pay the rent"),
    ("finish the report", "I finished reading the report"),
    ("take the medicine", "I took a picture of the medicine"),
    ("do the taxes", "I did my best to do the taxes"),
    ("buy milk", "I bought a book about milk"),
    ("go to the bank", "I went past the bank"),
    ("cut the grass", "I cut the grass every Saturday"),
    ("water the plants tomorrow", "I watered the plants."),
    ("call mom", "I called mom yesterday."),
]


def test_what_is_not_told_as_done_stays_open(memory: Memory, say: Say) -> None:
    """Whatever else is said, the promise is not forgotten."""
    closed: list[tuple[str, str]] = []
    for number, (todo, words) in enumerate(_NOT_DONE):
        say(f"Remind me to {todo}", user=f"u{number}")
        say(words, user=f"u{number}")
        if not memory.todos(user=f"u{number}"):
            closed.append((todo, words))
    assert closed == []


def test_a_todo_opened_again_by_a_person_stays_open(memory: Memory, say: Say) -> None:
    """Reading the deed once more does not close it."""
    say("Remind me to renew my passport")
    say("I renewed my passport.")
    memory.update_todo(_only(memory).todo_id, status="open", user="ann")
    Admin(memory).judge(user="ann", again=True)
    assert _only(memory).status == "open"


def test_said_anew_after_it_was_done_it_is_a_new_todo(memory: Memory, say: Say) -> None:
    """The next rent is another one; the message of the first changes nothing."""
    say("Remind me to pay the rent")
    say("I paid the rent.")
    Admin(memory).judge(user="ann", again=True)
    assert _open(memory) == []
    say("Remind me to pay the rent")
    assert _open(memory) == ["Pay the rent."] and len(memory.todos(user="ann", status=None)) == 2


def test_the_message_that_told_a_todo_takes_it_along(memory: Memory, say: Say) -> None:
    """Done or not: what came from a message alone is erased with it."""
    told = say("Remind me to renew my passport")
    say("I renewed my passport.")
    receipt = memory.forget(message=told, user="ann")
    assert memory.todos(user="ann", status=None) == [] and receipt.counts["todos"] == 1


@pytest.mark.parametrize("whole_chat", [False, True])
def test_forgetting_the_deed_opens_the_todo(memory: Memory, say: Say, whole_chat: bool) -> None:
    """Nobody has said any more that it is done; its source stays."""
    told = say("Remind me to renew my passport")
    deed = say("I renewed my passport.", chat="d")
    assert _open(memory) == []
    memory.forget(chat="d", user="ann") if whole_chat else memory.forget(message=deed, user="ann")
    assert _only(memory).status == "open" and _only(memory).source_message_ids == (told,)


def test_forgetting_a_deed_leaves_what_a_person_closed(memory: Memory, say: Say, clock: FakeClock) -> None:
    """Closed by hand is closed, whatever was said beside it."""
    say("Remind me to renew my passport")
    clock.move(seconds=20)
    memory.update_todo(_only(memory).todo_id, status="done", user="ann")
    deed = say("I renewed my passport.")
    memory.forget(message=deed, user="ann")
    assert _only(memory).status == "done"


def test_an_edited_deed_counts_by_its_new_words(memory: Memory, say: Say, clock: FakeClock) -> None:
    """Words that still tell it leave the todo closed, others open it; open again, it waits for a new message."""
    say("Remind me to renew my passport")
    deed = say("I renewed my passport.")
    chat = memory.chat("c", user="ann")
    clock.move(seconds=20)
    memory.edit(deed, "I finally renewed my passport!", user=chat.user_id)
    assert memory.drain(user="ann") and _only(memory).status == "done"
    memory.edit(deed, "I lost my passport.", user=chat.user_id)
    assert memory.drain(user="ann") and _only(memory).status == "open"
    memory.edit(deed, "I renewed my passport.", user=chat.user_id)
    assert memory.drain(user="ann") and _only(memory).status == "open"


def test_a_message_that_becomes_a_deed(memory: Memory, say: Say) -> None:
    """New words close what the old ones did not."""
    say("Remind me to renew my passport")
    said = say("I was at the office.")
    memory.edit(said, "I renewed my passport.", user="ann")
    assert memory.drain(user="ann") and _only(memory).status == "done"


@pytest.mark.parametrize("read", [True, False])
def test_the_next_message_takes_it_back(memory: Memory, say: Say, read: bool) -> None:
    """Read at once or together: what was said in jest is open."""
    say("Remind me to renew my passport")
    say("I renewed my passport.", read=read)
    say("Just kidding!")
    assert _open(memory) == ["Renew User's passport."]


def test_another_persona_does_not_close_it(memory: Memory, clock: FakeClock) -> None:
    """A todo belongs to the persona that heard it."""
    coach = memory.chat("a", user="ann", persona="Coach")
    coach.add(user="Remind me to renew my passport", assistant="I see.")
    clock.move(seconds=20)
    memory.chat("b", user="ann", persona="Muse").add(user="I renewed my passport.", assistant="I see.")
    assert memory.drain(user="ann")
    assert [todo.text for todo in memory.todos(user="ann", persona="Coach")] == ["Renew User's passport."]


def test_how_many_are_closed_is_logged(memory: Memory, say: Say, caplog: pytest.LogCaptureFixture) -> None:
    """Closed and opened again, in the event of the judge."""
    caplog.set_level(logging.INFO)
    say("Remind me to renew my passport")
    say("I renewed my passport.")
    say("Just kidding!")
    counted = [record.getMessage() for record in caplog.records if "judge.done" in record.getMessage()]
    assert [text[text.index("todos=") :].split(" forgettings")[0] for text in counted] == [
        "todos=1 closed=0 reopened=0",
        "todos=0 closed=1 reopened=0",
        "todos=0 closed=0 reopened=1",
    ]


def test_a_context_does_not_tell_as_open_what_is_done(memory: Memory, say: Say) -> None:
    """The spine that was written before is shown without it."""
    say("Remind me to renew my passport")
    for number in range(20):
        say(f"What is {number} times {number}?", read=False)
    assert memory.drain(user="ann")
    spine = memory.spine(user="ann")
    assert spine is not None and "passport" in spine.content.open_loops
    chat = memory.chat("c", user="ann")
    before = chat.context("What is next?").to_text()
    assert before.count("Renew User's passport.") == 1 and "OPEN_LOOPS" not in before
    say("I renewed my passport.")
    assert "Renew User's passport." not in chat.context("What is next?").to_text()

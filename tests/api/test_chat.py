"""The face of one chat: what it takes, what it returns, and what it refuses."""

from datetime import timedelta
from typing import Any

import pytest
from engine.conversing import talk
from engine.fakes import FakeClock

from recollect import AsyncMemory, Chat, Conflict, InvalidInput, Memory, NotFound, Settings


@pytest.fixture
def chat(memory: Memory) -> Chat:
    return memory.chat("garden", user="ann")


def test_a_handle_reads_and_writes_nothing(memory: Memory) -> None:
    """Making a chat's handle makes no chat; bad names are refused at once."""
    handle = memory.chat("garden", user="ann", persona="Coach")
    assert (handle.chat_id, handle.user_id, handle.persona_id) == ("garden", "ann", "Coach")
    assert memory.chats(user="ann") == []
    for chat_id, user, persona in (
        ("", "ann", None),
        (" ", "ann", None),
        ("x" * 257, "ann", None),
        ("c", "", None),
        ("c", "ann", ""),
    ):
        with pytest.raises(InvalidInput):
            memory.chat(chat_id, user=user, persona=persona)


def test_content_is_taken_for_text(chat: Chat) -> None:
    """A message as OpenAI writes it is recorded as it is; both words at once are refused."""
    done = chat.record([{"role": "user", "content": "I prefer tea"}, {"role": "assistant", "text": "Noted."}])
    assert [message.text for message in done.messages] == ["I prefer tea", "Noted."]
    with pytest.raises(InvalidInput, match="give text or content, not both") as refused:
        chat.record([{"role": "user", "content": "I prefer tea", "text": "I prefer coffee"}])
    assert refused.value.field == "content"
    assert len(chat.messages()) == 2


@pytest.mark.parametrize("given", ["hello", b"hello", {"role": "user", "text": "hello"}, 5, None])
def test_what_is_no_list_of_messages(chat: Chat, given: Any) -> None:
    """The error shows what is wanted: a list of messages, each with role and text."""
    with pytest.raises(InvalidInput) as refused:
        chat.record(given)
    assert refused.value.message == (
        'messages must be a list of messages with role and text: [{"role": "user", "text": "Hello"}].'
    )
    with pytest.raises(InvalidInput, match="objects with role and text"):
        chat.record(["hello"])  # type: ignore[list-item]


@pytest.mark.in_process  # a client's handle has a name of its own
def test_a_handle_says_whose_it_is(memory: Memory) -> None:
    """In a notebook or a log a handle tells which chat of whom it is."""
    assert repr(memory.chat("garden", user="ann", persona="Coach")) == (
        "Chat('garden', user='ann', persona='Coach')"
    )
    asynchronous = AsyncMemory(settings=Settings(database_url=":memory:")).chat("garden", user="ann")
    assert repr(asynchronous) == "AsyncChat('garden', user='ann', persona=None)"


def test_reading_messages(chat: Chat) -> None:
    """The newest in order, those before a position, and those around a message; never more than the limit."""
    said = talk(chat, 10)
    assert chat.messages(limit=3) == said[-3:]
    assert chat.messages(limit=3, before=said[5].position) == said[2:5]
    assert chat.messages(limit=5, around=said[8].message_id) == said[6:11]
    assert chat.messages(limit=1, around=said[8].message_id) == [said[8]]
    assert len(chat.messages(limit=4, around=said[8].message_id)) <= 4
    assert chat.messages(limit=5, around=said[0].message_id) == said[:3]
    assert chat.messages(before=1) == []
    assert chat.messages(limit=3, after=0) == said[:3]
    assert chat.messages(limit=3, after=said[2].position) == said[3:6]
    assert chat.messages(after=said[-1].position) == []
    assert chat.message(said[4].message_id) == said[4]
    for limit in (0, -1, True, "5"):
        with pytest.raises(InvalidInput):
            chat.messages(limit=limit)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="before"):
        chat.messages(before="yesterday")  # type: ignore[arg-type]
    for after in (-1, True, "0", 2**60):
        with pytest.raises(InvalidInput, match="after"):
            chat.messages(after=after)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="one of before, after and around"):
        chat.messages(before=5, after=2)
    with pytest.raises(NotFound):
        chat.messages(around="nothing")


def test_an_unknown_chat(chat: Chat) -> None:
    """Lists of an unknown chat are empty; its record and its numbers are not found."""
    assert (chat.messages(), chat.pins(), chat.summaries(), chat.briefs()) == ([], [], [], [])
    assert chat.brief().global_summary == ""
    for ask in (chat.info, chat.stats, chat.forget, lambda: chat.rename("Roses"), lambda: chat.message("x")):
        with pytest.raises(NotFound):
            ask()


def test_titles(memory: Memory, chat: Chat) -> None:
    """Without a title a list shows the beginning of the user's first message; a title can be given and taken away."""
    chat.add(assistant="Welcome!")
    chat.add(user="How do I\nprune   roses?")
    assert memory.chats(user="ann")[0].title == "How do I prune roses?"
    assert chat.rename("  Roses ").title == "Roses"
    assert memory.chats(user="ann")[0].title == "Roses"
    for empty in (None, "", "  "):
        chat.rename("Roses")
        assert chat.rename(empty).title is None
        assert memory.chats(user="ann")[0].title == "How do I prune roses?"
    for title in ("x" * 201, 5):
        with pytest.raises(InvalidInput) as refused:
            chat.rename(title)  # type: ignore[arg-type]
        assert refused.value.field == "title"


def test_the_shapes_on_the_wire(chat: Chat, clock: FakeClock) -> None:
    """S0's MessageWithImportance and MemoryContext, with their names."""
    chat.add(user="I am allergic to nuts.", assistant="Noted.", model_id="mini", token_usage=7)
    values = chat.messages()[1].to_dict()
    assert {name: values[name] for name in ("session_id", "role", "model_id", "token_usage")} == {
        "session_id": "garden",
        "role": "assistant",
        "model_id": "mini",
        "token_usage": 7,
    }
    context = chat.context("What may I eat?").to_dict()
    assert set(context) >= {"recentMessages", "semanticPins", "summaries", "totalTokens", "text", "messages"}
    assert [item["text"] for item in context["recentMessages"]] == ["I am allergic to nuts.", "Noted."]
    assert chat.info().to_dict()["message_count"] == 2
    assert chat.info().last_message_at == clock.now


def test_times_of_ones_own(chat: Chat, clock: FakeClock) -> None:
    """A message may have been said earlier; text and moments are read alike, in any time zone."""
    at = clock.now - timedelta(days=1)
    chat.add(user="Yesterday.", created_at=at)
    chat.add(user="Then.", created_at="2026-02-28T14:00:00+02:00")
    assert [item.created_at for item in chat.messages()] == [at, at]


def test_another_persona_does_not_get_in(memory: Memory) -> None:
    """A chat that is opened under a persona that is not its own refuses to read, to change and to forget."""
    coach = memory.chat("c", user="ann", persona="Coach")
    said = coach.add(user="I run on Sundays.", assistant="Good.").messages[0]
    other = memory.chat("c", user="ann", persona="Chef")
    for call in (
        other.messages,
        other.pins,
        other.context,
        other.brief,
        other.forget,
        lambda: other.edit(said.message_id, "No."),
        lambda: other.delete(said.message_id),
        lambda: other.add(user="Hello."),
    ):
        with pytest.raises(Conflict, match="Coach"):
            call()
    assert len(memory.chat("c", user="ann").messages()) == 2


def test_odd_values_are_refused_by_name(memory: Memory) -> None:
    """Whatever a method is given, the error says which field is wrong."""
    chat = memory.chat("c", user="ann")
    todo = memory.add_todo("Call the dentist", user="ann")
    for field, call in (
        ("assistant", lambda: chat.add(assistant=5)),  # type: ignore[arg-type]
        ("text", lambda: chat.add(assistant=[5])),  # type: ignore[list-item]
        ("before", lambda: chat.messages(before=2**70)),
        ("version", lambda: memory.spine(2**70, user="ann")),
        ("source_message_id", lambda: chat.pin("A fact to keep", source_message_id="\ud800")),
        ("message_id", lambda: chat.message("x" * 300_000)),
        ("changes", lambda: memory.update_todo(todo.todo_id, 5, user="ann")),  # type: ignore[arg-type]
    ):
        with pytest.raises(InvalidInput) as error:
            call()
        assert error.value.field == field
        assert len(str(error.value)) < 500

"""One chat: what it takes, what it returns, and what it refuses."""

import pytest
from engine.conversing import talk
from engine.fakes import FakeClock

from recollect import AsyncMemory, Chat, InvalidInput, Memory, NotFound, Settings


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


@pytest.mark.in_process  # a client's handle has a name of its own
def test_a_handle_says_whose_it_is(memory: Memory) -> None:
    """In a notebook or a log a handle tells which chat of whom it is."""
    assert repr(memory.chat("garden", user="ann", persona="Coach")) == (
        "Chat('garden', user='ann', persona='Coach')"
    )
    asynchronous = AsyncMemory(settings=Settings(database_url=":memory:")).chat("garden", user="ann")
    assert repr(asynchronous) == "AsyncChat('garden', user='ann', persona=None)"


def test_reading_messages(chat: Chat, memory: Memory) -> None:
    """The newest in order, the pages before them, and those around a message; never more than the limit."""
    said = talk(chat, 10)
    page = chat.messages(limit=3)
    assert page == said[-3:]
    found = list(page)
    while page.next_cursor:
        page = chat.messages(limit=3, cursor=page.next_cursor)
        found = [*page, *found]
    assert found == said
    assert chat.messages(limit=5, around=said[8].message_id) == said[6:11]
    assert chat.messages(limit=1, around=said[8].message_id) == [said[8]]
    assert len(chat.messages(limit=4, around=said[8].message_id)) <= 4
    first = chat.messages(limit=5, around=said[0].message_id)
    assert first == said[:3]
    assert chat.messages(limit=3, cursor=first.next_cursor) == said[3:6]
    assert chat.messages(limit=5, around=said[-1].message_id).next_cursor is None
    assert memory.message(said[4].message_id, user="ann") == said[4]
    for limit in (0, -1, True, "5"):
        with pytest.raises(InvalidInput):
            chat.messages(limit=limit)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="cursor or around"):
        chat.messages(cursor=first.next_cursor, around=said[0].message_id)
    with pytest.raises(InvalidInput, match="Invalid cursor"):
        chat.messages(cursor="yesterday")
    with pytest.raises(NotFound):
        chat.messages(around="nothing")


def test_an_unknown_chat(chat: Chat, memory: Memory) -> None:
    """Lists of an unknown chat are empty; its record and its numbers are not found."""
    assert (chat.messages(), chat.pins(), chat.summaries()) == ([], [], [])
    assert chat.brief(revisions=True).revisions == ()
    assert chat.brief().global_summary == ""
    for ask in (
        chat.stats,
        lambda: chat.rename("Roses"),
        lambda: chat.brief(revision=3),
        lambda: memory.chats(chat="garden", user="ann"),
        lambda: memory.forget(chat="garden", user="ann"),
        lambda: memory.message("x", user="ann"),
    ):
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


def test_the_shapes_on_the_wire(memory: Memory, chat: Chat, clock: FakeClock) -> None:
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
    (record,) = memory.chats(chat="garden", user="ann")
    assert (record.to_dict()["message_count"], record.last_message_at) == (2, clock.now)

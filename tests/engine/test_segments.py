"""Segments: kept from context to context, read anew when a chat is folded, edited, forgotten or begun anew."""

from recollect import Chat

from .conftest import Opener
from .conversing import QUICK, parts_of, talk


def _shown(chat: Chat) -> list[str]:
    return [summary.summary_id for summary in chat.context("What now?").summaries]


def _stored(chat: Chat) -> list[str]:
    return [summary.summary_id for summary in chat.summaries()]


def test_a_change_is_seen_at_once(opener: Opener) -> None:
    """A fold, an edit and a forgotten message are in the very next context; between them nothing is read again."""
    memory = opener(settings=QUICK)
    chat = memory.chat("c", user="ann")
    assert _shown(chat) == []
    talk(chat, 20)
    assert memory.drain(user="ann")
    assert _shown(chat) == _stored(chat) != []
    first = chat.context("What now?").summaries
    assert chat.context("What else?").summaries is first
    talk(chat, 20, start=21)
    assert memory.drain(user="ann")
    assert _shown(chat) == _stored(chat)
    assert len(_shown(chat)) > len(first)
    folded = chat.messages(limit=200)[0]
    for change in (
        lambda: memory.edit(folded.message_id, "The kettle is green.", user=chat.user_id),
        lambda: memory.forget(message=folded.message_id, user="ann"),
    ):
        taken_back = set(_shown(chat))
        change()
        assert taken_back.isdisjoint(_shown(chat))
        assert memory.drain(user="ann")
        assert _shown(chat) == _stored(chat) != []


def test_a_chat_that_is_begun_anew_shows_nothing_of_the_old_one(opener: Opener) -> None:
    """A forgotten chat leaves no segment behind, though its revisions start again; nor does a forgotten user."""
    memory = opener(settings=QUICK)
    chat = memory.chat("c", user="ann")
    for _ in range(2):
        talk(chat, 20)
        assert memory.drain(user="ann")
        assert _shown(chat) == _stored(chat) != []
        memory.forget(chat="c", user="ann")
        assert not parts_of(memory).segments._kept._held
        assert _shown(chat) == []
    talk(chat, 20)
    assert memory.drain(user="ann")
    assert _shown(chat)
    memory.forget(everything=True, user="ann")
    assert not parts_of(memory).segments._kept._held

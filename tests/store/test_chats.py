"""The chats table."""

from collections.abc import Callable
from dataclasses import replace

from recollect.records.chat import ChatRecord
from recollect.records.message import Role
from recollect.store import chats
from recollect.store.database import Connection

from .conftest import Store
from .conversations import chat, message, minutes, tell
from .rows import NOON


def _saving(made: ChatRecord) -> Callable[[Connection], bool]:
    def save(tx: Connection) -> bool:
        chats.ensure(tx, made.user_id, made.chat_id, made.persona_id, made.created_at)
        return chats.save(tx, made)

    return save


def test_a_chat_is_made_once(store: Store) -> None:
    """The first `ensure` makes the chat, a later one reads it with its persona and its counters."""
    made = store.write("ann", lambda tx: chats.ensure(tx, "ann", "c1", "coach", NOON))
    assert made == chat(persona_id="coach")
    grown = replace(made, message_count=3, last_position=4, last_message_at=minutes(4))
    assert store.write("ann", _saving(grown)) is True
    again = store.write("ann", lambda tx: chats.ensure(tx, "ann", "c1", "doctor", minutes(9)))
    assert again == grown


def test_every_field_comes_back(store: Store) -> None:
    """What is saved is what is read, field by field."""
    made = chat(
        persona_id="coach",
        title="Bees 🐝",
        last_message_at=minutes(7),
        message_count=11,
        last_position=12,
        revision=3,
        folded_position=5,
        refold_position=4,
        unfolded_messages=6,
        unfolded_tokens=700,
        judged_position=9,
    )
    store.write("ann", _saving(made))
    assert store.read("ann", lambda tx: chats.get(tx, "ann", "c1")) == made


def test_what_is_gone_is_not_saved(store: Store) -> None:
    """Saving and deleting say whether there was a chat of this user."""
    store.write("ann", _saving(chat()))
    assert store.write("bob", lambda tx: chats.delete(tx, "bob", "c1")) is False
    assert store.write("bob", lambda tx: chats.save(tx, chat(user_id="bob"))) is False
    assert store.write("ann", lambda tx: chats.delete(tx, "ann", "c1")) is True
    assert store.write("ann", lambda tx: chats.save(tx, chat())) is False
    assert store.read("ann", lambda tx: chats.get(tx, "ann", "c1")) is None


def test_pages_go_by_the_last_activity(store: Store) -> None:
    """The last active chat comes first, one without a message by its creation; pages neither repeat nor skip."""
    found = [
        chat("quiet", created_at=minutes(30)),
        chat("old", last_message_at=minutes(1)),
        chat("new", last_message_at=minutes(60)),
        chat("same a", last_message_at=minutes(20)),
        chat("same b", last_message_at=minutes(20)),
        chat("same c", last_message_at=minutes(20)),
    ]
    for made in (*found, chat("other", "bob", last_message_at=minutes(99))):
        store.write(made.user_id, _saving(made))
    pages: list[list[str]] = []
    before: tuple[str, str] | None = None
    while listed := store.read(
        "ann", lambda tx, before=before: chats.page(tx, "ann", limit=2, before=before)
    ):
        pages.append([item.chat_id for item, _ in listed])
        before = listed[-1][0].cursor
    assert pages == [["new", "quiet"], ["same c", "same b"], ["same a", "old"]]


def test_a_page_of_one_persona(store: Store) -> None:
    """A persona's list holds its chats alone; without one it holds all."""
    for made in (chat("a", persona_id="coach"), chat("b", persona_id="doctor"), chat("c")):
        store.write("ann", _saving(made))

    def ids(persona_id: str | None) -> list[str]:
        listed = store.read("ann", lambda tx: chats.page(tx, "ann", persona_id=persona_id, limit=9))
        return [item.chat_id for item, _ in listed]

    assert ids("coach") == ["a"]
    assert ids(None) == ["c", "b", "a"]


def test_a_page_shows_how_chats_began(store: Store) -> None:
    """Each chat comes with the first 200 characters of the user's first message, or with nothing."""
    store.write("ann", _saving(chat("a")))
    store.write("ann", _saving(chat("b")))
    said = [
        message(1, "a", role=Role.SYSTEM, text="Be kind."),
        message(2, "a", role=Role.ASSISTANT, text="Hello."),
        message(3, "a", role=Role.USER, text="é" * 300),
        message(5, "a", role=Role.USER, text="And another thing."),
        message(1, "a", user_id="bob", text="Bob's secret"),
        message(1, "b", user_id="bob", text="Bob's secret"),
    ]
    for one in said:
        store.write(one.user_id, lambda tx, one=one: tell(tx, [one]))
    listed = store.read("ann", lambda tx: chats.page(tx, "ann", limit=9))
    assert [(item.chat_id, text) for item, text in listed] == [("b", ""), ("a", "é" * 200)]


def test_every_chat_by_its_last_activity(store: Store) -> None:
    """All chats of a user, the one that was quiet for longest first."""
    for number, name in enumerate(("new", "old", "oldest")):
        store.write("ann", _saving(chat(chat_id=name, last_message_at=minutes(9 - number))))
    store.write("bob", _saving(chat(user_id="bob")))
    assert store.read("ann", lambda tx: chats.ids(tx, "ann")) == ["oldest", "old", "new"]

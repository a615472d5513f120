"""The message_entries table: the data that an index needs for a message besides its vectors.

An entry repeats the few columns that filters need and adds the packed words, so that loading an index of a hundred
thousand messages reads no text. Entries and vectors are written in one transaction; until then an index packs the words
itself. Keeping the words in the messages table was rejected, because each read of a chat would load them too.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from recollect.index.postings import pack
from recollect.records.message import Message, asks
from recollect.records.moment import iso
from recollect.store.database import Connection, Row

#: The columns of an entry as an index reads them, in this order.
READ = "message_id, chat_id, position, role, name, session_id, created_at, terms, asks, message_revision"
#: Rows read at a time, so that a large user is never in memory twice.
_PORTION = 4096

_PUT = f"""
    INSERT INTO message_entries (user_id, {READ}, revision)
    VALUES (:user_id, {", ".join(":" + name for name in READ.split(", "))}, :revision)
    ON CONFLICT (user_id, message_id) DO UPDATE SET
        terms = excluded.terms, asks = excluded.asks, message_revision = excluded.message_revision,
        revision = excluded.revision
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A message with its words, as of one revision of it."""

    message: Message
    terms: bytes
    message_revision: int


def terms_of(message: Message) -> bytes:
    """The words by which a message is found: its own, and the name of who speaks."""
    return packed(message.name, message.text)


def packed(name: str | None, text: str) -> bytes:
    """Words of a text, and of a speaker's name."""
    return pack(f"{name}: {text}" if name else text)


def put(tx: Connection, user_id: str, entries: Sequence[Entry], *, revision: int) -> None:
    """Store or replace the entries of these messages."""
    if not entries:
        return
    tx.many(
        _PUT,
        [
            {
                "user_id": user_id,
                "message_id": entry.message.message_id,
                "chat_id": entry.message.chat_id,
                "position": entry.message.position,
                "role": entry.message.role.value,
                "name": entry.message.name,
                "session_id": entry.message.session_id,
                "created_at": iso(entry.message.created_at),
                "terms": entry.terms,
                "asks": int(asks(entry.message.text)),
                "message_revision": entry.message_revision,
                "revision": revision,
            }
            for entry in entries
        ],
    )


def read(tx: Connection, user_id: str) -> Iterator[list[Row]]:
    """All entries in portions, in the order of ids; columns as in `READ`."""
    return tx.batches(
        f"SELECT {READ} FROM message_entries WHERE user_id = :user_id ORDER BY message_id",
        {"user_id": user_id},
        _PORTION,
    )


def since(tx: Connection, user_id: str, revision: int) -> list[Row]:
    """The entries that were written after a revision; columns as in `READ`."""
    return tx.all(
        f"SELECT {READ} FROM message_entries WHERE user_id = :user_id AND revision > :revision",
        {"user_id": user_id, "revision": revision},
    )


def drop(tx: Connection, user_id: str, message_id: str) -> int:
    """Remove the entry of a message; how many."""
    return tx.run(
        "DELETE FROM message_entries WHERE user_id = :user_id AND message_id = :message_id",
        {"user_id": user_id, "message_id": message_id},
    )


def drop_chat(tx: Connection, user_id: str, chat_id: str) -> int:
    """Remove the entries of all messages of a chat, while those are still there; how many."""
    return tx.run(
        """
        DELETE FROM message_entries WHERE user_id = :user_id AND message_id IN (
            SELECT message_id FROM messages WHERE user_id = :user_id AND chat_id = :chat_id)
        """,
        {"user_id": user_id, "chat_id": chat_id},
    )


def count(tx: Connection, user_id: str) -> int:
    """How many of a user's messages are indexed."""
    row = tx.one("SELECT count(*) FROM message_entries WHERE user_id = :user_id", {"user_id": user_id})
    return row[0] if row else 0

"""The users table: users, counters of changes to their memories and messages, and their embedding model.

Changes to memories and messages are counted separately, so that recording a message leaves an index of memories fresh.
The revisions of individual changes are in the tables of memories and messages.
"""

from dataclasses import dataclass, replace
from datetime import datetime

from recollect.records.moment import iso, stored
from recollect.store.database import Connection, Row


@dataclass(frozen=True, slots=True, kw_only=True)
class UserState:
    """The data with which an index checks whether it is fresh."""

    revision: int
    epoch: int
    embedding_model: str
    #: The same two for messages.
    message_revision: int = 0
    message_epoch: int = 0
    #: Messages up to this revision have entries and vectors.
    indexed_revision: int = 0
    #: The curator has compared the memories up to this revision.
    curated_revision: int = 0

    def before(self) -> "UserState":
        """What was committed when a change began: the state that an index may have."""
        return replace(self, revision=self.revision - 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """The user counters needed to record messages."""

    #: How many messages the user has said, in all chats.
    said: int
    #: The revision of the first recorded message; the others follow one by one.
    first_revision: int


_STATE = (
    "revision, epoch, embedding_model, message_revision, message_epoch, indexed_revision, curated_revision"
)


def _from_row(row: Row) -> UserState:
    return UserState(
        revision=row[0],
        epoch=row[1],
        embedding_model=row[2],
        message_revision=row[3],
        message_epoch=row[4],
        indexed_revision=row[5],
        curated_revision=row[6],
    )


def state(tx: Connection, user_id: str) -> UserState | None:
    """The user's state; None for somebody never seen."""
    row = tx.one(f"SELECT {_STATE} FROM users WHERE user_id = :user_id", {"user_id": user_id})
    return _from_row(row) if row else None


def touch(tx: Connection, user_id: str, *, model: str, epoch: int, now: datetime) -> UserState:
    """Begin a change: makes the user if new, and takes the turn among concurrent writers of this user.

    A new user starts with the epochs given, random ones: an index that some process holds of a forgotten user of the
    same name must not be taken for fresh.

    The row lock that comes with the update is what makes "look, decide, write" safe on PostgreSQL; SQLite has
    one writer anyway.
    """
    row = tx.one(
        f"""
        INSERT INTO users (user_id, revision, epoch, embedding_model, created_at, message_epoch)
        VALUES (:user_id, 1, :epoch, :model, :now, :epoch)
        ON CONFLICT (user_id) DO UPDATE SET revision = users.revision + 1
        RETURNING {_STATE}
        """,
        {"user_id": user_id, "model": model, "epoch": epoch, "now": iso(now)},
    )
    assert row is not None
    return _from_row(row)


def count_messages(
    tx: Connection, user_id: str, said: int, *, recorded: int, model: str, epoch: int, now: datetime
) -> Counted:
    """Count what was recorded, and how much of it the user said; makes the user if new, and gives out revisions.

    No change in the sense of `revision`: no memory changed, and an index of them stays fresh. The row lock that comes
    with it lasts to the end of the transaction, so revisions are committed in their order and no follower misses one.
    """
    row = tx.one(
        """
        INSERT INTO users (user_id, revision, epoch, embedding_model, created_at, message_count, message_revision,
                           message_epoch)
        VALUES (:user_id, 0, :epoch, :model, :now, :said, :recorded, :epoch)
        ON CONFLICT (user_id) DO UPDATE SET message_count = users.message_count + excluded.message_count,
            message_revision = users.message_revision + excluded.message_revision
        RETURNING message_count, message_revision
        """,
        {
            "user_id": user_id,
            "said": said,
            "recorded": recorded,
            "model": model,
            "epoch": epoch,
            "now": iso(now),
        },
    )
    assert row is not None
    return Counted(said=row[0], first_revision=row[1] - recorded + 1)


def change_message(tx: Connection, user_id: str) -> int:
    """The revision of a message that changes now; 0 for somebody never seen, who has none."""
    row = tx.one(
        "UPDATE users SET message_revision = message_revision + 1 WHERE user_id = :user_id RETURNING message_revision",
        {"user_id": user_id},
    )
    return row[0] if row else 0


def index_until(tx: Connection, user_id: str, revision: int) -> UserState | None:
    """Messages up to this revision get their entries and vectors now: with the new `message_revision`, which is returned.

    None when the user was forgotten meanwhile. It never goes back, should two be at work at once.
    """
    row = tx.one(
        f"""
        UPDATE users SET message_revision = message_revision + 1,
            indexed_revision = CASE WHEN indexed_revision < :revision THEN :revision ELSE indexed_revision END
        WHERE user_id = :user_id RETURNING {_STATE}
        """,
        {"user_id": user_id, "revision": revision},
    )
    return _from_row(row) if row else None


def curate_until(tx: Connection, user_id: str, revision: int, now: datetime) -> None:
    """The curator has compared the memories up to this revision. It never goes back, should two be at work at once."""
    tx.run(
        """
        UPDATE users SET curated_at = :now,
            curated_revision = CASE WHEN curated_revision < :revision THEN :revision ELSE curated_revision END
        WHERE user_id = :user_id
        """,
        {"user_id": user_id, "revision": revision, "now": iso(now)},
    )


def curated_at(tx: Connection, user_id: str) -> datetime | None:
    """When the curator last came; None: never."""
    row = tx.one("SELECT curated_at FROM users WHERE user_id = :user_id", {"user_id": user_id})
    return stored(row[0]) if row and row[0] else None


def start_message_epoch(tx: Connection, user_id: str) -> None:
    """Tell every index of this user's messages, in every process, to start anew."""
    tx.run(
        "UPDATE users SET message_epoch = message_epoch + 1 WHERE user_id = :user_id", {"user_id": user_id}
    )


def advance(tx: Connection, user_id: str, steps: int) -> None:
    """Count further changes of the same transaction."""
    tx.run(
        "UPDATE users SET revision = revision + :steps WHERE user_id = :user_id",
        {"user_id": user_id, "steps": steps},
    )


def message_count(tx: Connection, user_id: str) -> int:
    """How many messages the user has said, in all chats."""
    row = tx.one("SELECT message_count FROM users WHERE user_id = :user_id", {"user_id": user_id})
    return row[0] if row else 0


def start_epoch(tx: Connection, user_id: str) -> None:
    """Tell every index of this user's memories, in every process, to start anew."""
    tx.run("UPDATE users SET epoch = epoch + 1 WHERE user_id = :user_id", {"user_id": user_id})


def serve_by(tx: Connection, user_id: str, model: str) -> None:
    """From now on this user's vectors are those of another model."""
    tx.run(
        "UPDATE users SET embedding_model = :model, epoch = epoch + 1, message_epoch = message_epoch + 1"
        " WHERE user_id = :user_id",
        {"user_id": user_id, "model": model},
    )


def ids(tx: Connection, *, limit: int | None = None, after: str = "") -> list[str]:
    """Everybody after a name, or so many of them, in the order of names; needs the scope of everyone."""
    end = "" if limit is None else " LIMIT :limit"
    rows = tx.all(
        f"SELECT user_id FROM users WHERE user_id > :after ORDER BY user_id{end}",
        {"after": after, "limit": limit},
    )
    return [row[0] for row in rows]


def not_served_by(tx: Connection, model: str) -> list[str]:
    """Whose vectors are of another model; needs the scope of everyone."""
    rows = tx.all(
        "SELECT user_id FROM users WHERE embedding_model <> :model ORDER BY user_id", {"model": model}
    )
    return [row[0] for row in rows]


def models(tx: Connection) -> dict[str, int]:
    """How many users each model serves; needs the scope of everyone."""
    return dict(tx.all("SELECT embedding_model, count(*) FROM users GROUP BY embedding_model"))  # type: ignore[arg-type]

"""The users table: who is known, how often their memories changed, which model makes their vectors."""

from dataclasses import dataclass, replace
from datetime import datetime

from recollect.domain.moment import iso
from recollect.store.database import Connection


@dataclass(frozen=True, slots=True, kw_only=True)
class UserState:
    """What an index must know to tell whether it is fresh."""

    revision: int
    epoch: int
    embedding_model: str

    def before(self) -> "UserState":
        """What was committed when a change began: the state that an index may have."""
        return replace(self, revision=self.revision - 1)


def state(tx: Connection, user_id: str) -> UserState | None:
    """The user's state; None for somebody never seen."""
    row = tx.one(
        "SELECT revision, epoch, embedding_model FROM users WHERE user_id = :user_id", {"user_id": user_id}
    )
    return UserState(revision=row[0], epoch=row[1], embedding_model=row[2]) if row else None


def touch(tx: Connection, user_id: str, *, model: str, epoch: int, now: datetime) -> UserState:
    """Begin a change: makes the user if new, and takes the turn among concurrent writers of this user.

    A new user starts with the epoch given, a random one: an index that some process holds of a forgotten user of the
    same name must not be taken for fresh.

    The row lock that comes with the update is what makes "look, decide, write" safe on PostgreSQL; SQLite has
    one writer anyway.
    """
    row = tx.one(
        """
        INSERT INTO users (user_id, revision, epoch, embedding_model, created_at)
        VALUES (:user_id, 1, :epoch, :model, :now)
        ON CONFLICT (user_id) DO UPDATE SET revision = users.revision + 1
        RETURNING revision, epoch, embedding_model
        """,
        {"user_id": user_id, "model": model, "epoch": epoch, "now": iso(now)},
    )
    assert row is not None
    return UserState(revision=row[0], epoch=row[1], embedding_model=row[2])


def count_messages(tx: Connection, user_id: str, n: int, *, model: str, epoch: int, now: datetime) -> int:
    """Count what the user said, in all chats; makes the user if new, and says how many messages there are now.

    No change in the sense of `revision`: no memory changed, and an index of them stays fresh.
    """
    row = tx.one(
        """
        INSERT INTO users (user_id, revision, epoch, embedding_model, created_at, message_count)
        VALUES (:user_id, 0, :epoch, :model, :now, :n)
        ON CONFLICT (user_id) DO UPDATE SET message_count = users.message_count + excluded.message_count
        RETURNING message_count
        """,
        {"user_id": user_id, "n": n, "model": model, "epoch": epoch, "now": iso(now)},
    )
    assert row is not None
    return row[0]


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
    """Tell every index of this user, in every process, to start anew."""
    tx.run("UPDATE users SET epoch = epoch + 1 WHERE user_id = :user_id", {"user_id": user_id})


def serve_by(tx: Connection, user_id: str, model: str) -> None:
    """From now on this user's vectors are those of another model."""
    tx.run(
        "UPDATE users SET embedding_model = :model, epoch = epoch + 1 WHERE user_id = :user_id",
        {"user_id": user_id, "model": model},
    )


def ids(tx: Connection) -> list[str]:
    """Everybody; needs the scope of everyone."""
    return [row[0] for row in tx.all("SELECT user_id FROM users ORDER BY user_id")]


def not_served_by(tx: Connection, model: str) -> list[str]:
    """Whose vectors are of another model; needs the scope of everyone."""
    rows = tx.all(
        "SELECT user_id FROM users WHERE embedding_model <> :model ORDER BY user_id", {"model": model}
    )
    return [row[0] for row in rows]


def models(tx: Connection) -> dict[str, int]:
    """How many users each model serves; needs the scope of everyone."""
    return dict(tx.all("SELECT embedding_model, count(*) FROM users GROUP BY embedding_model"))  # type: ignore[arg-type]

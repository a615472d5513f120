"""Whose memory a command was about, when it found nothing: a name that nobody has is most often misspelt.

Nothing found is a good answer, so the exit code stays and the word goes to standard error. The user that counts without
`--user` is never doubted: before the first memory nobody is known.
"""

from typing import TYPE_CHECKING

from recollect.cli.options import LOCAL_USER
from recollect.cli.output import note

if TYPE_CHECKING:
    from recollect.api.blocking import Memory


def note_unknown(memory: "Memory", user: str) -> None:
    """Say that there is nobody of this name, if that is so."""
    if user != LOCAL_USER and user not in memory.users():
        note(f"There is no user {user!r} here; `recollect users` lists them.")

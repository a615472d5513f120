"""The user for whom an MCP client acts, as determined by the transport, never by a protocol message.

It uses neither the SDK nor HTTP, so that authentication can create one without loading either.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """The user whose memory is used, and the allowed operations."""

    user: str
    #: None: only what all personas share.
    persona: str | None = None
    may_write: bool = True


#: Returns the user of a request; called with the HTTP request, or None if there is none.
Who = Callable[[Any], Asking]

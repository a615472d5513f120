"""For whom a client of the protocol asks. The transport says it; no message of the protocol can.

It knows neither the SDK nor HTTP, so that authentication can make one without loading either.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """Whose memory is meant, and what may be done with it."""

    user: str
    #: None: what all personas share.
    persona: str | None = None
    may_write: bool = True


#: Says for whom a request is; it gets the HTTP request, or None where there is none.
Who = Callable[[Any], Asking]

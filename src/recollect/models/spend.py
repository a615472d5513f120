"""What whoever asks a model says about its cost, and asks before it costs more.

A Protocol: the engine keeps the count for a whole deployment, where calls of several processes add up. It does not know
what the calls were for. A count inside the client was rejected: it would forget at every start what the day has cost.
"""

from typing import Protocol


class Spend(Protocol):
    """What a purpose may still cost today, and what it did cost."""

    async def allowed(self) -> bool:
        """Whether another call may be made: today's cap is not reached."""
        ...

    async def note(self, model: str, *, prompt_tokens: int, completion_tokens: int, failed: bool) -> None:
        """One call was made; `failed`: nothing of its answer could be used."""
        ...

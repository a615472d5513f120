"""Routes that keep idempotency keys themselves: what they store and the key are one transaction."""

from typing import Final

#: Method and path, as the route spells it.
OWN_KEYS: Final = frozenset({("POST", "/v1/chats/{chat_id}/messages")})

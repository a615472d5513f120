"""How a card looks on the wire: the few best facts about an entity."""

from typing import Any

from pydantic import BaseModel


class CardShape(BaseModel):
    """The best facts about one entity."""

    entity: str
    label: str
    facts: list[str]
    text: str


#: The card that the examples show.
CARD: dict[str, Any] = {
    "entity": "person:jane",
    "label": "Jane",
    "facts": ["User's wife is named Jane"],
    "text": "[person:jane]: User's wife is named Jane",
}

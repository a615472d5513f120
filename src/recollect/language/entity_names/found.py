"""A found name: where a text mentions an entity, and which."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A mention of an entity in a text."""

    key: str
    #: As it is written, without a possessive ending.
    label: str
    start: int
    #: Exclusive.
    end: int
    #: 0-1.
    confidence: float

"""Memories as tests of the curator need them."""

from datetime import UTC, datetime, timedelta
from typing import Any

from recollect.records.category import Category, type_of
from recollect.records.memory import MemoryRecord, make_id

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def told(number: int, content: str, *, category: Category = Category.FACT, **changes: Any) -> MemoryRecord:
    """The so-manieth memory of a user; later numbers are younger."""
    moment = NOON + timedelta(seconds=number)
    fields: dict[str, Any] = {
        "user_id": "ann",
        "memory_id": make_id(moment, f"{number:08x}"),
        "content": content,
        "category": category,
        "type": type_of(category),
        "importance": 6.0,
        "created_at": moment,
        "updated_at": moment,
        "valid_from": moment,
    }
    return MemoryRecord(**{**fields, **changes})

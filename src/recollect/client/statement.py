"""A statement on its way: what is to be remembered as the service takes it, and what became of it as `Memory` tells it."""

from collections.abc import Mapping
from typing import Any, Final

from recollect.client.reading import read
from recollect.client.refusal import refused
from recollect.client.spelling import body_of, given
from recollect.engine.remember import Refused, Remembered
from recollect.records.memory import check_list
from recollect.rules.draft import Request

#: The answer with the memories themselves.
WHOLE: Final = {"Prefer": "return=representation"}


def became(values: Mapping[str, Any], user: str) -> Remembered | Refused:
    """What became of one statement among many."""
    if "outcome" in values:
        return read(Remembered, values, user=user)
    return Refused(error=refused(values.get("kind", ""), values["error"], values.get("field", "")))


def statement(request: Request) -> dict[str, object]:
    """A statement as the service takes it; what is None is found by rules."""
    return {
        **body_of(
            content=request.content,
            tags=check_list(request.tags, field="tags"),
            entity_refs=check_list(request.entity_refs, field="entity_refs"),
            source_message_ids=check_list(request.source_message_ids, field="source_message_ids"),
            pinned=request.pinned,
            source=request.source,
            origin=request.origin,
            confidence=request.confidence,
        ),
        **given(
            category=request.category,
            type=request.type,
            importance=request.importance,
            entity_label=request.entity_label,
            subtype=request.subtype,
            attribute=request.attribute,
            source_context=request.source_context,
            reasoning=request.reasoning,
            persona_id=request.persona_id,
        ),
    }

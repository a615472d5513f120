"""A draft: a fact to remember, checked and normalised before it is compared with what is stored.

`compose` turns a caller's words into a statement about "User" with a category, an importance, a subject and a key, or refuses
them. `curation.decide` compares the draft with known memories.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, cast

from recollect.errors import InvalidInput, NotWorthKeeping
from recollect.language import memory_key
from recollect.language.categorise import categorise
from recollect.language.entity_names import find_known, recognise
from recollect.language.explicit_request import strip_request
from recollect.language.memory_key import FactType, Subject
from recollect.language.phrasing import third_person
from recollect.language.worth import assess
from recollect.records.category import Category, MemoryType, parse_category, parse_type, type_of
from recollect.records.entity import EntityType, canonical, parse_entity_key
from recollect.records.memory import (
    MAX_CONTENT,
    MAX_ENTITY_REFS,
    MAX_REASONING,
    MAX_SOURCE_CONTEXT,
    MAX_TAG,
    MIN_REASONING,
    MemoryRecord,
    Origin,
    Source,
    check_content,
    check_importance,
    check_list,
    check_tags,
    check_text,
)
from recollect.records.safe_text import visible
from recollect.rules import importance as importance_rules
from recollect.rules.trust import hides_text, instructs_model, may_pin

#: Characters of a text that no rewriting makes short enough.
_MUCH_TOO_LONG = 2 * MAX_CONTENT
#: Ids of personas and messages come from callers; longer ones are a mistake.
MAX_ID = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A caller's request to remember a fact, unchecked."""

    content: str
    #: None: the rules decide.
    category: str | None = None
    type: str | None = None
    importance: float | None = None
    tags: Iterable[str] = ()
    entity_refs: Iterable[str] = ()
    entity_label: str | None = None
    subtype: Mapping[str, Any] | None = None
    #: The subject of the fact, where an entity has several facts of this type ("editor").
    attribute: str | None = None
    #: The statement without its date, where the date would change the key.
    keyed_as: str | None = None
    pinned: bool = False
    confidence: float = 1.0
    source: str = "manual"
    origin: str = "user"
    source_context: str | None = None
    reasoning: str | None = None
    source_message_ids: Iterable[str] = ()
    #: When the user last said so; None: now.
    said_at: datetime | None = None
    persona_id: str | None = None
    #: Requested by a caller, as opposed to a proposal of the judge.
    by_caller: bool = True
    #: The user asked to remember it, although the content no longer says so.
    asked_for: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A statement that can be stored."""

    content: str
    category: Category
    type: MemoryType
    importance: float
    tags: tuple[str, ...]
    entity_refs: tuple[str, ...]
    entity_label: str | None
    entity_type: str | None
    fact_type: str | None
    memory_key: str | None
    pinned: bool
    confidence: float
    source: Source
    origin: Origin
    source_context: str | None
    reasoning: str | None
    source_message_ids: tuple[str, ...]
    persona_id: str | None
    flagged: bool
    #: When the user last said so; None: now.
    said_at: datetime | None = None
    #: The caller named the entities: none are added.
    refs_given: bool = False

    def mentions(self, *, beyond: Collection[str] = ()) -> int:
        """How often it was stated: once by a caller; for the judge, once per message that was not counted before."""
        if self.source is not Source.SHADOW_EXTRACTION or not self.source_message_ids:
            return 1
        return len(set(self.source_message_ids).difference(beyond))

    def to_record(self, *, user_id: str, memory_id: str, now: datetime, tokens: int) -> MemoryRecord:
        """The memory made from this draft."""
        return MemoryRecord(
            user_id=user_id,
            memory_id=memory_id,
            content=self.content,
            category=self.category,
            type=self.type,
            importance=self.importance,
            tags=self.tags,
            entity_refs=self.entity_refs,
            entity_label=self.entity_label,
            entity_type=self.entity_type,
            fact_type=self.fact_type,
            memory_key=self.memory_key,
            pinned=self.pinned,
            confidence=self.confidence,
            source=self.source,
            origin=self.origin,
            source_context=self.source_context,
            reasoning=self.reasoning,
            source_message_ids=self.source_message_ids,
            persona_id=self.persona_id,
            flagged=self.flagged,
            created_at=now,
            updated_at=now,
            valid_from=now if self.said_at is None else min(self.said_at, now),
            mention_count=self.mentions(),
            tokens=tokens,
        )


def compose(request: Request, aliases: Mapping[str, str]) -> Draft:
    """Check, rephrase, weigh and label a caller's request."""
    origin = _one_of(Origin, request.origin, field="origin")
    content, asked = _statement(request, origin)
    category = parse_category(request.category) if request.category is not None else categorise(content)
    if not isinstance(request.pinned, bool):
        raise InvalidInput("pinned must be true or false.", field="pinned")
    if request.pinned and not may_pin(origin):
        raise InvalidInput(
            f"pinned must be false: only what the user said may be pinned, and this was said by the {origin.value}."
            " Store it, and let the user pin it.",
            field="pinned",
        )
    about = _about(request, content, category, aliases)
    return Draft(
        content=content,
        category=category,
        type=about.type,
        importance=_weighed(request, category, content, asked=asked),
        tags=check_tags(request.tags),
        entity_refs=about.entity_refs,
        entity_label=about.label,
        entity_type=about.entity_type,
        fact_type=about.fact_type,
        memory_key=about.key,
        pinned=request.pinned,
        confidence=_confidence(request.confidence),
        source=_one_of(Source, request.source, field="source"),
        origin=origin,
        source_context=_optional(request.source_context, "source_context", highest=MAX_SOURCE_CONTEXT),
        reasoning=_optional(request.reasoning, "reasoning", lowest=MIN_REASONING, highest=MAX_REASONING),
        source_message_ids=tuple(
            check_identifier(item, field="source_message_ids")
            for item in check_list(request.source_message_ids, field="source_message_ids")
        ),
        persona_id=_optional(request.persona_id, "persona_id", lowest=1, highest=MAX_ID),
        # The content has lost its hidden characters; the request still shows them.
        flagged=instructs_model(content) or hides_text(request.content),
        said_at=request.said_at,
        refs_given=about.refs_given,
    )


def with_known(draft: Draft, known: Collection[str]) -> Draft:
    """The draft with known entities that its text names ("jane" in lower case, a firm without its context)."""
    if draft.refs_given or not known:
        return draft
    refs = list(draft.entity_refs)
    for item in find_known(draft.content, known):
        name = item.key.partition(":")[2]
        if not any(_within(name, ref.partition(":")[2]) for ref in refs) and len(refs) < MAX_ENTITY_REFS:
            refs.append(item.key)
    return draft if len(refs) == len(draft.entity_refs) else replace(draft, entity_refs=tuple(refs))


def _weighed(request: Request, category: Category, content: str, *, asked: bool) -> float:
    if request.importance is not None:
        return check_importance(request.importance)
    return importance_rules.stored(category, content, explicit_request=asked).value


def _statement(request: Request, origin: Origin) -> tuple[str, bool]:
    """The third-person text, whose length counts, and whether it came as a request to remember."""
    original = visible(check_text(request.content, field="content")).strip()
    if len(original) > _MUCH_TOO_LONG:
        check_content(original)
    stripped, asked = strip_request(original)
    # Instructions to a model are shown as a quotation, so they stay verbatim.
    content = check_content(stripped if instructs_model(stripped) else third_person(stripped))
    verdict = assess(original, by_caller=request.by_caller, origin=origin)
    if not verdict.keep:
        raise NotWorthKeeping(verdict.reason, field="content")
    return content, asked or request.asked_for


@dataclass(frozen=True, slots=True, kw_only=True)
class _About:
    type: MemoryType
    entity_refs: tuple[str, ...]
    label: str | None
    entity_type: str | None
    fact_type: str | None
    key: str | None
    refs_given: bool = False


def _about(request: Request, content: str, category: Category, aliases: Mapping[str, str]) -> _About:
    """The subject of the statement, from the caller or else from the sentence."""
    given = _entity_refs(request.entity_refs)
    label = _optional(request.entity_label, "entity_label", lowest=1, highest=MAX_ID)
    attribute = _optional(request.attribute, "attribute", lowest=1, highest=MAX_TAG)
    type = parse_type(request.type) if request.type is not None else None
    if request.subtype is not None or attribute is not None:
        return _as_labelled(request, content, category, aliases, given, label, attribute, type)
    subject = memory_key.derive(request.keyed_as or content, category)
    if subject is None or (given and not set(subject.entity_refs) <= set(given)):
        refs, named = (given, None) if given else _mentioned(content)
        return _About(
            # A name mentioned in passing does not change the type.
            type=type or _type_by_refs(given, category),
            entity_refs=refs,
            label=label or named,
            entity_type=None,
            fact_type=None,
            key=None,
            refs_given=bool(given),
        )
    subject = _resolved(subject, aliases)
    return _About(
        type=type or subject.type,
        entity_refs=given or _mentioned(content, subject.entity_refs)[0],
        label=label or (subject.label if subject.primary_ref != memory_key.USER else None),
        entity_type=subject.entity_type.value,
        fact_type=subject.fact_type.value,
        key=subject.key if type in (None, subject.type) else None,
        refs_given=bool(given),
    )


def _mentioned(content: str, first: tuple[str, ...] = ()) -> tuple[tuple[str, ...], str | None]:
    """The entities in a statement, those of its subject first, and the first of the others as it is written."""
    found = recognise(content)
    # "Austin" inside the subject's "Austin, Texas" is no second entity, nor is a person's name a firm.
    names = {ref.partition(":")[2] for ref in first}
    others = [item for item in found if not any(_within(item.key.partition(":")[2], name) for name in names)]
    keys = dict.fromkeys((*first, *(item.key for item in others)))
    return tuple(keys)[:MAX_ENTITY_REFS], others[0].label if others else None


def _within(name: str, other: str) -> bool:
    """Whether a slug's words are all in another slug."""
    return set(name.split("_")) <= set(other.split("_"))


def _as_labelled(
    request: Request,
    content: str,
    category: Category,
    aliases: Mapping[str, str],
    given: tuple[str, ...],
    label: str | None,
    attribute: str | None,
    type: MemoryType | None,
) -> _About:
    subtype = _subtype(request.subtype)
    unknown = set(subtype) - {"entityType", "factType"}
    if unknown:
        raise InvalidInput(
            f"subtype has unknown fields: {', '.join(sorted(map(str, unknown)))}.", field="subtype"
        )
    first = parse_entity_key(given[0]).type if given else EntityType.PERSON
    entity_type = _one_of(EntityType, subtype.get("entityType") or first.value, field="subtype.entityType")
    fact_type = _one_of(
        FactType, subtype.get("factType") or _usual_fact(category).value, field="subtype.factType"
    )
    type = type or _type_by_refs(given, category)
    key = memory_key.from_subtype(
        type=type,
        entity_refs=[canonical(ref, aliases) for ref in given],
        entity_type=entity_type,
        fact_type=fact_type,
        content=content,
        category=category,
        attribute=attribute,
    )
    return _About(
        type=type,
        entity_refs=given,
        label=label,
        entity_type=entity_type.value,
        fact_type=fact_type.value,
        key=key,
        refs_given=True,
    )


def _subtype(value: object) -> Mapping[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise InvalidInput("subtype must be an object with entityType and factType.", field="subtype")
    return cast("Mapping[str, Any]", value)


def _resolved(subject: Subject, aliases: Mapping[str, str]) -> Subject:
    """The subject with its aliases resolved."""
    key = f"{subject.entity_type.value}:{subject.primary_ref}"
    return replace(subject, primary_ref=canonical(key, aliases).partition(":")[2])


def _type_by_refs(refs: tuple[str, ...], category: Category) -> MemoryType:
    """The type by the first entity: a person gives PEOPLE, a project PROJECT, otherwise the category decides."""
    kinds = {parse_entity_key(ref).type for ref in refs[:1]}
    if EntityType.PERSON in kinds and category not in (Category.PREFERENCE, Category.PROJECT):
        return MemoryType.PEOPLE
    if EntityType.PROJECT in kinds:
        return MemoryType.PROJECT
    return type_of(category)


def _usual_fact(category: Category) -> FactType:
    match category:
        case Category.PREFERENCE:
            return FactType.PREFERENCE
        case Category.RELATIONSHIP:
            return FactType.RELATIONSHIP
        case Category.SKILL:
            return FactType.SKILL
        case Category.IDENTITY | Category.PROJECT | Category.FACT | Category.CONTEXT:
            return FactType.FACT


def _entity_refs(refs: Iterable[str]) -> tuple[str, ...]:
    given = check_list(refs, field="entity_refs")
    keys = dict.fromkeys(str(parse_entity_key(check_text(ref, field="entity_refs"))) for ref in given)
    if len(keys) > MAX_ENTITY_REFS:
        raise InvalidInput(
            f"entity_refs: {len(keys)} given (maximum {MAX_ENTITY_REFS}).", field="entity_refs"
        )
    return tuple(keys)


def _one_of(kind: Any, value: object, *, field: str) -> Any:
    try:
        return kind(value)
    except ValueError:
        allowed = ", ".join(item.value for item in kind)
        raise InvalidInput(f"Unknown {field} {str(value)[:40]!r}. Allowed: {allowed}.", field=field) from None


def _optional(value: str | None, field: str, *, lowest: int = 0, highest: int) -> str | None:
    if value is None:
        return None
    text = check_text(value, field=field).strip()
    if not lowest <= len(text) <= highest:
        raise InvalidInput(f"{field} must have {lowest}-{highest} characters, not {len(text)}.", field=field)
    return text or None


def check_identifier(value: object, *, field: str) -> str:
    """Check an id from a caller."""
    text = check_text(value, field=field)
    if not text or len(text) > MAX_ID:
        raise InvalidInput(f"{field} must have 1-{MAX_ID} characters.", field=field)
    return text


def _confidence(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise InvalidInput(f"confidence must be a number from 0 to 1, not {value!r}.", field="confidence")
    return float(value)

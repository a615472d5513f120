"""Arguments of public methods: checked, and turned into the values that the engine works with."""

from collections.abc import Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, fields, replace
from datetime import UTC, datetime
from typing import Any, cast
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from recollect.engine.recall import WantedEpisodes
from recollect.errors import InvalidInput
from recollect.index.query import MemoryFilter, MessageFilter
from recollect.index.recall_sessions import MOST
from recollect.records.category import parse_category, parse_type
from recollect.records.cursor import MAX_PAGE, place
from recollect.records.entity import parse_entity_key
from recollect.records.memory import check_tags, check_text
from recollect.records.message import check_name
from recollect.records.moment import iso, parse
from recollect.rules.draft import Request

#: Whose memory it is when nobody says.
LOCAL_USER = "local"
#: Beyond this, whole numbers are a mistake, and no database takes them.
LARGEST = 2**53
#: The most hits of one search.
MAX_HITS = 1000
#: The most past messages of one search, and the most on each side of one.
MAX_MESSAGES = 200
MAX_NEIGHBOURS = 10
#: The most sessions of one search.
MAX_SESSIONS = MOST
#: Seconds that `drain` waits at most.
MAX_WAIT = 86_400
#: Between these a question's own time is taken as it is. Nearer to the ends of the calendar a zone or a year ago has no date.
_FIRST_ASKED = datetime(1010, 1, 1, tzinfo=UTC)
_LAST_ASKED = datetime(9990, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class NewMemory:
    """A fact to store, with everything that can be said about it; what is left out is found by rules.

    >>> NewMemory("My wife is Jane", category="relationship", source_context="over dinner")
    """

    #: 10-500 characters once it is stored; the first person is rewritten to the third.
    content: str
    _: KW_ONLY
    category: str | None = None
    #: 0-10.
    importance: float | None = None
    tags: Iterable[str] = ()
    #: Whether it enters every context.
    pinned: bool = False
    #: Keeps it from other personas.
    persona: str | None = None
    #: Why it is worth remembering, in 10-200 characters.
    reason: str | None = None
    #: PROFILE, PEOPLE or PROJECT.
    type: str | None = None
    #: Whom it is about, as `person:jane`, and how the first of them is written.
    entity_refs: Iterable[str] = ()
    entity_label: str | None = None
    #: `entityType` and `factType`.
    subtype: Mapping[str, Any] | None = None
    #: What it is about, where a subject has several of the kind: `editor`.
    attribute: str | None = None
    #: The way it came: manual, tool, import, …
    source: str = "manual"
    #: Who said it: user, assistant, tool, system or import.
    origin: str = "user"
    #: The words that it was taken from, and the messages that say so.
    source_context: str | None = None
    source_message_ids: Iterable[str] = ()
    #: 0-1.
    confidence: float = 1.0

    def to_request(self) -> Request:
        """What the engine is asked."""
        values = {item.name: getattr(self, item.name) for item in fields(self)}
        return Request(persona_id=values.pop("persona"), reasoning=values.pop("reason"), **values)


def as_new_memory(item: object, **given: Any) -> NewMemory:
    """What `add` was given: a text with its keywords, or a `NewMemory`, which says everything itself."""
    if isinstance(item, str):
        return NewMemory(item, **given)
    if not isinstance(item, NewMemory):
        raise InvalidInput(
            f"add() takes a text or a NewMemory, not {type(item).__name__}. A conversation goes into a chat:"
            ' memory.chat("…").add([{"role": "user", "content": "…"}]).',
            field="content",
        )
    extra = sorted(name for name, value in given.items() if value not in (None, (), False))
    if extra:
        raise InvalidInput(f"{extra[0]} belongs into the NewMemory that is given.", field=extra[0])
    return item


def as_request(item: object, persona: str | None) -> Request:
    """One of many items: a text or a `NewMemory`; what is neither is refused with its reason."""
    made = NewMemory(item) if isinstance(item, str) else item
    if not isinstance(made, NewMemory):
        return cast("Request", made)
    return (replace(made, persona=persona) if made.persona is None else made).to_request()


def as_items(items: object) -> list[object]:
    """The items of `add_many`."""
    if isinstance(items, str | bytes | Mapping | NewMemory) or not isinstance(items, Iterable):
        raise InvalidInput("add_many() takes a list of texts or NewMemory values.", field="items")
    return list(cast("Iterable[object]", items))


# -- values -------------------------------------------------------------------------------------------------


def as_moment(value: datetime | str | None, field: str) -> datetime | None:
    """A moment; without a zone it is UTC."""
    if value is None:
        return None
    if isinstance(value, datetime):
        value = (value if value.tzinfo else value.replace(tzinfo=UTC)).isoformat()
    return parse(value, field=field)


def as_milliseconds(value: datetime | str | None, field: str) -> float | None:
    found = as_moment(value, field)
    return found.timestamp() * 1000 if found else None


def as_text(value: str | None, field: str) -> str | None:
    return None if value is None else check_text(value, field=field)


def as_name(value: str | None, field: str) -> str | None:
    return None if value is None else check_name(value, field=field)


def as_persona(persona: str | None) -> str | None:
    return as_name(persona, "persona_id")


def as_flag(value: object, field: str) -> bool:
    if not isinstance(value, bool):
        raise InvalidInput(f"{field} must be true or false.", field=field)
    return value


def as_limit(limit: int, field: str = "limit", *, least: int = 1) -> int:
    if isinstance(limit, bool) or not isinstance(limit, int) or not least <= limit < LARGEST:
        raise InvalidInput(
            f"{field} must be a whole number of at least {least}, not {str(limit)[:40]}.", field=field
        )
    return limit


def as_page(limit: int) -> int:
    """How many rows a page holds."""
    return min(as_limit(limit), MAX_PAGE)


def as_count(count: int, field: str) -> int:
    """A number that may be 0."""
    return as_limit(count, field, least=0)


def as_seconds(timeout: float) -> float:
    """How long `drain` waits."""
    if isinstance(timeout, bool) or not isinstance(timeout, int | float) or not 0 <= timeout <= MAX_WAIT:
        raise InvalidInput(f"timeout must be a number of seconds from 0 to {MAX_WAIT}.", field="timeout")
    return timeout


def as_time_and_id(cursor: str | None) -> tuple[str, str] | None:
    """Where a page ended that is ordered by time, spelled as the store spells it: another spelling would repeat rows."""
    found = place(cursor, (str, str))
    return (
        None
        if found is None
        else (iso(parse(found[0], field="cursor")), check_text(found[1], field="cursor"))
    )


def as_id(cursor: str | None) -> str | None:
    """Where a page ended that is ordered by ids."""
    found = place(cursor, (str,))
    return None if found is None else check_text(found[0], field="cursor")


def as_zone(name: str) -> ZoneInfo:
    """A time zone by its name in the IANA list."""
    try:
        return ZoneInfo(check_text(name, field="zone"))
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise InvalidInput(
            f"zone: {name[:60]!r} is no time zone; use a name such as Europe/Berlin.", field="zone"
        ) from error


# -- questions ----------------------------------------------------------------------------------------------


def as_wanted(
    *,
    category: str | None,
    type: str | None,
    tags: Iterable[str],
    entity: str | None,
    persona: str | None,
    since: datetime | str | None,
    until: datetime | str | None,
) -> MemoryFilter:
    """Which memories a search looks for."""
    return MemoryFilter(
        category=parse_category(category) if category is not None else None,
        type=parse_type(type) if type is not None else None,
        tags=check_tags(tags),
        entity=str(parse_entity_key(entity)) if entity is not None else None,
        persona_id=as_text(persona, "persona_id"),
        since=as_milliseconds(since, "since"),
        until=as_milliseconds(until, "until"),
    )


def as_wanted_messages(
    wanted: MemoryFilter,
    count: int,
    *,
    neighbours: int,
    sessions: int,
    chat: str | None,
    as_of: datetime | str | None,
    at: datetime | str | None,
    zone: str,
    now: datetime,
) -> WantedEpisodes | None:
    """What a search looks for among messages; None beside memories of one kind, and when none are asked for."""
    count = min(as_count(count, "messages"), MAX_MESSAGES)
    around = min(as_count(neighbours, "neighbours"), MAX_NEIGHBOURS)
    sittings = min(as_count(sessions, "sessions"), MAX_SESSIONS)
    then = as_moment(as_of, "as_of")
    said_before = then.timestamp() * 1000 + 1 if then else None
    known = WantedEpisodes(
        limit=count,
        sessions=sittings,
        wanted=MessageFilter(
            persona_id=wanted.persona_id,
            # A chat that is named is meant, whatever its persona.
            any_persona=chat is not None and wanted.persona_id is None,
            chat_id=as_text(chat, "chat"),
            since=wanted.since,
            until=min((end for end in (wanted.until, said_before) if end is not None), default=None),
        ),
        neighbours=around,
        now=asked_at(at, then or now),
        zone=as_zone(zone),
    )
    kinds = wanted.category or wanted.type or wanted.tags or wanted.entity
    return None if kinds or not (count or sittings) else known


def asked_at(at: datetime | str | None, otherwise: datetime) -> datetime:
    """The question's own time: what the caller says, or else this."""
    return min(max(as_moment(at, "at") or otherwise, _FIRST_ASKED), _LAST_ASKED)

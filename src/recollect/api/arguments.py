"""Checks the arguments of public methods, and converts them to the engine's values."""

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

#: The default user.
LOCAL_USER = "local"
#: Larger integers are mistakes, and databases do not accept them.
LARGEST = 2**53
#: Maximum hits per search.
MAX_HITS = 1000
#: Maximum past messages per search, and maximum neighbours on each side of one.
MAX_MESSAGES = 200
MAX_NEIGHBOURS = 10
#: Maximum sessions per search.
MAX_SESSIONS = MOST
#: Maximum seconds that `drain` waits.
MAX_WAIT = 86_400
#: A question's time is limited to this range: nearer to the ends of the calendar, a time zone or "a year ago" has no date.
_FIRST_ASKED = datetime(1010, 1, 1, tzinfo=UTC)
_LAST_ASKED = datetime(9990, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class NewMemory:
    """A fact to store, with all its details. Rules determine the ones you leave out.

    >>> NewMemory("My wife is Jane", category="relationship", source_context="over dinner")
    """

    #: 10-500 characters as stored; first person is rewritten to third person.
    content: str
    _: KW_ONLY
    category: str | None = None
    #: 0-10.
    importance: float | None = None
    tags: Iterable[str] = ()
    #: Whether every context contains it.
    pinned: bool = False
    #: If set, other personas do not see the fact.
    persona: str | None = None
    #: Why it is worth remembering, in 10-200 characters.
    reason: str | None = None
    #: PROFILE, PEOPLE or PROJECT.
    type: str | None = None
    #: Keys of the entities it is about (`person:jane`), and the display name of the first one.
    entity_refs: Iterable[str] = ()
    entity_label: str | None = None
    #: `entityType` and `factType`.
    subtype: Mapping[str, Any] | None = None
    #: Which attribute it is about, if the subject has several of this kind: `editor`.
    attribute: str | None = None
    #: How it was added: manual, tool, import, …
    source: str = "manual"
    #: Who said it: user, assistant, tool, system or import.
    origin: str = "user"
    #: The text and the messages it was taken from.
    source_context: str | None = None
    source_message_ids: Iterable[str] = ()
    #: 0-1.
    confidence: float = 1.0

    def to_request(self) -> Request:
        """Convert to the engine's request."""
        values = {item.name: getattr(self, item.name) for item in fields(self)}
        return Request(persona_id=values.pop("persona"), reasoning=values.pop("reason"), **values)


def as_new_memory(item: object, **given: Any) -> NewMemory:
    """The argument of `add`: a text with keywords, or a `NewMemory`, which takes no keywords."""
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
        raise InvalidInput(f"Set {extra[0]} in the NewMemory instead of passing it to add().", field=extra[0])
    return item


def as_request(item: object, persona: str | None) -> Request:
    """One of many items: a text or a `NewMemory`. Anything else is refused later, with a reason."""
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
    """A point in time; UTC if it has no time zone."""
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
    """The number of rows per page."""
    return min(as_limit(limit), MAX_PAGE)


def as_count(count: int, field: str) -> int:
    """A number that may be 0."""
    return as_limit(count, field, least=0)


def as_seconds(timeout: float) -> float:
    """The maximum wait of `drain`."""
    if isinstance(timeout, bool) or not isinstance(timeout, int | float) or not 0 <= timeout <= MAX_WAIT:
        raise InvalidInput(f"timeout must be a number of seconds from 0 to {MAX_WAIT}.", field="timeout")
    return timeout


def as_time_and_id(cursor: str | None) -> tuple[str, str] | None:
    """The end of a page ordered by time, in the store's format; any other format would repeat rows."""
    found = place(cursor, (str, str))
    return (
        None
        if found is None
        else (iso(parse(found[0], field="cursor")), check_text(found[1], field="cursor"))
    )


def as_id(cursor: str | None) -> str | None:
    """The end of a page ordered by id."""
    found = place(cursor, (str,))
    return None if found is None else check_text(found[0], field="cursor")


def as_zone(name: str) -> ZoneInfo:
    """A time zone by its IANA name."""
    try:
        return ZoneInfo(check_text(name, field="zone"))
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise InvalidInput(
            f"zone: {name[:60]!r} is not a time zone. Use a name such as Europe/Berlin.", field="zone"
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
    """The filter for memories in a search."""
    return MemoryFilter(
        category=parse_category(category) if category is not None else None,
        type=parse_type(type) if type is not None else None,
        tags=check_tags(tags),
        entity=str(parse_entity_key(entity)) if entity is not None else None,
        persona_id=as_persona(persona),
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
    """The filter for messages in a search; None if the search filters memories, or requests no messages."""
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
            # A chat given by its id is searched whatever its persona.
            any_persona=chat is not None and wanted.persona_id is None,
            chat_id=as_name(chat, "chat"),
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
    """The time of the question: the caller's value, else `otherwise`."""
    return min(max(as_moment(at, "at") or otherwise, _FIRST_ASKED), _LAST_ASKED)

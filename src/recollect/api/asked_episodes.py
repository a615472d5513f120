"""Which past messages a caller asks for, and when: the arguments about messages, checked and put together."""

from datetime import UTC, datetime

from recollect.api.opened import as_count, as_moment, as_text, as_zone
from recollect.engine.recall import WantedEpisodes
from recollect.index.message_index import WantedMessages
from recollect.index.recall_sessions import MOST
from recollect.index.wanted import Wanted

#: The most past messages of one search, and the most on each side of one.
MAX_EPISODES = 200
MAX_NEIGHBOURS = 10
#: The most sessions of one search.
MAX_SESSIONS = MOST
#: Between these a question's own time is taken as it is. Nearer to the ends of the calendar a zone or a year ago has no date.
_FIRST_ASKED = datetime(1010, 1, 1, tzinfo=UTC)
_LAST_ASKED = datetime(9990, 1, 1, tzinfo=UTC)


def wanted_episodes(
    wanted: Wanted,
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
    """What to look for among messages; None beside memories of one kind, and when none are asked for."""
    count = min(as_count(count, "episodes"), MAX_EPISODES)
    around = min(as_count(neighbours, "neighbours"), MAX_NEIGHBOURS)
    sittings = min(as_count(sessions, "sessions"), MAX_SESSIONS)
    then = as_moment(as_of, "as_of")
    said_before = then.timestamp() * 1000 + 1 if then else None
    known = WantedEpisodes(
        limit=count,
        sessions=sittings,
        wanted=WantedMessages(
            persona_id=wanted.persona_id,
            # Whoever names a chat means it, whosever it is.
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

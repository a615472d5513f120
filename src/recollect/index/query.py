"""What a search asks for: filters of memories and of messages, and a question with its vectors."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, tzinfo

import numpy as np
from numpy.typing import NDArray

from recollect.language.time_words import Anchor, TimeWords
from recollect.records.category import Category, MemoryType
from recollect.records.message import Role


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryFilter:
    """Which memories a search may return; None means any."""

    category: Category | None = None
    type: MemoryType | None = None
    tags: tuple[str, ...] = ()
    entity: str | None = None
    #: None: only memories that all personas share.
    persona_id: str | None = None
    any_persona: bool = False
    #: Milliseconds since 1970: created from `since` to before `until`.
    since: float | None = None
    until: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageFilter:
    """Which messages a search may return; None means any."""

    #: None: only chats without a persona.
    persona_id: str | None = None
    any_persona: bool = False
    chat_id: str | None = None
    #: Messages of other chats only.
    not_chat_id: str | None = None
    roles: frozenset[Role] = frozenset({Role.USER, Role.ASSISTANT})
    #: Milliseconds since 1970: said from `since` to before `until`.
    since: float | None = None
    until: float | None = None
    #: Ids of messages that are shown anyway.
    excluded: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageQuery:
    """A question about past messages with all its vectors, so that it can be answered inside a transaction."""

    text: str
    #: Names of speakers that were removed before the vector was made.
    speakers: tuple[str, ...]
    vector: NDArray[np.float32]
    time: TimeWords
    #: The vector of each event that the question names.
    events: Mapping[Anchor, NDArray[np.float32]] = field(default_factory=dict[Anchor, NDArray[np.float32]])
    wanted: MessageFilter
    limit: int
    #: The number of sessions to find as well.
    sessions: int = 0
    #: The source messages of memories that the question found.
    sources: tuple[str, ...] = ()
    #: Messages before and after each hit, or only the one before if it is a question.
    neighbours: int = 1
    only_questions: bool = False
    #: The time and the zone of the question.
    now: datetime
    zone: tzinfo

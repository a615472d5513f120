"""A judgement: a judge's proposals after reading part of a conversation.

Rules and models produce the same proposal values. Whether a memory is new, known or replaces another is decided in one place
for all memories (`rules/draft`, `rules/curation`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, tzinfo

from recollect.records.category import Category
from recollect.records.message import Message
from recollect.records.pin import PinType
from recollect.records.todo import TodoKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """The input of a judge: new messages of one chat, and their background."""

    #: In order, from every role; only the user's are judged, the others give context.
    messages: Sequence[Message]
    #: The last few messages before those, already judged.
    earlier: Sequence[Message] = ()
    #: Known statements about the user that may be relevant, the most similar first.
    known: Sequence[str] = ()
    #: Known entities: maps a key ("person:jane") to its written name ("Jane"), aliases included.
    names: Mapping[str, str] = field(default_factory=dict[str, str])
    #: The user's time zone, for due dates.
    zone: tzinfo = UTC


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedMemory:
    """A fact about the user, in the third person ("User's wife is named Jane")."""

    content: str
    #: None: the rules decide.
    category: Category | None = None
    entity_refs: tuple[str, ...] = ()
    #: The first entity's name as written.
    entity_label: str | None = None
    #: The fact's subject, if an entity has several facts of this type ("editor").
    attribute: str | None = None
    #: The statement without its date, if the date would change the key (`draft.Request`).
    keyed_as: str | None = None
    #: 0-1.
    confidence: float
    reasoning: str
    #: The user's own words.
    said: str
    #: Whether the user asked for it ("remember that ...").
    asked_for: bool = False
    source_message_ids: tuple[str, ...]

    def told_again(self, message_id: str, *, asked_for: bool) -> "ProposedMemory":
        """The same fact with another message as its source."""
        ids = dict.fromkeys((*self.source_message_ids, message_id))
        return replace(self, source_message_ids=tuple(ids), asked_for=self.asked_for or asked_for)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedTodo:
    """A todo: a commitment, a habit, a thread or a friction."""

    text: str
    kind: TodoKind
    #: Relative days are counted from the time of the message.
    due_at: datetime | None = None
    confidence: float
    reasoning: str
    source_message_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedPin:
    """A fact that should be in every context of the chat."""

    content: str
    pin_type: PinType
    #: 0-10.
    importance_score: float
    reasoning: str
    source_message_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedForgetting:
    """The user asked to forget something."""

    #: In the third person, like a memory ("User likes jazz"), or only a topic ("jazz").
    what: str
    #: The user's own words.
    said: str
    source_message_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Passed:
    """A statement that was not proposed, with the reason."""

    said: str
    reason: str
    source_message_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """All proposals of one reading."""

    memories: tuple[ProposedMemory, ...] = ()
    todos: tuple[ProposedTodo, ...] = ()
    pins: tuple[ProposedPin, ...] = ()
    forgettings: tuple[ProposedForgetting, ...] = ()
    passed: tuple[Passed, ...] = ()
    #: "rules", or the name of a model.
    judged_by: str = "rules"

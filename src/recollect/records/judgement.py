"""A judgement: what somebody found worth keeping in a stretch of a conversation, before any rule of the store is asked.

The judge proposes, these are the values of its proposals; whether a memory is added, known or replaces another is decided
where every memory is (`draft`, `curation`). It does not know who judged, rules or a model.
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
    """What a judge reads: new messages of one chat, and what helps to understand them."""

    #: In order, of every role: only the user's are judged, the others show what they answer to.
    messages: Sequence[Message]
    #: The last few messages before those, which were judged already.
    earlier: Sequence[Message] = ()
    #: Statements about the user that are known and may matter here, the nearest first.
    known: Sequence[str] = ()
    #: Known entities: key ("person:jane") to how people write it ("Jane"), aliases included.
    names: Mapping[str, str] = field(default_factory=dict[str, str])
    #: Where the user's days begin, for due dates.
    zone: tzinfo = UTC


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedMemory:
    """A fact about the user, in the third person ("User's wife is named Jane")."""

    content: str
    #: None: decided by rules.
    category: Category | None = None
    entity_refs: tuple[str, ...] = ()
    #: How the first of them is written.
    entity_label: str | None = None
    #: What the fact is about, where a subject has several of the kind ("editor").
    attribute: str | None = None
    #: The statement without its day, where that has another key (`draft.Request`).
    keyed_as: str | None = None
    #: 0-1.
    confidence: float
    reasoning: str
    #: The user's own words.
    said: str
    #: The user asked for it ("remember that ...").
    asked_for: bool = False
    source_message_ids: tuple[str, ...]

    def told_again(self, message_id: str, *, asked_for: bool) -> "ProposedMemory":
        """The same fact, once another message has told it."""
        ids = dict.fromkeys((*self.source_message_ids, message_id))
        return replace(self, source_message_ids=tuple(ids), asked_for=self.asked_for or asked_for)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedTodo:
    """Something open: a commitment, a habit, a thread or a friction."""

    text: str
    kind: TodoKind
    #: Understood relative to when it was said.
    due_at: datetime | None = None
    confidence: float
    reasoning: str
    source_message_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedPin:
    """A fact that should enter every context of the chat."""

    content: str
    pin_type: PinType
    #: 0-10.
    importance_score: float
    reasoning: str
    source_message_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedForgetting:
    """The user asked to forget something."""

    #: In the third person, as the memory would say it ("User likes jazz"); a topic if they named only that ("jazz").
    what: str
    #: The user's own words.
    said: str
    source_message_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Passed:
    """A statement that was looked at and not proposed, with the reason."""

    said: str
    reason: str
    source_message_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """Everything that was found in one reading."""

    memories: tuple[ProposedMemory, ...] = ()
    todos: tuple[ProposedTodo, ...] = ()
    pins: tuple[ProposedPin, ...] = ()
    forgettings: tuple[ProposedForgetting, ...] = ()
    passed: tuple[Passed, ...] = ()
    #: "rules", or the name of a model.
    judged_by: str = "rules"

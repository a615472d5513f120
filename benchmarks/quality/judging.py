"""How well a judge judges: what it proposes for labelled dialogues, compared with what it should have.

Each dialogue is read at once, as the engine would hand it over. A proposal is right when it stands on a labelled turn and
carries the label's words, in a sentence that stands alone; whatever else it says about a labelled turn is wrong, and whatever it says
about a trap or about somebody else's turn is junk. One proposal may state two labelled facts; a fact said twice counts
once. It does not know rules or models. Asking a model whether two sentences mean the same was rejected: a measure that
changes with its judge cannot be compared.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import StrEnum

from benchmarks.quality.judge_labels import Dialogue, Expected, ExpectedForgetting, ExpectedTodo
from benchmarks.quality.wording import carries, flaw
from recollect.language.categorise import categorise
from recollect.models.judge import Judge
from recollect.records.judgement import Judgement, Material, ProposedMemory, ProposedTodo
from recollect.records.message import Message

#: Between the turns of a dialogue.
_APART = timedelta(minutes=1)
Label = Expected | ExpectedTodo | ExpectedForgetting
#: Called with how many dialogues are done, of how many.
Progress = Callable[[int, int], None]


class Kind(StrEnum):
    """What was proposed or should have been."""

    MEMORY = "memory"
    OPEN_THING = "todo"
    FORGETTING = "forgetting"
    PIN = "pin"


class Fault(StrEnum):
    """What is wrong with a judgement."""

    MISSED = "missed"
    WRONG = "wrong"
    JUNK = "junk"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistake:
    """One thing that went wrong, with the words that it is about."""

    fault: Fault
    kind: Kind
    dialogue: str
    area: str
    #: What was said; empty when the proposal names no turn.
    said: str
    #: What was proposed, or should have been.
    told: str
    reason: str


@dataclass(slots=True, kw_only=True)
class Tally:
    """Counts of which precision and recall are made."""

    #: Labels that are not optional, and those of them that were found.
    expected: int = 0
    found: int = 0
    #: Proposals but those that are optional, and those of them that were right.
    proposed: int = 0
    right: int = 0

    @property
    def precision(self) -> float | None:
        return self.right / self.proposed if self.proposed else None

    @property
    def recall(self) -> float | None:
        return self.found / self.expected if self.expected else None

    @property
    def f1(self) -> float | None:
        """The harmonic mean of both."""
        precision, recall = self.precision, self.recall
        if precision is None or recall is None:
            return None
        return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


@dataclass(slots=True, kw_only=True)
class Traps:
    """Utterances of which nothing may come, and what came of them."""

    utterances: int = 0
    junk: int = 0

    @property
    def rate(self) -> float | None:
        return self.junk / self.utterances if self.utterances else None


@dataclass(slots=True, kw_only=True)
class Assessment:
    """Everything that was measured in one run."""

    dialogues: int = 0
    utterances: int = 0
    #: How many dialogues each judge judged: a model that failed leaves some to the rules.
    judged_by: Counter[str] = field(default_factory=Counter[str])
    memories: Tally = field(default_factory=Tally)
    todos: Tally = field(default_factory=Tally)
    forgettings: Tally = field(default_factory=Tally)
    traps: Traps = field(default_factory=Traps)
    #: Memories only.
    by_category: dict[str, Tally] = field(default_factory=dict[str, Tally])
    by_area: dict[str, Tally] = field(default_factory=dict[str, Tally])
    traps_by_area: dict[str, Traps] = field(default_factory=dict[str, Traps])
    #: Of right memories whose label names a category; of right todos.
    category_agrees: Tally = field(default_factory=Tally)
    kind_agrees: Tally = field(default_factory=Tally)
    mistakes: list[Mistake] = field(default_factory=list[Mistake])


def material(dialogue: Dialogue) -> Material:
    """A dialogue as the engine would hand it to a judge."""
    return Material(
        messages=tuple(
            Message(
                user_id="eval",
                message_id=_id(dialogue, place),
                chat_id=dialogue.id,
                position=place + 1,
                role=said.role,
                text=said.text,
                tokens=len(said.text) // 4 + 1,
                importance_score=5.0,
                created_at=dialogue.said_at + place * _APART,
            )
            for place, said in enumerate(dialogue.turns)
        )
    )


async def assess(
    judge: Judge, dialogues: Sequence[Dialogue], *, progress: Progress | None = None
) -> Assessment:
    """Judge every dialogue and compare."""
    made = Assessment()
    for done, dialogue in enumerate(dialogues, 1):
        compare(dialogue, await judge.judge(material(dialogue)), made)
        if progress:
            progress(done, len(dialogues))
    return made


def compare(dialogue: Dialogue, judgement: Judgement, into: Assessment) -> None:
    """Add what one judgement got right and wrong."""
    into.dialogues += 1
    into.utterances += len(dialogue.utterances())
    into.judged_by[judgement.judged_by] += 1
    for traps in (into.traps, into.traps_by_area.setdefault(dialogue.area, Traps())):
        traps.utterances += len(dialogue.traps())
    reading = _Reading(dialogue, into)
    reading.memories(judgement.memories)
    reading.todos(judgement.todos)
    reading.forgettings([(one.what, one.source_message_ids) for one in judgement.forgettings])
    for pin in judgement.pins:
        if reading.is_junk((pin.source_message_id,)):
            reading.blame(Fault.JUNK, Kind.PIN, (pin.source_message_id,), pin.content, "from a trap")


class _Reading:
    """One dialogue while its judgement is compared: which labels are found already."""

    def __init__(self, dialogue: Dialogue, into: Assessment) -> None:
        self._dialogue = dialogue
        self._into = into
        self._turns: Mapping[str, int] = {_id(dialogue, place): place for place in range(len(dialogue.turns))}
        self._traps = frozenset(dialogue.traps())
        self._users = frozenset(dialogue.utterances())

    def memories(self, proposals: Sequence[ProposedMemory]) -> None:
        """Compare memories, which are also counted by category and by area."""
        area = self._into.by_area.setdefault(self._dialogue.area, Tally())
        found: set[int] = set()
        for one in proposals:
            wrong = flaw(one.content)
            hit = [] if wrong else self._hit(one.content, one.source_message_ids, self._dialogue.expect)
            new = _newly(hit, self._dialogue.expect, found)
            counted = [
                self._dialogue.expect[place] for place in new if not self._dialogue.expect[place].optional
            ]
            if new and not counted:
                continue
            own = one.category or categorise(one.content)
            row = _row(counted[0]) if counted else own.value
            for tally in (self._into.memories, area, self._category(row)):
                tally.proposed += 1
                tally.right += bool(counted)
            if counted:
                self._agree(self._into.category_agrees, [label.category for label in counted], own)
            else:
                why = wrong or ("said before" if hit else "matches no label")
                self._reject(Kind.MEMORY, one.source_message_ids, one.content, why)
        for place, label in enumerate(self._dialogue.expect):
            if not label.optional:
                for tally in (self._into.memories, area, self._category(_row(label))):
                    tally.expected += 1
                    tally.found += place in found
                self._miss(Kind.MEMORY, label, label.content, place in found)

    def todos(self, proposals: Sequence[ProposedTodo]) -> None:
        """Compare todos: the words, and the day that they are due."""
        labels, tally, found = self._dialogue.todos, self._into.todos, set[int]()
        for one in proposals:
            hit = self._hit(one.text, one.source_message_ids, labels)
            due = one.due_at.astimezone(UTC).date() if one.due_at else None
            new = _newly([place for place in hit if labels[place].due == due], labels, found)
            counted = [labels[place] for place in new if not labels[place].optional]
            if new and not counted:
                continue
            tally.proposed += 1
            tally.right += bool(counted)
            told = f"{one.text} ({one.kind}, {_due(one.due_at)})"
            if counted:
                self._agree(self._into.kind_agrees, [label.kind for label in counted], one.kind)
            else:
                self._reject(
                    Kind.OPEN_THING,
                    one.source_message_ids,
                    told,
                    "said before, or wrong day" if hit else "matches no label",
                )
        for place, label in enumerate(labels):
            if not label.optional:
                tally.expected += 1
                tally.found += place in found
                words = " ".join("|".join(word) for word in label.must)
                self._miss(
                    Kind.OPEN_THING,
                    label,
                    f"{words} ({label.kind}, {label.due or 'no date'})",
                    place in found,
                )

    def forgettings(self, proposals: Sequence[tuple[str, tuple[str, ...]]]) -> None:
        """Compare what the user asked to forget."""
        labels, tally, found = self._dialogue.forget, self._into.forgettings, set[int]()
        for what, sources in proposals:
            new = _newly(self._hit(what, sources, labels), labels, found)
            if new and all(labels[place].optional for place in new):
                continue
            tally.proposed += 1
            tally.right += bool(new)
            if not new:
                self._reject(Kind.FORGETTING, sources, what, "matches no label")
        for place, label in enumerate(labels):
            if not label.optional:
                tally.expected += 1
                tally.found += place in found
                words = " ".join("|".join(word) for word in label.must)
                self._miss(Kind.FORGETTING, label, words, place in found)

    def is_junk(self, sources: Sequence[str]) -> bool:
        """Whether a proposal stands on no labelled turn: on traps, on others' words, or on nothing."""
        return all(
            self._turns.get(source) not in self._users or self._turns[source] in self._traps
            for source in sources
        )

    def blame(self, fault: Fault, kind: Kind, sources: Sequence[str], told: str, reason: str) -> None:
        """Note a proposal that should not have been made; junk is counted as such."""
        if fault is Fault.JUNK:
            for traps in (self._into.traps, self._into.traps_by_area[self._dialogue.area]):
                traps.junk += 1
        said = " … ".join(
            self._dialogue.turns[self._turns[source]].text for source in sources if source in self._turns
        )
        self._note(fault, kind, said, told, reason)

    def _reject(self, kind: Kind, sources: Sequence[str], told: str, reason: str) -> None:
        junk = self.is_junk(sources)
        self.blame(
            Fault.JUNK if junk else Fault.WRONG, kind, sources, told, "from a trap" if junk else reason
        )

    def _hit(self, content: str, sources: Sequence[str], labels: Sequence[Label]) -> list[int]:
        """The places of the labels that a proposal states."""
        turns = {self._turns.get(source) for source in sources}
        return [
            place
            for place, label in enumerate(labels)
            if label.turn in turns and carries(content, label.must)
        ]

    def _category(self, name: str) -> Tally:
        return self._into.by_category.setdefault(name, Tally())

    def _agree(self, tally: Tally, labelled: Sequence[StrEnum | None], own: StrEnum) -> None:
        """Whether a right proposal is also of the right sort; one that states several facts needs one of theirs."""
        named = [one for one in labelled if one is not None]
        if named:
            tally.proposed += 1
            tally.right += own in named

    def _miss(self, kind: Kind, label: Label, told: str, found: bool) -> None:
        if not found:
            self._note(Fault.MISSED, kind, self._dialogue.turns[label.turn].text, told, "not proposed")

    def _note(self, fault: Fault, kind: Kind, said: str, told: str, reason: str) -> None:
        self._into.mistakes.append(
            Mistake(
                fault=fault,
                kind=kind,
                dialogue=self._dialogue.id,
                area=self._dialogue.area,
                said=said,
                told=told,
                reason=reason,
            )
        )


def _newly(hit: Sequence[int], labels: Sequence[Label], found: set[int]) -> list[int]:
    """The labels that a proposal is the first to state, which are found from now on.

    One optional label only, and only when it states no other: a proposal which says more must not use up what the next
    may say.
    """
    new = [place for place in hit if place not in found]
    stated = [place for place in new if not labels[place].optional] or new[:1]
    found.update(stated)
    return stated


def _id(dialogue: Dialogue, place: int) -> str:
    return f"{dialogue.id}:{place}"


def _row(label: Expected) -> str:
    """The category that a label is counted under; where several would do, the one that our rules see in its wording."""
    return (label.category or categorise(label.content)).value


def _due(moment: datetime | None) -> str:
    return moment.astimezone(UTC).date().isoformat() if moment else "no date"

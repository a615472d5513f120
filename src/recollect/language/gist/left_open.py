"""What a session leaves open: what the judge would make a todo of, what was said to be open, and who promised what.

The judge's own reading comes first, so that a digest and the todos of the same messages agree; beside it
stand promises and open ends that are no todo, because they have no date or are a question. What the user says is done
later is not open. It keeps nothing and knows no todos.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from recollect.language.gist.line import Line, harmless, terms_of
from recollect.language.gist.own_words import heard, spoken, unquoted
from recollect.language.judge import judge
from recollect.language.judge.open_thing import SIGN
from recollect.language.phrasing import third_person
from recollect.language.sentence import Kind, ends_as_question
from recollect.language.sign import plain
from recollect.records.judgement import Material, ProposedTodo
from recollect.records.message import Message, Role, Turn
from recollect.records.todo import TodoKind

_OPEN = re.compile(
    r"\b(?:still (?:need|needs|have|has|waiting|don't know|doesn't know|unsure|undecided|to do)|(?:waiting|wait) (?:for|on|to hear)"
    r"|(?:haven't|hasn't|have not|has not|didn't|not) (?:\w+ ){1,6}yet|not sure (?:yet|(?:whether|if)(?! (?:this|that|it|that's|it's)\b))"
    r"|needs? to (?!know|understand|learn|hear|say|be\b|admit|see\b|go\b(?! to)|sleep|have\b|tell you|ask you|vent|remember)\w+"
    r"|(?:is|are) stuck (?:on|with|at|in the middle)|can't (?:decide|figure out|find)|trying to (?:find|decide|figure out)|looking for an?"
    r"|to be (?:decided|confirmed)|pending|unresolved|up in the air)\b",
    re.IGNORECASE,
)
_RESOLVED = re.compile(
    r"\b(?:finally|done|finished|sorted|solved|resolved|fixed|received|arrived|got|called|booked|decided|confirmed|found|paid"
    r"|submitted|sent|worked|works now|heard back)\b",
    re.IGNORECASE,
)
_PROMISE = re.compile(
    r"\b(?:I'll|I will|I'm (?:going to|gonna)|I am (?:going to|gonna)|I promise (?:to|I'll|that I)|I commit to|I intend to)"
    r"(?! (?:be (?:honest|fine|ok|okay|late)|see|admit|say|never|try (?:that|it|this)|think about|let you know|not\b|have to|need"
    r"|miss|always|keep (?:that|it|this) in mind|take (?:a look|that|it)|check (?:it|that|this) out|do (?:that|it|this)\W*$)\b)"
    r" \w+",
    re.IGNORECASE,
)
_PROMISED_BY_ASSISTANT = re.compile(
    r"\bI(?:'ll| will) (?:remind|check in|follow up|keep (?:track|an eye|a)|get back|ask you)\b",
    re.IGNORECASE,
)
#: An appointment is a todo, but nobody promised it.
_APPOINTED = re.compile(r"(?:The|User's)\b.*? (?:is|are)\b")
#: Words a promise needs to say what is promised.
_SHORTEST_PROMISE = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOpen:
    """What a session leaves open, in the order in which it came up."""

    open_loops: list[str]
    commitments: list[str]


def left_open(lines: Sequence[Line], turns: Sequence[Turn]) -> LeftOpen:
    """What is open at the end of some turns; `lines` are theirs."""
    todos = list(_todos(turns))
    return LeftOpen(open_loops=_open_loops(lines, todos), commitments=_commitments(turns, todos))


def _open_loops(lines: Sequence[Line], todos: Sequence[tuple[int, ProposedTodo]]) -> list[str]:
    found: list[tuple[int, str]] = []
    for line in lines:
        if line.role is Role.USER and (line.is_open or (not line.asks and _is_open(line.text))):
            found.append((line.turn, harmless(line)))
    for place, todo in todos:
        if todo.kind in (TodoKind.THREAD, TodoKind.FRICTION):
            found.append((place, todo.text))
    found.sort(key=lambda item: item[0])
    return [text for place, text in found if not _is_resolved(text, place, lines)]


def _commitments(turns: Sequence[Turn], todos: Sequence[tuple[int, ProposedTodo]]) -> list[str]:
    """Who promised what; the user's in the third person, the assistant's as it was said."""
    found: list[tuple[int, str]] = [
        (place, todo.text)
        for place, todo in todos
        if todo.kind is TodoKind.COMMITMENT and not _APPOINTED.match(todo.text)
    ]
    for place, turn in enumerate(turns):
        found += [(place, text) for message in turn.messages for text in _promises(message)]
    return [text for _, text in sorted(found, key=lambda item: item[0])]


def _promises(message: Message) -> Iterator[str]:
    if message.role not in (Role.USER, Role.ASSISTANT):
        return
    own = message.role is Role.USER
    pattern = _PROMISE if own else _PROMISED_BY_ASSISTANT
    if not pattern.search(message.text.replace("\u2019", "'")):
        return
    for piece in spoken(heard(message.text).own if own else message.text):
        said = piece.text.replace("\u2019", "'")
        if piece.kind is Kind.CODE or ends_as_question(said) or len(said.split()) < _SHORTEST_PROMISE:
            continue
        if pattern.search(unquoted(said)):
            yield third_person(said) if own else f"Assistant promised: {said}"


def _todos(turns: Sequence[Turn]) -> Iterator[tuple[int, ProposedTodo]]:
    """What the judge makes todos of, with the turn in which it was said."""
    said = [
        (place, message)
        for place, turn in enumerate(turns)
        for message in turn.messages
        # Only these can hold one, and reading the others would take as long as the rest of the digest.
        if message.role is Role.USER and SIGN.search(plain(message.text))
    ]
    at = {message.message_id: place for place, message in said}
    for todo in judge(Material(messages=[message for _, message in said])).todos:
        yield at[todo.source_message_ids[0]], todo


def _is_open(text: str) -> bool:
    return _OPEN.search(text.replace("\u2019", "'")) is not None


def _is_resolved(loop: str, turn: int, lines: Sequence[Line]) -> bool:
    """Whether the user says later that what was open is done."""
    open_terms = terms_of(loop)
    return any(
        line.role is Role.USER
        and (line.turn > turn or (line.turn == turn and line.text != loop))
        and _RESOLVED.search(line.text) is not None
        and not _is_open(line.text)
        and len(open_terms & terms_of(line.text)) * 3 >= len(open_terms)
        for line in lines
    )

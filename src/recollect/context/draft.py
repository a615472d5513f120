"""The draft of a context: what the shares selected, each list best first.

Mutable, and used only while a context is assembled: trimming may drop hundreds of lines, and a new value for each would be slow.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from recollect.context import wording
from recollect.context.line import Dropped, Line, Section, SectionName, cost_of, shortened
from recollect.records.chat import Brief
from recollect.records.message import Message, Turn, messages_of
from recollect.records.safe_text import as_lines
from recollect.rules.budget import MESSAGE_TOKENS, Count, Limits, cut_middle, keep_end
from recollect.rules.profile import block

#: Tokens. A shorter brief says nothing.
MIN_BRIEF = 24
#: The minimum of a cut message of the last turn, mark included, before pins are dropped.
MIN_MESSAGE = 24
#: The minimum of a cut question, mark included, before critical pins are dropped.
MIN_QUESTION = 48
#: Delimiters of the system message, of the text after the conversation and of the question, and Anthropic's opening.
_FRAME = 3 * MESSAGE_TOKENS + 12

NO_ROOM = "no room in the budget"
OVER_SHARE = "section limit reached"


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A line with its place in its section; a list of pieces is ordered by what is dropped last."""

    line: Line
    place: tuple[int, str]
    #: Tokens of the record that the line omits.
    missing: int = 0


@dataclass(slots=True, kw_only=True)
class Draft:
    """The current content of a context, and what was dropped."""

    count: Count
    limits: Limits
    pins: list[Piece] = field(default_factory=list[Piece])
    #: The number of critical pins, which come first.
    critical: int = 0
    profile: list[Piece] = field(default_factory=list[Piece])
    spine: list[Piece] = field(default_factory=list[Piece])
    important: list[Piece] = field(default_factory=list[Piece])
    recall: list[Piece] = field(default_factory=list[Piece])
    brief: Brief | None = None
    brief_line: Line | None = None
    #: Why it was cut.
    brief_why: str = NO_ROOM
    older: list[Turn] = field(default_factory=list[Turn])
    last: list[Turn] = field(default_factory=list[Turn])
    #: The originals of messages that were cut, by id.
    whole: dict[str, Message] = field(default_factory=dict[str, Message])
    question: str = ""
    #: In the form with the highest cost.
    question_tokens: int = 0
    #: The question before it was cut; empty if it was not.
    whole_question: str = ""
    asked: Message | None = None
    dropped: list[Dropped] = field(default_factory=list[Dropped])
    _headings: dict[str, int] = field(default_factory=dict[str, int])

    @property
    def tail(self) -> tuple[Message, ...]:
        """All shown messages, in order."""
        return tuple(messages_of([*self.older, *self.last]))

    def worst(self, text: str) -> int:
        """Tokens of a message's text in the form with the highest cost."""
        shown = as_lines(text)
        return self.count(text) if shown == text else max(self.count(text), self.count(shown))

    def sections(self) -> tuple[Section, ...]:
        """The sections in their order."""
        tail = [
            wording.spoken_line(message, why)
            for turns, why in (
                (self.older, "unfolded"),
                (self.last, f"last {self.limits.raw_turns} turns"),
            )
            for message in messages_of(turns)
        ]
        found = self._beside_tail()
        return tuple(
            Section(name=name, tokens=self._tokens(name, lines), lines=tuple(lines))
            for name in SectionName
            if (lines := tail if name is SectionName.TAIL else found[name])
        )

    def _beside_tail(self) -> dict[SectionName, list[Line]]:
        """The lines of every section but the tail."""
        return {
            SectionName.PINS: _placed(self.pins),
            SectionName.PROFILE: _placed(self.profile),
            SectionName.SPINE: _placed(self.spine),
            SectionName.BRIEF: [self.brief_line] if self.brief_line else [],
            SectionName.IMPORTANT: _placed(self.important),
            SectionName.RECALL: _placed(self.recall),
            SectionName.QUERY: self._query(),
        }

    def cost(self) -> int:
        """The estimate of all sections, without rendering the tail."""
        beside = sum(self._tokens(name, lines) for name, lines in self._beside_tail().items() if lines)
        return beside + sum(wording.spoken_cost(message) for message in self.tail) + _FRAME

    def estimate(self, sections: Iterable[Section]) -> int:
        """The cost of the most expensive form, slightly overestimated."""
        return sum(section.tokens for section in sections) + _FRAME

    def drop(self, section: SectionName, line: Line, why: str = NO_ROOM) -> None:
        """Report a line that is not shown."""
        self.dropped.append(
            Dropped(
                section=section,
                text=shortened(line.text),
                tokens=line.tokens,
                why=why,
                sources=line.sources,
            )
        )

    def drop_messages(self, messages: Iterable[Message], why: str = NO_ROOM) -> None:
        """Report messages that are not shown, uncut."""
        for message in messages:
            whole = self.whole.pop(message.message_id, message)
            self.drop(SectionName.TAIL, wording.spoken_line(whole, ""), why)

    def heading(self, group: str) -> int:
        """Tokens of a heading with its line's end and the blank line before it."""
        if group not in self._headings:
            self._headings[group] = self.count(group) + 2 if group else 0
        return self._headings[group]

    def cut_brief(self, room: int, why: str = NO_ROOM) -> None:
        """Keep the end of the brief, or nothing if too little would be left."""
        brief, line = self.brief, self.brief_line
        if brief is None or line is None:
            return
        self.brief_why = why
        self.brief_line = None
        if room >= MIN_BRIEF:
            text = keep_end(
                brief.global_summary,
                room=room - 2,
                tokens=brief.tokens,
                count=lambda part: self.count(wording.passage(part)),
            )
            shorter = wording.brief_line(brief, text, self.count)
            self.brief_line = shorter if shorter.tokens < line.tokens and len(text) > 2 else None

    def cut_message(self, message: Message, room: int) -> Message:
        """The message with its middle cut out."""
        whole = self.whole.setdefault(message.message_id, message)
        text = cut_middle(whole.text, room=room, tokens=self.worst(whole.text), count=self.worst)
        # Its name may have been dropped already.
        return replace(whole, text=text, tokens=self.count(text), name=message.name)

    def cut_question(self, room: int) -> None:
        """The question with its middle cut out."""
        whole = self.whole_question = self.whole_question or self.question
        self.question = cut_middle(whole, room=room, tokens=self.worst(whole), count=self.worst)
        self.question_tokens = self.worst(self.question)
        if self.asked:
            self.asked = replace(self.asked, text=self.question, tokens=self.count(self.question))

    def report_cuts(self) -> None:
        """Report what was cut; the last step of a draft."""
        shown = {message.message_id: message for message in self.tail}
        for message_id, whole in self.whole.items():
            line = wording.spoken_line(whole, "")
            missing = whole.tokens - shown[message_id].tokens
            self._report_cut(SectionName.TAIL, line, missing, "cut in its middle")
        for piece in self.recall:
            if piece.missing:
                how = "only what the question asks about"
                self._report_cut(SectionName.RECALL, piece.line, piece.missing, how)
        if self.brief and self.brief.global_summary.strip():
            whole_line = wording.brief_line(self.brief, self.brief.global_summary, self.count)
            if self.brief_line is None:
                self.drop(SectionName.BRIEF, whole_line, self.brief_why)
            elif self.brief_line.text != whole_line.text:
                missing = whole_line.tokens - self.brief_line.tokens
                self._report_cut(SectionName.BRIEF, whole_line, missing, "only its end", self.brief_why)
        if self.whole_question:
            missing = self.worst(self.whole_question) - self.question_tokens
            line = Line(text=self.whole_question, tokens=0, why="", sources=self._asked_id())
            self._report_cut(SectionName.QUERY, line, missing, "cut in its middle")

    def _report_cut(
        self, section: SectionName, line: Line, missing: int, how: str, why: str = NO_ROOM
    ) -> None:
        self.dropped.append(
            Dropped(
                section=section,
                text=shortened(line.text),
                tokens=max(missing, 1),
                why=f"{how}: {why}",
                sources=line.sources,
                cut=True,
            )
        )

    def _query(self) -> list[Line]:
        if not self.question:
            return []
        tokens = self.question_tokens + MESSAGE_TOKENS
        return [Line(text=self.question, tokens=tokens, why="the question", sources=self._asked_id())]

    def _asked_id(self) -> tuple[str, ...]:
        return (self.asked.message_id,) if self.asked else ()

    def _tokens(self, name: SectionName, lines: list[Line]) -> int:
        headings = sum(self.heading(group) for group in {line.group for line in lines})
        if name is SectionName.PROFILE:
            headings += self.heading(block((), notice=wording.NOTICE))
        return headings + cost_of(lines)


def _placed(pieces: list[Piece]) -> list[Line]:
    return [piece.line for piece in sorted(pieces, key=lambda piece: piece.place)]

"""Topics: what somebody asked about, in few words, once the question itself is answered and over.

"Can you suggest vegetarian restaurants in Kyoto?" is "vegetarian restaurants in Kyoto" in one line with all the others: a
reader sees what the talk was about, for a few tokens each. Questions that no rule can shorten stay in quotation marks.
Small talk and questions about the assistant are no topics. It chooses none: `summary` has the room.
"""

import re
from collections.abc import Iterable, Sequence

from recollect.language.phrasing import third_person
from recollect.language.sentence import shorten
from recollect.language.terms import terms
from recollect.rules.trust import instructs_model

#: How the line of topics begins; a summary is read back by it.
FRAME = "User asked about: "
_ASKED = 'User asked: "'
#: Characters of one topic.
_LONGEST = 70

_BEFORE = re.compile(
    r"(?:(?:please|also|and|but|ok|okay|so|now|then|well|hi|hello|hey|by the way|btw|thanks|great|just|one more thing)\b[,!.: ]*)+",
    re.IGNORECASE,
)
_BEHIND = re.compile(
    r"(?:[ ,]+(?:please|thanks|thank you|then|though|btw|instead|for me|to me|right|exactly|again))*[\s?.!]*$",
    re.IGNORECASE,
)
#: Over as soon as they are said, or about the one who answers.
_NO_TOPIC = re.compile(
    r"\b(?:jokes?|your?|yours|yourself|what time is it|what's (?:up|new)|who are|how come|really|anything else|what else)\b",
    re.IGNORECASE,
)
#: Nobody knows later what "it" was.
_POINTS = re.compile(
    r"(?:how to |whether to )?(?:\w+ )?(?:it|them)\b|(?:this|that|these|those|one)(?: (?:again|better|shorter|longer|in \w+))?$"
    r"|.{0,60} (?:it|them|this|that)$"
)
_TO_BE_TOLD = (
    r"(?:(?:suggest|recommend|explain|describe|list|show|find|compare|summari[sz]e|define|give|make|write|create|draft|plan)(?: me| us| to me)?"
    r"|tell (?:me|us)(?: (?:more|something|a bit|a little|everything|all))?(?: about)?|teach me(?: about)?|help me (?:with|understand)|talk about)"
)
_ASKING = re.compile(r"(?:which|who|why|when|where|what|how|whether)\b", re.IGNORECASE)
#: What is asked, and how it reads behind "asked about".
_SHORTER: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(asked, re.IGNORECASE), short)
    for asked, short in (
        (rf"(?:(?:can|could|would|will) you (?:please )?)?{_TO_BE_TOLD} (?P<what>\S.+)", "{what}"),
        (r"(?:what|how) about (?!(?:i|we|you|if)\b)(?P<what>.+)", "{what}"),
        (r"(?:what|who|where|when)(?:'s| is| are| was| were) (?P<what>.+?) like (?P<rest>(?:in|on|at|for|during) .+)", "{what} {rest}"),
        (r"what(?:'s| is| are| was| were) (?P<what>.+)", "{what}"),
        (r"how (?:do|can|could|should|would|to) (?:(?:i|we|you|one) )?(?P<what>.+)", "how to {what}"),
        (r"(?P<how>how (?:much|many|long|often|far|early|late|big)(?: \w+){0,2}|where|when|which \w+|what) (?:should|can|could|must) (?:i|we) (?P<what>.+)", "{how} to {what}"),
        (r"(?:should|shall) (?:i|we) (?P<what>.+)", "whether to {what}"),
        (r"(?P<what>(?:which|who|why|when|where|what|how) .+)", "{what}"),
    )
)  # fmt: skip


def topic(question: str) -> str | None:
    """What a question is about, as it stands in a line; None when it is not worth one."""
    asked = question.removeprefix(_ASKED).rstrip('"')
    bare = _BEHIND.sub("", _BEFORE.sub("", asked, count=1) if _BEFORE.match(asked) else asked)
    bare = bare.replace("\u2019", "'")
    short = _shorter(bare)
    if not terms(bare) or _NO_TOPIC.search(short or bare) or instructs_model(asked):
        return None
    if _POINTS.match(short or bare):
        return None
    if short is None:
        return shorten(f'"{_flat(asked)}"', _LONGEST)
    return shorten(_flat(third_person(short)), _LONGEST).rstrip(" .!?")


def _shorter(bare: str) -> str | None:
    for pattern, short in _SHORTER:
        if (match := pattern.fullmatch(bare)) is not None:
            made = short.format(**match.groupdict())
            return made[:1].lower() + made[1:] if _ASKING.match(made) else made
    return None


def _flat(text: str) -> str:
    """One line without the mark that parts topics."""
    return " ".join(text.replace(";", ",").split())


def is_topics(row: str) -> bool:
    """Whether a row of a summary is its line of topics."""
    return row.startswith(FRAME)


def topics_of(summary: str) -> list[str]:
    """The topics of an earlier summary, oldest first."""
    rows = [row.removeprefix(FRAME) for row in summary.splitlines() if is_topics(row)]
    found = [name.strip() for row in rows for name in row.rstrip(".").split(";")]
    return [name for name in found if terms(name) and not instructs_model(name)]


def topic_line(topics: Sequence[str]) -> str:
    """All topics as one line."""
    return f"{FRAME}{'; '.join(topics)}."


def distinct(topics: Iterable[str]) -> list[str]:
    """Each topic once, where it came up last."""
    last: dict[frozenset[str], str] = {}
    for name in topics:
        words = frozenset(terms(name))
        last.pop(words, None)
        last[words] = name
    return list(last.values())

"""The digest of a session without a model: S4's six fields, by rules over what was said.

One line on what it was about, what mattered, what is still open, who promised what, who was mentioned, and the tone.
Every entry is somebody's sentence or a name from one. It finds no meaning behind the words: irony is taken at its
word, and a tone in a language other than English is neutral. Guessing from punctuation was rejected: three
exclamation marks are joy as often as anger.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from heapq import nlargest

from recollect.domain.gist.likeness import Likeness
from recollect.domain.gist.line import Line, harmless, lines_of_turns, terms_of
from recollect.domain.gist.summary import heaviest, segment, settled
from recollect.domain.message import Message, Role
from recollect.domain.phrasing import third_person
from recollect.domain.sentence import Kind, ends_as_question, sentences, shorten
from recollect.domain.session_summary import MAX_ITEM, MAX_ITEMS, SessionDigest
from recollect.domain.turn import Turn, messages_of

#: Characters of the line that stands for the whole session.
MAX_ONE_LINER = 120
#: Lines that matter; fewer than the other lists may have, or nothing stands out.
_MOST_THAT_MATTERED = 5
#: Below this weight nothing mattered.
_MATTERS = 4.5
#: What the first line is worth as the topic, the second half of it, and so on.
_OPENING = 2.0
#: From this weight on a line matters for itself, not for the topic.
_WEIGHTY = 8.0


def session_digest(turns: Sequence[Turn]) -> SessionDigest:
    """What a session was about."""
    lines = heaviest(lines_of_turns(turns))
    newest = settled([], lines, Likeness())
    messages = messages_of(turns)
    spoken = [message for message in messages if message.role is Role.USER]
    return SessionDigest(
        one_liner=_one_liner(newest, turns),
        what_mattered=_items(_what_mattered(newest), _MOST_THAT_MATTERED),
        open_loops=_items(_open_loops(lines), MAX_ITEMS),
        commitments=_items(_commitments(messages), MAX_ITEMS),
        people=_people(spoken),
        tone=_tone(spoken),
    )


def _items(lines: Iterable[str], most: int) -> tuple[str, ...]:
    """Without what says the same, and not without end."""
    likeness = Likeness()
    kept: list[str] = []
    for line in lines:
        if line and len(kept) < most and not any(likeness.same(line, other) for other in kept):
            kept.append(shorten(line, MAX_ITEM))
    return tuple(kept)


def _one_liner(lines: Sequence[Line], turns: Sequence[Turn]) -> str:
    """The user's line that has most in common with all the others; questions count, as they name the topic."""
    own = [line for line in lines if line.role is Role.USER and not line.dangling]
    frequency = Counter(term for line in lines for term in terms_of(line.text))

    def central(place: int) -> float:
        line = _first(own[place].text)
        found = terms_of(line)
        common = sum(frequency[term] - 1 for term in found) / (len(found) + 3)
        # People open with what it is about; a line that is cut, or needs its question, says less.
        opening = _OPENING / (1 + place) - (len(line) > MAX_ONE_LINER) - line.startswith("Asked")
        return common + min(own[place].weight, _WEIGHTY) / 4 + opening

    for place in nlargest(3, range(len(own)), key=central):
        if text := harmless(own[place]):
            return shorten(_first(text), MAX_ONE_LINER)
    return shorten(" ".join(segment(turns, cap=MAX_ONE_LINER, count=len).split()), MAX_ONE_LINER)


def _first(line: str) -> str:
    """The first sentence of a line that is too long."""
    return line if len(line) <= MAX_ONE_LINER or '"' in line else sentences(line)[0].text


def _what_mattered(lines: Sequence[Line]) -> list[str]:
    likeness = Likeness()
    best: list[Line] = []
    for line in sorted(lines, key=lambda line: (not line.critical, -line.weight)):
        if len(best) == _MOST_THAT_MATTERED or (line.weight < _MATTERS and not line.critical):
            break
        if not line.asks and not any(likeness.same(line.text, other.text) for other in best):
            best.append(line)
    return [harmless(line) for line in lines if line in best]


# -- what is open, and what was promised ------------------------------------------------------------------

_OPEN = re.compile(
    r"\b(?:still (?:need|needs|have|has|waiting|don't know|doesn't know|unsure|undecided|to do)|(?:waiting|wait) (?:for|on|to hear)"
    r"|(?:haven't|hasn't|have not|has not|didn't|not) (?:\w+ ){1,6}yet|not sure (?:yet|(?:whether|if)(?! (?:this|that|it|that's|it's)\b))|need(?:s)? to (?:decide|figure"
    r"|find out|check|ask|sort out|call)|to be (?:decided|confirmed)|pending|unresolved|up in the air|can't decide)\b",
    re.IGNORECASE,
)
_RESOLVED = re.compile(
    r"\b(?:finally|done|finished|sorted|solved|resolved|fixed|received|arrived|got|called|booked|decided|confirmed|found|paid"
    r"|submitted|sent|worked|works now|heard back)\b",
    re.IGNORECASE,
)


def _open_loops(lines: Sequence[Line]) -> list[str]:
    loops: list[str] = []
    for place, line in enumerate(lines):
        if line.role is not Role.USER:
            continue
        opens = line.is_open or (not line.asks and _OPEN.search(line.text.replace("\u2019", "'")) is not None)
        if opens and not _is_resolved(line, lines[place + 1 :]):
            loops.append(harmless(line))
    return loops


def _is_resolved(loop: Line, later: Sequence[Line]) -> bool:
    """Whether the user says later that what was open is done."""
    open_terms = terms_of(loop.text)
    return any(
        line.role is Role.USER
        and _RESOLVED.search(line.text) is not None
        and _OPEN.search(line.text) is None
        and len(open_terms & terms_of(line.text)) * 3 >= len(open_terms)
        for line in later
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
#: Words a promise needs to say what is promised.
_SHORTEST_PROMISE = 4


def _commitments(messages: Sequence[Message]) -> list[str]:
    """Who promised what; the user's in the third person, the assistant's as it was said."""
    found: list[str] = []
    for message in messages:
        if message.role not in (Role.USER, Role.ASSISTANT):
            continue
        own = message.role is Role.USER
        pattern = _PROMISE if own else _PROMISED_BY_ASSISTANT
        for piece in sentences(message.text):
            said = piece.text.replace("\u2019", "'")
            if piece.kind is Kind.CODE or ends_as_question(said) or len(said.split()) < _SHORTEST_PROMISE:
                continue
            if pattern.search(said):
                found.append(third_person(said) if own else f"Assistant promised: {said}")
    return found


# -- who was mentioned ------------------------------------------------------------------------------------

_KIN = (
    r"(?:wife|husband|spouse|partner|girlfriend|boyfriend|fianc[e\u00e9]e?|mother|mom|mum|father|dad|parents|brother|sister|son"
    r"|daughter|children|kids|baby|aunt|uncle|cousin|nephew|niece|grand(?:mother|father|ma|pa|son|daughter|parents)|boss|manager"
    r"|supervisor|colleague|co-?worker|co-?founder|best friend|friend|room-?mate|flatmate|neighbou?r|landlord|mentor|therapist"
    r"|doctor|teacher|coach)(?:-in-law)?"
)
_GIVEN = r"[A-Z\u00c0-\u00de][a-z\u00df-\u00ff]+(?:[-'][A-Z][a-z]+)?"
_RELATIVE = re.compile(
    rf"\b(?:my|our|My|Our) (?:(?:older|younger|elder|little|big|late|ex|twin|step|oldest|youngest)[- ])?(?P<kin>{_KIN})\b(?!'s \w+'s)"
    rf"(?:,? (?:is )?(?:named |called )?(?P<name>{_GIVEN})\b)?"
)
#: A capitalised word is a person when it does or is done to what only people do or have done.
_PERSON = re.compile(
    rf"\b(?:Dr|Mr|Mrs|Ms|Prof)\.? (?P<titled>{_GIVEN})"
    rf"|(?<!\bthe )\b(?P<does>{_GIVEN}) (?:said|says|told|thinks|thought|wants|asked|called|calls|texted|likes|loves|hates|died|passed away"
    rf"|agreed|promised|is (?:my|our)|was (?:my|our)|and I|works (?:at|as|with|for)|lives|moved|got (?:married|engaged|sick)|visits|left (?:the|us|for))\b"
    rf"|\b(?:told|asked|call|met|meet|visit(?:ed)?|miss|married|invit(?:e|ed)|text(?:ed)?|thank|hug(?:ged)?"
    rf"|[Hh](?:er|is) name (?:is|was)) (?P<done>{_GIVEN})\b"
)
_NOT_PEOPLE = frozenset(
    """I It He She We They You This That These Those There The A An My Our Your His Her Their Everyone Everybody Nobody Someone
    Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May June July August September October
    November December Christmas Easter What Who When Where Why How If And But So Yes No Ok Okay Thanks Please Also Then Mom Mum
    Dad Mother Father Grandma Grandpa God Today Tomorrow Yesterday Not Just Which People Google Apple Amazon Microsoft""".split()
)


def _people(spoken: Sequence[Message]) -> tuple[str, ...]:
    """Names, and relatives without a name, in the order in which they came up."""
    found: dict[str, None] = {}
    named: set[str] = set()
    for message in spoken:
        text = message.text.replace("\u2019", "'")
        for match in _RELATIVE.finditer(text):
            name = match.group("name")
            is_name = name is not None and name not in _NOT_PEOPLE
            relative = f"User's {match.group('kin').lower()}"
            if is_name:
                named.add(relative)
            found.setdefault(name if is_name and name else relative)
        for match in _PERSON.finditer(text):
            name = match.group("titled") or match.group("does") or match.group("done")
            if name not in _NOT_PEOPLE:
                found.setdefault(f"Dr. {name}" if match.group().startswith("Dr") else name)
    return tuple(name for name in found if name not in named)[:MAX_ITEMS]


# -- tone -------------------------------------------------------------------------------------------------

#: In the order in which a tie is decided: what asks for care first.
_TONES = tuple(
    (tone, re.compile(rf"\b(?:{words})\b", re.IGNORECASE))
    for tone, words in (
        (
            "sad",
            r"sad|grie\w+|heartbroken|mourn\w*|crying|cried|lonely|miss (?:him|her|them)|passed away|funeral|hopeless|depressed|devastated"
            r"|lost (?:my|our) (?:\w+ )?(?:mother|mom|mum|father|dad|wife|husband|son|daughter|brother|sister|grand\w+|dog|cat|baby)",
        ),
        (
            "worried",
            r"worr(?:y|ied|ies|ying)|afraid|scared|anxious|nervous|concerned|fear|terrified|panic\w*|stress(?:ed|ful)",
        ),
        (
            "frustrated",
            r"frustrat\w+|annoy\w+|fed up|sick of|angry|furious|ridiculous|hate (?:this|it|that)|irritat\w+|still (?:doesn't|not) work\w*"
            r"|waste of time|ugh|argh",
        ),
        ("tired", r"exhausted|worn out|burn(?:ed|t) out|so tired|overwhelmed|drained"),
        (
            "grateful",
            r"grateful|thankful|thank you so much|thanks so much|really appreciate|appreciate (?:it|you|your)",
        ),
        (
            "cheerful",
            r"happy|excited|thrilled|delighted|can't wait|amazing|wonderful|awesome|glad|love it|so fun|haha+|yay|proud|fantastic",
        ),
        ("hopeful", r"hopeful|optimistic|looking forward|relieved|relief|encourag\w+"),
    )
)
_DENIED = re.compile(
    r"\b(?:not|never|no longer|isn't|wasn't|don't|didn't|nothing to|no)\s+(?:\w+\s+){0,2}$", re.IGNORECASE
)
#: Characters before a word in which it may be denied.
_DENIAL_REACH = 24


def _tone(spoken: Sequence[Message]) -> str:
    """The mood with most words for it; a denied word does not count."""
    counts: Counter[str] = Counter()
    for message in spoken:
        text = message.text.replace("\u2019", "'")
        for tone, pattern in _TONES:
            for match in pattern.finditer(text):
                if not _DENIED.search(text[max(0, match.start() - _DENIAL_REACH) : match.start()]):
                    counts[tone] += 1
    most = max(counts.values(), default=0)
    return next((tone for tone, _ in _TONES if counts[tone] == most and most), "neutral")

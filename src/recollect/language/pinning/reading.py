"""Reading: which facts of a message are pinned without being asked for.

S0's rubric gives the scores. Only the user's words and the operator's short notices are read: what an
assistant or a tool says could have been planted. At most three facts a message, each as one short
third-person statement: a pin is in every context of its chat. In doubt nothing is pinned; the message
itself stays important (`message_importance`), and a person can always pin by hand. It stores nothing and
counts no tokens.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from recollect.language import ended, health_statement
from recollect.language.clause import Clause, Mood, clauses, is_hedged_but_for_an_end, without_lead
from recollect.language.confidential import asks_not_to_keep
from recollect.language.judge.voice import own_text
from recollect.language.judge.wording import no_longer
from recollect.language.phrasing import third_person
from recollect.language.pinning import formula, standing_wish, whom
from recollect.language.pinning.carried_subject import with_subjects
from recollect.language.pinning.merging import said_again
from recollect.language.pinning.subject_keys import subjects
from recollect.language.sign import any_of, plain, signs
from recollect.language.worth import is_injected
from recollect.records.memory import Origin
from recollect.records.message import Message, Role
from recollect.records.pin import PinType
from recollect.records.safe_text import visible
from recollect.rules.trust import hides_text, instructs_model, may_pin

#: Pins of one message: S0 advises to pin sparingly.
MOST = 3
#: Characters; about the 50 tokens that S0 advises for a pin.
LONGEST = 220
#: Characters at the start of a message that are read; what is longer is a document, not something told.
READ = 6000
#: Whose words are read.
_PINNING = frozenset(role for role in Role if may_pin(Origin(role.value)))
#: S0's rubric: important context, useful notes.
CODE, CONCEPT, NOTICE = 7.0, 6.0, 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PinDraft:
    """A fact to pin, before it has an id."""

    content: str
    importance_score: float
    pin_type: PinType
    #: Whether it tells that something is over: it only replaces what was pinned of it (`merging`).
    ends: bool = False

    @property
    def subjects(self) -> frozenset[str]:
        """What it is about: a newer statement with the same keys replaces it."""
        return subjects(self.content, self.pin_type)


def auto_pins(message: Message) -> list[PinDraft]:
    """The facts of a message that belong in every context, most important first."""
    return [draft for draft in told(message) if not draft.ends]


def told(message: Message) -> list[PinDraft]:
    """The facts of a message, then the ends that it tells of such facts."""
    if message.role not in _PINNING or is_injected(message.text):
        return []
    text = message.text[:READ]
    if not hides_text(text):
        # A stray gap inside a word; what hides words is left as it is, and so found out.
        text = visible(text)
    if message.role is Role.SYSTEM and not _is_notice(text):
        return []
    drafts = [draft for draft in _found(text) if not instructs_model(draft.content)]
    if message.role is Role.SYSTEM and not drafts:
        drafts = _notices(text)
    if drafts and message.role is Role.USER and asks_not_to_keep(message.text):
        return []
    drafts.sort(key=lambda draft: -draft.importance_score)
    return [
        *_sparingly([draft for draft in drafts if not draft.ends]),
        *_sparingly([draft for draft in drafts if draft.ends]),
    ]


def _sparingly(drafts: Sequence[PinDraft]) -> list[PinDraft]:
    """The first few that say something new."""
    found: list[PinDraft] = []
    for draft in drafts:
        if len(found) < MOST and not any(said_again(known.content, draft.content) for known in found):
            found.append(draft)
    return found


def _found(text: str) -> Iterator[PinDraft]:
    """Everything that a rule finds, in order."""
    for line in (*formula.snippets(text), *(_shortened(line) for line in formula.formulas(text))):
        yield PinDraft(content=line, importance_score=CODE, pin_type=PinType.CODE)
    if _may_state(plain(text)):
        yield from _stated(text)


_END_SIGNS = (*ended.SIGNS, *signs("any more|anymore|any longer"))
_END = any_of(_END_SIGNS)
_SIGNS = any_of((*health_statement.SIGNS, *standing_wish.SIGNS, *formula.TARGET_SIGNS, *_END_SIGNS))


def _may_state(text: str) -> bool:
    """Whether any rule for clauses can fire; most texts stop here, which saves nine tenths of reading them."""
    return _SIGNS.search(text) is not None or health_statement.ANY_DOSE.search(text) is not None


def _stated(text: str) -> Iterator[PinDraft]:
    """What the clauses of a text state, in order, then the orders among them."""
    orders: list[tuple[Clause, str]] = []
    own = _own(text)
    closed = health_statement.closed_up(own)
    said = with_subjects(clauses(closed))
    told = _meant_so(said)
    for at, clause in enumerate(told):
        draft = _draft(clause, told[:at], told[at + 1 :], closed)
        if draft is not None:
            yield draft
        elif clause.mood is Mood.STATED and (ordered := _ordered(clause)):
            orders.append((clause, ordered))
    # What others' words beside it order cannot be told apart.
    if orders and (own == text or not instructs_model(text)):
        yield from _allowed(orders, [clause for clause in said if instructs_model(clause.text)])


def _own(text: str) -> str:
    """What of a text is told in the user's own voice; lists of labels look like a transcript and are read as they are."""
    lines = text.splitlines()
    labels = [line for line in lines if health_statement.is_labelled(line)]
    if not labels:
        return own_text(text)
    others = "\n".join(line for line in lines if line not in labels)
    own = own_text(others)
    # Beside a mail or a play the labels are its own.
    return own if others.strip() and not own.strip() else "\n".join((own, *labels))


#: A sentence that says that the one before was meant otherwise.
_MEANT_OTHERWISE = re.compile(
    r"\b(?:zodiac|horoscopes?|astrolog\w+|(?:star|sun|moon|birth) ?signs?|kidding|joking|jk|j/k|not really|not literally|figuratively|metaphorically"
    r"|april fools?|made (?:that|it) up|that was a (?:lie|joke)|just a joke)\b",
    re.IGNORECASE,
)


#: "Tom said, I'm ..." tells of Tom; what a doctor said of the user is told of the user.
_OTHERS_SAY = re.compile(
    r"(?!(?:i|we)\b)(?!.*\b(?:doctor|gp|physician|specialist|pa?ediatrician|allergist|cardiologist|psychiatrist|nurse|vet)\b)"
    r".*\b(?:said|says|(?:told|texted|wrote|messaged|e-?mailed)(?: (?:me|us|him|her|them|everyone))?|replied|answered|goes|(?:was|is|were) like"
    r"|posted|tweeted|announced|whispered|yelled|shouted|screamed)\W*$",
    re.IGNORECASE,
)


def _meant_so(said: Sequence[Clause]) -> list[Clause]:
    """The clauses without others' speech and those of a sentence that takes itself or the one before back."""
    away = {clause.sentence for clause in said if _MEANT_OTHERWISE.search(clause.text)}
    away |= {number - 1 for number in away}
    away |= {clause.sentence for clause in said if _OTHERS_SAY.match(clause.text)}
    return [clause for clause in said if clause.sentence not in away]


def _ordered(clause: Clause) -> str | None:
    """A standing order with all that it asks for: "give me long, detailed answers"."""
    order = standing_wish.order(without_lead(clause.text))
    return order and (standing_wish.order(without_lead(_without_tag(clause.extended.strip(_EDGES)))) or order)


def _draft(clause: Clause, before: Sequence[Clause], after: Sequence[Clause], text: str) -> PinDraft | None:
    """What one clause states; who "he" is in it is known from what was said `before`."""
    if clause.mood is Mood.SUPPOSED:
        return None
    if clause.mood is Mood.HEDGED:
        return None if is_hedged_but_for_an_end(text) else _over(clause, before, text)
    own, whole = without_lead(clause.text), without_lead(clause.extended)
    asked = clause.mood is Mood.ASKED
    fact = health_statement.implied(own) if asked else health_statement.stated(own)
    if fact is not None:
        if fact.wording:
            # A list goes on behind its first comma.
            longer = health_statement.implied(whole) if asked else health_statement.stated(whole)
            told = (longer and longer.wording) or fact.wording
        else:
            told = _with_cause(whom.told_alone(clause, before, text), clause, after)
        return _pin(told and _without_consequence(clause, told), fact.importance, PinType.AUTO)
    if not asked and (over := _over(clause, before, text)) is not None:
        return over
    if not asked and formula.is_target(own):
        return PinDraft(content=_statement(whole), importance_score=CODE, pin_type=PinType.CODE)
    if not asked and standing_wish.preference(own):
        return _pin(whom.told_alone(clause, before, text), CONCEPT, PinType.CONCEPT)
    return None


#: A reason or an occasion: without it "goes into anaphylactic shock" names no danger.
_CAUSE = re.compile(r"(?:because|if|when(?:ever)?|in case|since|as|after|due|for|from)\b", re.IGNORECASE)


def _with_cause(told: str | None, clause: Clause, after: Sequence[Clause]) -> str | None:
    """A fact that does not say what is dangerous, with the words behind it that do."""
    if told is None or not after or not whom.lacks_cause(clause.text):
        return told
    follows = after[0]
    if follows.sentence != clause.sentence or not _CAUSE.match(follows.text) or follows.mood is Mood.ASKED:
        return told
    if health_statement.stated(without_lead(follows.text)) or follows.text in clause.extended:
        return told
    return f"{told} {follows.extended}"


_REASON = re.compile(
    r"(?:and |but |so )*(?:because|since|as|given(?: that)?|considering|seeing)\b", re.IGNORECASE
)
#: What follows from a reason, told without a comma: "because she is allergic to eggs we bake with bananas".
_CONSEQUENCE = re.compile(r"\s+(?:we|i|you|i'm|we're|i've|we've)\s+\w", re.IGNORECASE)
#: "The soap we use" is one thing.
_DESCRIBED = re.compile(
    r"\b(?:the|that|which|what|those|these|all|things?|foods?|stuff|when|if|where)(?: [\w-]+){0,3}$",
    re.IGNORECASE,
)


def _without_consequence(clause: Clause, told: str) -> str:
    """A reason without what is done because of it; a thing that is described by it, and two facts, stay whole."""
    if not _REASON.match(clause.text):
        return told
    found = _CONSEQUENCE.search(told)
    if found is None or _DESCRIBED.search(told[: found.start()]) or _may_state(plain(told[found.start() :])):
        return told
    return told[: found.start()] if health_statement.stated(told[: found.start()]) else told


def _over(clause: Clause, before: Sequence[Clause], text: str) -> PinDraft | None:
    """The end of what may be pinned: of a medicine or an illness."""
    if _END.search(plain(clause.text)) is None or ended.taken_up_again(text):
        return None
    told = whom.told_alone(clause, before, text)
    if told is None or not ended.tells_end_of_care(content := _statement(no_longer(told))):
        return None
    return PinDraft(
        content=content, importance_score=health_statement.CRITICAL, pin_type=PinType.AUTO, ends=True
    )


def _pin(told: str | None, importance: float, pin_type: PinType) -> PinDraft | None:
    if told is None:
        return None
    return PinDraft(content=_statement(told), importance_score=importance, pin_type=pin_type)


def _allowed(orders: Iterable[tuple[Clause, str]], flagged: Sequence[Clause]) -> Iterator[PinDraft]:
    """Standing orders; beside one that sets the model's rules aside, a harmless one is not taken either."""
    for clause, ordered in orders:
        if all(other is clause for other in flagged):
            yield PinDraft(
                content=_shortened(third_person(ordered)), importance_score=CONCEPT, pin_type=PinType.CONCEPT
            )


# -- wording --------------------------------------------------------------------------------------------

_EDGES = " \t.,;:!?-\u2013\u2014*_"


def _statement(text: str) -> str:
    restated = third_person(health_statement.spaced(_without_tag(text.strip(_EDGES)))).strip(_EDGES)
    return _shortened(restated[:1].upper() + restated[1:])


#: What is said to the listener behind a fact and is no part of it.
_TAG = re.compile(
    r"[\s,;:\u2014\u2013-]+(?:right|ok(?:ay)?|(?:please |pls )?(?:remember|don't forget|note|keep in mind)(?: (?:that|this|it))?|you know|correct|yeah|got it|understood|alright"
    r"|please|pls|thanks|thank you|(?:just )?so you know|fyi|btw|by the way|(?:keep|bear) (?:that|this|it) in mind|as you know|as i (?:said|told you)|you see|just)[\s.,!?]*$",
    re.IGNORECASE,
)


def _without_tag(text: str) -> str:
    while (shorter := _TAG.sub("", text)) != text:
        text = shorter
    return text


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    if len(line) <= LONGEST:
        return line
    end = line.rfind(" ", LONGEST // 2, LONGEST)
    return line[: end if end > 0 else LONGEST - 1].rstrip(_EDGES) + "\u2026"


# -- notices of the operator ----------------------------------------------------------------------------

#: Characters; what is longer is a prompt.
_NOTICE_LENGTH = 200
_PROMPT = re.compile(
    r"\b(?:you|your|you're|assistant|ai|model|respond|reply|answers?|instructions?|must|should|always"
    r"|never|do not|don't|please|ensure|prompt|json|markdown|tone|if|when|act as|persona|tools?)\b",
    re.IGNORECASE,
)
_EVENT = re.compile(
    r"\b(?:acknowledged|subscribed|started|created|enabled|disabled|accepted|consented|signed|verified"
    r"|upgraded|downgraded|opted (?:in|out)|joined|registered|completed|granted|revoked|confirmed"
    r"|activated|agreed"
    r"|cancel+ed|renewed|expires?|linked|connected|assigned|enrolled|is on the [\w ]+ plan)\b"
    r"|^(?:[\w-]+ ){0,2}(?:time ?zone|locale|language|plan|region|currency|account type"
    r"|session id)\s*[:=]\s*\S",
    re.IGNORECASE,
)


def _is_notice(text: str) -> bool:
    return len(text) <= _NOTICE_LENGTH and text.count("\n") < 3 and _PROMPT.search(text) is None


def _notices(text: str) -> list[PinDraft]:
    return [
        PinDraft(content=_statement(line), importance_score=NOTICE, pin_type=PinType.SYSTEM)
        for line in text.splitlines()
        if _EVENT.search(line) and "?" not in line
    ]

"""How a request to forget is meant: a fact that is stated, a topic, everything, or a figure of speech.

"Forget that I live in Austin" says which fact shall go. "Forget my dog" names a topic and may as well be an idiom, and
beside a question, a joke, anger or a play even a statement may be meant otherwise. Only the plain statement may be
carried out at once, because erasing cannot be taken back. It finds no requests (the judge does) and no memories.
Reading the idioms one by one was rejected: there is always another one.
"""

import re

from recollect.language.clause import Mood, clauses
from recollect.language.judge.voice import own_text
from recollect.language.pattern import Pattern
from recollect.language.sentence import sentences
from recollect.language.sign import any_of, plain, signs
from recollect.language.terms import terms
from recollect.rules.duplicate import normalise

#: What a request for everything is about.
EVERYTHING = "everything"

_STATED = Pattern(
    r"(?:the )?user (?!and\b)\w|(?:the )?user's .{0,80}?\b(?:is|isn't|are|aren't|was|were|has|have|had|does|doesn't|do|did|will|can|can't|cannot"
    r"|lives?|works?|likes?|loves?|hates?|owns?|plays?|speaks?|studies|teaches|prefers?|uses?|wants?|needs?|comes?|goes)\b",
    re.IGNORECASE,
)
_THAT_MY = Pattern(r"\b(?:that|fact) (?:my|our)\b", re.IGNORECASE)
_TAKEN_BACK = Pattern(
    r"\b(?:kidding|joking|joke|jk|j/k|lol|lmao|rofl|ha(?:ha)+|he(?:he)+|just messing|messing with you|sarcas\w+|april fool\w*|(?:just|only) (?:a )?test(?:ing)?"
    r"|(?:do not|don't|didn't|did not|not) (?:really|actually|mean|seriously|literally)|not serious(?:ly)?|figure of speech|so to speak|figuratively"
    r"|never ?mind|on second thoughts?|chang(?:ed|ing) my mind|take (?:it|that|this) back|wait,? no|no,? wait|scratch that|(?:actually|but) (?:no|don't|do not|keep|please don't)"
    r"|or (?:not|don't|maybe not)|keep it|don't (?:delete|forget|erase|do) (?:it|that|anything)|as if|if only"
    r"|role[ -]?play\w*|pretend\w*|imagine|hypothetical\w*|for a (?:moment|second|minute|while|sec)|for (?:now|the moment|today|this|once)|just this once|until|unless"
    r"|in (?:the|my|a) (?:story|novel|game|play|script|movie|film|dream|scene)|my character|says?:|said:"
    r"|(?:so|really|very|too|still|am|i'm|im) (?:\w+ )?(?:mad|angry|furious|pissed|livid|upset|annoyed|done with)|fed up|sick of|had enough|hate (?:him|her|them|it|you|this|my|everyone)"
    r"|ugh+|arg+h+|grr+|damn\w*|dammit|screw|f+u+c+k\w*|wtf|ffs|bloody|bullshit|go to hell|idiots?|jerk|asshole)\b"
    r"|[!?]{2,}|!\s*\?|[\U0001f602\U0001f923\U0001f61c\U0001f61d\U0001f609\U0001f644\U0001f643\U0001f620\U0001f621\U0001f92c]|(?:^|\s)[;:]-?[)Pp](?:\s|$)|\s/s\b",
    re.IGNORECASE,
)
_POLITE_QUESTION = Pattern(r"\W*(?:\w+[,!]? +){0,3}?(?:can|could|would|will) you\b", re.IGNORECASE)
_FORGET = r"(?:forget|delete|erase|wipe|clear|remove|drop|scrub|unlearn)"
_ASKING = Pattern(rf"\b(?:{_FORGET}|stop|don't|do not)\b", re.IGNORECASE)
_POLITE = (
    r"(?:(?:hey|hi|ok|okay|and|also|so|actually|please|pls|kindly|now|then|just|can you|could you|would you|will you"
    r"|i(?:'d| would)? (?:want|like|need) you to|i want to|you (?:should|must))\b[\s,.:]*)*"
)
_ALL = Pattern(
    rf"{_POLITE}{_FORGET}\s+(?:(?:absolutely |literally )?(?:everything|all of it|all(?: of)? (?:my|your|the)(?: \w+)? (?:memor(?:y|ies)|data|facts|info(?:rmation)?|notes|records|entries))"
    r"|(?:my|your) (?:whole |entire |complete )?memory)"
    r"(?:,? (?:(?:that )?(?:i(?:'ve| have)? (?:ever )?told you|you (?:know|have|saved|stored|remember(?:ed)?|noted|learned)|there is)(?: (?:about|on|of) (?:me|us))?|about me|of me|please|pls|now|right now|for good|forever))*\s*[.!?]*",
    re.IGNORECASE,
)
_ONE = Pattern(
    rf"{_POLITE}{_FORGET}\s+(?:about\s+)?(?P<what>(?-i:[^\W\d_a-z][\w'-]+(?: [^\W\d_a-z][\w'-]+){{0,2}}))(?:,? (?:please|for good|forever|completely))?\s*[.!]*",
    re.IGNORECASE,
)
_SIGN = any_of(signs("forget|delete|erase|wipe|clear|remove|drop|scrub|unlearn"))
_EVERY = frozenset(
    (*terms("everything anything data memory memories facts info information notes user know"), "all")
)


def is_certain(what: str, said: str, text: str) -> bool:
    """Whether a request may be carried out without a question: it states the fact and nothing takes it back.

    `said` is the request in the user's words, `text` the message that it stands in.
    """
    return states_fact(what, said) and not is_taken_back(said, text)


def states_fact(what: str, said: str) -> bool:
    """Whether the user named the fact itself, not a topic, nor something that another has said."""
    if not (_STATED.match(what) or _THAT_MY.search(said)):
        return False
    named = frozenset(terms(what)) - frozenset(terms("User named called"))
    return bool(named) and named <= frozenset(terms(said))


def is_taken_back(said: str, text: str) -> bool:
    """Whether anything in the message says that the request is not meant, or not meant so."""
    plainly = text.replace("\u2019", "'")
    if _TAKEN_BACK.search(plainly):
        return True
    _, found, behind = plainly.partition(said.replace("\u2019", "'"))
    if "?" in (behind if found else plainly):
        return True
    if "?" in said and not _POLITE_QUESTION.match(said):
        return True
    told = clauses(plainly)
    if not told or any(part.mood is Mood.SUPPOSED for part in told):
        return True
    # "Could you forget that ...?" is a question in form only; what is asked behind it is one.
    asking = clauses(said)
    place = next((place for place, part in enumerate(asking) if _ASKING.search(part.text)), -1)
    return any(part.mood is Mood.ASKED for part in asking[place + 1 :])


def means_everything(what: str) -> bool:
    """Whether what is to be forgotten is nothing in particular but all that is known."""
    return normalise(what).startswith((EVERYTHING, "all")) and frozenset(terms(what)) <= _EVERY


def bare_topics(text: str) -> list[tuple[str, str]]:
    """What sentences of nothing but a request name, with the sentence: everything that is known, or a name.

    "Forget everything, let's start over" is no such request.
    """
    if _SIGN.search(plain(text)) is None:
        return []
    found: list[tuple[str, str]] = []
    for piece in sentences(own_text(text.replace("\u2019", "'"))):
        said = piece.text.strip()
        if _ALL.fullmatch(said):
            found.append((EVERYTHING, said))
        elif match := _ONE.fullmatch(said):
            found.append((match["what"], said))
    return found

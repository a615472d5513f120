"""The verbs that agree with "I": the next one, and those that "and" joins to it.

It finds the verb behind adverbs, inflects it, and follows the sentence as long as "I" stays the one who
acts: "I live in Paris and work at Acme". It does not know which "I" is a pronoun. A parse of the whole
sentence was rejected; where someone else might have taken over, "I" is taken to have ended and the verb
stays as it was.
"""

import re
from enum import IntEnum

from recollect.language.phrasing import verbs
from recollect.language.phrasing.verbatim import STOPS, VERBATIM, Tokens


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ENDS = frozenset(("\n", ".", "!", "?", ";", ":", "…"))
_JOINERS = _words("and or nor but & yet plus")

#: A clause that opens with one of these is followed by the main clause, often an order to the assistant.
_CONDITIONS = _words(
    "when if whenever once after before unless until while since because as where wherever though"
)

#: Words that start a clause in which someone else acts.
_OTHERS = _words("""
    who that which whose where what how why he she they we if when because while than whether whenever
    unless until
""")
#: Words that do so only when a verb follows.
_MAYBE_OTHERS = _words("you it her people everyone everybody someone this these those")
_PLURAL_VERBS = (
    verbs.CLEAR_VERBS - verbs.NOUN_LIKE - _words("like own mean lead put read fish let cook need host")
) | _words("are were")
_FINITE = _PLURAL_VERBS | verbs.SHARED | verbs.MODALS | _words("is has does")

#: Verbs that end a clause without an object: "I play guitar and sing".
_INTRANSITIVE = _words("""
    cook bake read write sing swim ski drive knit sew meditate volunteer jog hike listen pray teach
    snowboard freelance
""")

#: What follows a verb but rarely the noun that looks like it.
_AFTER_VERB = _words("""
    a an the my your his her its our their this these those it them him me us you as at in on with to from
    about into every each out up remotely part-time full-time together alone hard well fast fluently here
    there abroad home around along through by during everyone everything all some any more less too myself
""")
_PRONOUN_OBJECTS = _words("it them him me us you")
_MOTIONS = _words("go walk drive commute bike cycle")
#: Orders that are as often statements after ", and": "I know Rust, and use it daily".
_LIKELY_STATEMENTS = _words("use write make keep help check try call")

_NOT_BEFORE_INVERSION = _words("i you we they he she it who to that")
_INVERTING = verbs.MODALS | verbs.SHARED
_INVERTED_FORMS = _words("do don't dont have haven't havent am aren't")

_DETERMINERS = _words("my our the his her their your both a an some two three four five")
_PERSONS = _words("he she you they him her them")
_BEFORE_JOINT = _words("""
    , and or but that because when while if since so as where whenever before after until both between how
    why what think believe hope know say guess summer winter spring autumn fall year month week weekend day
    morning evening night sunday monday tuesday wednesday thursday friday saturday yesterday today tomorrow
    now then than like
""")

#: A text with one of these speaks of the past, so that "I read it" is past too.
_PAST_HINT = re.compile(
    r"\b(?:yesterday|ago|last (?:night|week|weekend|month|year|summer|winter|spring|fall|time|\w+day)"
    r"|earlier today|this morning|in (?:19|20)\d\d|back then|at the time|growing up"
    r"|as a (?:kid|child|teenager)|when i was)\b",
    re.IGNORECASE,
)
#: Between "I" and its verb these tell of something that happened once: "I just cut my finger".
_ONCE = _words("just accidentally finally already suddenly recently nearly almost once")
#: A text with one of these speaks of what is done again and again, also behind a verb in the past.
_HABIT_HINT = re.compile(
    r"\b(?:every|always|usually|often|sometimes|daily|each|nowadays|a lot|whenever|regularly)\b",
    re.IGNORECASE,
)


class Reach(IntEnum):
    """How far "I" still governs the verbs to come."""

    NONE = 0
    #: Behind an infinitive or an auxiliary only "but" leads back: "I want to leave but have to stay".
    BUT = 1
    FULL = 2


def is_joint(tokens: Tokens, at: int) -> bool:
    """Whether "I" is the end of a plural ("my wife and I"), which leaves the verb as it is."""
    raw, low = tokens.raw, tokens.low
    if low[at - 1] not in ("and", "&"):
        return False
    if low[at + 1] in ("are", "were", "aren't", "weren't"):
        return True
    if low[at + 1] in ("am", "was") or low[at].endswith("'m"):
        return False
    back = at - 2
    found = False
    for _ in range(5):
        word = low[back]
        if word in ("i'm", "i've") or (word == "i" and low[back + 1] == "am"):
            # "I'm Nina and I live here": the same person goes on.
            return False
        if word in _DETERMINERS:
            found = True
            back -= 1
            break
        if word != VERBATIM and (raw[back][:1].isupper() or word in _PERSONS):
            found = True
        elif not word.isalpha() or word in verbs.NOT_VERBS or _is_clause_verb(tokens, back):
            break
        back -= 1
    return found and (low[back] in STOPS or low[back] in _BEFORE_JOINT)


def _is_clause_verb(tokens: Tokens, at: int) -> bool:
    word, before = tokens.low[at], tokens.low[at - 1]
    if before in _DETERMINERS:
        return False
    if word in verbs.COMMON:
        return verbs.is_inflected(before)
    return (verbs.is_inflected(word) and word[:-1] in verbs.COMMON) or verbs.is_past(word)


def is_inverted(tokens: Tokens, at: int) -> bool:
    """Whether the auxiliary stands before "I": a question, or "so do I"."""
    raw, before, earlier = tokens.raw[at - 1], tokens.low[at - 1], tokens.low[at - 2]
    if before not in _INVERTED_FORMS and before not in _INVERTING:
        return False
    if before == "am" and earlier != "i":
        return True
    return earlier not in _NOT_BEFORE_INVERSION and (raw[0].islower() or tokens.opens(at - 1))


class Agreement:
    """Follows one "I" through the tokens and writes the verbs that agree with it into `edits`."""

    def __init__(self, tokens: Tokens, edits: dict[int, str]) -> None:
        self._tokens = tokens
        self._low = tokens.low
        self._edits = edits
        self._reach = Reach.NONE
        #: Place of the last verb that "I" governs; everything up to it is dealt with.
        self._verb = 0
        self._conditional = False
        #: Whether the last verb stood in the past; one that is joined to it does, too.
        self._past = False

    def end(self) -> None:
        """Someone else has taken over."""
        self._reach = Reach.NONE

    def begin(self, at: int) -> None:
        """Let the verb after the "I" at this place agree with "User"."""
        self._conditional = self._low[at - 1] in _CONDITIONS
        self._past = False
        self._agree(self.verb_after(at + 1))

    def begin_contracted(self, at: int, auxiliary: str) -> None:
        """Follow an "I" into which its verb was contracted."""
        self._conditional = self._low[at - 1] in _CONDITIONS
        self._verb = at
        self._past = False
        self._reach = Reach.BUT if auxiliary.startswith(("will", "would")) else Reach.FULL

    def invert(self, at: int) -> None:
        """Let the auxiliary before "I" agree."""
        before = self._low[at - 1]
        if before in _INVERTED_FORMS:
            self._write(at - 1, verbs.SPECIAL[before])
        self._reach = Reach.NONE

    def verb_after(self, at: int) -> int:
        """The place of the first word that is not an adverb or an inserted phrase."""
        low = self._low
        for _ in range(6):
            word = low[at]
            pair = verbs.ADVERB_PAIRS.get(word)
            if pair is not None and low[at + 1] in pair:
                at += 2
            elif verbs.is_adverb(word):
                at += 1
            elif word.isdigit() and low[at + 1] == "%":
                at += 2
            elif word in (",", "("):
                close = "," if word == "," else ")"
                if close not in low[at + 1 : at + 10]:
                    return at
                at = low.index(close, at + 1) + 1
            else:
                break
        return at

    def _agree(self, at: int) -> None:
        word = self._low[at]
        self._verb = at
        if word == "ain't":
            following = self._low[self.verb_after(at + 1)]
            self._write(at, "hasn't" if verbs.is_participle(following) else "isn't")
            self._reach = Reach.FULL
        elif word in verbs.SPECIAL:
            self._write(at, verbs.SPECIAL[word])
            helps = word == "do" and self._low[self.verb_after(at + 1)] in verbs.COMMON
            self._reach = Reach.BUT if helps or word in verbs.BEFORE_BARE else Reach.FULL
        elif word in verbs.MODALS:
            self._reach = Reach.BUT
        elif word in verbs.SHARED or verbs.is_past(word):
            self._past = True
            self._reach = Reach.FULL
        elif word in verbs.NOT_VERBS or not word.replace("-", "").isalpha():
            self._reach = Reach.NONE
        elif word in verbs.SAME_FORM and self._is_past_here(at):
            self._past = True
            self._reach = Reach.FULL
        else:
            self._past = False
            self._inflect(at, word)

    def _is_past_here(self, at: int) -> bool:
        """Whether a verb whose past looks like its present tells of the past."""
        text = self._tokens.text
        if _PAST_HINT.search(text):
            return True
        once = self._past or self._low[at] in verbs.OF_ONE_TIME or self._low[at - 1] in _ONCE
        return once and _HABIT_HINT.search(text) is None

    def _inflect(self, at: int, word: str) -> None:
        if self._tokens.raw[at].isupper() and word not in verbs.COMMON:
            self._reach = Reach.NONE
            return
        self._write(at, verbs.third_singular(word))
        self._reach = Reach.BUT if word in ("help", "let") else Reach.FULL

    def _write(self, at: int, word: str) -> None:
        raw = self._tokens.raw[at]
        if raw.isupper() and len(raw) > 1:
            word = word.upper()
        elif raw[0].isupper():
            word = word[0].upper() + word[1:]
        self._edits[at] = word.replace("'", "’") if "’" in raw else word

    def follow(self, at: int) -> None:
        """Take note of one more word: it may join a verb to "I", or end its reach."""
        if self._reach is Reach.NONE or at <= self._verb:
            return
        low, word = self._low, self._low[at]
        if word in _ENDS:
            self._reach = Reach.NONE
        elif word in _JOINERS or word == ",":
            self._join(at, word)
        elif word == "to" and low[at + 1] in verbs.COMMON:
            if not (low[at + 1] == "work" and low[at - 1] in _MOTIONS):
                self._reach = Reach.BUT
        elif word in verbs.MODALS:
            self._reach = Reach.BUT
        elif self._passes_on(at, word):
            self._reach = Reach.NONE

    def _passes_on(self, at: int, word: str) -> bool:
        """Whether someone else acts from here on: "who", or the verb of "my friends love pasta"."""
        if word in _OTHERS or (word in _MAYBE_OTHERS and self._low[at + 1] in _FINITE):
            return True
        if at == self._verb + 1 or self._low[at - 1] == "to":
            return False
        return word in _PLURAL_VERBS or (word in verbs.COMMON and verbs.is_inflected(self._low[at - 1]))

    def _join(self, at: int, joiner: str) -> None:
        if self._reach is Reach.BUT and joiner != "but":
            return
        verb = self.verb_after(at + 1) if self._low[at + 1] != "," else at + 1
        if self._continues(at, joiner, verb):
            self._agree(verb)

    def _continues(self, joiner_at: int, joiner: str, verb: int) -> bool:
        """Whether the word behind "and" or a comma is a further verb of the same "I"."""
        low = self._low
        word, after = low[verb], low[verb + 1]
        comma = joiner == "," or low[joiner_at - 1] == ","
        if self._tokens.raw[verb][:1].isupper() and not self._tokens.text.isupper():
            return False
        if comma and self._conditional:
            return False
        if word in ("don't", "dont", "do"):
            ordered = comma or joiner == "but" or after in ("be", "forget", "worry")
            return not (ordered and after in verbs.ORDERS)
        if word in ("am", "haven't", "havent", "ain't"):
            return True
        if word not in verbs.COMMON or (joiner == "," and word == "like"):
            return False
        if comma and word in verbs.ORDERS and not self._lists_more(verb):
            return joiner != "," and word in _LIKELY_STATEMENTS
        if after in _PRONOUN_OBJECTS or (verb > joiner_at + 1 and not comma):
            return True
        if self._verb == joiner_at - 1 or (self._verb == joiner_at - 2 and low[joiner_at - 1] == ","):
            return True
        return word in verbs.CLEAR_VERBS and _reads_as_verb(word, after)

    def _lists_more(self, at: int) -> bool:
        low = self._low
        for place in range(at + 1, min(at + 10, len(low) - 2)):
            if low[place] in _ENDS:
                return False
            if low[place] in _JOINERS and low[place + 1] in verbs.CLEAR_VERBS:
                return True
        return False


def _reads_as_verb(word: str, after: str) -> bool:
    """Whether a word that may be a noun is a verb, judged by the word behind it."""
    if after in STOPS or after in (",", "and", "or", "but"):
        return word in _INTRANSITIVE
    if word in verbs.TAKES_BARE_OBJECT:
        return after not in ("is", "are", "of", "for")
    if word in verbs.NOUN_LIKE:
        return after in _AFTER_VERB or verbs.is_adverb(after)
    return True

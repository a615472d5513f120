"""Rewriting what people say about themselves as statements about "User": "I like tea" is "User likes tea".

Choices: "I" and "me" are always "User", never "they", so that a memory read alone has one subject. "my",
"mine", "our" and "ours" are "User's"; "myself" is "themself". "we" and "us" are "User and others": it keeps
the plural verb and does not invent who the others are. Contracted pronouns are written out ("I'm": "User
is"), contracted negations stay contracted ("doesn't"). What is ambiguous, quoted, code or a name is left
alone.
It does not know what is worth keeping, nor other languages. Asking a model was rejected: saving must be
immediate, the same every time, and work offline.
"""

import re

from recollect.language.explicit_request import strip_request
from recollect.language.phrasing import verbs
from recollect.language.phrasing.agreement import Agreement, is_inverted, is_joint
from recollect.language.phrasing.named import named_verb
from recollect.language.phrasing.pronouns import (
    is_foreign,
    is_speaker_contraction,
    is_speaker_i,
    is_speaker_mine,
)
from recollect.language.phrasing.verbatim import STOPS, Tokens, tokens

__all__ = ["strip_request", "third_person"]

# The first letters once more in front: it halves the time of the search.
_CANDIDATE = re.compile(
    r"\b(?=[imwuoIMWUO])(?:i|im|ive|id|ill|imma|me|my|mine|myself|we|us|ours?|ourselves)\b", re.IGNORECASE
)
#: What a contraction adds after the pronoun; "d" is decided by the word that follows.
_TAILS = {"m": "is", "ve": "has", "ll": "will", "re": "are", "d've": "would have", "ma": "is going to"}
_BARE_CONTRACTIONS = {"im": "m", "ive": "ve", "id": "d", "ill": "ll", "imma": "ma"}

#: "my" in these is an exclamation.
_EXCLAIMED = frozenset(("god", "goodness", "gosh", "bad", "oh", "word"))

#: After these "myself" is just a person: "my wife and myself".
_BEFORE_PLAIN_MYSELF = frozenset(("and", "or", "like", "than", "except", "but", "including", "between", "as"))


def third_person(text: str) -> str:
    """Restate a first-person text as one about "User", without the request to remember it."""
    # A rewritten neighbour can make one more word clear, so it is repeated until nothing changes. Each round
    # has fewer pronouns or fewer characters, hence it ends, and the result is a fixed point.
    while True:
        restated = _rewritten(strip_request(text)[0])
        if restated == text:
            return text
        text = restated


def _rewritten(text: str) -> str:
    if _CANDIDATE.search(text) is None:
        return text
    cut = tokens(text)
    if is_foreign(cut):
        return text
    edits = _Rewriting(cut).run()
    return cut.joined(edits) if edits else text


class _Rewriting:
    """One pass over the tokens; collects a replacement for each token that changes."""

    def __init__(self, cut: Tokens) -> None:
        self._cut = cut
        self._edits: dict[int, str] = {}
        self._agreement = Agreement(cut, self._edits)

    def run(self) -> dict[int, str]:
        for at, word in enumerate(self._cut.low):
            if word == "i":
                self._pronoun(at)
            elif word in _POSSESSIVES:
                self._possessive(at, word)
            elif word in _OBJECTS:
                self._object(at, word)
            elif word in _BARE_CONTRACTIONS:
                if is_speaker_contraction(self._cut, at):
                    self._contraction(at, "i", _BARE_CONTRACTIONS[word])
                else:
                    self._agreement.follow(at)
            elif word.startswith(("i'", "we'")):
                person, _, tail = word.partition("'")
                self._contraction(at, person, tail)
            else:
                self._agreement.follow(at)
        return self._edits

    def _pronoun(self, at: int) -> None:
        if not is_speaker_i(self._cut, at):
            return
        self._edits[at] = "User"
        if is_joint(self._cut, at) or self._cut.low[at + 1] in ("and", "or", "&"):
            self._agreement.end()
        elif is_inverted(self._cut, at):
            self._agreement.invert(at)
        else:
            self._agreement.begin(at)

    def _contraction(self, at: int, person: str, tail: str) -> None:
        if tail == "d":
            verb = self._agreement.verb_after(at + 1)
            word = self._cut.low[verb]
            auxiliary = "had" if verbs.is_participle(word) or word == "better" else "would"
        elif tail in _TAILS:
            auxiliary = _TAILS[tail]
        else:
            return
        if auxiliary == "has" and (person == "we" or is_joint(self._cut, at)):
            auxiliary = "have"
        raw = self._cut.raw[at]
        if raw.isupper() and len(raw) > 2:
            auxiliary = auxiliary.upper()
        self._edits[at] = f"{_OBJECTS['we'] if person == 'we' else 'User'} {auxiliary}"
        if person == "i":
            self._agreement.begin_contracted(at, auxiliary.lower())
        else:
            self._agreement.end()

    def _possessive(self, at: int, word: str) -> None:
        low = self._cut.low
        if word in ("my", "our"):
            after = low[at + 1]
            exclaimed = word == "my" and (after in _EXCLAIMED or low[at - 1] in ("oh", "o"))
            if exclaimed or after in STOPS or not _is_common_noun_case(self._cut, at):
                return
            verb = named_verb(self._cut, at)
            if verb is not None:
                self._edits[verb] = _cased(self._cut.raw[verb], f"{low[verb]} named")
        elif word == "mine" and not is_speaker_mine(self._cut, at):
            return
        self._edits[at] = "User's"

    def _object(self, at: int, word: str) -> None:
        raw, before = self._cut.raw[at], self._cut.low[at - 1]
        if word in ("us", "me") and raw.isupper() and not (word == "me" and self._cut.text.isupper()):
            return
        if word == "us" and (before == "let" or raw == "Us"):
            return
        if not _is_common_noun_case(self._cut, at):
            return
        if word == "myself" and (before in _BEFORE_PLAIN_MYSELF or self._cut.opens(at)):
            self._edits[at] = "User"
        else:
            self._edits[at] = _OBJECTS[word]
        if word == "we":
            self._agreement.end()


_POSSESSIVES = frozenset(("my", "mine", "our", "ours"))
_OBJECTS = {
    "me": "User",
    "myself": "themself",
    "we": "User and others",
    "us": "User and others",
    "ourselves": "themselves",
}


def _is_common_noun_case(cut: Tokens, at: int) -> bool:
    """Whether a pronoun is written as one; a capital inside a sentence belongs to a name ("Take On Me")."""
    raw = cut.raw[at]
    if raw[0].islower() or (raw.isupper() and len(raw) > 1):
        return True
    return not cut.raw[at - 1][:1].isalnum()


def _cased(raw: str, word: str) -> str:
    return word.upper() if raw.isupper() else word

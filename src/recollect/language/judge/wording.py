"""How a kept statement is written: one sentence in the third person that can be read alone.

"i dont eat meat anymore btw" becomes "User no longer eats meat." Contractions are written out first, so that the rules
meet one spelling; the change of person is `phrasing`'s. It does not know whether a statement is worth keeping, and adds
nothing that was not said.
"""

import re

from recollect.language.pattern import Pattern
from recollect.language.phrasing import third_person, verbs
from recollect.language.sign import any_of, signs

#: Characters; longer ones are stories. A memory may have 500.
LONGEST = 240

_APOSTROPHES = str.maketrans({"\u2019": "'", "\u2018": "'", "\u02bc": "'"})
#: Behind "'s" these show that it is "is" or "has", and no possessive.
_IS_FOLLOWED = Pattern(
    r" (?:an?|the|not|in|at|from|on|called|named|based|allergic|living|working|moving|getting|going|turning|expecting|studying|learning"
    r"|vegan|vegetarian|married|retired|pregnant|diabetic|\d+|always|really|very|also|now|currently|coming|visiting|super|our|my|so"
    r"|pretty|quite|lactose|gluten|dyslexic|autistic|deaf|blind|obsessed|scared|afraid|terrified|into|fluent|good|bad|great|doing"
    r"|starting|training|planning|building|writing|dating|seeing|engaged|divorced|single|half|originally|only|just|no longer|still"
    r"|almost|due|taking|teaching|left-handed|deaf|(?-i:[A-Z])[a-z]+(?:ish|ese|ian|an|ch|kh?|i|sh)(?=$|[.,;!]| and| but))\b",
    re.IGNORECASE,
)
_HAS_FOLLOWED = Pattern(r" (?:been|got|had|lived|worked|moved|always (?:been|had|lived))\b", re.IGNORECASE)
_VALUE_FOLLOWED = Pattern(r" (?:[A-Z]|on |at |in |next )")
_WITH_VALUES = frozenset(
    "name birthday job favourite favorite concert wedding flight appointment exam surgery deadline car dog cat".split()
)
_NOT_SUBJECTS = frozenset(
    """it that what there here let how where when why bachelor master associate driver women men children today world parent
    mother father valentine year""".split()
)
_APOSTROPHE = Pattern(r"\b(?P<word>[^\W\d_]+)'(?P<tail>ve got(?! to\b)|m|ve|ll|d|re|s)\b", re.IGNORECASE)
_BARE = Pattern(
    r"\b(?:(?P<bare>im|ive|dont|doesnt|cant|isnt|didnt|wont|havent|do not|does not|can ?not)\b|(?-i:(?P<i>i))(?=[ ,])"
    r"|(?P<law>mother|father|sister|brother|son|daughter) in law\b|(?P<be>am|is|are) however,? )",
    re.IGNORECASE,
)
_BARE_SIGN = any_of(
    signs(
        "im |ive |dont|doesnt|cant|isnt|didnt|wont|havent|do not|does not|can not|cannot|i |i,| in law|however"
    )
)
_WHOLE = {
    "im": "I am", "ive": "I have", "dont": "don't", "doesnt": "doesn't", "cant": "can't", "isnt": "isn't", "didnt": "didn't",
    "wont": "won't", "havent": "haven't", "do not": "don't", "does not": "doesn't", "can not": "can't", "cannot": "can't",
}  # fmt: skip
_VERBS = {"m": "am", "ve": "have", "ve got": "have", "ll": "will", "d": "would", "re": "are"}
_PERSONS = frozenset("i we they you he she it".split())


def written_out(text: str) -> str:
    """One spelling for the rules: plain apostrophes, no contracted verbs but negations."""
    if not text.isascii():
        text = text.translate(_APOSTROPHES)
    if "'" in text:
        text = _APOSTROPHE.sub(_spelled, text)
    if _BARE_SIGN.search(text.lower()):
        text = _BARE.sub(_completed, text)
    return text.replace(" has got ", " has ") if " has got " in text else text


def _spelled(match: re.Match[str]) -> str:
    """The two words that an apostrophe contracts, or the possessive as it is."""
    word, tail, text = match["word"], match["tail"].lower(), match.string
    low = word.lower()
    if tail != "s":
        return f"{'I' if low == 'i' else word} {_VERBS[tail]}" if low in _PERSONS else match.group()
    if _HAS_FOLLOWED.match(text[match.end() : match.end() + 20]):
        return f"{word} has"
    follows = text[match.end() : match.end() + 24]
    if low not in _NOT_SUBJECTS and _IS_FOLLOWED.match(follows):
        return f"{word} is"
    return f"{word} is" if low in _WITH_VALUES and _VALUE_FOLLOWED.match(follows) else match.group()


def _completed(match: re.Match[str]) -> str:
    """The usual spelling of what was written without an apostrophe or hyphen."""
    if match["bare"]:
        return _WHOLE[match["bare"].lower()]
    if match["i"]:
        return "I"
    return f"{match['law']}-in-law" if match["law"] else f"{match['be']} "


_EDGES = ' \t\n.,;:!?-\u2013\u2014*_~\u2026"()[]'
#: Not part of what is said; said behind it.
_FILLER = Pattern(
    r"(?:[ ,;]+(?:though|btw|by the way|lol|haha\w*|too|as well|anyway|anyways|actually|honestly|tbh|you know|i guess|right|ok(?:ay)?"
    r"|please|pls|thanks|thank you|thx|so|and|but|yay|by the way|just so you know|fyi|for context|for the record|if that helps"
    r"|if it helps|in case (?:it|that) (?:helps|matters|got lost)|remember|xd|:\)|:\(|;\)|\U0001f389|now that you ask|obviously|of course|sadly"
    r"|unfortunately|luckily|to be honest|as you know|already|that is|i mean|especially|specifically|lately|though|(?<!the )first|then))+$",
    re.IGNORECASE,
)
_PICTURES = Pattern("[\u2600-\u27bf\U0001f000-\U0001faff\ufe0f\u200d]+")
_SPACED = Pattern(r"\s+")
_FIRST_LETTER = Pattern(r"[^\W\d_]")
#: "Any more" that ends its clause; before a thing or "than" it says how much.
_ANY_MORE = r",? ?(?:any ?more|any longer)\b(?= ?(?:$|[.,;:!?)\u2013\u2014]|(?:because|since|and|but|so|or|though|although)\b))"
_NO_LONGER = (
    (Pattern(rf"\b(?:don't|do not) (?P<verb>\w+)(?P<rest>(?: .*?)??){_ANY_MORE}", re.IGNORECASE), r"no longer \g<verb>\g<rest>"),
    (Pattern(rf"\b(?P<be>am|is|are) not (?P<rest>.*?){_ANY_MORE}", re.IGNORECASE), r"\g<be> no longer \g<rest>"),
    (Pattern(rf"\b(?P<be>isn't|aren't) (?P<rest>.*?){_ANY_MORE}", re.IGNORECASE), r"is no longer \g<rest>"),
    (Pattern(rf"\bcan't (?P<rest>.*?){_ANY_MORE}", re.IGNORECASE), r"can no longer \g<rest>"),
)  # fmt: skip
_DOES_NOT = Pattern(rf"\b(?:doesn't|does not) (?P<verb>\w+)(?P<rest>(?: .*?)??){_ANY_MORE}", re.IGNORECASE)


def no_longer(text: str) -> str:
    """Every way to say that something ended, as "no longer"."""
    if "any" not in text:
        return text
    if match := _DOES_NOT.search(text):
        ended = f"no longer {verbs.third_singular(match['verb'].lower())}{match['rest']}"
        return " ".join(f"{text[: match.start()]}{ended}{text[match.end() :]}".split())
    for pattern, whole in _NO_LONGER:
        text, before = " ".join(pattern.sub(whole, text).split()), text
        if text != before:
            return text
    return text


def trimmed(text: str) -> str:
    """A clause without what only accompanies it."""
    text = _SPACED.sub(" ", text if text.isascii() else _PICTURES.sub(" ", text)).strip(_EDGES)
    return _FILLER.sub("", text).strip(_EDGES)


def sentence(text: str) -> str:
    """A first-person clause as a sentence about "User"."""
    restated = trimmed(third_person(trimmed(text)))
    first = _FIRST_LETTER.search(restated)
    if first is not None and first.start() == 0:
        restated = restated[0].upper() + restated[1:]
    return f"{restated}."

"""Whether two statements about one subject cannot both be true, although no key says that they are about the same.

Five cases that words alone can settle: the same statement with and without a negation ("likes jazz", "doesn't like
jazz"), a way of living and what it excludes ("is vegetarian", "eats steak"), states of which one has one at a time
("is married", "is single"), roles that one person holds ("wife is named Jane", "wife is named Anna"), and an end that may
be the end of it (`ended`). It finds no
neighbours and changes nothing: a contradiction is shown to somebody, never settled here. Opposites by vectors were
rejected: "likes" and "hates" are neighbours in every model.
"""

import re

from recollect.language.ended import Bearing, bearing
from recollect.language.pattern import Pattern
from recollect.language.terms import terms

#: Neighbours below this cosine are about something else. # measured with the packaged model: "is married to Tom" and "is
#: single again" 0.46, "is vegan" and "eats cheese" 0.54, "likes jazz" and "doesn't like jazz" 0.91
CLOSE = 0.45

_OVER = Pattern(
    r"\b(?:used to|formerly|previously|was|were|had|until|as a (?:child|kid|teen|student)|before|except|unless|but"
    r"|only|sometimes|if)\b",
    re.IGNORECASE,
)


def contradiction(new: str, old: str) -> str | None:
    """Why both cannot be true, in words that can be shown; None when they may."""
    first, second = _plain(new), _plain(old)
    # What is over, or holds only sometimes, contradicts nothing that holds now.
    if _OVER.search(first) or _OVER.search(second):
        return None
    return (
        _negated(first, second)
        or _excluded(first, second)
        or _excluded(second, first)
        or _other_state(first, second)
        or _other_holder(first, second)
        or _over(new, old)
    )


def _over(new: str, old: str) -> str | None:
    return None if bearing(new, old) is Bearing.NONE else "one of them may tell the end of the other"


def _plain(text: str) -> str:
    return " ".join(text.replace("\u2019", "'").split()).rstrip(" .!")


# -- the same with and without a negation ------------------------------------------------------------------

_NOT = Pattern(
    r"\b(?:do(?:es)? not|is not|are not|can ?not|has no|have no|no longer|never|stopped|quit|not)\b|\b\w+n't\b",
    re.IGNORECASE,
)
_LIKING = "likes like loves love enjoys enjoy adores adore prefers prefer liking loving enjoying"
_DISLIKING = "dislikes dislike hates hate detests detest avoids avoid loathes loathe"
_LIKED = frozenset(terms(_LIKING))
_DISLIKED = frozenset(terms(_DISLIKING))
_EMPTY = frozenset(
    terms("user any anymore longer now currently really very much all at no not never ever to")
)


def _negated(first: str, second: str) -> str | None:
    """Equal words, opposite sign: one word more may make both true, so none is allowed."""
    sign_of_first, said = _signed(first)
    sign_of_second, known = _signed(second)
    if sign_of_first == sign_of_second or not said or said != known:
        return None
    return "one of them says the opposite of the other"


def _signed(text: str) -> tuple[bool, frozenset[str]]:
    negations = sum(1 for _ in _NOT.finditer(text))
    found = frozenset(terms(_NOT.sub(" ", text)))
    if disliked := found & _DISLIKED:
        negations += 1
        found = (found - disliked) | {"like"}
    if liked := found & _LIKED:
        found = (found - liked) | {"like"}
    return negations % 2 == 0, found - _EMPTY


# -- a way of living and what it excludes ------------------------------------------------------------------

_MEAT = (
    "meat beef steak steaks pork bacon ham sausage sausages chicken turkey lamb duck burger burgers ribs barbecue"
    " fish salmon tuna sushi shrimp prawns seafood"
)
_DAIRY = "cheese milk butter yogurt yoghurt egg eggs cream honey"
_ALCOHOL = "alcohol beer wine whisky whiskey vodka gin rum cocktail cocktails"
_GLUTEN = "bread pasta wheat pizza"
#: What somebody says of themself, and what they then do not take.
_WAYS = (
    (Pattern(r"\bis (?:an? |a strict )?vegetarian\b", re.IGNORECASE), frozenset(_MEAT.split())),
    (Pattern(r"\bis (?:an? |a strict )?vegan\b", re.IGNORECASE), frozenset(f"{_MEAT} {_DAIRY}".split())),
    (
        Pattern(
            r"\bis (?:a )?teetotal(?:l?er)?\b|\b(?:does not|doesn't|never) drinks? alcohol\b", re.IGNORECASE
        ),
        frozenset(_ALCOHOL.split()),
    ),
    (
        Pattern(r"\bis (?:a )?(?:celiac|coeliac)\b|\bhas (?:celiac|coeliac)\b", re.IGNORECASE),
        frozenset(_GLUTEN.split()),
    ),
)
_TAKES = Pattern(
    r"^(?P<who>User(?:'s [\w' ]+?)?) (?:often |always |usually |still |now |also )?"
    r"(?:eats?|likes?|loves?|enjoys?|drinks?|prefers?|cooks?)(?: eating| drinking)? (?P<what>.+)$",
    re.IGNORECASE,
)
_WHO = Pattern(r"^(?P<who>User(?:'s [\w' ]+?)?) (?:is|has|does|doesn't|never)\b", re.IGNORECASE)


def _excluded(way: str, habit: str) -> str | None:
    taken, lives = _TAKES.match(habit), _WHO.match(way)
    if taken is None or lives is None or taken["who"].lower() != lives["who"].lower() or _NOT.search(habit):
        return None
    # "Plant-based burgers" are no burgers: what qualifies them says so.
    words = set(re.findall(r"[a-z]+", taken["what"].lower()))
    if words & {"vegan", "vegetarian", "plant", "based", "free", "substitute", "substitutes", "fake", "mock"}:
        return None
    for pattern, excluded in _WAYS:
        if pattern.search(way) and (found := sorted(words & excluded)):
            return f"the one excludes {found[0]}"
    return None


# -- one at a time -----------------------------------------------------------------------------------------

_STATE = Pattern(
    r"^(?P<who>User(?:'s [\w' ]+?)?) is (?:now |currently |happily |a |an )*(?P<state>[\w-]+)$", re.IGNORECASE
)
_STATES = (
    frozenset({"married", "single", "divorced", "widowed", "unmarried"}),
    frozenset({"employed", "unemployed", "retired"}),
    frozenset({"left-handed", "right-handed"}),
    frozenset({"introvert", "extrovert"}),
    frozenset({"vegan", "carnivore"}),
)


def _other_state(first: str, second: str) -> str | None:
    one, two = _STATE.match(first), _STATE.match(second)
    if one is None or two is None or one["who"].lower() != two["who"].lower():
        return None
    states = {one["state"].lower(), two["state"].lower()}
    if len(states) == 2 and any(states <= exclusive for exclusive in _STATES):
        return "one can be only one of both at a time"
    return None


# "Is Italian" names nobody: only what is called a name counts, or what stands right behind the role.
_HOLDER = Pattern(
    r"^User's (?P<role>wife|husband|spouse|fianc[e\u00e9]e?|girlfriend|boyfriend|mother|mom|mum|father|dad|boss|manager)"
    r"(?: is named| is called| named| called|'s name is)? (?P<name>[A-Z\u00c0-\u00de][\w'-]*)\b"
)


def _other_holder(first: str, second: str) -> str | None:
    """Another name in a role that one person holds."""
    one, two = _HOLDER.match(first), _HOLDER.match(second)
    if one is None or two is None or one["role"] != two["role"] or one["name"] == two["name"]:
        return None
    return f"two names for the user's {one['role']}"

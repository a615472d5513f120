"""Cues for people: a role, a title, what one does with them and what they do."""

from recollect.language.entity_names.lexicon import (
    CAPITAL_ROLES,
    EITHER_ROLES,
    FIRM_ROLES,
    ORDINARY_NAMES,
    PROJECT_NOUNS,
    ROLE_WORDS,
    TITLES,
)
from recollect.language.entity_names.plausible import (
    ORG,
    OWNERS,
    PERSON,
    PROJECT,
    Cue,
    is_given,
    is_personal,
    is_project,
)
from recollect.language.entity_names.span import Span
from recollect.language.nickname import GIVEN_NAMES


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_PEOPLE_NOUNS = _words("girl guy man woman boy kid lady person someone somebody baby dude gentleman")


def by_title(span: Span) -> Cue | None:
    if span.lows[0] in TITLES and 1 < len(span.lows) < 5:
        return PERSON, 0.95
    return None


_VERBS = _words("is are was were has had will can said says")


def by_role(span: Span) -> Cue | None:
    """ "My wife Jane", "cousin Wolfgang", "my manager, Tom Reed,"."""
    if not is_personal(span):
        return None
    role = span.before()
    if role in ROLE_WORDS:
        written = span.words[span.first - 1]
        return (PERSON, 0.95) if not written.capital or role in CAPITAL_ROLES else None
    words = [span.before(number, apart=", ") for number in range(1, 7)]
    place = next((place for place, word in enumerate(words) if word in ROLE_WORDS), None)
    # "Glad your son is okay, Melanie" names nobody's son.
    owned = (
        place is not None and not OWNERS.isdisjoint(words[place + 1 :]) and _VERBS.isdisjoint(words[:place])
    )
    return (PERSON, 0.9) if owned and span.ends_phrase else None


def by_naming(span: Span) -> Cue | None:
    """ "A friend named Jane", "my wife's name is Jane", "our app called Nimbus"."""
    verb = span.before()
    if verb == "is" and span.before(2) == "name":
        whose = span.before(3)
        named = whose in ("her", "his", "their") or whose.removesuffix("'s") in ROLE_WORDS
        return (PERSON, 0.9) if named and is_personal(span) else None
    if verb == "is" and span.before(2) in ROLE_WORDS and span.among(3, OWNERS, start=3):
        ends = span.ends_phrase or span.after() in ("and", "who", "but")
        return (PERSON, 0.85) if ends and is_personal(span) and not span.possessive else None
    if verb not in ("named", "called"):
        return None
    for number in range(2, 6):
        word = span.before(number)
        if word in ROLE_WORDS or word in _PEOPLE_NOUNS:
            return (PERSON, 0.9) if is_personal(span) else None
        if word in FIRM_ROLES:
            return ORG, 0.9
        if word in PROJECT_NOUNS and word != "game":
            return (PROJECT, 0.85) if is_project(span) else None
    return None


_COMPANY_OF_PEOPLE = _words("""
    lunch dinner coffee breakfast brunch drinks date married engaged chat chatted chatting hang hanging hung lives live
    living lived argued argument fight fought friends dance dancing cinema movie movies talked talking talk spoke
    speaking speak met meeting meet walk walked hike hiking party wedding evening grew
""")
_TOLD = _words(
    "talked talking talk talks spoke speak speaking married engaged wrote said apologized apologised lied proposed"
)
_HEARD = _words("heard message text letter call divorced separated borrowed")
_PARTED = _words("heard divorced separated borrowed")
_MET_UP = _words("broke break broken met meet meeting caught catch catching made")
_WITH_OBJECT = _words("""
    told texted married hugged kissed invited thanked dating dated divorced phoned messaged introduced babysit
    babysitting
""")
_MET = _words(
    "met meet meeting asked saw visited visiting visit emailed called miss missed miss love help helped"
)
_SUBJECTS = _words("i we she he they user and just then others have i've finally")


def by_company(span: Span) -> Cue | None:
    """Who one eats, speaks or lives with is a person, unless it is a firm that we know."""
    if not is_personal(span):
        return None
    word = span.before()
    sure = is_given(span) or len(span.lows) > 1
    if word == "with" and not span.possessive:
        parted = span.before(2) == "up" and span.before(3) in _MET_UP
        if parted or span.among(4, _COMPANY_OF_PEOPLE, start=2):
            return PERSON, 0.85 if sure else 0.75
        return (PERSON, 0.75) if is_given(span) else None
    if word == "to" and span.among(2, _TOLD, start=2):
        return PERSON, 0.85 if sure else 0.75
    if word == "from" and (span.before(2) in _PARTED or (sure and span.among(2, _HEARD, start=2))):
        return PERSON, 0.8
    if word == "to" and span.among(3, frozenset({"introduced"}), start=2):
        return PERSON, 0.85
    return None


def by_object(span: Span) -> Cue | None:
    if not is_personal(span) or span.possessive:
        return None
    if span.before() in _WITH_OBJECT:
        return PERSON, 0.8
    sure = span.before() in ("met", "called", "asked", "emailed") or is_given(span)
    return (PERSON, 0.75) if sure and span.before() in _MET and span.before(2) in _SUBJECTS else None


_ADVERBS = _words("just also always never really still then finally now only already usually often once")
# What only people do; what firms, programs and machines do as well needs a given name.
_HUMAN = _words("""
    laughed laughs cried cries hugged hugs smiled smiles texted phoned snores married loves likes hates prefers lives
    lived graduated died sings sang cooks cooked thinks thought dislikes enjoys misses hopes believes retired snored
    sneezed limps yelled shouted apologized apologised proposed
""")
_SPEAKING = _words("said says told asked wants wanted promised invited thinks")
_DOING = _words("""
    called calls crashed came comes went goes got gets has had is was will can gave gives bought buys broke forgot
    showed shows took takes sent sends helped helps needs needed knows knew made makes works worked moved moves visited
    visits left found lost won plays played drives drove turned turns started starts passed eats ate drinks drank runs
    ran studies studied teaches taught speaks spoke travels flew owns wrote reads met joined quit recommended suggested
    offered agreed decided brought borrowed wears keeps kept doesn't didn't isn't wasn't can't won't hasn't would could
    should might said says told asked wants wanted promised invited
""")


_BEING = _words("is was has had will can would could should might isn't wasn't can't won't hasn't")


def by_deed(span: Span) -> Cue | None:
    """What somebody does after the name: "Priya laughed", "Wolfgang crashed my car"."""
    if not is_personal(span) or span.possessive:
        return None
    verb = span.after()
    if verb in _ADVERBS:
        verb = span.after(2)
    if not verb:
        return None
    ordinary = len(span.lows) == 1 and span.lows[0] in ORDINARY_NAMES
    if verb in _HUMAN and not (span.opens and (ordinary or _looks_plural(span))):
        return PERSON, 0.8
    if verb in _SPEAKING and not span.opens:
        return PERSON, 0.75
    # "Harry Potter is my favourite book": a full name needs a deed, a first name is used of people one knows.
    does = verb in _DOING and (len(span.lows) == 1 or verb not in _BEING)
    if does and is_given(span) and not ordinary:
        return PERSON, 0.8
    return None


def _looks_plural(span: Span) -> bool:
    return span.lows[-1].endswith("s") and not is_given(span)


def by_bond_after(span: Span) -> Cue | None:
    """ "Jane, my wife, ..." and "Jane is my boss"."""
    if not is_personal(span) or span.possessive:
        return None
    apposed = [span.after(number, apart=", ") for number in range(1, 5)]
    if apposed[0] in OWNERS and not ROLE_WORDS.isdisjoint(apposed[1:]):
        return PERSON, 0.95
    said = [span.after(number) for number in range(1, 10)]
    owner = next((place for place, word in enumerate(said[:5]) if word in ("my", "user", "our")), 0)
    if owner and said[0] in ("is", "was", "became"):
        roles = said[owner + 1 : owner + 5]
        if any(role in ROLE_WORDS and role not in EITHER_ROLES for role in roles):
            return PERSON, 0.95
    return None


_PERSONAL_THINGS = _words("""
    birthday bday house place wedding kids kid funeral apartment car surgery party graduation advice room parents family
    dog cat anniversary mom mum dad cooking handwriting flat baby health diagnosis recovery pregnancy email letter
    name voice opinion idea
""") | (ROLE_WORDS - EITHER_ROLES)  # fmt: skip


def by_possession(span: Span) -> Cue | None:
    if not span.possessive or not is_personal(span) or _looks_plural(span):
        return None
    thing = span.after()
    owned = thing in _PERSONAL_THINGS or span.after(2) in _PERSONAL_THINGS
    return (PERSON, 0.85) if owned else None


def beside_the_user(span: Span) -> Cue | None:
    """ "Anna and I", "me and Anna"."""
    if not is_personal(span):
        return None
    joined = span.after() == "and" and span.after(2) in ("i", "me", "user", "myself")
    joined = joined or (span.before() == "and" and span.before(2) in ("me", "i", "user"))
    return (PERSON, 0.85) if joined and not span.possessive else None


# Articles, places, and the ways in which somebody says their own name.
_NOT_BEFORE_A_NAME = _words("a an the in i'm am me name is i named called hi hello hey dear thanks")
_GREETINGS = _words("in hi hello hey thanks sorry bye yes no ok okay please morning evening night")


def by_given_name(span: Span) -> Cue | None:
    """In the middle of a sentence a given name is somebody, if it is nothing else too."""
    lows = span.lows
    if span.opens or len(lows) > 1 or lows[0] not in GIVEN_NAMES or lows[0] in ORDINARY_NAMES:
        return None
    if span.before() in _NOT_BEFORE_A_NAME or span.before(apart=", ") in _GREETINGS:
        return None
    if span.before(apart=", ") and span.ends_phrase:
        # Spoken to, not spoken of: "Got it, Nate."
        return None
    return (PERSON, 0.7) if is_personal(span) else None

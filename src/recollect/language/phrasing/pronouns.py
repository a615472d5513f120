"""Which words of a text are the speaker: "I" but not "World War I", "mine" but not "a gold mine".

Every answer leans to "no": a pronoun left alone reads oddly, a changed name is wrong. It does not know
verbs' endings or what a pronoun becomes. A list of all names that end in a numeral was rejected as endless;
the words before and after decide, and short lists help where both are ambiguous.
"""

from recollect.language.phrasing import verbs
from recollect.language.phrasing.verbatim import STOPS, VERBATIM, Tokens


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: Nouns that carry numbers. Capitalised they always make "I" a numeral, else only when no verb follows.
_NUMBERED = _words("""
    war type phase part chapter volume vol class act scene book level stage grade category tier section
    article title appendix figure table group schedule division series season episode round step unit mark
    calculus physics chemistry biology algebra calc bipolar factor engineer developer analyst trial apollo
    rocky star trek roman numeral letter vitamin carbon element no number line row column axis hypothesis
    case
""")
_NUMBERED_ONLY = _words(
    "war bipolar calculus chemistry algebra appendix volume chapter phase tier numeral vitamin"
)

#: Rulers and popes: after their names "I was" is about them.
_RULERS = _words("""
    elizabeth charles james george henry william napoleon nicholas peter alexander catherine francis
    frederick leopold otto edward richard mary philip ferdinand franz joseph wilhelm paul john pius leo
    gregory benedict louis constantine justinian ramses darius xerxes cyrus artaxerxes suleiman selim mehmed
    osman pedro juan carlos afonso umberto vittorio baudouin albert haakon christian gustav michael boris
    ivan mahmud ptolemy antiochus theodosius
""")

#: Names of a letter as a variable: "the index i was wrong".
_VARIABLES = _words(
    "variable index counter loop letter vector matrix iterator subscript variables integer int let"
)

_TITLES = _words("mr mrs ms dr prof st sr jr")

#: After these an "I" needs no verb: "my wife and I", "taller than I", "so do I".
_BEFORE_LAST_I = _words("""
    and or nor than as but do don't am have haven't did can could will would should was had may might must
    shall not
""")

#: Words after which a lower-case contraction without apostrophe ("im", "ive") is believed.
_CLAUSE_OPENERS = _words("""
    and but or so because cause cuz since when while if that as although though whenever where what why how
    until after before unless think know believe guess yes yeah well also hope , - say said feel bc
""")
_AFTER_ID = _words(
    "like love rather prefer never be say want have really been better hate go always appreciate"
)
_AFTER_ILL = _words(
    "be have never always go do need take probably try get start use turn visit move make also"
)

_BEFORE_MINE = _words("""
    of is are was were be been than like as not isn't aren't wasn't it's that's becomes became and with or
    to from resembles matches
""")
_AFTER_MINE = _words("is are was were has have had isn't aren't doesn't does too , . ! ? ; )")
_NOUNS_MADE_WITH_MINE = _words("shaft shafts field fields worker workers owner craft")

#: Function words that give another language away. Words that English shares ("die", "in", "a") are left out.
_FOREIGN = _words("""
    ich und ist nicht ein eine einen mit für der das dem den auf sehr auch wir mein meine bin habe wohne
    heiße von zu je et est les une des pas que qui dans pour avec suis ai mon ma mes vis aime moi nous très
    sur du au aux c'est yo el los las y es una con por para gusta gustan encanta encantan llamo vivo soy
    tengo muy mi mis siento duele il che di sono piace piacciono gli della nel abito ho io lo dei alla ik
    een het niet wij van zijn wonen woon heb ben mijn naar ook heel graag houd jag och är inte att bor har
    som på en ett det mycket jeg ikke og er hedder liker w na nie jest się jestem mam mieszkam jsem jsme
    bydlím že se ve ja lubię mieszkamy não uma eu você com moro gosto sou meu minha são em os as
""") - _words("as an on me per van ben den ma pas har her mi em es la os no lo en von du der di el los las")
_ENGLISH = (
    (
        _words("""
    the a an is are was were am be been and or but to of in on at with for from by my mine your his her our
    their it its this that these those he she they you we us has have had do does did not don't can will
    would should could must i'm i've i'd i'll very about because when where who what how than then there
    here every always never also only just if named called name wife husband
""")
        | verbs.COMMON
        | verbs.ADVERBS
    )
    - _FOREIGN
    - _words("a in is was am an on we my me of at for by will also do so has had have over all")
)


def is_foreign(tokens: Tokens) -> bool:
    """Whether more words betray another language than speak for English."""
    low = tokens.low
    if _FOREIGN.isdisjoint(low):
        return False
    foreign = sum(word in _FOREIGN and raw[:1].islower() for word, raw in zip(low, tokens.raw, strict=True))
    foreign += any(word in _FOREIGN and tokens.opens(at) for at, word in enumerate(low) if word != "\n")
    english = sum(word in _ENGLISH for word in low)
    return foreign > english


def is_speaker_i(tokens: Tokens, at: int) -> bool:
    """Whether the "I" at this place is the person and not a numeral, an initial, a title or a variable."""
    raw, low = tokens.raw, tokens.low
    before, after = low[at - 1], low[at + 1]
    if after in STOPS or after in (",", "'", "’") or after == "/":
        return _stands_alone(tokens, at)
    if before == "." and low[at - 2] in _TITLES:
        return False
    if before.endswith("'s") and before not in ("it's", "that's", "what's", "here's", "there's", "let's"):
        return verbs.is_known(after)
    if before == "am" and (raw[at - 1] == "am" or tokens.opens(at - 1)):
        return True
    known = verbs.is_known(after) or _opens_adverb(tokens, at + 1)
    if raw[at] == "i":
        return known and before not in _VARIABLES
    if after == VERBATIM or not raw[at + 1][:1].isalpha():
        return tokens.opens(at) or before in _CLAUSE_OPENERS
    if raw[at + 1][0].isupper() and not (raw[at + 1].isupper() and len(after) > 1):
        return False
    if before in _NUMBERED and (raw[at - 1][0].isupper() or before in _NUMBERED_ONLY or not known):
        return False
    if verbs.is_gerund(after):
        return False
    if raw[at - 1][:1].isupper() and before != "i" and before not in _CLAUSE_OPENERS:
        return known and not (before in _RULERS and _fits_a_ruler(after))
    if after in verbs.NOT_VERBS:
        return known or after in ("and", "or", "who") or (before in ("and", "&") and after == "are")
    return True


def _fits_a_ruler(word: str) -> bool:
    return verbs.is_past(word) or word in verbs.SHARED or word in verbs.MODALS


def _opens_adverb(tokens: Tokens, at: int) -> bool:
    pair = verbs.ADVERB_PAIRS.get(tokens.low[at])
    return pair is not None and tokens.low[at + 1] in pair


def _stands_alone(tokens: Tokens, at: int) -> bool:
    """Whether an "I" before punctuation is the person: "my wife and I.", "I, too, sing"; not "I. Newton"."""
    low, after = tokens.low, tokens.low[at + 1]
    before = low[at - 1]
    if tokens.raw[at] == "i" and before not in ("and", "than", "do"):
        return False
    if after == "," and (tokens.opens(at) or before in _CLAUSE_OPENERS):
        following = tokens.raw[at + 2][:1]
        return following.islower() and "," in low[at + 3 : at + 10]
    if after == "(":
        return tokens.opens(at)
    titled = before == "and" and tokens.raw[at - 3] == "The" and not tokens.opens(at - 3)
    return before in _BEFORE_LAST_I and not titled


def is_speaker_contraction(tokens: Tokens, at: int) -> bool:
    """Whether "im", "ive", "id" or "ill" without its apostrophe means the person."""
    word, after = tokens.low[at], tokens.low[at + 1]
    if tokens.raw[at].isupper() or not (tokens.opens(at) or tokens.low[at - 1] in _CLAUSE_OPENERS):
        return False
    if word == "id":
        return after in _AFTER_ID
    if word == "ill":
        return after in _AFTER_ILL
    return after not in STOPS


def is_speaker_mine(tokens: Tokens, at: int) -> bool:
    """Whether "mine" is the possessive pronoun and not a pit or a verb."""
    before, after = tokens.low[at - 1], tokens.low[at + 1]
    if after in _NOUNS_MADE_WITH_MINE:
        return False
    if tokens.opens(at):
        return after in _AFTER_MINE
    if before == "to":
        return after in STOPS
    return before in _BEFORE_MINE and tokens.raw[at] != "Mine"

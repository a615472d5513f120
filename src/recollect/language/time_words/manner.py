"""The manner of a question about the past: the newest, the oldest, and whether it is about what was said.

"Lately" and "the first time" name no stretch, but an order. "What did I tell you last week" is about messages of last week;
"what did I do last week" may be answered by a message of any later day. It does not read stretches. Whether a stretch
belongs to the saying or to what was said is decided in `attached`, and in doubt it is not: "about Friday" and "for Friday"
are what was spoken of.
"""

import re
from functools import cache
from itertools import islice, takewhile

from recollect.language.time_words.lexicon import PREPOSITIONS

#: The places of the first word and of the word after the last.
Place = tuple[int, int]
#: Found at most. More are repetition.
_MOST = 16


#: Behind "last" or "first": then it counts something else than what was said or done.
_NO_ORDER = (
    r"(?! (?:\d|few|couple|one|two|three|four|five|six|seven|ten|several|name|minute|straw|resort|chance|will|day|night|week|weekend|month|year|hour"
    r"|decade|century|quarter|half|spring|summer|autumn|fall|winter|christmas|easter|semester|term|aid|class|floor|grade|place|of|\w+day"
    r"|january|february|march|april|may|june|july|august|september|october|november|december)s?\b)"
)


@cache
def _newest() -> re.Pattern[str]:
    return re.compile(
        r"\bmost recent(?:ly)?\b|(?<!\bat the )(?<!earliest to )\blatest\b(?! to earliest)|\b(?:the |my )?last time\b|\bthe newest\b|\blately\b|\brecent(?:ly)?\b"
        r"|\bcurrent(?:ly)?\b|\bnowadays\b|\bthese days\b|\bat (?:present|the moment)\b|\bright now\b"
        r"|\b(?<!until )(?<!by )(?<!till )(?<!from )now\b(?! that\b| and then\b)"
        r"|\b(?<=\bi )last\b|\b(?<=\bwe )last\b|\b(?<=\byou )last\b"
        # "When did Anna last visit", "the last film I saw", "my last dentist appointment", "what did I say last".
        rf"|\bdid [\w']+ (?:[\w']+ )?(?P<did>last)\b{_NO_ORDER}"
        rf"|\b(?:the|my|our|your|his|her|their) (?:very )?(?P<the>last)\b{_NO_ORDER}(?= \w)"
        r"|\bdid\b.*\b(?P<end>last)(?= ?\??$)"
    )


@cache
def _oldest() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:the |my |our )?(?:very )?first time\b|\boriginally\b|\bat first\b(?! sight| glance| light)|\binitially\b"
        r"|\b(?<!latest to )earliest\b(?! to latest)|\bin the (?:very )?beginning\b|\b(?<=\bi )first\b|\b(?<=\bwe )first\b|\b(?<=\byou )first\b"
        # "My first car" is a car; "the first film I saw" is a place in a row.
        rf"|\bdid [\w']+ (?:[\w']+ )?(?P<did>first)\b{_NO_ORDER}(?= \w)"
        r"|\bthe (?:very )?(?P<the>first)\b(?= (?:[\w']+ ){1,2}(?:i|we|you|he|she|they)\b)"
        r"|\bour (?:very )?(?P<our>first)\b(?= (?:\w+ )?(?:conversation|chat|talk|session|discussion)\b)"
        r"|\bdid\b.*\b(?P<end>first)(?= ?\??$)"
    )


#: Without one of these letters no pattern here matches; most questions have none.
_NEWEST_SIGNS = ("recent", "late", "last", "current", "now", "these days", "newest", "at present", "moment")
_OLDEST_SIGNS = ("first", "original", "initial", "earliest", "beginning")
_SAYING_SIGNS = ("tell", "told", "sa", "mention", "ask", "talk", "discuss", "conversation", "chat", "spoke", "speak",
                 "suggest", "recommend", "advi", "explain", "session", "bring up", "brought up")  # fmt: skip


def newest(text: str) -> list[Place]:
    """The words that ask for the latest, in words with one space between them."""
    return _places(_newest(), text) if any(sign in text for sign in _NEWEST_SIGNS) else []


def oldest(text: str) -> list[Place]:
    """The words that ask for the first."""
    return _places(_oldest(), text) if any(sign in text for sign in _OLDEST_SIGNS) else []


def _places(pattern: re.Pattern[str], text: str) -> list[Place]:
    return [_place(match, text) for match in islice(pattern.finditer(text), _MOST)]


def _place(match: re.Match[str], text: str) -> Place:
    """Words have no spaces in them, so the spaces before a word count it. A named part alone is meant."""
    start, end = match.span(match.lastgroup or 0)
    return text.count(" ", 0, start), text.count(" ", 0, end) + 1


@cache
def _saying() -> re.Pattern[str]:
    between = r"(?:'ve|'d)?(?: (?:have|had|was|were|ever|already|just|last|first|even|not|never|both|actually|also|previously|originally)){0,3} "
    others = r"(?! (?:my|our|his|her|their|the|him|them|someone|somebody|anyone|everyone)\b)"
    elsewhere = r"(?! (?:to|with) (?!you\b|me\b|each\b))"
    return re.compile(
        rf"\bdid(?:n't)? (?:i|we|you){between}(?:tell|ask)\b{others}"
        rf"|\bdid(?:n't)? (?:i|we|you){between}(?:say|mention|bring up|talk|chat|speak|discuss|suggest|recommend|advise|explain)\b{elsewhere}"
        rf"|\b(?:i|we|you){between}(?:told|asked|telling|asking)\b{others}"
        rf"|\b(?:i|we|you){between}(?:said|mentioned|brought up|suggested|recommended|advised|explained)\b{elsewhere}"
        rf"|\bwe{between}(?:talked|talking|chatted|spoke|discuss(?:ed|ing))\b{elsewhere}"
        r"|\b(?:was|been) (?:said|discussed|mentioned)\b"
        r"|\bour (?:[\w']+ ){0,3}?(?:conversation|chat|discussion|talk|session)s?\b"
    )


#: Between the saying and its time nothing else may stand: what was said may have a time of its own.
_SMALL = frozenset(
    "you me us to in on at it this something anything back during from then there too all together and , with each "
    "other the within over again one another".split()
)
_OPENING = frozenset("so and ok okay hey hi well back in on at during , within over the please".split())
#: Verbs whose own "about" stands at the end of "what did we talk about", so that a time can follow it.
_TALKED = frozenset("talk talked talking chat chatted speak spoke".split())
_ASKING = frozenset({"what", "which", "who"})
#: And those whose own "for" does.
_ASKED = frozenset("ask asked asking".split())
#: Words that make a phrase tell when: "(talk about) last week", but not "(talk about) Friday".
_TELL_WHEN = frozenset(
    "yesterday today tonight last this past earlier other ago in on at during over within throughout back through since until "
    "till before after around between from up prior than".split()
)


def saying(text: str) -> Place | None:
    """Where the question speaks of what was said between the two, in words with one space between them."""
    if not any(sign in text for sign in _SAYING_SIGNS):
        return None
    found = _places(_saying(), text)
    if not found:
        return None
    (begin, end), *others = found
    words = text.split(" ")
    for first, after in others:
        # "What was said in our conversation" speaks of it twice.
        if not _SMALL.issuperset(words[end:first]):
            break
        end = after
    return begin, end


def attached(words: list[str], said: Place, phrase: Place) -> bool:
    """Whether a phrase surely tells when something was said."""
    begin, end = phrase
    if (topic := _topic_word(words, phrase)) is not None:
        return _is_left_over(words, said, topic) and not _TELL_WHEN.isdisjoint(words[begin:end])
    if begin >= said[1]:
        # "What did I say about it on Friday".
        asks = not _ASKING.isdisjoint(words[: said[0]])
        return set(words[said[1] : begin]) <= _SMALL | ({"about"} if asks else set())
    if end > said[0]:
        return True
    return set(words[:begin]) <= _OPENING


def _topic_word(words: list[str], phrase: Place) -> int | None:
    """The place of the "about" or "for" that a phrase stands right behind: then it is what was spoken of."""
    begin, end = phrase
    lead = begin + sum(1 for _ in takewhile(PREPOSITIONS.__contains__, words[begin:end]))
    while lead > begin and words[lead - 1] == "the":
        lead -= 1
    if lead > begin:
        # "What did I ask for on Friday" has another word between.
        return lead - 1 if words[lead - 1] == "for" else None
    return begin - 1 if begin and words[begin - 1] == "about" else None


def _is_left_over(words: list[str], said: Place, topic: int) -> bool:
    """Whether the word belongs to what the question asks for: "what did we talk about", "who did I tell you about"."""
    asks, verb = set(words[: said[0]]), words[said[1] - 1]
    between = words[said[1] : topic]
    if topic < said[1] or (between and between not in (["you"], ["me"], ["us"])):
        return False
    if words[topic] == "for":
        return verb in _ASKED and "what" in asks
    return "who" in asks or (verb in _TALKED and not asks.isdisjoint(_ASKING))

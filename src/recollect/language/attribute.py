"""The attribute that a phrase names: the part of a key that tells one fact of a kind from another.

"Python 3.12+", "using Python for all projects" and "Python 3.13 now" name one attribute, `python`; C++ and C#
name two. Only words that never change what is meant are dropped: "coffee with milk" stays apart from
"coffee". This module knows no sentence and no subject. Stemming was rejected: it would merge what differs.
"""

import re

from recollect.language.pattern import Pattern
from recollect.records.entity import slug

# A longer phrase is a story, not something that a later sentence would name again.
LONGEST = 8  # words

#: What one moves to or works with that is neither a place nor a person; these names also carry versions.
TECHNOLOGIES = frozenset(
    """python java javascript typescript rust go golang ruby rails php perl scala kotlin swift c c++ c# .net
    node node.js next.js nuxt deno bun react angular vue svelte django flask fastapi spring laravel
    express docker kubernetes terraform linux ubuntu debian fedora arch windows macos ios android
    postgres postgresql mysql sqlite mongodb redis kafka aws azure gcp vim neovim emacs helix zed cursor
    vscode git github gitlab excel figma notion slack jira haskell elixir julia matlab sql graphql
    tailwind pytorch tensorflow chatgpt claude gemini""".split()
)
#: What else one moves to or works at that is no place: departments, products, states of mind.
NOT_PLACES = frozenset(
    """sales marketing engineering finance hr support legal product design operations ops research development
    management accounting procurement logistics security compliance consulting recruiting it qa devops
    analytics strategy communications pr team department group division management leadership night nights
    days mornings home remote fear exposure office salesforce shopify bitwarden lastpass 1password dropbox
    hubspot zendesk asana trello linear monday airtable obsidian evernote signal telegram whatsapp discord
    zoom teams webex chrome firefox safari brave edge opera arc gmail outlook protonmail fastmail netflix
    spotify tidal paypal stripe wise revolut wordpress squarespace wix webflow heroku vercel netlify
    cloudflare datadog grafana sentry snowflake databricks bigquery looker tableau powerbi plan phase
    stage level grade year class tier medicare medicaid islam christianity buddhism judaism""".split()
)
#: Too large to say where somebody lives beside a city: "lives in Germany" does not replace Berlin.
REGIONS = frozenset(
    """europe asia africa america north_america south_america oceania australia antarctica scandinavia
    afghanistan albania algeria argentina armenia austria azerbaijan bangladesh belarus belgium bolivia bosnia
    brazil bulgaria cambodia cameroon canada chile china colombia costa_rica croatia cuba cyprus czechia
    czech_republic the_czech_republic denmark ecuador egypt england estonia ethiopia finland france georgia
    germany ghana greece guatemala hungary iceland india indonesia iran iraq ireland israel italy jamaica japan
    jordan kazakhstan kenya korea south_korea north_korea kuwait latvia lebanon libya lithuania malaysia malta
    mexico moldova mongolia morocco nepal netherlands the_netherlands holland new_zealand nigeria norway oman
    pakistan palestine panama paraguay peru philippines the_philippines poland portugal qatar romania russia
    rwanda saudi_arabia scotland senegal serbia slovakia slovenia somalia south_africa spain sri_lanka sudan
    sweden switzerland syria taiwan tanzania thailand tunisia turkey uganda uk the_uk united_kingdom
    the_united_kingdom ukraine uruguay us usa the_us the_usa united_states the_united_states uzbekistan
    venezuela vietnam wales yemen zambia zimbabwe alabama alaska arizona arkansas california colorado
    connecticut delaware florida hawaii idaho illinois indiana iowa kansas kentucky louisiana maine maryland
    massachusetts michigan minnesota mississippi missouri montana nebraska nevada new_hampshire new_jersey
    new_mexico new_york_state north_carolina north_dakota ohio oklahoma oregon pennsylvania rhode_island
    south_carolina south_dakota tennessee texas utah vermont virginia washington west_virginia wisconsin
    wyoming ontario alberta british_columbia nova_scotia manitoba saskatchewan bavaria hesse saxony tuscany
    sicily catalonia andalusia brittany normandy provence queensland tasmania new_south_wales kerala punjab
    gujarat""".split()
)
_SIGNS = (("+", " plus"), ("#", " sharp"), ("&", " and "), ("%", " percent"))
_SEPARATORS = Pattern(r"(?<=\d)[.:,](?=\d)|[/\\]")
_DOT_NAME = Pattern(r"(?<!\w)\.(?=[a-z])", re.IGNORECASE)


def attribute_slug(text: str) -> str:
    """A slug that keeps apart what only signs tell apart: C++ and C#, 1.5 and 15."""
    text = _DOT_NAME.sub("dot ", _SEPARATORS.sub(" ", text))
    for sign, word in _SIGNS:
        text = text.replace(sign, word)
    return slug(text)


_COMPARED = Pattern(r",? (?:over|rather than|instead of|more than|compared to|because|since|so that)\b.*")
# "tea to coffee" compares; "guests to call first" is a wish about guests, of which there are many.
_COMPARED_TO = Pattern(r" to (?P<other>[\w+#.-]+|\w+ ones)$")
_CLAUSE = Pattern(r"\bto \w")
_VERBS = frozenset(
    """be have do go come use call answer ask drive eat sleep meet start end follow return fit take stop wait
    work speak talk write read play stay leave help cook lead win compile pass fail run walk sing listen
    reply respond rest relax travel pay decide speak drink know""".split()
)
# A comparison that holds only somewhere or sometimes is a second preference, not a new one.
_NARROWED = Pattern(
    r"\b(?:over|rather than|instead of|more than|compared to)\b.* (?:in|at|on|for|when|while|during|as) "
)
_FOR_ALL = Pattern(
    r" (?:for|in|on|across|with) (?:all|any|every|most)(?:thing| of)?(?: (?:his|her|their|the|my|User's))?"
    r"(?: (?:new|own|personal|other|coding|software))?"
    r"(?: (?:projects?|work|apps?|applications?|devices?|code|coding|programming|development|editors?|sites"
    r"|tools|things))?$"
)
_MONTH = r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_SINCE = (
    rf"(?:since|as of) (?:(?:early|late|mid|about|around) )?(?:(?:the week of )?(?:\d{{1,2}} )?{_MONTH}(?: \d{{4}})?|\d{{4}}"
    r"|(?:last|this) (?:week|month|year|spring|summer|autumn|fall|winter)|the (?:spring|summer|autumn|fall|winter) of \d{4}|(?:last |this )?[A-Z][a-z]+day"
    r"|today|yesterday|now)"
)
# Since when a thing holds, and that it holds now, does not change what it is; "the film from last year" is another film.
_FILLER = (
    rf"now|nowadays|these days|any ?more|after all|currently|at the moment|{_SINCE}"
    r"|(?<!from )(?<!of )(?<!in )(?<!than )(?<!the )(?<!to )(?<!for )(?<!over )(?<!like )last (?:week|month|year)"
)
_FILLED = Pattern(rf"(?:,? (?:{_FILLER}))+$")
_FRONTED = Pattern(
    rf"(?:now|nowadays|these days|currently|at the moment|(?:as )?it turns out(?: that)?|{_SINCE}),? (?=(?-i:User)\b)",
    re.IGNORECASE,
)
_TRAILING = Pattern(
    rf",? (?:{_FILLER}|in general|(?:when|where)ver possible|(?:where|if) possible|a lot"
    r"|(?:very|so) much|the most|most|best|much any ?more|much|at all|instead|too|as well|fluently"
    r"|very well|well|a (?:little|bit))$"
)
_LEADING = Pattern(
    r"(?:(?:using|to use|the use of|working with|to work with|coding in|to code in|programming in"
    r"|to program in|to|the|an?|his|her|their|only|all) )+(?=\S)"
)
_VERSION = Pattern(
    r"[ -](?:v(?:ersion)? ?)?\d+(?:\.(?:\d+|x))+\+?(?!\S)|[ -]v\d+\b\+?|[ -]version \d+\+?"
    r"|(?<=\w)[ -]\d+\+(?!\S)"
)
_BARE_VERSION = Pattern(r"(\S+) \d{1,4}(?!\S)")
# What points at something said before, or at the listener, names nothing that lasts.
_POINTING = Pattern(
    r"(?:it|this|that|these|those|them|him|her|your|how|what|when|where|everything|nothing|both|option \w+)\b"
    r"|.*(?:,| - |\b(?:but|you|you've|your)\b)",
    re.IGNORECASE,
)


def thing(words: str, *, compared: bool = False) -> str | None:
    """The thing itself: without versions, filler, comparison and what only says "always"."""
    if _NARROWED.search(words):
        return None
    words = _COMPARED.sub("", words)
    if compared and not words.startswith("to ") and not words.partition(" ")[0].endswith("ing"):
        other = _COMPARED_TO.search(words)
        if other and other["other"] not in _VERBS:
            words = words[: other.start()]
        elif _CLAUSE.search(words):
            return None
    previous = ""
    while words != previous:
        previous = words
        words = _TRAILING.sub("", _FOR_ALL.sub("", words)).strip(" ,\"'")
        words = _VERSION.sub("", _BARE_VERSION.sub(_without_version, words))
    words = _LEADING.sub("", words, count=1) if _LEADING.match(words) else words
    if not words or _POINTING.match(words) or len(words.split()) > LONGEST:
        return None
    return words


def without_filler(sentence: str) -> str:
    """The sentence without what only says that it holds now, or since when: "now", "after all", "since May"."""
    front = _FRONTED.match(sentence)
    return _FILLED.sub("", sentence[front.end() :] if front else sentence)


def _without_version(match: re.Match[str]) -> str:
    return match[1] if match[1].lower() in TECHNOLOGIES else match[0]

"""The attribute that a phrase names: the part of a key that tells one fact of a kind from another.

"Python 3.12+", "using Python for all projects" and "Python 3.13 now" name one attribute, `python`; C++ and C#
name two. Only words that never change what is meant are dropped: "coffee with milk" stays apart from
"coffee". This module knows no sentence and no subject. Stemming was rejected: it would merge what differs.
"""

import re

from recollect.domain.entity import slug

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
_SIGNS = (("+", " plus"), ("#", " sharp"), ("&", " and "), ("%", " percent"))
_SEPARATORS = re.compile(r"(?<=\d)[.:,](?=\d)|[/\\]")
_DOT_NAME = re.compile(r"(?<!\w)\.(?=[a-z])", re.IGNORECASE)


def attribute_slug(text: str) -> str:
    """A slug that keeps apart what only signs tell apart: C++ and C#, 1.5 and 15."""
    text = _DOT_NAME.sub("dot ", _SEPARATORS.sub(" ", text))
    for sign, word in _SIGNS:
        text = text.replace(sign, word)
    return slug(text)


_COMPARED = re.compile(r",? (?:over|rather than|instead of|more than|compared to|because|since|so that)\b.*")
_COMPARED_TO = re.compile(r" to (?!be\b|have\b|do\b).*")
_FOR_ALL = re.compile(
    r" (?:for|in|on|across|with) (?:all|any|every|most)(?:thing| of)?(?: (?:his|her|their|the|my|User's))?"
    r"(?: (?:new|own|personal|other|coding|software))?"
    r"(?: (?:projects?|work|apps?|applications?|devices?|code|coding|programming|development|editors?|sites"
    r"|tools|things))?$"
)
_TRAILING = re.compile(
    r",? (?:now|nowadays|these days|in general|(?:when|where)ver possible|(?:where|if) possible|a lot"
    r"|(?:very|so) much|the most|most|best|(?:much )?any ?more|much|at all|instead|too|as well|fluently"
    r"|very well|well|a (?:little|bit))$"
)
_LEADING = re.compile(
    r"(?:(?:using|to use|the use of|working with|to work with|coding in|to code in|programming in"
    r"|to program in|to|the|an?|his|her|their|only|all) )+(?=\S)"
)
_VERSION = re.compile(
    r"[ -](?:v(?:ersion)? ?)?\d+(?:\.(?:\d+|x))+\+?(?!\S)|[ -]v\d+\b\+?|[ -]version \d+\+?"
    r"|(?<=\w)[ -]\d+\+(?!\S)"
)
_BARE_VERSION = re.compile(r"(\S+) \d{1,4}(?!\S)")
# What points at something said before, or at the listener, names nothing that lasts.
_POINTING = re.compile(
    r"(?:it|this|that|these|those|them|him|her|your|how|what|when|where|everything|nothing|both|option \w+)\b"
    r"|.*(?:,| - |\b(?:but|you|you've|your)\b)",
    re.IGNORECASE,
)


def thing(words: str, *, compared: bool = False) -> str | None:
    """The thing itself: without versions, filler, comparison and what only says "always"."""
    words = _COMPARED.sub("", words)
    if compared and not words.startswith("to ") and not words.partition(" ")[0].endswith("ing"):
        words = _COMPARED_TO.sub("", words)
    previous = ""
    while words != previous:
        previous = words
        words = _TRAILING.sub("", _FOR_ALL.sub("", words)).strip(" ,\"'")
        words = _VERSION.sub("", _BARE_VERSION.sub(_without_version, words))
    words = _LEADING.sub("", words, count=1) if _LEADING.match(words) else words
    if not words or _POINTING.match(words) or len(words.split()) > LONGEST:
        return None
    return words


def _without_version(match: re.Match[str]) -> str:
    return match[1] if match[1].lower() in TECHNOLOGIES else match[0]

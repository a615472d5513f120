"""One spelling for words that are written with a hyphen, apart or as one: "e-mail" and "email", "t-shirt" and "t shirt".

Only for comparing: nothing that is shown or stored is spelled anew, full text keeps its own words (`terms`), and so do keys
(`attribute`), which earlier versions have stored. A single letter or a prefix joins what follows; other hyphens are blanks
("follow-up", "follow up"). "Re-" is left alone: to re-sign is not to resign.
"""

import re

_HYPHENS = str.maketrans({"\u2010": "-", "\u2011": "-", "\u2012": "-", "\u2013": "-"})
#: Behind a hyphen, or behind a blank where the front is no word of its own or the two are one word only.
_JOINED = re.compile(
    r"\b(?P<front>(?:[a-z]|co|non|pre|anti|multi|semi)-(?=[a-z]{2})|(?:non|pre|anti|multi|semi) (?!and\b|or\b)(?=[a-z]{3})"
    r"|e (?=(?:mail|book)s?\b)|t (?=shirts?\b)|x (?=rays?\b)|co (?=(?:op|worker|founder|author|owner)s?\b))",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"(?<=[^\W\d_])-(?=[^\W\d_])")


def one_spelling(text: str) -> str:
    """The text without the hyphens inside its words."""
    if not text.isascii():
        text = text.translate(_HYPHENS)
    return _BETWEEN.sub(" ", _JOINED.sub(lambda found: found["front"][:-1], text))

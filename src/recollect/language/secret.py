"""Secrets: what opens a door or an account, and therefore belongs into no memory.

Recognised by its name next to a value ("my password is …") or by its own shape: keys of well-known issuers, private keys,
numbers of payment cards. It does not know who said it or what happens then. Measuring how random a word looks was
rejected: names of products, hashes of commits and licence plates look random too.
"""

import re

from recollect.language.pattern import Pattern

_NAMED = Pattern(
    r"\b(?:pass(?:word|phrase|code|wd)s?|pwd|pin(?: ?(?:code|number))?|(?:api|secret|private|access|encryption|ssh|recovery)"
    r"[ _-]?(?:key|token|phrase|code)s?|(?:auth|bearer|login|security|verification|door|alarm|gate) (?:tokens?|codes?)|2fa codes?"
    r"|cvv|cvc|(?:credit|debit) card(?: number)?|card number|iban|social security(?: number)?|ssn|seed phrase"
    r"|passwort|kennwort|contrase(?:ñ|n)a|mot de passe|senha)\b[^.!?\n]{0,40}?(?:\bis\b|\bare\b|[:=]|\bist\b|\bes\b|\best\b|\d{3})",
    re.IGNORECASE,
)
_SHAPED = Pattern(
    r"-----BEGIN [A-Z ]*PRIVATE KEY|\b(?:sk|pk|rk)-[A-Za-z0-9_-]{16,}|\bAKIA[0-9A-Z]{16}\b|\bgh[pousr]_[A-Za-z0-9]{20,}"
    r"|\bxox[abprs]-[A-Za-z0-9-]{10,}|\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{5,}|\bAIza[\w-]{30,}"
)
_CARD = re.compile(r"(?<![\d.])\d(?:[ -]?\d){12,18}(?![\d.])")


def holds_secret(text: str) -> bool:
    """Whether the text gives away a password, a key or the number of a card."""
    if _NAMED.search(text) or _SHAPED.search(text):
        return True
    return any(_is_card(found.group()) for found in _CARD.finditer(text))


def _is_card(number: str) -> bool:
    """Luhn's check sum, which one random number in ten passes and a telephone number rarely has the length for."""
    digits = [int(char) for char in reversed(number) if char.isdigit()]
    doubled = (digit * 2 - 9 if digit > 4 else digit * 2 for digit in digits[1::2])
    return (sum(digits[::2]) + sum(doubled)) % 10 == 0

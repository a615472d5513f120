"""Tests of language/secret.py."""

import pytest

from recollect.language.secret import holds_secret


@pytest.mark.parametrize(
    "text",
    [
        "User's password is hunter2",
        "The Wi-Fi password: abc123",
        "User's PIN is 4411",
        "User's api key = abc",
        "sk-abcdefghijklmnopqrstuv",
        "AKIAABCDEFGHIJKLMNOP",
        "-----BEGIN RSA PRIVATE KEY-----",
        "User pays with 4111 1111 1111 1111",
        "Mein Passwort ist geheim",
        "User's door code is 0815",
    ],
)
def test_secrets_are_seen(text: str) -> None:
    """What opens a door or an account is one, by its name or by its shape."""
    assert holds_secret(text)


@pytest.mark.parametrize(
    "text",
    [
        "User forgot the password yesterday",
        "User's phone is +49 30 12345678",
        "User manages password resets at work",
        "User pinned a note to the board",
        "User was born on 1990-04-12",
        "User's order number is 4111 1111 1111 1112",
        "User keeps 12 bee hives",
    ],
)
def test_ordinary_statements_are_none(text: str) -> None:
    """A word about secrets, and a long number that is no card's, give nothing away."""
    assert not holds_secret(text)

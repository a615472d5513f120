"""Hostile HTTP, a request a line: paths that lead elsewhere, methods and headers that nobody expects, users that are none."""

import json
from typing import Any

from .hostile import FACT, JSON, MESSAGES, Hostile, get

PATHS = (
    get("/memories/..%2f..%2f..%2fetc%2fpasswd", "", 404),
    get("/memories/../../etc/passwd", "", 404),
    get("/memories/%2e%2e/%2e%2e/etc/passwd", "", 404),
    get("/memories/..;/admin", "", 404),
    get("/memories/%00", "", 400, 404),
    get("/memories/%ff", "", 400, 404),
    get("/memories/%zz", "", 400, 404),
    get("/memories/%", "", 400, 404),
    get("/memories/%ed%a0%80", "", 400, 404),
    get("/memories/'%20OR%201=1%20--", "", 404),
    get("/memories/" + "a" * 20_000, "", 400, 404),
    get("/memories/", "", 404),
    get("//memories", "", 404),
    get("/MEMORIES", "", 404),
    get("/v1/chats//messages", "", 404),
    get("/v1/messages/%25", "", 404),
    get("/v1/messages/_", "", 404),
    get("/v1/entities/person:%00", "", 400, 404),
    get("/v1/entities/a%2Fb", "", 400, 404),
    get("/.git/config", "", 404),
    get("/wp-login.php", "", 404),
    get("/docs/..%2f..%2fsettings.py", "", 404),
    get("/v1/sessions/%F0%9F%98%80", "", 404),
    Hostile(name="erase a chat's messages", method="DELETE", path=MESSAGES, statuses=(405,)),
    Hostile(name="PUT on a list", method="PUT", path="/memories", statuses=(405,), headers=(JSON,), body=b"{}"),
    Hostile(name="POST on health", method="POST", path="/health", statuses=(405,)),
    Hostile(name="TRACE", method="TRACE", path="/memories", statuses=(405,)),
    Hostile(name="PROPFIND", method="PROPFIND", path="/memories", statuses=(405,)),
    Hostile(name="HEAD", method="HEAD", path="/memories", statuses=(200, 405)),
    Hostile(name="OPTIONS", method="OPTIONS", path="/memories", statuses=(405,)),
    Hostile(
        name="preflight of another origin", method="OPTIONS", path="/memories", statuses=(405,),
        headers=(("Origin", "https://evil.example"), ("Access-Control-Request-Method", "POST")),
    ),
    Hostile(name="a method that nobody knows", method="BREW", path="/memories", by_server=True),
    Hostile(name="a method in small letters", method="get", path="/memories", by_server=True),
    Hostile(name="CONNECT", method="CONNECT", path="example.com:443", statuses=(400, 404, 405), by_server=True),
    Hostile(name="a target in Greek", method="GET", path="/memories/κλειδί", by_server=True),
    Hostile(name="a space in the target", method="GET", path="/memories?query=a b", by_server=True),
)  # fmt: skip

_WRITE = json.dumps({"content": FACT, "category": "fact"}).encode()


def _with(name: str, *headers: tuple[str, str], **more: Any) -> Hostile:
    return Hostile(
        name=name,
        method="POST",
        path="/memories",
        headers=(JSON, *headers),
        body=_WRITE,
        **{"word": "", **more},
    )


HEADERS = (
    _with("an idempotency key of 10 kB", ("Idempotency-Key", "k" * 10_000), word="Idempotency-Key"),
    _with("an empty idempotency key", ("Idempotency-Key", ""), word="Idempotency-Key"),
    _with("an idempotency key in Greek", ("Idempotency-Key", "κλειδί"), word="Idempotency-Key"),
    _with("an idempotency key with a blank", ("Idempotency-Key", "a b"), word="Idempotency-Key"),
    _with("an idempotency key with a tab", ("Idempotency-Key", "a\tb"), word="Idempotency-Key"),
    _with("a wrong token", ("X-Session-Token", "nonsense"), statuses=(401,)),
    _with("a token of 10 kB", ("X-Session-Token", "t" * 10_000), statuses=(401,)),
    _with("a token in Greek", ("X-Session-Token", "κλειδί"), statuses=(401,)),
    _with("two tokens", ("X-Session-Token", "a"), ("X-Session-Token", "b"), word="once"),
    _with("two users", ("X-User-Id", "root"), word="once"),
    _with("two lengths", ("Content-Length", "5"), by_server=True),
    _with("a length below zero", ("Content-Length", "-5"), length=False, by_server=True),
    _with("a length in words", ("Content-Length", "five"), length=False, by_server=True),
    _with("length and chunks", ("Transfer-Encoding", "chunked"), by_server=True),
    _with("a header without a name", ("", "value"), by_server=True),
    _with("NUL in a header", ("X-Request-Id", "a\u0000b"), by_server=True),
)

#: Names of users that are none.
USERS = (
    ("a user of 10 kB", "u" * 10_000),
    ("a user without a name", ""),
    ("a user of blanks", "   "),
    ("a user in Latin-1", "gr\udcfc\udcdfe"),
)

"""Messages over HTTP: recorded once, read in order, edited and erased."""

from typing import Any

import pytest
from serving import Http, Service

from recollect.server.app import create_app
from recollect.server.idempotency import ROUTES_WITH_BUILT_IN_IDEMPOTENCY
from recollect.settings import Settings

from .talk import record

#: S0's complete MessageWithImportance example, as far as a caller says it.
SAID = {
    "role": "user",
    "text": "My dad is allergic to Penicillin, had anaphylaxis in 2010",
    "model_id": "gpt-4-turbo",
    "token_usage": 15,
    "created_at": "2025-10-28T10:30:45.123Z",
}


def test_a_message_without_the_optional_fields(http: Http) -> None:
    """Model and usage are optional; the shape is whole all the same."""
    (message,) = record(http, "c", "Hello there")
    assert (message["model_id"], message["position"]) == ("", 1)
    assert message["token_usage"] > 0
    assert message["created_at"].endswith("Z")


# -- once ------------------------------------------------------------------------------------------------


def test_routes_that_keep_their_own_keys_exist(service: Service) -> None:
    """A path that is renamed must be renamed among the own keys as well."""
    described = create_app(service.memory, Settings(), local=True).openapi()["paths"]
    for method, path in ROUTES_WITH_BUILT_IN_IDEMPOTENCY:
        assert method.lower() in described[path]


# -- reading ---------------------------------------------------------------------------------------------


def test_messages_are_read_back_from_the_newest(http: Http) -> None:
    """`newest` begins with the last page, in order, and its cursors lead back to the first message."""
    record(http, "c", *(f"Message {number}" for number in range(1, 8)))
    pages = walked_back(http, limit=3)
    assert pages == [[5, 6, 7], [2, 3, 4], [1]]
    asked = http.get("/v1/chats/c/messages?before=3").json()
    assert ([item["position"] for item in asked["messages"]], asked["next_cursor"]) == ([1, 2], None)


def walked_back(http: Http, limit: int) -> list[list[int]]:
    """The pages from the newest back: the first is asked for by name, the others by cursor."""
    pages: list[list[int]] = []
    asked: dict[str, Any] = {"newest": True}
    while True:
        answer = http.get("/v1/chats/c/messages", params={"limit": limit, **asked}).json()
        pages.append([item["position"] for item in answer["messages"]])
        if answer["next_cursor"] is None:
            return pages
        asked = {"cursor": answer["next_cursor"]}


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ("limit=0", "limit"),
        ("limit=x", "limit"),
        ("cursor=WyJhIl0", "cursor"),
        ("cursor=zz!", "cursor"),
        (f"before={10**30}", "before"),
        ("before=0", "before"),
        ("before=-3", "before"),
        ("newest=perhaps", "newest"),
        ("newest=true&before=3", "cursor, around, before and newest"),
        ("around=x&before=3", "cursor, around, before and newest"),
        ("around=", "around"),
        ("around=a%00", "around"),
    ],
)
def test_a_bad_question_for_messages(http: Http, asked: str, field: str) -> None:
    """Each wrong parameter is refused with a sentence that names it."""
    record(http, "c", "Hello")
    answer = http.get(f"/v1/chats/c/messages?{asked}")
    assert answer.status_code == 400, answer.text
    assert field in answer.json()["error"]


def test_around_a_message_of_another_chat(http: Http) -> None:
    """A message that is elsewhere is not in this chat."""
    (elsewhere,) = record(http, "d", "Hello")
    record(http, "c", "Hello")
    assert http.get("/v1/chats/c/messages", params={"around": elsewhere["id"]}).status_code == 404


# -- one message -----------------------------------------------------------------------------------------

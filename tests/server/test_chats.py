"""Chats over HTTP: the list, one record, titles, briefs and S0's stats."""

from typing import Any

import pytest
from serving import Http, Service

from .talk import UNSTORABLE, record, refused, walked


def test_the_list_of_chats_has_the_shape_of_the_wire(http: Http) -> None:
    """Chats come last active first, each under its title or its first words."""
    record(http, "session-1", "My dad has diabetes", "I understand.")
    (said,) = record(http, "session-2", "Hello there", persona="coach")
    answer = http.get("/v1/chats").json()
    assert answer["next_cursor"] is None
    newest, oldest = answer["chats"]
    assert (
        newest.items()
        >= {
            "chat_id": "session-2",
            "title": "Hello there",
            "persona_id": "coach",
            "message_count": 1,
            "last_message_at": said["created_at"],
        }.items()
    )
    assert (oldest["chat_id"], oldest["title"], oldest["message_count"]) == (
        "session-1",
        "My dad has diabetes",
        2,
    )


def test_chats_are_paged_to_the_end(http: Http) -> None:
    """Walking the cursors shows every chat once, and the last page says that it is the last."""
    for number in range(5):
        record(http, f"chat-{number}", "Hello")
    pages = walked(http, "/v1/chats", "chats", limit=2)
    assert [len(page) for page in pages] == [2, 2, 1]
    assert sorted(chat["chat_id"] for page in pages for chat in page) == [f"chat-{at}" for at in range(5)]
    assert [len(page) for page in walked(http, "/v1/chats", "chats", limit=5)] == [5]


def test_chats_of_one_persona(http: Http) -> None:
    """A persona is a filter, and an unknown one has no chats."""
    record(http, "walks", "Hello", persona="coach")
    record(http, "other", "Hello")
    assert [chat["chat_id"] for chat in http.get("/v1/chats?persona_id=coach").json()["chats"]] == ["walks"]
    assert http.get("/v1/chats?persona_id=nobody").json() == {"chats": [], "next_cursor": None}


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ("limit=0", "limit"),
        ("limit=-1", "limit"),
        ("limit=many", "limit"),
        ("limit=1.5", "limit"),
        ("cursor=", "cursor"),
        ("cursor=zzz", "cursor"),
        ("cursor=WzFd", "cursor"),
        ("cursor=WyJub3ciLCAieCJd", "before"),
        ("persona_id=", "persona_id"),
        ("persona_id=a%00b", "persona_id"),
    ],
)
def test_a_bad_question_for_chats_names_the_field(http: Http, asked: str, field: str) -> None:
    """Each wrong parameter is refused with a sentence that names it."""
    answer = http.get(f"/v1/chats?{asked}")
    assert answer.status_code == 400
    assert field in answer.json()["error"]


def test_a_chat_gets_a_title_and_loses_it(http: Http) -> None:
    """A title that somebody gives is shown; without one the record has none and the list shows the first words."""
    record(http, "session-1", "My dad has diabetes")
    assert http.get("/v1/chats/session-1").json()["title"] is None
    named = http.patch("/v1/chats/session-1", json={"title": " Dad's health "})
    assert (named.status_code, named.json()["title"]) == (200, "Dad's health")
    assert http.get("/v1/chats/session-1").json() == named.json()
    assert http.get("/v1/chats").json()["chats"][0]["title"] == "Dad's health"
    for nothing in (None, "", "  "):
        assert http.patch("/v1/chats/session-1", json={"title": nothing}).json()["title"] is None
    assert http.get("/v1/chats").json()["chats"][0]["title"] == "My dad has diabetes"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "title required"),
        ({"title": 5}, "title"),
        ({"title": "x" * 201}, "title"),
        ({"title": "a", "persona_id": "b"}, "persona_id"),
        ([], "body"),
        *(({"title": text}, "title") for text in UNSTORABLE),
    ],
)
def test_a_bad_title_is_refused(http: Http, body: Any, field: str) -> None:
    """What is no title is refused, and the sentence names the field."""
    record(http, "session-1", "Hello")
    assert field in refused(http, "PATCH", "/v1/chats/session-1", body)


def test_ids_may_hold_what_a_path_must_quote(http: Http) -> None:
    """Chats are named by their clients: blanks, hashes, colons and other scripts are quoted, nothing more."""
    for name, quoted in (("a b#1:Z?", "a%20b%231%3AZ%3F"), ("żółw", "%C5%BC%C3%B3%C5%82w")):
        record(http, quoted, "Hello")
        assert http.get(f"/v1/chats/{quoted}").json()["chat_id"] == name
    assert http.get(f"/v1/chats/{'x' * 257}").status_code == 400
    assert http.get("/v1/chats/%20").status_code == 400
    assert http.get("/v1/chats/a%00b").status_code == 400


def test_the_brief_has_the_shape_of_the_wire(http: Http) -> None:
    """Empty with revision 0 at first; after a fold it tells what was said and how far it reaches."""
    said = record(http, "session-1", "My dad has diabetes", "I understand.", "He takes Metformin", "Good.")
    empty = http.get("/v1/chats/session-1/brief").json()
    assert (
        empty.items()
        >= {
            "chat_id": "session-1",
            "global_summary": "",
            "last_summarized_message_id": None,
            "revision": 0,
            "updated_at": None,
        }.items()
    )
    assert http.get("/v1/chats/session-1/briefs").json() == {"briefs": []}
    folded = http.post(
        "/api/memory/summaries",
        json={
            "session_id": "session-1",
            "start_message_id": said[0]["id"],
            "end_message_id": said[1]["id"],
            "message_count": 2,
        },
    )
    assert folded.status_code == 201
    brief = http.get("/v1/chats/session-1/brief").json()
    assert "diabetes" in brief["global_summary"]
    assert (brief["last_summarized_message_id"], brief["revision"]) == (said[1]["id"], 1)
    assert brief["updated_at"] == folded.json()["created_at"]
    assert http.get("/v1/chats/session-1/briefs").json() == {"briefs": [brief]}


def test_stats_have_the_shape_of_s0(http: Http) -> None:
    """S0's MemoryStats, by its names, with what S0's example counts."""
    said = record(http, "session-1", "My dad is allergic to Penicillin", "I'll remember that.")
    stats = http.get("/api/memory/stats/session-1").json()
    assert (stats["totalMessages"], stats["totalSummaries"], stats["totalPins"]) == (2, 0, 1)
    assert (stats["oldestMessage"], stats["newestMessage"]) == (said[0]["created_at"], said[1]["created_at"])
    average = sum(message["importance_score"] for message in said) / 2
    assert stats["averageImportanceScore"] == round(average, 2)


def test_stats_of_a_chat_without_messages(http: Http) -> None:
    """A chat that was made by a pin has no oldest message."""
    http.post("/api/memory/pins", json={"session_id": "s", "content": "Jane 555-1234"})
    stats = http.get("/api/memory/stats/s").json()
    assert (stats["totalMessages"], stats["oldestMessage"], stats["newestMessage"]) == (0, None, None)


@pytest.mark.parametrize(
    "path",
    ["/v1/chats/c", "/v1/chats/c/brief", "/v1/chats/c/briefs", "/v1/chats/c/messages", "/api/memory/stats/c"],
)
def test_another_users_chat_is_not_there(service: Service, http: Http, path: str) -> None:
    """What belongs to somebody else is a 404, as is what nobody has."""
    record(service.http("owner-of-chats"), "c", "Mine alone")
    answer = http.get(path)
    assert answer.status_code == 404
    assert answer.json() == {"error": "There is no chat 'c'."}
    assert http.patch("/v1/chats/c", json={"title": "x"}).status_code == 404
    assert http.get("/v1/chats").json()["chats"] == []

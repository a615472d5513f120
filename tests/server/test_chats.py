"""Chats over HTTP: the list, one record, titles, briefs and S0's stats."""

from serving import Http

from .talk import record


def test_a_chat_gets_a_title_and_loses_it(http: Http) -> None:
    """A title that somebody gives is shown; without one it is the first words of the user."""
    record(http, "session-1", "My dad has diabetes")
    assert http.get("/v1/chats/session-1").json()["title"] == "My dad has diabetes"
    named = http.patch("/v1/chats/session-1", json={"title": " Dad's health "})
    assert (named.status_code, named.json()["title"]) == (200, "Dad's health")
    assert http.get("/v1/chats/session-1").json() == named.json()
    assert http.get("/v1/chats").json()["chats"][0]["title"] == "Dad's health"
    for nothing in (None, "", "  "):
        assert http.patch("/v1/chats/session-1", json={"title": nothing}).json()["title"] is None
    assert http.get("/v1/chats").json()["chats"][0]["title"] == "My dad has diabetes"


def test_stats_of_a_chat_without_messages(http: Http) -> None:
    """A chat that was made by a pin has no oldest message."""
    http.post("/api/memory/pins", json={"session_id": "s", "content": "Jane 555-1234"})
    stats = http.get("/api/memory/stats/s").json()
    assert (stats["totalMessages"], stats["oldestMessage"], stats["newestMessage"]) == (0, None, None)

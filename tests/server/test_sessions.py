"""Sessions, state and spine over HTTP: S4's shapes."""

from serving import Http

#: Two stretches: the second begins an hour after the first.
_TIMES = ("2026-01-28T10:00:00Z", "2026-01-28T10:05:00Z", "2026-01-28T11:05:00Z")


def _talk(http: Http, chat_id: str = "walks", persona: str | None = "coach") -> None:
    messages = [
        {"role": "user", "text": f"I will go for a walk, part {number}", "created_at": at}
        for number, at in enumerate(_TIMES, 1)
    ]
    body = {"messages": messages} | ({"persona_id": persona} if persona else {})
    assert http.post(f"/v1/chats/{chat_id}/messages", json=body).status_code == 201


def test_a_session_says_where_it_was_talked(http: Http) -> None:
    """Every chat of the session, in the order in which they came up, with its first message of that session."""
    _talk(http)
    _talk(http, "hills")
    http.patch("/v1/chats/hills", json={"title": "Uphill"})
    later, first = http.get("/v1/sessions").json()["sessions"]
    said = {
        chat: [message["id"] for message in http.get(f"/v1/chats/{chat}/messages").json()["messages"]]
        for chat in ("walks", "hills")
    }
    for session, place, count in ((first, 0, 2), (later, 2, 1)):
        assert http.get(f"/v1/sessions/{session['id']}").json()["chats"] == [
            {
                "chat_id": chat,
                "title": title,
                "first_message_id": said[chat][place],
                "message_count": count,
            }
            for chat, title in (("hills", "Uphill"), ("walks", None))
        ]

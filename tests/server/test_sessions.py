"""Sessions, state, spine, personas and rolling summaries over HTTP: S4's shapes."""

import pytest
from serving import Http, Service

from .talk import record, walked

#: Two stretches: the second begins an hour after the first.
_TIMES = ("2026-01-28T10:00:00Z", "2026-01-28T10:05:00Z", "2026-01-28T11:05:00Z")


def _talk(http: Http, chat_id: str = "walks", persona: str | None = "coach") -> None:
    messages = [
        {"role": "user", "text": f"I will go for a walk, part {number}", "created_at": at}
        for number, at in enumerate(_TIMES, 1)
    ]
    body = {"messages": messages} | ({"persona_id": persona} if persona else {})
    assert http.post(f"/v1/chats/{chat_id}/messages", json=body).status_code == 201


def _drained(http: Http) -> None:
    assert http.post("/v1/worker/drain").json() == {"drained": True, "pending": 0}


def test_sessions_have_the_shape_of_the_wire(http: Http) -> None:
    """Last begun first, with S4's names; a closed one has S4's six fields as its summary."""
    _talk(http)
    _drained(http)
    answer = http.get("/v1/sessions").json()
    assert answer["next_cursor"] is None
    second, first = answer["sessions"]
    assert (first["persona_id"], first["turnCount"]) == ("coach", 2)
    assert (first["startedAt"], first["lastActivityAt"], first["endedAt"]) == (
        "2026-01-28T10:00:00.000Z",
        "2026-01-28T10:05:00.000Z",
        "2026-01-28T10:35:00.000Z",
    )
    assert set(first["summary"]) == {
        "one_liner",
        "what_mattered",
        "open_loops",
        "commitments",
        "people",
        "tone",
    }
    assert second["startedAt"] == "2026-01-28T11:05:00.000Z"


def test_an_open_session_has_no_end_and_no_summary(http: Http) -> None:
    """What goes on has neither."""
    record(http, "c", "Hello")
    (session,) = http.get("/v1/sessions").json()["sessions"]
    assert (session["endedAt"], session["summary"], session["persona_id"]) == (None, None, None)


def test_sessions_are_paged_and_filtered(http: Http) -> None:
    """Walking the cursors shows every session once; a persona is a filter."""
    _talk(http)
    _talk(http, "alone", None)
    pages = walked(http, "/v1/sessions", "sessions", limit=3)
    assert [len(page) for page in pages] == [3, 1]
    ids = [session["id"] for page in pages for session in page]
    assert len(set(ids)) == 4
    assert len(http.get("/v1/sessions?persona_id=coach").json()["sessions"]) == 2
    assert http.get("/v1/sessions?persona_id=nobody").json()["sessions"] == []


@pytest.mark.parametrize("asked", ["limit=0", "limit=x", "cursor=x", "persona_id=", "persona_id=%00"])
def test_a_bad_question_for_sessions(http: Http, asked: str) -> None:
    """Each wrong parameter is refused with a sentence that names it."""
    answer = http.get(f"/v1/sessions?{asked}")
    assert answer.status_code == 400
    assert asked.partition("=")[0] in answer.json()["error"]


def test_one_session_with_all_its_summaries(http: Http) -> None:
    """Every revision of the summary is there, the newest as the summary itself."""
    _talk(http)
    _drained(http)
    listed = http.get("/v1/sessions").json()["sessions"][-1]
    whole = http.get(f"/v1/sessions/{listed['id']}").json()
    summaries = whole.pop("summaries")
    del whole["chats"]
    assert whole == listed
    assert [revision["revision"] for revision in summaries] == [1]
    assert summaries[-1]["summary"] == listed["summary"]
    assert summaries[-1]["written_by"]


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


def test_another_users_session_is_not_there(service: Service, http: Http) -> None:
    """What belongs to somebody else is a 404."""
    owner = service.http("owner-of-sessions")
    record(owner, "c", "Mine alone")
    (session,) = owner.get("/v1/sessions").json()["sessions"]
    assert http.get(f"/v1/sessions/{session['id']}").status_code == 404
    assert http.get("/v1/sessions/nothing").status_code == 404
    assert http.get("/v1/sessions").json() == {"sessions": [], "next_cursor": None}


def test_the_state_has_the_shape_of_s4(http: Http) -> None:
    """S4's SessionState, by its names, for each persona apart."""
    record(http, "walks", *(f"I will walk, part {number}" for number in range(8)), persona="coach")
    _drained(http)
    found = http.get("/v1/state?persona_id=coach").json()
    state = found["state"]
    assert (state["messageCount"], state["lastUserMessage"]) == (4, "I will walk, part 6")
    assert state["curator"] == {"lastRunAt": None, "lastMemoryCountAtRun": 0}
    assert state["lastInteraction"] <= state["lastRollingAttemptAt"] == state["lastRollingSuccessAt"]
    assert state["lastRollingError"] is None
    assert 0 < len(found["rollingSummary"]) <= 600
    other = http.get("/v1/state").json()
    assert (other["state"]["messageCount"], other["rollingSummary"]) == (0, "")


def test_the_state_before_the_first_word(http: Http) -> None:
    """It is empty, and whole."""
    found = http.get("/v1/state").json()
    assert found["state"]["lastInteraction"] is None
    assert found["rollingSummary"] == ""
    assert http.get("/v1/state?persona_id=").status_code == 400


def test_rolling_summaries_are_kept(http: Http) -> None:
    """Every four turns one is written, and the older ones stay."""
    for number in range(2):
        record(http, "walks", *(f"I will walk, part {number}.{part}" for part in range(8)), persona="coach")
        _drained(http)
    kept = http.get("/v1/rolling-summaries?persona_id=coach").json()["summaries"]
    assert [item["revision"] for item in kept] == [1, 2]
    assert kept[-1]["summary"] == http.get("/v1/state?persona_id=coach").json()["rollingSummary"]
    assert http.get("/v1/rolling-summaries").json() == {"summaries": []}
    assert http.get("/v1/rolling-summaries?persona_id=").status_code == 400


def test_personas_by_name(http: Http) -> None:
    """Those that a user has talked with; talk without one has no name."""
    assert http.get("/v1/personas").json() == {"personas": []}
    record(http, "c", "Hello")
    record(http, "walks", "Hello", persona="coach")
    assert http.get("/v1/personas").json() == {"personas": ["coach"]}


def test_the_spine_before_there_is_any(http: Http) -> None:
    """Version 0 with four empty sections: a client need not ask whether there is one."""
    empty = {"PROFILE": "", "PROJECTS": "", "PEOPLE": "", "OPEN_LOOPS": ""}
    found = http.get("/v1/spine").json()
    assert (found["version"], found["content"]) == (0, empty)
    assert (found["messageCount"], found["created_at"]) == (0, None)
    assert http.get("/v1/spines").json() == {"spines": []}


def test_the_spine_grows_by_versions(http: Http) -> None:
    """Every 20 messages a version in the shape of the wire; older ones are asked for by number."""
    for number in range(2):
        body = {
            "messages": [
                {"role": "user", "text": f"I am working on project Rose, step {number}.{part}"}
                for part in range(20)
            ]
        }
        assert http.post("/v1/chats/c/messages", json=body).status_code == 201
        _drained(http)
    newest = http.get("/v1/spine").json()
    assert newest["version"] == 2
    assert set(newest["content"]) == {"PROFILE", "PROJECTS", "PEOPLE", "OPEN_LOOPS"}
    assert newest["messageCount"] == 20
    older = http.get("/v1/spine?version=1").json()
    assert http.get("/v1/spines").json() == {"spines": [older, newest]}
    assert http.get("/v1/spine?version=3").status_code == 404


@pytest.mark.parametrize("version", ["0", "-1", "x", "1.5", str(10**30)])
def test_a_version_that_is_none(http: Http, version: str) -> None:
    """What cannot be a version is refused."""
    answer = http.get(f"/v1/spine?version={version}")
    assert answer.status_code == 400
    assert "version" in answer.json()["error"]

"""Sessions of users: made with a service key, shown once, listed, revoked."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from serving import Http, Service

from recollect.records.moment import parse


def make(service: Service, user: str, **asked: Any) -> dict[str, Any]:
    answer = service.operator.post("/auth/sessions", json={"user_id": user, **asked})
    assert answer.status_code == 201, answer.text
    return answer.json()


def key(service: Service, **asked: Any) -> Http:
    """A client with a service key of the store."""
    made = service.run(service.admin.create_token(service=True, **asked))
    return service.http(authorization=f"Bearer {made.text}")


def test_a_session_is_made_and_used(service: Service, user: str) -> None:
    """The shape of the wire; its token lets in by either header, as that user."""
    before = datetime.now(UTC)
    made = make(service, user, ttl_seconds=3600)
    assert set(made) == {
        "session_token",
        "user_id",
        "expires_at",
        "session_id",
        "scopes",
        "label",
        "created_at",
    }
    assert made["user_id"] == user
    assert abs(parse(made["expires_at"]) - before - timedelta(hours=1)) < timedelta(minutes=5)
    for headers in (
        {"x_session_token": made["session_token"]},
        {"authorization": f"Bearer {made['session_token']}"},
    ):
        refused = service.http(**headers).get("/auth/sessions")
        assert refused.status_code == 403
        assert refused.json() == {"error": "This needs a service key."}


def test_defaults(service: Service, user: str) -> None:
    """An hour, reading and writing, no label."""
    made = make(service, user)
    assert (made["scopes"], made["label"]) == (["read", "write"], "")
    assert abs(parse(made["expires_at"]) - datetime.now(UTC) - timedelta(hours=1)) < timedelta(minutes=5)
    assert make(service, user, ttl_seconds=None, scopes=None)["scopes"] == ["read", "write"]


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({}, "user_id is required; put it in the JSON body."),
        ({"user_id": 7}, "user_id must be text, not 7."),
        ({"user_id": None}, "user_id must be text, not null."),
        ({"user_id": ""}, "user_id must not be empty."),
        ({"user_id": "*"}, "user_id '*' is reserved for all users."),
        ({"user_id": "a\x00"}, "user_id contains a NUL character; remove it."),
        ({"user_id": "x" * 257}, "user_id has 257 characters (maximum 256)."),
        ({"user_id": "ann", "ttl_seconds": "60"}, "ttl_seconds must be a whole number, not '60'."),
        ({"user_id": "ann", "ttl_seconds": 60.5}, "ttl_seconds must be a whole number, not 60.5."),
        ({"user_id": "ann", "ttl_seconds": True}, "ttl_seconds must be a whole number, not true."),
        (
            {"user_id": "ann", "ttl_seconds": 59},
            "ttl_seconds must be a whole number from 60 to 31536000, not 59.",
        ),
        ({"user_id": "ann", "scopes": "read"}, "scopes must be a list, not 'read'."),
        ({"user_id": "ann", "scopes": [1]}, "scopes.0 must be text, not 1."),
        ({"user_id": "ann", "scopes": []}, "scopes of a session must be among read, write; none were given."),
        (
            {"user_id": "ann", "scopes": ["service"]},
            "scopes of a session must be among read, write; not 'service'.",
        ),
        ({"user_id": "ann", "label": None}, "label must be text, not null."),
        ({"user_id": "ann", "label": "x" * 201}, "label has 201 characters (maximum 200)."),
        (
            {"user_id": "ann", "more": 1},
            "The body has no field 'more'; it takes user_id, ttl_seconds, scopes, label.",
        ),
        ([], "body must be an object, not a list."),
    ],
)
def test_bad_input(service: Service, body: Any, sentence: str) -> None:
    """400 with a sentence that names the field."""
    answer = service.operator.post("/auth/sessions", json=body)
    assert (answer.status_code, answer.json()) == (400, {"error": sentence})


def test_huge_numbers(service: Service) -> None:
    """No number is too large to be refused."""
    answer = service.operator.post("/auth/sessions", content=b'{"user_id": "ann", "ttl_seconds": 1e400}')
    assert answer.status_code == 400
    answer = service.operator.post(
        "/auth/sessions", content=b'{"user_id": "ann", "ttl_seconds": %s}' % (b"9" * 400)
    )
    assert answer.status_code == 400


def test_only_a_service_key_makes_sessions(service: Service, user: str) -> None:
    """Nobody gets 401, a session 403, and a key without the scope as well."""
    assert service.anyone.post("/auth/sessions", json={"user_id": user}).status_code == 401
    session = service.http(x_session_token=make(service, user)["session_token"])
    assert session.post("/auth/sessions", json={"user_id": user}).status_code == 403
    assert (
        key(service, scopes=["read", "write"]).post("/auth/sessions", json={"user_id": user}).status_code
        == 403
    )
    assert key(service).post("/auth/sessions", json={"user_id": user}).status_code == 201


def test_a_key_gives_no_more_than_it_has(service: Service, user: str) -> None:
    """A key that may only read makes sessions that may only read."""
    reading = key(service, scopes=["read", "service"])
    made = reading.post("/auth/sessions", json={"user_id": user})
    assert made.json()["scopes"] == ["read"]
    refused = reading.post("/auth/sessions", json={"user_id": user, "scopes": ["read", "write"]})
    assert (refused.status_code, refused.json()["error"]) == (
        403,
        "This key lacks the scope write, so its sessions cannot have it either; request fewer scopes.",
    )
    nothing = key(service, scopes=["service"]).post("/auth/sessions", json={"user_id": user})
    assert nothing.status_code == 400


def test_a_session_ends_itself(service: Service, user: str) -> None:
    """After that it is nobody's; another session of the user goes on."""
    made, other = make(service, user, scopes=["read"]), make(service, user)
    http = service.http(x_session_token=made["session_token"])
    assert http.delete("/auth/sessions").json() == {"success": True}
    assert http.delete("/auth/sessions").status_code == 401
    assert service.http(x_session_token=other["session_token"]).delete("/auth/sessions").status_code == 200


def test_a_key_ends_itself(service: Service) -> None:
    """A key of the store can be given back; that of the settings cannot."""
    http = key(service)
    assert http.delete("/auth/sessions").json() == {"success": True}
    assert http.get("/auth/sessions").status_code == 401
    refused = service.operator.delete("/auth/sessions")
    assert refused.status_code == 400
    assert refused.json()["error"].startswith("There is no token to revoke")


def test_a_key_ends_a_session(service: Service, user: str) -> None:
    """By its id, at once; twice is the same as once, and what is not there is not found."""
    made = make(service, user)
    http = service.http(x_session_token=made["session_token"])
    assert http.get("/auth/sessions").status_code == 403
    path = f"/auth/sessions/{made['session_id']}"
    assert http.delete(path).status_code == 403
    assert service.operator.delete(path).json() == {"success": True}
    assert http.get("/auth/sessions").status_code == 401
    assert service.operator.delete(path).json() == {"success": True}
    missing = service.operator.delete("/auth/sessions/nothing")
    assert (missing.status_code, missing.json()) == (404, {"error": "There is no token 'nothing'."})
    assert service.operator.delete("/auth/sessions/%00").status_code == 400
    assert service.operator.delete(f"/auth/sessions/{'x' * 2000}").status_code == 400


def test_sessions_are_listed(service: Service, user: str) -> None:
    """A user's, newest first, page by page to the end; never a secret, never a key."""
    made = [make(service, user, label=f"number {number}") for number in range(5)]
    key(service)
    found: list[dict[str, Any]] = []
    cursor = None
    for _ in range(9):
        query = {"user_id": user, "limit": 2} | ({"cursor": cursor} if cursor else {})
        page = service.operator.get("/auth/sessions", params=query).json()
        found += page["sessions"]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert cursor is None
    assert sorted(one["id"] for one in found) == sorted(one["session_id"] for one in made)
    assert {one["label"] for one in found} == {f"number {number}" for number in range(5)}
    assert all(one["kind"] == "session" and one["user_id"] == user for one in found)
    everything = service.operator.get("/auth/sessions", params={"limit": 1000}).text
    assert not any(one["session_token"].split("_", 2)[2] in everything for one in made)
    assert "hash" not in everything and '"service"' not in everything


@pytest.mark.parametrize(
    "query",
    [{"limit": 0}, {"limit": -1}, {"limit": "x"}, {"cursor": "x"}, {"user_id": ""}],
)
def test_bad_queries(service: Service, query: dict[str, Any]) -> None:
    """400 that names the parameter."""
    answer = service.operator.get("/auth/sessions", params=query)
    assert answer.status_code == 400
    assert next(iter(query)) in answer.json()["error"]


def test_in_local_mode(local_service: Service) -> None:
    """Sessions of the local user only; a session of another would outlive local mode."""
    http = local_service.anyone
    made = http.post("/auth/sessions", json={"user_id": "local", "scopes": ["read"]})
    assert made.status_code == 201
    refused = http.post("/auth/sessions", json={"user_id": "ann"})
    assert refused.status_code == 403
    assert "recollect token create --service" in refused.json()["error"]
    assert http.delete("/auth/sessions").status_code == 400
    assert [one["user_id"] for one in http.get("/auth/sessions").json()["sessions"]] == ["local"]

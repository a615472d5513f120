"""Todos over HTTP: noted, listed, changed, deleted."""

from typing import Any

import pytest
from serving import Http, Service

from .talk import UNSTORABLE, refused, walked


def _add(http: Http, text: str = "Go for a walk tomorrow", **given: Any) -> dict[str, Any]:
    answer = http.post("/v1/todos", json={"text": text, **given})
    assert answer.status_code == 201, answer.text
    return answer.json()


def _listed(http: Http, **asked: Any) -> list[str]:
    return [todo["text"] for todo in http.get("/v1/todos", params=asked).json()["todos"]]


def test_a_todo_has_the_shape_of_the_wire(http: Http) -> None:
    """Every field that was given comes back; times in the one spelling."""
    todo = _add(
        http,
        kind="commitment",
        persona_id="coach",
        due_at="2026-01-29T18:00:00+01:00",
        source_message_ids=["msg-42"],
    )
    assert isinstance(todo["id"], str)
    assert (
        todo.items()
        >= {
            "persona_id": "coach",
            "kind": "commitment",
            "text": "Go for a walk tomorrow",
            "due_at": "2026-01-29T17:00:00.000Z",
            "status": "open",
            "source_message_ids": ["msg-42"],
        }.items()
    )
    assert http.get("/v1/todos").json() == {"todos": [todo], "next_cursor": None}


def test_what_a_todo_is_by_itself(http: Http) -> None:
    """A text is enough: an open thread that all personas share."""
    todo = _add(http)
    assert (todo["kind"], todo["status"], todo["persona_id"], todo["due_at"], todo["source_message_ids"]) == (
        "thread",
        "open",
        None,
        None,
        [],
    )
    assert _add(http, status="done")["status"] == "done"


@pytest.mark.parametrize("kind", ["commitment", "habit", "thread", "friction"])
def test_s4s_kinds(http: Http, kind: str) -> None:
    """Each of S4's four kinds."""
    assert _add(http, kind=kind)["kind"] == kind


def test_todos_are_filtered(http: Http) -> None:
    """By status, kind, due date and persona; without a filter all are there, newest first."""
    done = _add(http, "Old promise", kind="commitment", due_at="2026-01-01T00:00:00Z")
    http.patch(f"/v1/todos/{done['id']}", json={"status": "done"})
    _add(http, "Walk daily", kind="habit", persona_id="coach")
    _add(http, "Call mom", due_at="2026-03-01T00:00:00Z")
    assert _listed(http) == ["Call mom", "Walk daily", "Old promise"]
    assert _listed(http, status="open") == ["Call mom", "Walk daily"]
    assert _listed(http, status="done") == ["Old promise"]
    assert _listed(http, status="dropped") == []
    assert _listed(http, kind="habit") == ["Walk daily"]
    assert _listed(http, due_before="2026-02-01") == ["Old promise"]
    assert _listed(http, persona_id="coach") == ["Call mom", "Walk daily", "Old promise"]
    assert _listed(http, persona_id="nurse") == ["Call mom", "Old promise"]


def test_todos_are_paged_to_the_end(http: Http) -> None:
    """Walking the cursors shows every todo once."""
    for number in range(5):
        _add(http, f"Thing {number}")
    pages = walked(http, "/v1/todos", "todos", limit=2)
    assert [len(page) for page in pages] == [2, 2, 1]
    assert sorted(todo["text"] for page in pages for todo in page) == [f"Thing {at}" for at in range(5)]


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ("status=later", "status"),
        ("status=", "status"),
        ("kind=chore", "kind"),
        ("due_before=soon", "due_before"),
        ("persona_id=", "persona_id"),
        ("limit=0", "limit"),
        ("cursor=x", "cursor"),
    ],
)
def test_a_bad_question_for_todos(http: Http, asked: str, field: str) -> None:
    """Each wrong parameter is refused with a sentence that names it."""
    answer = http.get(f"/v1/todos?{asked}")
    assert answer.status_code == 400
    assert field in answer.json()["error"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "text required"),
        ({"text": ""}, "text"),
        ({"text": "x" * 2001}, "text"),
        ({"text": 5}, "text"),
        ({"text": "Walk", "kind": "chore"}, "kind"),
        ({"text": "Walk", "kind": None}, "kind"),
        ({"text": "Walk", "status": "later"}, "status"),
        ({"text": "Walk", "due_at": "soon"}, "due_at"),
        ({"text": "Walk", "due_at": 5}, "due_at"),
        ({"text": "Walk", "due_at": ""}, "due_at"),
        ({"text": "Walk", "persona_id": ""}, "persona_id"),
        ({"text": "Walk", "source_message_ids": "msg-42"}, "source_message_ids"),
        ({"text": "Walk", "source_message_ids": [42]}, "source_message_ids"),
        ({"text": "Walk", "source_message_ids": [""]}, "source_message_ids"),
        ({"text": "Walk", "id": "mine"}, "id"),
        *(({"text": text}, "text") for text in UNSTORABLE),
        *(({"text": "Walk", "persona_id": text}, "persona_id") for text in UNSTORABLE),
    ],
)
def test_a_bad_todo_is_refused(http: Http, body: Any, field: str) -> None:
    """Each wrong field is refused with a sentence that names it, and nothing is noted."""
    assert field in refused(http, "POST", "/v1/todos", body)
    assert http.get("/v1/todos").json()["todos"] == []


def test_a_todo_is_changed(http: Http) -> None:
    """Field by field; what is left out or null stays, but a null date is no date."""
    todo = _add(http, due_at="2026-01-29T18:00:00Z")
    path = f"/v1/todos/{todo['id']}"
    for change in (
        {"status": "done"},
        {"text": "Go for a run"},
        {"kind": "habit"},
        {"due_at": "2026-02-01T00:00:00.000Z"},
        {"due_at": None},
    ):
        answer = http.patch(path, json=change)
        assert answer.status_code == 200
        assert answer.json().items() >= change.items()
        assert answer.json()["id"] == todo["id"]
    kept = http.patch(path, json={"text": None, "status": "dropped"}).json()
    assert (kept["text"], kept["status"]) == ("Go for a run", "dropped")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "text, kind, status or due_at"),
        ({"text": None}, "text, kind, status or due_at"),
        ({"text": ""}, "text"),
        ({"status": "later"}, "status"),
        ({"kind": "chore"}, "kind"),
        ({"due_at": "soon"}, "due_at"),
        ({"persona_id": "nurse"}, "persona_id"),
        *(({"text": text}, "text") for text in UNSTORABLE),
    ],
)
def test_a_bad_change_is_refused(http: Http, body: Any, field: str) -> None:
    """Nothing changes when a field is wrong."""
    todo = _add(http)
    assert field in refused(http, "PATCH", f"/v1/todos/{todo['id']}", body)
    assert http.get("/v1/todos").json()["todos"] == [todo]


def test_a_todo_is_deleted(http: Http) -> None:
    """It is gone, and a second time it is not there."""
    todo = _add(http)
    answer = http.delete(f"/v1/todos/{todo['id']}")
    assert (answer.status_code, answer.json()) == (200, {"success": True})
    assert http.delete(f"/v1/todos/{todo['id']}").status_code == 404
    assert _listed(http) == []


def test_another_users_todos_are_not_there(service: Service, http: Http) -> None:
    """Neither listed nor changed nor deleted by somebody else."""
    owner = service.http("owner-of-todos")
    todo = _add(owner)
    assert _listed(http) == []
    assert http.patch(f"/v1/todos/{todo['id']}", json={"status": "done"}).status_code == 404
    assert http.delete(f"/v1/todos/{todo['id']}").status_code == 404
    assert owner.get("/v1/todos").json()["todos"] == [todo]

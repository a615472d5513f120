"""Background work over HTTP: seen, waited for, tried again."""

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import FakeEmbedder
from serving import Service, serving

from .talk import record


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where the resting service keeps its memory."""
    return tmp_path / "memory.db"


@pytest.fixture
def resting(file: Path) -> Iterator[Service]:
    """A service in which nobody works."""
    with serving(file, embedder=FakeEmbedder(), worker="off") as running:
        yield running


def _kill(file: Path) -> None:
    """Let every job have failed too often."""
    with contextlib.closing(sqlite3.connect(file)) as connection:
        connection.execute("UPDATE jobs SET status = 'dead', attempts = 8, last_error = 'no model'")
        connection.commit()


def test_work_is_waited_for(service: Service, user: str) -> None:
    """Once it is drained nothing is pending; a session that closes later does not count."""
    http = service.http(user)
    record(http, "c", "My dad has diabetes", "I understand.")
    answer = http.post("/v1/jobs/drain?timeout=30")
    assert (answer.status_code, answer.json()) == (200, {"drained": True, "pending": 0})
    assert [job["kind"] for job in http.get("/v1/jobs").json()["jobs"]] == ["close_session"]
    assert http.post("/v1/jobs/drain").json()["drained"] is True


def test_waiting_has_an_end(resting: Service) -> None:
    """When nobody works the answer says how much is left."""
    http = resting.http("alice")
    record(http, "c", "My dad has diabetes")
    assert http.post("/v1/jobs/drain?timeout=0").json() == {"drained": False, "pending": 1}
    assert http.post("/v1/jobs/drain?timeout=0.01").json() == {"drained": False, "pending": 1}
    assert resting.http("bob").post("/v1/jobs/drain?timeout=0").json() == {"drained": True, "pending": 0}


@pytest.mark.parametrize("timeout", ["-1", "3601", "nan", "inf", "soon", "", "1e400"])
def test_a_bad_time_to_wait(service: Service, user: str, timeout: str) -> None:
    """What is no time to wait is refused by its name."""
    answer = service.http(user).post(f"/v1/jobs/drain?timeout={timeout}")
    assert answer.status_code == 400
    assert "timeout" in answer.json()["error"]


def test_a_user_sees_own_work(resting: Service) -> None:
    """Jobs that are not done, by status; nobody else's."""
    record(resting.http("alice"), "c", "My dad has diabetes")
    record(resting.http("bob"), "c", "Hello")
    token = resting.operator.post("/auth/sessions", json={"user_id": "alice"}).json()["session_token"]
    answer = resting.http(x_session_token=token).get("/v1/jobs").json()
    found = answer.pop("jobs")
    assert answer == {}
    assert found == resting.http("alice").get("/v1/jobs").json()["jobs"]
    assert sorted(job["kind"] for job in found) == ["close_session", "index_messages"]
    assert {job["user_id"] for job in found} == {"alice"}
    assert {(job["status"], job["attempts"], job["last_error"]) for job in found} == {("pending", 0, None)}
    assert resting.http("alice").get("/v1/jobs?status=dead").json()["jobs"] == []
    assert resting.http("alice").get("/v1/jobs?status=lost").status_code == 400


def test_the_operator_sees_all_work(resting: Service, file: Path) -> None:
    """Queue lengths by kind, how late the work is, what is dead, and the store; for a service key alone."""
    for name in ("alice", "bob"):
        record(resting.http(name), "c", "My dad has diabetes")
    found = resting.operator.get("/v1/jobs").json()
    assert found["counts"] == {"pending": {"close_session": 2, "index_messages": 2}}
    assert (found["scheduled"], found["dead"], found["jobs"]) == (2, [], [])
    assert found["store"]["users"] == 2
    assert found["lag_seconds"] >= 0
    _kill(file)
    found = resting.operator.get("/v1/jobs").json()
    assert found["counts"] == {"dead": {"close_session": 2, "index_messages": 2}}
    assert sorted(job["user_id"] for job in found["dead"]) == ["alice", "alice", "bob", "bob"]
    assert {job["last_error"] for job in found["dead"]} == {"no model"}


def test_a_dead_job_is_tried_again(resting: Service, file: Path) -> None:
    """A dead job becomes pending by its user's hand, and by nobody else's."""
    http = resting.http("alice")
    record(http, "c", "My dad has diabetes")
    alive = http.get("/v1/jobs").json()["jobs"][0]["id"]
    assert http.post(f"/v1/jobs/{alive}/revive").status_code == 404
    _kill(file)
    dead = http.get("/v1/jobs?status=dead").json()["jobs"]
    assert len(dead) == 2
    assert resting.http("bob").post(f"/v1/jobs/{dead[0]['id']}/revive").status_code == 404
    answer = http.post(f"/v1/jobs/{dead[0]['id']}/revive")
    assert (answer.status_code, answer.json()) == (200, {"success": True})
    assert len(http.get("/v1/jobs?status=dead").json()["jobs"]) == 1
    assert http.post("/v1/jobs/%20/revive").status_code == 400


def test_who_may_see_all_work(service: Service) -> None:
    """Nobody without a token."""
    assert service.anyone.get("/v1/jobs").status_code == 401
    assert service.anyone.post("/v1/jobs/drain").status_code == 401

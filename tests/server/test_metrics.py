"""`/metrics`: the numbers for whoever is on call."""

import re
from pathlib import Path

from conftest import FakeEmbedder
from prometheus_client.parser import text_string_to_metric_families
from serving import Http, Service, serving

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "metrics.md"


def numbers(http: Http) -> dict[tuple[str, ...], float]:
    """Every number of /metrics, by its name and the values of its labels."""
    answer = http.get("/metrics")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain")
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


def test_numbers_are_for_whoever_runs_the_service(service: Service, http: Http) -> None:
    """Metrics need a service key, and no user."""
    assert service.anyone.get("/metrics").status_code == 401
    token = service.operator.post("/auth/sessions", json={"user_id": "metrics"}).json()["session_token"]
    assert service.http(x_session_token=token).get("/metrics").status_code == 403
    assert service.operator.get("/metrics").status_code == 200


def test_numbers_in_local_mode(local_service: Service) -> None:
    """On one's own machine nothing is needed."""
    assert local_service.anyone.get("/metrics").status_code == 200


def test_requests_are_counted_by_route(tmp_path: Path) -> None:
    """By what the route is called, never by ids or users; unknown paths and methods are one."""
    with serving(tmp_path / "memory.db", embedder=FakeEmbedder(), worker="off") as service:
        http = service.http("ann")
        todo = http.post("/v1/todos", json={"text": "Call the dentist"}).json()["id"]
        for name in (todo, "nobody", "nobody-2"):
            http.delete(f"/v1/todos/{name}")
        http.get("/nowhere/1")
        http.get("/nowhere/2")
        http.request("PROPFIND", "/v1/todos")
        found = numbers(service.operator)
        assert found["recollect_http_requests_total", "POST", "/v1/todos", "201"] == 1
        assert found["recollect_http_requests_total", "DELETE", "/v1/todos/{todo_id}", "200"] == 1
        assert found["recollect_http_requests_total", "DELETE", "/v1/todos/{todo_id}", "404"] == 2
        assert found["recollect_http_requests_total", "GET", "(none)", "404"] == 2
        assert found["recollect_http_requests_total", "other", "/v1/todos", "405"] == 1
        assert found["recollect_http_seconds_count", "DELETE", "/v1/todos/{todo_id}"] == 3
        assert found["recollect_http_in_flight",] == 1
        assert found["recollect_streams_open",] == 0
        assert not any("nobody" in label or "ann" in label for labels in found for label in labels[1:])


def test_numbers_of_the_store(tmp_path: Path) -> None:
    """Memories, messages, users, jobs, indexes, the worker and the models' tokens are told."""
    with serving(tmp_path / "memory.db", embedder=FakeEmbedder(), worker="off") as service:
        http = service.http("ann")
        http.post("/memories", json={"content": "I prefer dark mode in editors", "category": "preference"})
        http.get("/memories/search?query=dark+mode")
        messages = {"messages": [{"role": "user", "text": "Hello there"}]}
        http.post("/v1/chats/lunch/messages", json=messages)
        found = numbers(service.operator)
        assert found["recollect_memories", "active"] == 1
        assert found["recollect_users",] == 1
        assert (found["recollect_chats",], found["recollect_messages",]) == (1, 1)
        assert found["recollect_jobs", "index_messages", "pending"] == 1
        assert found["recollect_jobs_scheduled",] >= 1
        assert found["recollect_jobs_lag_seconds",] >= 0
        assert found["recollect_worker_jobs_total", "done"] == 0
        assert found["recollect_model_tokens_cap",] == 200_000
        assert 0 < found["recollect_index_bytes",] < found["recollect_index_limit_bytes",]
        assert found["recollect_database_bytes",] > 0
        assert found["process_resident_memory_bytes",] > 0


def test_every_number_is_documented(service: Service) -> None:
    """The page about metrics has each of ours, with its labels, and no other."""
    told = service.operator.get("/metrics").text
    ours = set(re.findall(r"^# TYPE (recollect_\w+)", told, re.MULTILINE))
    assert set(re.findall(r"^\| `(recollect_\w+)", PAGE.read_text("utf-8"), re.MULTILINE)) == ours

"""Memories over HTTP: listed and paged, corrected, deleted, and what the past says."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from conftest import FakeClock, FakeEmbedder
from serving import Http, Service, serving

from recollect.api.engine import engine_of

ROUTE = "/memories"


def _remember(http: Http, content: str, **fields: Any) -> str:
    answer = http.post(ROUTE, json={"content": content, **fields})
    assert answer.status_code == 201, answer.text
    return answer.json()["memoryId"]


def _at(memory_id: str, rest: str = "") -> str:
    return f"{ROUTE}/{quote(memory_id, safe='')}{rest}"


def _contents(http: Http, **params: Any) -> list[str]:
    answer = http.get(ROUTE, params=params)
    assert answer.status_code == 200, answer.text
    return [item["content"] for item in answer.json()["memories"]]


# -- GET /memories -------------------------------------------------------------------------------------------


def test_memories_of_a_stretch_of_time(tmp_path: Path, clock: FakeClock) -> None:
    """`since` is part of the stretch and `until` is not, in the present and in the past alike."""
    with serving(tmp_path / "memory.db", embedder=FakeEmbedder(), clock=clock) as service:
        http = service.http("alice")
        made: list[str] = []
        for content in ("User keeps bees behind the house", "User plays the oboe", "User bought a boat"):
            made.append(clock().isoformat())
            _remember(http, content)
            clock.move(hours=1)
        for past in ({}, {"as_of": clock().isoformat()}):
            assert _contents(http, since=made[1], **past) == ["User bought a boat", "User plays the oboe"]
            assert _contents(http, until=made[1], **past) == ["User keeps bees behind the house"]
            assert _contents(http, since=made[1], until=made[2], **past) == ["User plays the oboe"]


# -- one memory ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("body", [None, {}, {"memory_id": ""}, {"memory_id": None}])
def test_deleting_needs_an_id(http: Http, body: Any) -> None:
    """S3's sentence, to the letter."""
    answer = http.request("DELETE", ROUTE, **({} if body is None else {"json": body}))
    assert (answer.status_code, answer.json()) == (400, {"error": "memory_id required"})


# -- the whole -----------------------------------------------------------------------------------------------


def _written_at_once(service: Service, user: str, count: int) -> list[str]:
    """So many memories of one millisecond."""
    facts = [f"User owns a boat with number {number}" for number in range(count)]
    return [done.memory.memory_id for done in service.run(service.memory.add_many(facts, user=user))]


@pytest.mark.parametrize("rest", ["", "/history"])
def test_an_id_in_an_address(http: Http, rest: str) -> None:
    """`#` is written `%23`; a client that drops it and what follows still finds the memory, if it is the only one."""
    memory_id = _remember(http, "User keeps bees behind the house")
    before, _, _ = memory_id.partition("#")
    whole = http.get(f"{ROUTE}/{memory_id.replace('#', '%23')}{rest}")
    cut = http.get(f"{ROUTE}/{before}{rest}")
    assert whole.status_code == cut.status_code == 200
    assert whole.json() == cut.json()
    if not rest:
        assert http.get(f"{ROUTE}/{memory_id}").json()["memory_id"] == memory_id, (
            "the client drops the fragment"
        )


def test_an_id_without_its_end_changes_and_erases(http: Http) -> None:
    """The beginning of an id is enough for every route that takes one."""
    memory_id = _remember(http, "User keeps bees behind the house")
    before, _, _ = memory_id.partition("#")
    changed = http.patch(f"{ROUTE}/{before}", json={"importance": 3})
    assert (changed.status_code, changed.json()["memory_id"]) == (200, memory_id)
    assert http.post("/v1/forget", json={"memory_id": before}).json()["receipt"]["memories"] == 1
    assert http.get(f"{ROUTE}/{before}").status_code == 404


def test_an_id_that_could_be_two(tmp_path: Path) -> None:
    """The sentence names the ones that could be meant; nothing of another user's is among them."""
    clock = FakeClock(datetime(2026, 3, 1, 12, tzinfo=UTC))
    with serving(tmp_path / "memory.db", embedder=FakeEmbedder(), clock=clock, worker="off") as service:
        one, two = _written_at_once(service, "ann", 2)
        (other,) = _written_at_once(service, "bob", 1)
        before = one.partition("#")[0]
        assert two.partition("#")[0] == other.partition("#")[0] == before
        answer = service.http("ann").get(f"{ROUTE}/{before}")
        assert answer.status_code == 400
        said = answer.json()["error"]
        assert one in said and two in said and other not in said and "%23" in said
        assert service.http("bob").get(f"{ROUTE}/{before}").json()["memory_id"] == other
        assert service.http("ann").get(f"{ROUTE}/{before[:-1]}").status_code == 404


@pytest.mark.parametrize("path", [f"{ROUTE}/search", "/v1/context", "/api/memory/context/walks"])
def test_looking_does_not_count_as_use(service: Service, http: Http, path: str) -> None:
    """With `record=false` a memory that is shown is not used; without it, it is."""
    memory_id = _remember(http, "User keeps bees behind the house")

    def used() -> int:
        service.run(engine_of(service.memory).parts.accesses.flush())
        return http.get(_at(memory_id)).json()["access_count"]

    for _ in range(3):
        assert http.get(path, params={"query": "Who keeps bees?", "record": "false"}).is_success
    assert used() == 0
    assert http.get(path, params={"query": "Who keeps bees?"}).is_success
    assert used() == 1

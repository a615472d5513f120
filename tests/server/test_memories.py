"""Memories over HTTP: listed and paged, corrected, deleted, and what the past says."""

from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from conftest import FakeClock, FakeEmbedder
from serving import Http, Service, serving

ROUTE = "/memories"
#: S3's record, key by key.
S3_KEYS = (
    "user_id",
    "memory_id",
    "content",
    "category",
    "importance",
    "tags",
    "created_at",
    "last_accessed",
    "access_count",
)


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


def _various(http: Http) -> None:
    """Memories that differ in everything that a list may be filtered by, oldest first."""
    _remember(http, "User prefers Python 3.12+", category="preference", importance=9, tags=["python", "code"])
    _remember(http, "User is building a chat app", category="project", tags=["code"])
    _remember(http, "Jane paints in the attic", category="relationship", entity_refs=["person:jane"])
    _remember(http, "User wants short answers here", category="preference", persona_id="coach")


# -- GET /memories -------------------------------------------------------------------------------------------


def test_a_memory_has_s3s_record(http: Http, user: str) -> None:
    """Every key of S3's example is there, first and in its order, with its kind of value."""
    memory_id = _remember(
        http, "User prefers Python 3.12+", category="preference", importance=9, tags=["python"]
    )
    (record,) = http.get(ROUTE, params={"category": "preference", "limit": 20}).json()["memories"]
    assert tuple(record)[: len(S3_KEYS)] == S3_KEYS
    assert {name: record[name] for name in S3_KEYS} == {
        "user_id": user,
        "memory_id": memory_id,
        "content": "User prefers Python 3.12+",
        "category": "preference",
        "importance": 9,
        "tags": ["python"],
        "created_at": memory_id.partition("#")[0],
        "last_accessed": None,
        "access_count": 0,
    }
    assert isinstance(record["importance"], int), "S3's example shows a whole number"


def test_nothing_is_an_empty_page(http: Http) -> None:
    """A user of whom nothing is known gets a list all the same."""
    assert http.get(ROUTE).json() == {"memories": [], "next_cursor": None}


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ({}, ["User wants short", "Jane paints", "User is building", "User prefers Python"]),
        ({"category": "preference"}, ["User wants short", "User prefers Python"]),
        ({"category": "preference", "limit": 1}, ["User wants short"]),
        ({"tag": "code"}, ["User is building", "User prefers Python"]),
        ({"tag": "Code"}, []),
        ({"type": "PROJECT"}, ["User is building"]),
        ({"entity": "person:Jane"}, ["Jane paints"]),
        ({"entity": "person:nobody"}, []),
        ({"persona_id": "coach"}, ["User wants short", "Jane paints", "User is building", "User prefers Py"]),
        ({"persona_id": "other"}, ["Jane paints", "User is building", "User prefers Python"]),
        ({"status": "ARCHIVED"}, []),
        ({"status": "any", "tag": "python"}, ["User prefers Python"]),
        ({"as_of": "2020-01-01T00:00:00Z"}, []),
        ({"as_of": "2999-01-01T00:00:00Z", "tag": "code"}, ["User is building", "User prefers Python"]),
        ({"as_of": "2999-01-01T00:00:00Z", "type": "PEOPLE"}, ["Jane paints"]),
        ({"as_of": "2999-01-01T00:00:00Z", "entity": "person:jane"}, ["Jane paints"]),
        ({"as_of": "2999-01-01", "category": "preference", "persona_id": "x"}, ["User prefers Python"]),
    ],
)
def test_filters(http: Http, params: dict[str, Any], expected: list[str]) -> None:
    """Each filter leaves what it names, newest first, now and in the past alike."""
    _various(http)
    found = _contents(http, **params)
    assert len(found) == len(expected)
    assert all(content.startswith(start) for content, start in zip(found, expected, strict=True))


def test_an_entity_is_found_by_any_of_its_names(http: Http) -> None:
    """What was merged is one, also for the filter."""
    _remember(http, "Bob is User's friend from school", entity_refs=["person:bob"])
    _remember(http, "Robert works in a bakery", entity_refs=["person:robert"])
    assert http.post("/v1/entities/merge", json={"from": "person:bob", "into": "person:robert"}).is_success
    assert len(_contents(http, entity="person:bob")) == len(_contents(http, entity="person:robert")) == 2


@pytest.mark.parametrize("extra", [{}, {"as_of": "2999-01-01T00:00:00Z"}])
def test_paging_reaches_everything_once(http: Http, extra: dict[str, str]) -> None:
    """Page by page one sees what one page shows; the last page says that it is the last."""
    http.post(
        f"{ROUTE}/batch",
        json={"memories": [{"content": f"User owns a boat with number {number}"} for number in range(7)]},
    )
    everything = _contents(http, **extra)
    assert len(everything) == 7
    for size in (1, 3, 7, 8):
        found: list[str] = []
        cursor: dict[str, str] = {}
        pages = 0
        while True:
            answer = http.get(ROUTE, params={"limit": size, **extra, **cursor}).json()
            found += [item["content"] for item in answer["memories"]]
            pages += 1
            if answer["next_cursor"] is None:
                break
            cursor = {"cursor": answer["next_cursor"]}
        assert (found, pages) == (everything, -(-7 // size))


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"category": "nonsense"}, "Unknown category 'nonsense'"),
        ({"category": ""}, "Unknown category ''"),
        ({"type": "x"}, "type"),
        ({"status": "gone"}, "Unknown status 'gone'"),
        ({"entity": "jane"}, "Entity 'jane' has no type"),
        ({"tag": "\x00"}, "tag contains a NUL character"),
        ({"persona_id": "\x00"}, "persona_id contains a NUL character"),
        ({"as_of": "yesterday"}, "as_of: 'yesterday' is not an ISO-8601 time"),
        ({"as_of": "9" * 5000}, "as_of"),
        ({"since": "yesterday"}, "since: 'yesterday' is not an ISO-8601 time"),
        ({"until": "soon"}, "until: 'soon' is not an ISO-8601 time"),
        ({"limit": 0}, "limit must be at least 1."),
        ({"limit": -1}, "limit must be at least 1."),
        ({"limit": "many"}, "limit must be a whole number."),
        ({"limit": "9" * 5000}, "limit"),
        ({"cursor": "nonsense"}, "cursor is none of ours"),
        ({"cursor": ""}, "cursor is none of ours"),
        ({"cursor": "WzFd"}, "cursor is none of ours"),
        ({"cursor": "WyIiXQ"}, "before is empty"),
        ({"cursor": "WyJcdTAwMDAiXQ"}, "before contains a NUL character"),
        ({"past": "maybe"}, "past must be true or false."),
    ],
)
def test_bad_filters_are_refused(http: Http, params: dict[str, Any], sentence: str) -> None:
    """Each is a 400 whose sentence names what is wrong."""
    answer = http.get(ROUTE, params=params)
    assert answer.status_code == 400
    assert sentence in answer.json()["error"]


def test_the_past_is_listed_as_it_was(tmp_path: Path, clock: FakeClock) -> None:
    """At a moment one sees what was known then, in the words of then; what came later is not there."""
    with serving(tmp_path / "memory.db", embedder=FakeEmbedder(), clock=clock) as service:
        http = service.http("alice")
        edited = _remember(http, "User keeps bees behind the house", tags=["garden"])
        clock.move(seconds=1)
        archived = _remember(http, "User plays the oboe on Fridays")
        then = clock().isoformat()
        clock.move(hours=1)
        http.patch(_at(edited), json={"content": "User keeps goats behind the house", "tags": []})
        http.patch(_at(archived), json={"status": "ARCHIVED"})
        _remember(http, "User bought a sailing boat")
        assert _contents(http, as_of=then) == [
            "User plays the oboe on Fridays",
            "User keeps bees behind the house",
        ]
        assert _contents(http, as_of=then, tag="garden") == ["User keeps bees behind the house"]
        assert _contents(http) == ["User bought a sailing boat", "User keeps goats behind the house"]
        assert _contents(http, as_of=clock().isoformat()) == _contents(http)


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


def test_one_memory_is_the_listed_record(http: Http) -> None:
    """By its id one gets what the list shows, also when it is archived."""
    memory_id = _remember(http, "User keeps bees behind the house")
    assert http.get(_at(memory_id)).json() == http.get(ROUTE).json()["memories"][0]
    http.patch(_at(memory_id), json={"status": "ARCHIVED"})
    assert http.get(_at(memory_id)).json()["status"] == "ARCHIVED"
    assert _contents(http, status="archived") == ["User keeps bees behind the house"]


def test_a_change_answers_with_the_record_and_is_in_the_history(http: Http) -> None:
    """New words are put into the third person; the history says who changed what, and why."""
    memory_id = _remember(http, "User prefers Python 3.12+", category="preference", importance=8)
    answer = http.patch(
        _at(memory_id),
        json={
            "content": "I prefer Python 3.13 now",
            "importance": 9,
            "tags": ["python"],
            "pinned": True,
            "by": "console",
            "reason": "a new version came out",
        },
    )
    assert answer.status_code == 200
    record = answer.json()
    assert record["memory_id"] == memory_id
    assert (record["content"], record["importance"], record["tags"], record["pinned"]) == (
        "User prefers Python 3.13 now",
        9,
        ["python"],
        True,
    )
    assert http.get(_at(memory_id)).json() == record
    created, edited = http.get(_at(memory_id, "/history")).json()["history"]
    assert created["change"] == "created"
    assert {name: edited[name] for name in ("by", "change", "reason")} == {
        "by": "console",
        "change": "edited",
        "reason": "a new version came out",
    }
    assert (edited["old"]["content"], edited["new"]["content"]) == (
        "User prefers Python 3.12+",
        "User prefers Python 3.13 now",
    )


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({}, "Nothing to change"),
        ({"content": None}, "Nothing to change"),
        ({"content": "short"}, "Content too short (minimum 10 characters)"),
        ({"content": 1}, "content must be text."),
        ({"importance": 11}, "importance must be a number from 0 to 10"),
        ({"importance": "high"}, "importance must be a number."),
        ({"category": "x"}, "Unknown category 'x'"),
        ({"tags": "x"}, "tags must be a list."),
        ({"tags": ["\x00"]}, "tags contains a NUL character"),
        ({"pinned": "x"}, "pinned must be true or false."),
        ({"status": "GONE"}, "Unknown status 'GONE'"),
        ({"status": 1}, "status must be text."),
        ({"memory_id": "x"}, "memory_id is no field of this request"),
        ({"pinned": True, "by": ""}, "by must have 1-256 characters."),
        ([], "body must be an object."),
    ],
)
def test_a_bad_change_changes_nothing(http: Http, body: Any, sentence: str) -> None:
    """Each wrong field is a 400; the record is as it was."""
    memory_id = _remember(http, "User keeps bees behind the house")
    before = http.get(_at(memory_id)).json()
    answer = http.patch(_at(memory_id), json=body)
    assert answer.status_code == 400
    assert sentence in answer.json()["error"]
    assert http.get(_at(memory_id)).json() == before


def test_what_was_replaced_cannot_be_changed(http: Http) -> None:
    """The old value of a fact is a 409 that names the new one."""
    old = _remember(http, "I live in Paris", category="identity")
    new = _remember(http, "I live in Berlin now", category="identity")
    answer = http.patch(_at(old), json={"importance": 3})
    assert answer.status_code == 409
    assert new in answer.json()["error"]


@pytest.mark.parametrize("by_body", [True, False])
def test_deleting(http: Http, by_body: bool) -> None:
    """S3's way with a body and the way by path both erase it; a second time it is not there."""
    memory_id = _remember(http, "User keeps bees behind the house")

    def delete() -> Any:
        if by_body:
            return http.request("DELETE", ROUTE, json={"memory_id": memory_id})
        return http.delete(_at(memory_id))

    first, second = delete(), delete()
    assert (first.status_code, first.json()) == (200, {"success": True})
    assert second.status_code == 404
    assert http.get(_at(memory_id)).status_code == 404
    assert _contents(http, status="any") == []


@pytest.mark.parametrize("body", [None, {}, {"memory_id": ""}, {"memory_id": None}])
def test_deleting_needs_an_id(http: Http, body: Any) -> None:
    """S3's sentence, to the letter."""
    answer = http.request("DELETE", ROUTE, **({} if body is None else {"json": body}))
    assert (answer.status_code, answer.json()) == (400, {"error": "memory_id required"})


@pytest.mark.parametrize("body", [{"memory_id": 5}, {"memory_id": "\x00"}, {"id": "x"}, []])
def test_deleting_by_nonsense(http: Http, body: Any) -> None:
    """What is no id is a 400."""
    assert http.request("DELETE", ROUTE, json=body).status_code == 400


@pytest.mark.parametrize(
    ("method", "rest", "body"),
    [
        ("GET", "", None),
        ("PATCH", "", {"pinned": True}),
        ("DELETE", "", None),
        ("GET", "/history", None),
        ("GET", "/links", None),
        ("POST", "/links", {"to": "x"}),
        ("DELETE", "/links/x", None),
    ],
)
@pytest.mark.parametrize("whose", ["another", "nobody", "NUL"])
def test_ids_that_are_not_ones_own(
    service: Service, http: Http, whose: str, method: str, rest: str, body: Any
) -> None:
    """Another user's memory and one that never was are the same 404; no id at all is a 400."""
    other = service.http("somebody-else@example.com")
    memory_id = {
        "another": lambda: _remember(other, "User keeps bees behind the house"),
        "nobody": lambda: "2026-01-28T10:30:45.123Z#a1b2c3d4",
        "NUL": lambda: "\x00",
    }[whose]()
    answer = http.request(method, _at(memory_id, rest), **({} if body is None else {"json": body}))
    assert answer.status_code == (400 if whose == "NUL" else 404)
    if whose == "another":
        assert other.get(_at(memory_id)).json()["pinned"] is False
        other.delete(_at(memory_id))


# -- the whole -----------------------------------------------------------------------------------------------


def test_stats_count(http: Http) -> None:
    """Counts by every label, the mean importance, and the week in which all began."""
    _various(http)
    stats = http.get(f"{ROUTE}/stats").json()
    assert stats["total"] == 4
    assert stats["by_category"] == {"preference": 2, "project": 1, "relationship": 1}
    assert stats["by_type"] == {"PROFILE": 2, "PROJECT": 1, "PEOPLE": 1}
    assert stats["by_status"] == {"ACTIVE": 4}
    assert stats["by_source"] == {"manual": 4}
    assert 0 < stats["average_importance"] <= 10
    assert sum(stats["by_importance"].values()) == 4
    assert stats["by_importance"].keys() <= {str(step) for step in range(11)}
    assert [set(week) for week in stats["growth"]] == [{"week", "count"}]
    assert stats["growth"][0]["count"] == 4
    assert stats["most_used"] == []


def test_the_block_is_s3s(http: Http) -> None:
    """The block for a system prompt, as S3 shows it; a persona's own facts are in its own."""
    _remember(http, "User prefers Python 3.12+", category="preference", importance=9)
    _remember(http, "User wants to be called Doctor", category="preference", persona_id="coach")
    assert http.get(f"{ROUTE}/block").json() == {
        "text": "=== LONG-TERM MEMORY ===\n"
        "You have the following information about this user:\n\n"
        "[PREFERENCE]\n- User prefers Python 3.12+ (Importance: 9)\n\n"
        "=== END MEMORY ==="
    }
    own = http.get(f"{ROUTE}/block", params={"persona_id": "coach"}).json()["text"]
    assert "called Doctor" in own
    assert http.get(f"{ROUTE}/block", params={"persona_id": "\x00"}).status_code == 400

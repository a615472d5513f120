"""Upkeep over HTTP: tidying and taking it back, deciding what is proposed, judging what was said."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from conftest import FakeEmbedder
from serving import Http, Service, serving

from recollect import Proposal, ProposalKind, Settings
from recollect.store import proposals

CONSOLIDATE = "/memories/consolidate"
VAGUE = "User drinks strong coffee"
SPECIFIC = "User drinks strong coffee daily"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service whose curator and judge do nothing behind its back."""
    folder: Path = tmp_path_factory.mktemp("service")
    quiet = Settings(sqlite_synchronous="normal", judge="rules", worker="off")
    with serving(folder / "memory.db", settings=quiet, embedder=FakeEmbedder()) as running:
        yield running


def _remember(http: Http, content: str, **fields: Any) -> str:
    answer = http.post("/memories", json={"content": content, **fields})
    assert answer.status_code == 201, answer.text
    return answer.json()["memoryId"]


def _contents(http: Http) -> list[str]:
    return [item["content"] for item in http.get("/memories").json()["memories"]]


# -- tidying -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("body", [None, {}, {"dry_run": True}])
def test_a_dry_run_only_tells(http: Http, body: Any) -> None:
    """What would become one is shown with its originals and why; nothing changes. It is what happens unless told."""
    originals = {_remember(http, VAGUE), _remember(http, SPECIFIC)}
    answer = http.post(CONSOLIDATE, **({} if body is None else {"json": body}))
    assert answer.status_code == 200
    report = answer.json()
    assert (report["dry_run"], report["run_id"], report["archived"]) == (True, None, [])
    (fold,) = report["folds"]
    assert (fold["into"]["content"], fold["into"]["memory_id"]) == (SPECIFIC, None)
    assert {item["memory_id"] for item in fold["from"]} == originals
    assert fold["reason"]
    assert _contents(http) == [SPECIFIC, VAGUE]
    assert http.get("/v1/curations").json() == {"curations": [], "next_cursor": None}


def test_a_run_is_listed_and_can_be_undone(http: Http) -> None:
    """What was folded is apart again, and is not folded a second time."""
    originals = {_remember(http, VAGUE), _remember(http, SPECIFIC)}
    report = http.post(CONSOLIDATE, json={"dry_run": False}).json()
    assert report["dry_run"] is False
    assert _contents(http) == [SPECIFIC]
    assert {item["memory_id"] for item in report["folds"][0]["from"]} == originals
    (listed,) = http.get("/v1/curations").json()["curations"]
    assert listed["run_id"] == report["run_id"]
    assert listed["undone_at"] is None
    for _ in range(2):
        undone = http.delete(f"/v1/curations/{quote(report['run_id'], safe='')}")
        assert undone.status_code == 200
        assert undone.json()["undone_at"]
    assert set(_contents(http)) == {VAGUE, SPECIFIC}
    assert http.post(CONSOLIDATE, json={"dry_run": False}).json()["folds"] == []


def test_what_was_edited_since_stands_against_undoing(http: Http) -> None:
    """The 409 names what is in the way; nothing is undone."""
    for text in (VAGUE, SPECIFIC):
        _remember(http, text)
    report = http.post(CONSOLIDATE, json={"dry_run": False}).json()
    fold = quote(report["folds"][0]["into"]["memory_id"], safe="")
    assert http.patch(f"/memories/{fold}", json={"content": "User drinks green tea daily"}).is_success
    answer = http.delete(f"/v1/curations/{quote(report['run_id'], safe='')}")
    assert answer.status_code == 409
    assert _contents(http) == ["User drinks green tea daily"]


def test_runs_are_paged(http: Http) -> None:
    """Newest first, one at a time, to the end."""
    runs: list[str] = []
    for drink in ("coffee", "lemonade"):
        for text in (f"User drinks strong {drink}", f"User drinks strong {drink} daily"):
            _remember(http, text)
        runs.append(http.post(CONSOLIDATE, json={"dry_run": False}).json()["run_id"])
    first = http.get("/v1/curations", params={"limit": 1}).json()
    second = http.get("/v1/curations", params={"limit": 1, "cursor": first["next_cursor"]}).json()
    assert [page["curations"][0]["run_id"] for page in (first, second)] == runs[::-1]
    assert second["next_cursor"] is None


# -- proposals -----------------------------------------------------------------------------------------------


def _propose(service: Service, user: str, kind: ProposalKind, **fields: Any) -> str:
    """Put a proposal there, as the judge or the search for variants would."""
    now = datetime.now(UTC)
    parts = service.memory._parts
    made = Proposal(
        user_id=user,
        proposal_id=parts.new_id(now),
        kind=kind,
        subject=fields.pop("subject", "s"),
        reason="both cannot be true",
        confidence=0.7,
        created_at=now,
        updated_at=now,
        **fields,
    )
    assert service.run(parts.database.write(user, lambda tx: proposals.add(tx, made)))
    return made.proposal_id


def _decide(http: Http, proposal_id: str, how: str, **body: Any) -> Any:
    return http.post(f"/v1/proposals/{quote(proposal_id, safe='')}/{how}", json=body)


@pytest.fixture
def quarrel(service: Service, http: Http, user: str) -> tuple[str, str, str]:
    """Two memories and the proposal that one of them goes."""
    older = _remember(http, "User lives alone in a cabin")
    newer = _remember(http, "User shares a flat with Jane")
    return _propose(service, user, ProposalKind.CONTRADICTION, memory_ids=(older, newer)), older, newer


def test_accepting_does_what_is_proposed(http: Http, quarrel: tuple[str, str, str]) -> None:
    """The older memory is archived; the proposal is decided, and waits no more."""
    proposal_id, older, newer = quarrel
    (waiting,) = http.get("/v1/proposals").json()["proposals"]
    assert waiting["id"] == proposal_id
    assert (waiting["kind"], waiting["memory_ids"], waiting["status"]) == (
        "contradiction",
        [older, newer],
        "open",
    )
    decided = _decide(http, proposal_id, "accept", by="jo")
    assert (decided.status_code, decided.json()["status"], decided.json()["decided_by"]) == (
        200,
        "accepted",
        "jo",
    )
    assert _contents(http) == ["User shares a flat with Jane"]
    assert http.get("/v1/proposals").json() == {"proposals": [], "next_cursor": None}
    for params in ({"status": "accepted"}, {"status": "any"}, {"status": "any", "kind": "contradiction"}):
        (kept,) = http.get("/v1/proposals", params=params).json()["proposals"]
        assert kept == decided.json()
    assert http.get("/v1/proposals", params={"status": "any", "kind": "merge"}).json()["proposals"] == []


def test_the_other_may_be_kept(http: Http, quarrel: tuple[str, str, str]) -> None:
    """`keep` names the one that stays; it must be one of the two."""
    proposal_id, older, _ = quarrel
    refused = _decide(http, proposal_id, "accept", keep="another")
    assert (refused.status_code, "keep" in refused.json()["error"]) == (400, True)
    assert _decide(http, proposal_id, "accept", keep=older).status_code == 200
    assert _contents(http) == ["User lives alone in a cabin"]


def test_rejecting_changes_nothing_and_stands(http: Http, quarrel: tuple[str, str, str]) -> None:
    """What was rejected cannot be accepted any more."""
    proposal_id, _, _ = quarrel
    assert http.post(f"/v1/proposals/{quote(proposal_id, safe='')}/reject").json()["status"] == "rejected"
    assert _decide(http, proposal_id, "accept").status_code == 409
    assert len(_contents(http)) == 2


def test_proposals_are_paged(service: Service, http: Http, user: str) -> None:
    """Newest first, two at a time, to the end."""
    made = [
        _propose(service, user, ProposalKind.FORGETTING, subject=f"s{number}", memory_ids=(f"m{number}",))
        for number in range(5)
    ]
    found: list[str] = []
    params: dict[str, Any] = {"limit": 2}
    while True:
        answer = http.get("/v1/proposals", params=params).json()
        found += [item["id"] for item in answer["proposals"]]
        if answer["next_cursor"] is None:
            break
        params["cursor"] = answer["next_cursor"]
    assert found == sorted(made, reverse=True)


# -- judging -------------------------------------------------------------------------------------------------


def test_judging_finds_what_was_said(service: Service, http: Http, user: str) -> None:
    """What a chat told becomes memories, counted; a second time there is nothing new to read."""
    for chat_id, text in (
        ("one", "I prefer dark mode in every editor."),
        ("two", "My sister Anna is a pilot."),
    ):
        service.run(service.memory.chat(chat_id, user=user).record([{"role": "user", "text": text}]))
    judged = http.post("/v1/judge", json={"chat_id": "one"}).json()
    assert (judged["messages"], judged["added"], judged["judged_by"]) == (1, 1, ["rules"])
    assert _contents(http) == ["User prefers dark mode in every editor."]
    rest = http.post("/v1/judge").json()
    assert (rest["messages"], rest["added"]) == (1, 1)
    assert http.post("/v1/judge", json={}).json()["messages"] == 0
    again = http.post("/v1/judge", json={"again": True}).json()
    assert (again["messages"], again["added"]) == (2, 0)


# -- what is refused -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "path", "options", "status", "sentence"),
    [
        ("POST", CONSOLIDATE, {"json": {"dry_run": "no"}}, 400, "dry_run must be true or false."),
        ("POST", CONSOLIDATE, {"json": {"dry": True}}, 400, "dry is no field of this request"),
        ("POST", CONSOLIDATE, {"json": []}, 400, "body must be an object."),
        ("GET", "/v1/curations?limit=0", {}, 400, "limit must be at least 1."),
        ("GET", "/v1/curations?cursor=x", {}, 400, "cursor is none of ours"),
        ("DELETE", "/v1/curations/nobody", {}, 404, "There is no run 'nobody'"),
        ("DELETE", "/v1/curations/%00", {}, 400, "run_id contains a NUL character"),
        ("GET", "/v1/proposals?kind=x", {}, 400, "kind must be one of contradiction, forgetting, merge"),
        ("GET", "/v1/proposals?status=x", {}, 400, "status must be one of open, accepted, rejected"),
        ("GET", "/v1/proposals?cursor=WzFd", {}, 400, "cursor is none of ours"),
        ("POST", "/v1/proposals/nobody/accept", {}, 404, "There is no proposal 'nobody'"),
        ("POST", "/v1/proposals/nobody/reject", {}, 404, "There is no proposal 'nobody'"),
        ("POST", "/v1/proposals/%00/reject", {}, 400, "proposal_id contains a NUL character"),
        ("POST", "/v1/proposals/x/accept", {"json": {"keep": 5}}, 400, "keep must be text."),
        ("POST", "/v1/proposals/x/accept", {"json": {"by": ""}}, 400, "by must have 1-256 characters."),
        ("POST", "/v1/judge", {"json": {"chat_id": "nobody"}}, 404, "There is no chat 'nobody'."),
        ("POST", "/v1/judge", {"json": {"chat_id": ""}}, 400, "chat"),
        ("POST", "/v1/judge", {"json": {"again": "yes"}}, 400, "again must be true or false."),
    ],
)
def test_bad_requests(
    http: Http, method: str, path: str, options: dict[str, Any], status: int, sentence: str
) -> None:
    """Each says what is wrong."""
    answer = http.request(method, path, **options)
    assert answer.status_code == status
    assert sentence in answer.json()["error"]


def test_anothers_are_not_there(service: Service, http: Http, quarrel: tuple[str, str, str]) -> None:
    """Another user's runs and proposals are a 404, and stay as they are."""
    for text in (VAGUE, SPECIFIC):
        _remember(http, text)
    run_id = http.post(CONSOLIDATE, json={"dry_run": False}).json()["run_id"]
    stranger = service.http("a-stranger")
    assert stranger.delete(f"/v1/curations/{quote(run_id, safe='')}").status_code == 404
    assert _decide(stranger, quarrel[0], "accept").status_code == 404
    assert _decide(stranger, quarrel[0], "reject").status_code == 404
    assert stranger.get("/v1/proposals", params={"status": "any"}).json()["proposals"] == []
    assert len(http.get("/v1/proposals").json()["proposals"]) == 1

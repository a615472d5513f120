"""Upkeep over HTTP: consolidating memories, and deciding what is proposed."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from conftest import FakeEmbedder
from serving import Http, Service, serving

from recollect import Settings
from recollect.api.engine import engine_of
from recollect.records.proposal import Proposal, ProposalKind
from recollect.store import proposals

CONSOLIDATE = "/memories/consolidate"
VAGUE = "User drinks strong coffee"
SPECIFIC = "User drinks strong coffee daily"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service whose curator and judge do nothing behind its back."""
    folder: Path = tmp_path_factory.mktemp("service")
    quiet = Settings(sqlite_synchronous="normal", judge_model="rules", worker="off")
    with serving(folder / "memory.db", settings=quiet, embedder=FakeEmbedder()) as running:
        yield running


def _remember(http: Http, content: str, **fields: Any) -> str:
    answer = http.post("/memories", json={"content": content, **fields})
    assert answer.status_code == 201, answer.text
    return answer.json()["memoryId"]


def _contents(http: Http) -> list[str]:
    return [item["content"] for item in http.get("/memories").json()["memories"]]


# -- tidying -------------------------------------------------------------------------------------------------


# -- proposals -----------------------------------------------------------------------------------------------


def _propose(service: Service, user: str, kind: ProposalKind, **fields: Any) -> str:
    """Put a proposal there, as the judge or the search for variants would."""
    now = datetime.now(UTC)
    parts = engine_of(service.memory).parts
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


def _decide(http: Http, proposal_id: str, accept: bool, **body: Any) -> Any:
    return http.post(f"/v1/proposals/{quote(proposal_id, safe='')}", json={"accept": accept, **body})


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
    decided = _decide(http, proposal_id, True)
    assert (decided.status_code, decided.json()["status"], decided.json()["decided_by"]) == (
        200,
        "accepted",
        "user",
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
    refused = _decide(http, proposal_id, True, keep="another")
    assert (refused.status_code, "keep" in refused.json()["error"]) == (400, True)
    assert _decide(http, proposal_id, True, keep=older).status_code == 200
    assert _contents(http) == ["User lives alone in a cabin"]


def test_rejecting_changes_nothing_and_stands(http: Http, quarrel: tuple[str, str, str]) -> None:
    """What was rejected cannot be accepted any more."""
    proposal_id, _, _ = quarrel
    assert _decide(http, proposal_id, False).json()["status"] == "rejected"
    assert _decide(http, proposal_id, True).status_code == 409
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


# -- what is refused -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "path", "options", "status", "sentence"),
    [
        ("POST", CONSOLIDATE, {"json": {"dry_run": "no"}}, 400, "dry_run must be true or false, not 'no'."),
        ("POST", CONSOLIDATE, {"json": {"dry": True}}, 400, "has no field 'dry'; did you mean 'dry_run'?"),
        ("POST", CONSOLIDATE, {"json": []}, 400, "body must be an object, not a list."),
        ("GET", "/v1/proposals?kind=x", {}, 400, "kind must be one of contradiction, forgetting, merge"),
        ("GET", "/v1/proposals?status=x", {}, 400, "status must be one of open, accepted, rejected"),
        ("GET", "/v1/proposals?cursor=WzFd", {}, 400, "Invalid cursor."),
        ("POST", "/v1/proposals/nobody", {"json": {"accept": True}}, 404, "There is no proposal 'nobody'"),
        ("POST", "/v1/proposals/nobody", {"json": {"accept": False}}, 404, "There is no proposal 'nobody'"),
        (
            "POST",
            "/v1/proposals/%00",
            {"json": {"accept": False}},
            400,
            "proposal_id contains a NUL character",
        ),
        ("POST", "/v1/proposals/x", {"json": {"accept": True, "keep": 5}}, 400, "keep must be text, not 5."),
        ("POST", "/v1/proposals/x", {"json": {}}, 400, "accept is required"),
        ("POST", "/v1/proposals/x", {}, 400, "body is required"),
    ],
)
def test_bad_requests(
    http: Http, method: str, path: str, options: dict[str, Any], status: int, sentence: str
) -> None:
    """Each says what is wrong."""
    answer = http.request(method, path, **options)
    assert answer.status_code == status
    assert sentence in answer.json()["error"]

"""`/health` and `/ready`: whether the service lives, and whether it can serve."""

from pathlib import Path

from conftest import FakeEmbedder
from serving import Service, serving

from recollect import __version__
from recollect.api.hosting import service_of


def test_health_needs_no_token(service: Service) -> None:
    """A sign of life is given to anyone."""
    answer = service.anyone.get("/health")
    assert answer.status_code == 200
    assert answer.json() == {"status": "ok", "version": __version__}


def test_ready_when_database_and_worker_answer(service: Service) -> None:
    """Once both have answered, anyone is told; the worker looks within a moment of the start."""
    while service.anyone.get("/ready").status_code != 200:
        pass
    assert service.anyone.get("/ready").json() == {"status": "ready"}


def test_not_ready_without_a_worker_that_should_be_there(tmp_path: Path) -> None:
    """A worker that has stopped makes the service unfit, and the answer says who is missing."""
    with serving(tmp_path / "memory.db", embedder=FakeEmbedder()) as service:
        while service.anyone.get("/ready").status_code != 200:
            pass
        service.run(service_of(service.memory).worker.aclose())
        answer = service.anyone.get("/ready")
        assert (answer.status_code, answer.json()) == (
            503,
            {"error": "The worker is not responding yet; try again in a few seconds."},
        )


def test_ready_without_a_worker_when_none_is_wanted(tmp_path: Path) -> None:
    """With the work left to others the database alone counts."""
    with serving(tmp_path / "memory.db", embedder=FakeEmbedder(), worker="off") as service:
        assert service.anyone.get("/ready").status_code == 200
        assert not service_of(service.memory).worker.answers


def test_not_ready_without_a_database(tmp_path: Path) -> None:
    """A closed database is a 503."""
    with serving(tmp_path / "memory.db", embedder=FakeEmbedder(), worker="off") as service:
        service.run(service.memory.close())
        answer = service.anyone.get("/ready")
        assert answer.status_code == 503
        assert answer.json()["error"].startswith(
            "The database is unavailable; for details, search the log for "
        )

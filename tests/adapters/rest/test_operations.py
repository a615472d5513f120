"""`/health` and whatever else tells how the service does."""

from serving import Service

from recollect import __version__


def test_health_needs_no_token(service: Service) -> None:
    """A sign of life is given to anyone."""
    answer = service.anyone.get("/health")
    assert answer.status_code == 200
    assert answer.json() == {"status": "ok", "version": __version__}

"""The believable user is what it is said to be."""

from patience import LIMIT
from serving import Service

from recollect import AsyncMemory


def test_the_seeded_user_has_everything_that_the_console_shows(service: Service) -> None:
    """Three months, two personas, 2,000 messages, and something of every kind that came of them."""
    memory: AsyncMemory = service.memory
    http = service.anyone
    stats = http.get("/memories/stats").json()
    assert stats["messages"] == 2000
    assert stats["total"] > 150
    assert http.get("/v1/state").json()["personas"] == ["companion", "studio"]
    assert len(service.run(memory.entities(limit=1000))) > 150
    sessions = service.run(memory.sessions(limit=1000))
    assert len(sessions) >= 90
    assert sum(session.summary is not None for session in sessions) >= 85
    assert len(http.get("/v1/spine?revisions=true").json()["revisions"]) > 3
    assert {todo.kind for todo in service.run(memory.todos(status=None, limit=100))} == {
        "commitment",
        "habit",
        "thread",
        "friction",
    }
    assert "merge" in {proposal.kind for proposal in service.run(memory.proposals())}
    assert len(service.run(service.admin.jobs(user="local", status="dead"))) == 1
    # The story ended yesterday: what it left for later, the daily tidying, may be running now.
    assert service.run(memory.drain(timeout=LIMIT))
    assert len(service.run(memory.chat("harbour-redesign").summaries())) > 3

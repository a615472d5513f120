"""The store as a whole, over HTTP: for whoever runs it."""

from pathlib import Path

import pytest
from conftest import FakeEmbedder
from serving import Service, serving

from .talk import record


def test_the_operator_sees_the_store(tmp_path: Path) -> None:
    """Who is in it, where it is, how large, and which models serve how many users."""
    with serving(tmp_path / "memory.db", embedder=FakeEmbedder()) as service:
        assert service.operator.get("/v1/users").json() == {"users": []}
        for name in ("alice@example.com", "bob"):
            record(service.http(name), "c", "Hello")
        assert service.operator.get("/v1/users").json() == {"users": ["alice@example.com", "bob"]}
        info = service.operator.get("/v1/info").json()
        assert info["database"].endswith("memory.db")
        assert info["size_bytes"] > 0
        assert info["schema"] >= 9
        assert (info["users"], list(info["models"].values())) == (2, [2])


@pytest.mark.parametrize("path", ["/v1/users", "/v1/info", "/v1/jobs"])
def test_a_user_does_not(service: Service, user: str, path: str) -> None:
    """A user's session token does not reach beyond its user."""
    made = service.operator.post("/auth/sessions", json={"user_id": user})
    assert made.status_code == 201
    token = made.json()["session_token"]
    assert service.http(x_session_token=token).get(path).status_code == 403
    assert service.anyone.get(path).status_code == 401

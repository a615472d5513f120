"""The store as a whole, over HTTP: for whoever runs it."""

from pathlib import Path

import pytest
from conftest import FakeEmbedder
from serving import Service, serving

from .talk import record


def test_the_operator_sees_the_store(tmp_path: Path) -> None:
    """Who is in it, where it is, how large, and which models serve how many users."""
    with serving(tmp_path / "memory.db", embedder=FakeEmbedder()) as service:
        assert service.operator.get("/v1/users").json() == {"users": [], "next_cursor": None}
        for name in ("alice@example.com", "bob"):
            record(service.http(name), "c", "Hello")
        assert service.operator.get("/v1/users").json() == {
            "users": ["alice@example.com", "bob"],
            "next_cursor": None,
        }
        info = service.operator.get("/v1/info").json()
        assert info["database"].endswith("memory.db")
        assert info["size_bytes"] > 0
        assert info["schema"] >= 9
        assert (info["users"], list(info["models"].values())) == (2, [2])


def test_users_come_in_pages(tmp_path: Path) -> None:
    """In the order of their names, none twice and none missing, and the last page says that it is the last."""
    with serving(tmp_path / "memory.db", embedder=FakeEmbedder()) as service:
        names = ["ann", "bob", "cät@example.com", "dora/2", "eve"]
        for name in reversed(names):
            service.run(service.memory.chat("c", user=name).record([{"role": "user", "text": "Hello"}]))
        found: list[str] = []
        sizes: list[int] = []
        query: dict[str, str | int] = {"limit": 2}
        while True:
            page = service.operator.get("/v1/users", params=query).json()
            found += page["users"]
            sizes.append(len(page["users"]))
            if page["next_cursor"] is None:
                break
            query["cursor"] = page["next_cursor"]
        assert (found, sizes) == (names, [2, 2, 1])
        for wrong in ({"limit": 0}, {"limit": 1001}, {"cursor": "x"}):
            assert service.operator.get("/v1/users", params=wrong).status_code == 400


@pytest.mark.parametrize("path", ["/v1/users", "/v1/info", "/v1/jobs"])
def test_a_user_does_not(service: Service, user: str, path: str) -> None:
    """A user's session token does not reach beyond its user."""
    made = service.operator.post("/auth/sessions", json={"user_id": user})
    assert made.status_code == 201
    token = made.json()["session_token"]
    assert service.http(x_session_token=token).get(path).status_code == 403
    assert service.anyone.get(path).status_code == 401

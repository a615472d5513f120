"""The store as a whole, over HTTP: for whoever runs it."""

from pathlib import Path

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
        info = service.operator.get("/v1/jobs").json()["store"]
        assert info["database"].endswith("memory.db")
        assert info["size_bytes"] > 0
        assert info["schema"] >= 9
        assert (info["users"], list(info["models"].values())) == (2, [2])


def test_users_come_in_pages(tmp_path: Path) -> None:
    """In the order of their names, none twice and none missing, and the last page says that it is the last."""
    with serving(tmp_path / "memory.db", embedder=FakeEmbedder()) as service:
        names = ["ann", "bob", "cät@example.com", "dora/2", "eve"]
        for name in reversed(names):
            service.run(service.memory.chat("c", user=name).add(user="Hello"))
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


def test_a_user_does_not(service: Service, user: str) -> None:
    """A user's session token does not reach beyond its user."""
    made = service.operator.post("/auth/sessions", json={"user_id": user})
    assert made.status_code == 201
    http = service.http(x_session_token=made.json()["session_token"])
    assert http.get("/v1/users").status_code == 403
    assert http.get("/v1/jobs").json() == {"jobs": []}
    assert service.anyone.get("/v1/users").status_code == 401


def test_local_mode_lists_its_users(local_service: Service) -> None:
    """On loopback without keys anybody may see which users the file has."""
    for name in ("alice", "bob"):
        record(local_service.http(x_user_id=name), "c", "Hello")
    assert local_service.anyone.get("/v1/users").json()["users"] == ["alice", "bob"]

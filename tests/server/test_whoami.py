"""`/v1/whoami`: what the service made of a token."""

from serving import Http, Service

from recollect import __version__


def test_a_user_is_told_who_they_are(service: Service, http: Http, user: str) -> None:
    """A service key that acts for a user is that user, with every right; one that names nobody is nobody."""
    mine = http.get("/v1/whoami").json()
    assert mine == {
        "user_id": user,
        "scopes": ["read", "service", "write"],
        "local": False,
        "version": __version__,
    }
    assert service.operator.get("/v1/whoami").json()["user_id"] is None


def test_a_session_has_its_own_rights(service: Service, user: str) -> None:
    """A session that may only read says so."""
    made = service.operator.post("/auth/sessions", json={"user_id": user, "scopes": ["read"]}).json()
    mine = service.http(x_session_token=made["session_token"]).get("/v1/whoami").json()
    assert (mine["user_id"], mine["scopes"]) == (user, ["read"])


def test_nobody_is_nobody(service: Service, local_service: Service) -> None:
    """Without a token it is 401; in local mode the user that is named, else `local`."""
    assert service.anyone.get("/v1/whoami").status_code == 401
    mine = local_service.anyone.get("/v1/whoami").json()
    assert (mine["user_id"], mine["local"]) == ("local", True)
    named = local_service.http(x_user_id="alice").get("/v1/whoami").json()
    assert (named["user_id"], named["local"]) == ("alice", True)

"""Whose memory an OpenAI client gets: the user that it names, never somebody else's."""

from collections.abc import Iterator
from pathlib import Path

import openai
import pytest
from conftest import FakeEmbedder
from openai import OpenAI
from scripted_model import ScriptedModel, says
from serving import SERVICE_KEY, Service, serving

from .conftest import OUR_KEY, said

FACT = "User is allergic to penicillin"
QUESTION = [{"role": "user", "content": "What am I allergic to?"}]


@pytest.fixture
def local(tmp_path: Path, model: ScriptedModel) -> Iterator[Service]:
    """A service in local mode in which alice has a memory."""
    options = {"openai_base_url": model.url, "openai_api_key": OUR_KEY, "chat_model": "house"}
    with serving(tmp_path / "memory.db", local=True, embedder=FakeEmbedder(), **options) as running:
        fact = {"content": FACT, "importance": 10}
        assert running.http(x_user_id="alice").post("/memories", json=fact).is_success
        yield running


def _asked(service: Service, key: str, body_user: str | None = None, **headers: str) -> None:
    """Ask as a plain OpenAI client does: it names its user in the body."""
    named = {} if body_user is None else {"user": body_user}
    with OpenAI(base_url=f"{service.url}/v1", api_key=key, default_headers=headers, max_retries=0) as client:
        client.chat.completions.create(model="house", messages=QUESTION, **named)


@pytest.mark.parametrize(
    ("body_user", "headers", "whose"),
    [
        ("alice", {}, "alice"),
        ("bob", {}, "bob"),
        (None, {}, "local"),
        (None, {"X-User-Id": "alice"}, "alice"),
        ("alice", {"X-User-Id": "alice"}, "alice"),
    ],
)
def test_without_keys_the_client_says_who_it_is(
    local: Service, model: ScriptedModel, body_user: str | None, headers: dict[str, str], whose: str
) -> None:
    """`user` in the body or `X-User-Id`, else `local`: the memory that is added and the turn that is recorded are theirs."""
    model.script(says("Ask your doctor."))
    _asked(local, "sk-anything", body_user, **headers)
    sent = str(model.requests[-1].body["messages"])
    assert (FACT in sent) is (whose == "alice")
    (chat,) = local.http(x_user_id=whose).get("/v1/chats").json()["chats"]
    assert len(said(local.http(x_user_id=whose), chat["chat_id"])) == 2
    for other in {"alice", "bob", "local"} - {whose}:
        assert local.http(x_user_id=other).get("/v1/chats").json()["chats"] == []


def test_two_names_are_refused(local: Service, model: ScriptedModel) -> None:
    """Also without keys: a body that names another user than the header gets nobody's memory."""
    with pytest.raises(openai.PermissionDeniedError, match=r"'bob'.*'alice'"):
        _asked(local, "sk-anything", "bob", **{"X-User-Id": "alice"})
    assert model.requests == []


def test_a_body_cannot_leave_its_token(service: Service, model: ScriptedModel, user: str) -> None:
    """With keys a session is its own user's and nobody else's; a service key that names nobody acts for the body's."""
    session = service.run(service.admin.create_token(user=user)).text
    with pytest.raises(openai.PermissionDeniedError, match="'bob'"):
        _asked(service, session, "bob")
    assert model.requests == []
    model.script(says("Hello."), says("Hello again."))
    _asked(service, session, user)
    _asked(service, SERVICE_KEY, f"{user}-2")
    for name in (user, f"{user}-2"):
        assert len(service.http(name).get("/v1/chats").json()["chats"]) == 1

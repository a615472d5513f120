"""What tests of the proxy start from: a service before a scripted model, and OpenAI's own client for a fresh user."""

import itertools
from collections.abc import Iterator
from typing import Any

import pytest
from conftest import FakeEmbedder
from openai import OpenAI
from scripted_model import ScriptedModel
from serving import SERVICE_KEY, Http, Service, serving

#: The key that the service has for its model.
OUR_KEY = "sk-our-secret-key"
_NUMBERS = itertools.count(1)


@pytest.fixture(scope="module")
def model() -> Iterator[ScriptedModel]:
    with ScriptedModel() as running:
        yield running


@pytest.fixture(autouse=True)
def _forget_requests(model: ScriptedModel) -> None:
    """Each test sees its own requests."""
    model.requests.clear()


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory, model: ScriptedModel) -> Iterator[Service]:
    """A service whose model is scripted."""
    options: dict[str, Any] = {
        "openai_base_url": model.url,
        "openai_api_key": OUR_KEY,
        "chat_model": "house",
        "model_timeout_seconds": 0.4,
    }
    path = tmp_path_factory.mktemp("proxy") / "memory.db"
    with serving(path, embedder=FakeEmbedder(), **options) as running:
        yield running


@pytest.fixture
def user() -> str:
    return f"user-{next(_NUMBERS)}@example.com"


@pytest.fixture
def http(service: Service, user: str) -> Http:
    return service.http(user)


@pytest.fixture
def client(service: Service, user: str) -> Iterator[OpenAI]:
    """The real client; only its address and key are ours."""
    with client_of(service, user) as made:
        yield made


def client_of(service: Service, user: str, **options: Any) -> OpenAI:
    return OpenAI(
        base_url=f"{service.url}/v1",
        api_key=SERVICE_KEY,
        default_headers={"X-User-Id": user},
        max_retries=0,
        timeout=60.0,
        **options,
    )


def said(http: Http, chat_id: str) -> list[tuple[str, str]]:
    """Who said what in a chat."""
    answer = http.get(f"/v1/chats/{chat_id}/messages").json()
    return [(message["role"], message["text"]) for message in answer["messages"]]

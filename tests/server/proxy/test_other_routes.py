"""The other routes that an OpenAI client asks for: models, embeddings, and those that are not served."""

import json
from pathlib import Path

import openai
import pytest
from conftest import FakeEmbedder
from openai import OpenAI
from scripted_model import ScriptedModel, hangs, raw, refuses
from serving import Http, Service, serving

from .conftest import client_of

LISTED = [
    {"id": "m-2026", "object": "model", "created": 1, "owned_by": "x", "more": 2},
    {"id": "lab/m", "object": "model", "created": 2, "owned_by": "lab"},
]
VECTORS = {
    "object": "list",
    "data": [{"object": "embedding", "index": 0, "embedding": [0.5, -0.25]}],
    "model": "e",
    "usage": {"prompt_tokens": 2, "total_tokens": 2},
}


# -- models -----------------------------------------------------------------------------------------------


def test_models_are_those_of_the_server(client: OpenAI, model: ScriptedModel) -> None:
    """They are shown as the server lists them."""
    model.script(raw(json.dumps({"object": "list", "data": LISTED})))
    assert [item.model_dump(exclude_unset=True) for item in client.models.list()] == LISTED
    assert model.requests[-1].path == "/v1/models"


def test_models_of_a_server_that_fails(client: OpenAI, model: ScriptedModel) -> None:
    """The server's own error passes."""
    model.script(refuses(503, "starting"))
    with pytest.raises(openai.InternalServerError, match="starting"):
        client.models.list()


def test_the_model_of_the_settings(tmp_path: Path) -> None:
    """Without a server it is the one that there is."""
    with (
        serving(tmp_path / "memory.db", embedder=FakeEmbedder(), chat_model="house") as service,
        client_of(service, "ann") as client,
    ):
        assert [item.id for item in client.models.list()] == ["house"]


# -- embeddings -------------------------------------------------------------------------------------------


def test_embeddings_that_cannot_be_had(client: OpenAI, model: ScriptedModel) -> None:
    """The server's refusal passes, nonsense is a 502 and silence a 504, all in OpenAI's form."""
    model.script(refuses(404, "no such model"))
    with pytest.raises(openai.NotFoundError, match="no such model"):
        client.embeddings.create(model="e", input="Hello", encoding_format="float")
    for answer, status in ((raw("<html>"), 502), (raw("data: {}\n\n"), 502), (hangs(), 504)):
        model.script(answer)
        with pytest.raises(openai.InternalServerError) as failed:
            client.embeddings.create(model="e", input="Hello", encoding_format="float")
        assert failed.value.status_code == status


def test_embeddings_without_a_server(tmp_path: Path) -> None:
    """502 that says what to set."""
    with (
        serving(tmp_path / "memory.db", embedder=FakeEmbedder()) as service,
        client_of(service, "ann") as client,
        pytest.raises(openai.InternalServerError, match="OPENAI_BASE_URL"),
    ):
        client.embeddings.create(model="e", input="Hello", encoding_format="float")


def test_on_ones_own_machine_with_any_key(tmp_path: Path, model: ScriptedModel) -> None:
    """In local mode the key that an OpenAI client cannot be without is as good as none, here too."""
    model.script(raw(json.dumps(VECTORS)), raw(json.dumps({"object": "list", "data": LISTED})))
    with (
        serving(
            tmp_path / "memory.db", embedder=FakeEmbedder(), openai_base_url=model.url, local=True
        ) as service,
        OpenAI(base_url=f"{service.url}/v1", api_key="none", max_retries=0) as client,
    ):
        assert client.embeddings.create(model="e", input="Hello", encoding_format="float").model == "e"
        assert [item.id for item in client.models.list()] == ["m-2026", "lab/m"]


# -- what is not served -----------------------------------------------------------------------------------


def test_what_is_not_served_says_so(client: OpenAI) -> None:
    """An OpenAI client that asks for more gets an error that it can read, and that says what there is."""
    with pytest.raises(openai.NotFoundError, match="/v1/chat/completions, /v1/embeddings and") as failed:
        client.responses.create(model="m", input="Hello")
    assert isinstance(failed.value.body, dict)
    assert {"message", "type", "param", "code"} == set(failed.value.body)
    with pytest.raises(openai.NotFoundError, match="to the model's server"):
        client.completions.create(model="m", prompt="Hello")
    with pytest.raises(openai.NotFoundError, match="There is no route /v1/images/generations"):
        client.images.generate(prompt="Hello")
    with pytest.raises(openai.NotFoundError, match="There is no route /v1/chat/completions/c-1"):
        client.chat.completions.retrieve("c-1")


def test_an_address_without_its_end(service: Service, http: Http) -> None:
    """A client whose base_url lacks /v1 can read that; what is not served with it either, says so."""
    with OpenAI(base_url=service.url, api_key="none", max_retries=0) as client:
        for ask in (
            lambda: client.chat.completions.create(model="m", messages=[{"role": "user", "content": "Hi"}]),
            lambda: client.embeddings.create(model="e", input="Hello", encoding_format="float"),
            client.models.list,
            lambda: client.models.retrieve("m-2026"),
        ):
            with pytest.raises(openai.NotFoundError, match="base_url must end in /v1") as failed:
                ask()
            assert isinstance(failed.value.body, dict)
            assert {"message", "type", "param", "code"} == set(failed.value.body)
        with pytest.raises(openai.NotFoundError, match="/v1/models of OpenAI's protocol"):
            client.responses.create(model="m", input="Hello")
    assert http.get("/models/").json()["error"]["code"] == "not_found"


@pytest.mark.parametrize("path", ["/v1/nothing", "/chat", "/chat/completion", "/modelsx", "/nothing/models"])
def test_our_own_routes_keep_their_form(http: Http, path: str) -> None:
    """A path of ours that does not exist is answered in our form."""
    answer = http.get(path)
    assert (answer.status_code, list(answer.json())) == (404, ["error"])
    assert isinstance(answer.json()["error"], str)

"""Tests of models/embedders.py."""

import pytest

from recollect.encoder.minilm import MODEL, MiniLM
from recollect.errors import EmbeddingError
from recollect.models.embedders import Embedders
from recollect.models.remote import RemoteEmbedder
from recollect.settings import Settings


def test_nothing_set_up_means_nothing_leaves_the_machine() -> None:
    """A database that names a remote model gets an error, not a request, until an endpoint is set up."""
    embedders = Embedders.from_settings(Settings())
    assert embedders.default == MODEL
    assert isinstance(embedders.named(MODEL), MiniLM)
    with pytest.raises(EmbeddingError, match="recollect db reembed"):
        embedders.named("text-embedding-3-small")


@pytest.mark.parametrize("settings", [Settings(openai_api_key="k"), Settings(embedding_model="other")])
def test_an_endpoint_serves_any_model(settings: Settings) -> None:
    """With a key or a model set, users of another remote model are still served."""
    assert isinstance(Embedders.from_settings(settings).named("text-embedding-3-small"), RemoteEmbedder)


def test_an_embedder_is_opened_once() -> None:
    """Asking twice gives the same one."""
    embedders = Embedders.from_settings(Settings())
    assert embedders.named(MODEL) is embedders.named(MODEL)

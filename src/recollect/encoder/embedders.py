"""The embedders that are open: one for each model that serves somebody.

Vectors carry their model's name, and each user is served by one model at a time. While users are moved from one
model to another, both are needed: the old one for those who wait, the new one for those who have moved.
"""

from collections.abc import Callable, Sequence

from recollect.encoder.embedder import Embedder
from recollect.encoder.minilm import MODEL, MiniLM
from recollect.errors import EmbeddingError
from recollect.models.remote import RemoteEmbedder
from recollect.settings import Settings


class Embedders:
    """Embedders by the name of their model, opened when first needed."""

    def __init__(self, default: str, open: Callable[[str], Embedder]) -> None:
        #: The model for users not seen before.
        self.default = default
        self._make = open
        self._open: dict[str, Embedder] = {}

    @classmethod
    def from_settings(cls, settings: Settings) -> "Embedders":
        """The embedder in the package, and any model at the OpenAI-compatible endpoint."""

        def make(model: str) -> Embedder:
            if model == MODEL:
                return MiniLM(threads=settings.embedding_threads)
            if not settings.reaches_models:
                # A database that names a model must not make anybody's words leave the machine.
                raise EmbeddingError(
                    f"This user is served by the model {model!r}, and no endpoint is set up. Set OPENAI_API_KEY"
                    " (and OPENAI_BASE_URL) to reach it, or move to the model in the package:"
                    f" recollect db reembed --model {MODEL}"
                )
            return RemoteEmbedder(
                base_url=settings.openai_base_url,
                api_key=settings.openai_api_key or None,
                model=model,
                timeout_seconds=settings.model_timeout_seconds,
            )

        return cls(settings.embedding_model or MODEL, make)

    @classmethod
    def given(cls, embedders: Sequence[Embedder]) -> "Embedders":
        """Embedders that the caller brings: the first for new users, the others while users are moved to it."""
        known = {embedder.model: embedder for embedder in embedders}

        def make(model: str) -> Embedder:
            if model in known:
                return known[model]
            if model == MODEL:
                return MiniLM()
            raise EmbeddingError(
                f"The vectors of this user were made by {model!r}, and no embedder of that name was given."
                " Give it as a second one and call reembed()."
            )

        return cls(embedders[0].model, make)

    def named(self, model: str) -> Embedder:
        """The embedder of this model."""
        if model not in self._open:
            self._open[model] = self._make(model)
        return self._open[model]

    async def aclose(self) -> None:
        """Let go of every open embedder."""
        for embedder in self._open.values():
            await embedder.aclose()

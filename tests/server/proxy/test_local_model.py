"""The proxy before a real model: what a scripted server cannot prove."""

from pathlib import Path
from typing import Any

from conftest import FakeEmbedder
from local_model import local_model
from serving import serving

from .conftest import client_of, said

__all__ = ["local_model"]

#: A busy machine decodes a few tokens a second.
PATIENCE_SECONDS = 300.0


def test_a_real_model_with_memory(tmp_path: Path, local_model: str) -> None:
    """llama.cpp takes memory where it usually stands, streaming or not, and both turns are recorded."""
    options: dict[str, Any] = {"openai_base_url": local_model, "model_timeout_seconds": PATIENCE_SECONDS}
    with (
        serving(tmp_path / "memory.db", embedder=FakeEmbedder(), **options) as service,
        client_of(service, "ann") as client,
    ):
        http = service.http("ann")
        told = [{"role": "user", "text": "My dog is named Waldo"}]
        http.post("/v1/chats/old/messages", json={"messages": told})
        asked: list[Any] = [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "What is my dog named?"},
        ]
        patient = client.with_options(
            timeout=PATIENCE_SECONDS, default_headers={"X-Chat-Id": "c", "X-User-Id": "ann"}
        )
        whole = patient.chat.completions.create(model="smol", messages=asked, max_tokens=24)
        first = whole.choices[0].message.content or ""
        assert first.strip()
        assert whole.usage is not None and whole.usage.prompt_tokens > 30
        asked += [{"role": "assistant", "content": first}, {"role": "user", "content": "Say it again."}]
        stream = patient.chat.completions.create(model="smol", messages=asked, max_tokens=24, stream=True)
        second = "".join(chunk.choices[0].delta.content or "" for chunk in stream if chunk.choices)
        assert [text for _, text in said(http, "c")] == [
            "What is my dog named?",
            first,
            "Say it again.",
            second,
        ]
        assert [model.id for model in patient.models.list()]

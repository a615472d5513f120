"""A real model over the real protocol: what a scripted server cannot prove."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import pytest
from spoken import spoken

from recollect.errors import ModelError
from recollect.models.openai import OpenAI
from recollect.models.writer import ModelWriter

T = TypeVar("T")

TURNS = spoken(("user", "My name is Ann and I will bake a cake for Tom."), ("assistant", "Nice, Ann!"))
#: A busy machine decodes a few tokens a second.
PATIENCE_SECONDS = 300.0


def with_model(url: str, work: Callable[[OpenAI], Awaitable[T]]) -> T:
    """Do something with the server, and close the connection."""

    async def run() -> T:
        openai = OpenAI(base_url=url, api_key=None, timeout_seconds=PATIENCE_SECONDS, max_retries=0)
        try:
            return await work(openai)
        finally:
            await openai.aclose()

    return asyncio.run(run())


def test_a_brief_is_written(local_model: str) -> None:
    """A model that was given two lines says something about them."""
    folded = with_model(local_model, lambda openai: ModelWriter(openai, "smol").fold("", TURNS, cap=30))
    assert folded.brief.strip()


def test_a_digest_is_written(local_model: str) -> None:
    """The schema holds the smallest model to S4's six fields."""
    digest = with_model(local_model, lambda openai: ModelWriter(openai, "smol").session(TURNS))
    assert digest.one_liner
    assert set(digest.to_dict()) == {
        "one_liner",
        "what_mattered",
        "open_loops",
        "commitments",
        "people",
        "tone",
    }


def test_words_are_streamed(local_model: str) -> None:
    """They come in many pieces, and together they are the answer."""

    async def work(openai: OpenAI) -> list[str]:
        asked = [{"role": "user", "content": "Say hello to Ann in five words."}]
        return [word async for word in openai.stream(asked, model="smol")]

    words = with_model(local_model, work)
    assert len(words) > 2
    assert "".join(words).strip()


def test_a_response_is_read(local_model: str) -> None:
    """The server's form of the Responses API is understood; it has no hosted prompts and ignores the name."""
    answer = with_model(local_model, lambda openai: openai.responses("pmpt_none", "1", "Say hello."))
    assert answer.text
    assert answer.tokens


def test_a_text_beyond_its_context_is_a_clear_error(local_model: str) -> None:
    """The server refuses what it cannot hold, and the error tells to check the length."""
    long = spoken(("user", "cake " * 4000))
    with pytest.raises(ModelError, match=r"status 400.*length of the texts"):
        with_model(local_model, lambda openai: ModelWriter(openai, "smol").fold("", long, cap=30))

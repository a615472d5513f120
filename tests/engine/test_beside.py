"""A context beside a conversation that the client sends itself."""

import asyncio
from pathlib import Path

from conftest import FakeEmbedder

from recollect import AsyncMemory, Context, Settings
from recollect.engine.assemble import assemble
from recollect.engine.beside import Beside

SAID = (
    "The blue teapot stands in the cellar",
    "I see.",
    "The garden gate is broken",
    "That can be mended.",
    "I bought seeds for the spring",
    "Lovely.",
)


async def _told(memory: AsyncMemory) -> None:
    """A chat of three turns, the first of which is folded."""
    chat = memory.chat("c", user="ann")
    recorded = await chat.add(
        [{"role": ("user", "assistant")[at % 2], "text": text} for at, text in enumerate(SAID)]
    )
    await chat.summarise(recorded.messages[0].message_id, recorded.messages[1].message_id, 2)


def beside(path: Path, query: str | None, *texts: str, budget: int = 2000) -> Context:
    """What is added for a client that sends these texts."""

    async def run() -> Context:
        settings = Settings(sqlite_synchronous="normal", judge_model="off", worker="off")
        async with AsyncMemory(path, settings=settings, embedder=FakeEmbedder()) as memory:
            await _told(memory)
            return await assemble(
                memory._engine.parts,
                "ann",
                chat_id="c",
                query=query,
                budget=budget,
                beside=Beside(texts=frozenset(texts)),
            )

    return asyncio.run(run())


def test_neither_question_nor_conversation_is_shown(sqlite_path: Path) -> None:
    """Both are the client's: only what is remembered is there, and only that is counted."""
    context = beside(sqlite_path, "Where is the garden gate? " + "please " * 3000, budget=200)
    assert context.question == "" and context.tail == ()
    assert context.tokens <= 200
    assert "The garden gate is broken" in context.recalled_text
    assert all(message["role"] == "system" for message in context.to_openai())


def test_what_the_client_says_is_not_recalled(sqlite_path: Path) -> None:
    """Its own messages are left out, also those before the last turns."""
    asked = "Where are the garden gate and the blue teapot?"
    context = beside(sqlite_path, asked, "The garden gate is broken", asked)
    assert "garden gate" not in context.recalled_text
    assert "The blue teapot stands in the cellar" in context.recalled_text


def test_the_summary_is_for_who_begins_later(sqlite_path: Path) -> None:
    """A client that sends the chat from its first message on needs no summary of it; others do."""
    assert beside(sqlite_path, None, *SAID[2:]).stable_text.startswith("BACKGROUND")


def test_no_summary_for_who_sends_everything(sqlite_path: Path) -> None:
    """Nothing is left to add then."""
    context = beside(sqlite_path, None, *SAID)
    assert context.stable_text == "" and context.recalled_text == ""


def test_without_a_question_none_is_looked_for(sqlite_path: Path) -> None:
    """A request without words of the user has no question, whatever waits in the chat."""
    assert beside(sqlite_path, None).recalled_text == ""

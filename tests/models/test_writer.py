"""Tests of models/writer.py: who writes, by the settings."""

import asyncio
import json
from collections.abc import Iterator

import pytest
from scripted_model import Reply, Request, ScriptedModel, says
from spoken import spoken

from recollect.models.by_model import ModelWriter
from recollect.models.hosted import HostedWriter
from recollect.models.offline import OfflineWriter
from recollect.models.writer import Writer, writer_for
from recollect.settings import Settings

TURNS = spoken(("user", "I promised Tom a cake."), ("assistant", "Nice."))


@pytest.fixture
def server() -> Iterator[ScriptedModel]:
    with ScriptedModel() as running:
        yield running


def words(text: str) -> int:
    return len(text.split())


def both(writer: Writer) -> tuple[str, str]:
    """A brief and the line of a digest."""

    async def run() -> tuple[str, str]:
        try:
            return (await writer.fold("", TURNS, cap=100)).brief, (await writer.session(TURNS)).one_liner
        finally:
            await writer.aclose()
            await writer.aclose()

    return asyncio.run(run())


def answers(request: Request) -> Reply:
    """A digest where JSON is asked for."""
    text = json.dumps({"one_liner": "A cake."}) if "response_format" in request.body else "Ann bakes."
    return says(text)(request)


def test_without_settings_rules_write() -> None:
    """Nothing leaves the machine, not even with a key: no model is named."""
    writer = writer_for(Settings(openai_api_key="k"), words)
    assert isinstance(writer, OfflineWriter)
    assert all(both(writer))


def test_a_named_model_writes_everything(server: ScriptedModel) -> None:
    """MEMORY_SUMMARIZER_MODEL goes to the configured server with the configured key."""
    server.script(answers)
    settings = Settings(summarizer_model="nano", openai_base_url=server.url, openai_api_key="k")
    writer = writer_for(settings, words)
    assert isinstance(writer, ModelWriter)
    assert (writer.name, writer.notes_name) == ("nano", "nano")
    assert both(writer) == ("Ann bakes.", "A cake.")
    assert [request.body["model"] for request in server.requests] == ["nano", "nano"]
    assert server.requests[0].headers["authorization"] == "Bearer k"


def test_a_version_of_the_hosted_prompt_lets_it_write_briefs(server: ScriptedModel) -> None:
    """PROMPT_VERSION_SUMMARY_GLOBAL alone leaves the rest to the rules."""
    server.script(answers)
    settings = Settings(summary_prompt_version="7", openai_base_url=server.url)
    writer = writer_for(settings, words)
    assert isinstance(writer, HostedWriter)
    assert (writer.name, writer.notes_name) == (f"{settings.summary_prompt_id}@7", "offline")
    brief, line = both(writer)
    assert brief == "Ann bakes."
    assert line
    assert [request.path for request in server.requests] == ["/v1/responses"]


def test_a_hosted_prompt_and_a_model_share_the_work(server: ScriptedModel) -> None:
    """Briefs by the prompt, the rest by the model, each under its own name."""
    server.script(answers)
    settings = Settings(summary_prompt_version="7", summarizer_model="nano", openai_base_url=server.url)
    writer = writer_for(settings, words)
    assert (writer.name, writer.notes_name) == (f"{settings.summary_prompt_id}@7", "nano")
    assert both(writer) == ("Ann bakes.", "A cake.")
    assert [request.path for request in server.requests] == ["/v1/responses", "/v1/chat/completions"]

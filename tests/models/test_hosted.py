"""Tests of models/hosted.py, against a scripted model."""

import asyncio
from collections.abc import Iterator

import pytest
from scripted_model import ScriptedModel, refuses
from spoken import spoken

from recollect.errors import ModelError
from recollect.language.spine_material import SpineMaterial
from recollect.models.hosted import HostedWriter
from recollect.models.offline import OfflineWriter
from recollect.models.openai import OpenAI
from recollect.models.prompts.brief import fold_input
from recollect.records.session_summary import SessionDigest
from recollect.records.spine import SpineContent
from recollect.rules.fold import Folded

TURNS = spoken(("user", "I promised Tom a cake."), ("assistant", "Nice."))


@pytest.fixture
def server() -> Iterator[ScriptedModel]:
    with ScriptedModel() as running:
        yield running


def hosted(server: ScriptedModel) -> HostedWriter:
    """A writer whose briefs the server writes, and the rest the rules."""
    openai = OpenAI(base_url=server.url, api_key="k", timeout_seconds=5.0, max_retries=0)
    return HostedWriter(openai, "pmpt_1", "3", rest=OfflineWriter(lambda text: len(text.split())))


def test_a_brief_is_s1s_request(server: ScriptedModel) -> None:
    """Prompt, version and S1's input go out; the output's text is the brief; the name tells prompt and version."""
    server.script("Ann bakes.")
    writer = hosted(server)
    assert (writer.name, writer.notes_name) == ("pmpt_1@3", "offline")

    async def run() -> Folded:
        try:
            return await writer.fold("User is Ann.", TURNS, cap=500)
        finally:
            await writer.aclose()

    assert asyncio.run(run()) == Folded(brief="Ann bakes.")
    request = server.requests[0]
    assert request.path == "/v1/responses"
    assert request.body == {
        "prompt": {"id": "pmpt_1", "version": "3"},
        "input": fold_input("User is Ann.", TURNS),
    }


def test_everything_else_goes_to_the_other_writer(server: ScriptedModel) -> None:
    """The hosted prompt is never asked for what it was not made for."""

    async def run() -> None:
        writer = hosted(server)
        assert isinstance(await writer.session(TURNS), SessionDigest)
        assert isinstance(await writer.rolling("", TURNS), str)
        assert isinstance(await writer.spine(None, SpineMaterial(people=("Tom",))), SpineContent)
        await writer.aclose()

    asyncio.run(run())
    assert server.requests == []


def test_a_refused_prompt_is_a_model_error(server: ScriptedModel) -> None:
    """The job hears which prompt and version were not to be had."""
    server.script(refuses(404, "no such prompt"))
    with pytest.raises(ModelError, match="'pmpt_1' in version '3'"):
        asyncio.run(hosted(server).fold("", TURNS, cap=500))

"""Tests of models/writer.py: who writes by which settings, the rules, a model, and the hosted prompt."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest
from scripted_model import Answer, Reply, Request, ScriptedModel, refuses, says, says_json
from spoken import spoken

from recollect.errors import ModelError
from recollect.language import gist
from recollect.language.spine_material import SpineMaterial
from recollect.models.note_prompts import fold_input
from recollect.models.openai import OpenAI
from recollect.models.writer import HostedWriter, ModelWriter, OfflineWriter, Writer, writer_for
from recollect.records.session import MAX_ROLLING, SessionDigest
from recollect.records.spine import SpineContent
from recollect.rules.fold import Folded
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


TURNS_OFFLINE = spoken(
    ("user", "My name is Ann and I live in Porto. I will bake a cake for Tom by Friday."),
    ("assistant", "Nice, Ann!"),
    ("user", "I decided to use almonds, because Tom is allergic to peanuts."),
    ("assistant", "Good idea."),
)


def test_every_method_is_the_domains() -> None:
    """The writer adds nothing to what the rules say, and is called offline."""

    async def run() -> None:
        writer = OfflineWriter(words)
        assert (writer.name, writer.notes_name) == ("offline", "offline")
        folded = await writer.fold("Before.", TURNS_OFFLINE, cap=60)
        assert folded.brief == gist.brief("Before.", TURNS_OFFLINE, cap=60, count=words)
        assert folded.segment == gist.segment(TURNS_OFFLINE, cap=60, count=words)
        assert await writer.session(TURNS_OFFLINE) == gist.session_digest(TURNS_OFFLINE)
        assert await writer.rolling("Before.", TURNS_OFFLINE) == gist.rolling("Before.", TURNS_OFFLINE)
        material = SpineMaterial(profile=("User is a nurse",))
        assert await writer.spine(SpineContent(people="Tom"), material) == gist.spine_content(material)
        await writer.aclose()

    asyncio.run(run())


def test_it_says_something() -> None:
    """Rules alone keep who is allergic to what."""

    async def run() -> None:
        writer = OfflineWriter(words)
        assert "peanuts" in (await writer.fold("", TURNS_OFFLINE, cap=60)).brief
        assert (await writer.session(TURNS_OFFLINE)).one_liner
        assert await writer.rolling("", TURNS_OFFLINE)

    asyncio.run(run())


DIGEST = {
    "one_liner": "Ann plans a cake.",
    "what_mattered": ["cake"],
    "open_loops": [],
    "commitments": ["bake for Tom"],
    "people": ["Tom"],
    "tone": "cheerful",
}
MATERIAL = SpineMaterial(profile=("User is a nurse",))


def ask(server: ScriptedModel, work: str, *arguments: Any, **options: Any) -> Any:
    """One call of a writer, closed afterwards."""

    async def run() -> Any:
        writer = ModelWriter(
            OpenAI(base_url=server.url, api_key=None, timeout_seconds=5.0, max_retries=0), "m"
        )
        assert (writer.name, writer.notes_name) == ("m", "m")
        try:
            return await getattr(writer, work)(*arguments, **options)
        finally:
            await writer.aclose()

    return asyncio.run(run())


def test_a_brief_is_what_the_model_says(server: ScriptedModel) -> None:
    """Without its thoughts and fences; the prompt holds the summary so far and the turns."""
    server.script(says("<think>Short.</think>```\nAnn bakes for Tom.\n```"))
    assert ask(server, "fold", "User is Ann.", TURNS, cap=100) == Folded(brief="Ann bakes for Tom.")
    assert "User is Ann." in server.requests[0].prompt
    assert "User: I promised Tom a cake." in server.requests[0].prompt


def test_a_brief_is_not_cut(server: ScriptedModel) -> None:
    """A longer answer than asked for is the fold's business, also one that reached its limit."""
    long = "word " * 400 + "end"
    server.script(says(long, finish="length"))
    assert ask(server, "fold", "", TURNS, cap=10).brief == long


def test_repeated_delimiters_are_not_part_of_a_summary(server: ScriptedModel) -> None:
    """Small models copy the form of the question; an answer that is only that is none."""
    server.script("=== NEW_TURNS ===\nAnn bakes, a = b.\n=== END_NEW_TURNS ===")
    assert ask(server, "fold", "", TURNS, cap=50).brief == "Ann bakes, a = b."
    server.script("=== NEW_TURNS ===")
    with pytest.raises(ModelError, match="'m' repeated the question"):
        ask(server, "rolling", "", TURNS)


def test_a_digest_is_read(server: ScriptedModel) -> None:
    """The six fields become a record, and the schema was asked for."""
    server.script(says_json(DIGEST))
    digest = ask(server, "session", TURNS)
    assert isinstance(digest, SessionDigest)
    assert digest.to_dict() == DIGEST
    assert server.requests[0].body["response_format"]["json_schema"]["name"] == "session_summary"


@pytest.mark.parametrize(
    ("bad", "complaint"),
    [
        (says("Ann plans a cake."), "no JSON object"),
        (says_json({**DIGEST, "people": "Tom"}), "people must be a list"),
        (says_json({**DIGEST, "one_liner": ""}), "one_liner is missing"),
        (says_json({"tone": "x"}), "one_liner is missing"),
        (says_json({**DIGEST, "one_liner": 3}), "one_liner must be text"),
        (says('{"one_liner": "Ann plans', finish="length"), "no JSON object"),
    ],
    ids=["prose", "no list", "empty", "missing", "number", "cut off"],
)
def test_a_malformed_digest_goes_back_once(server: ScriptedModel, bad: Answer, complaint: str) -> None:
    """The model hears what is wrong with its answer and may answer again."""
    server.script(bad, says(f"Sorry! Here: {json.dumps(DIGEST)}"))
    assert ask(server, "session", TURNS).one_liner == "Ann plans a cake."
    *before, answer, told = server.requests[1].body["messages"]
    assert before == server.requests[0].body["messages"]
    assert (answer["role"], told["role"]) == ("assistant", "user")
    assert complaint in told["content"]


def test_a_digest_that_stays_malformed_is_an_error(server: ScriptedModel) -> None:
    """After two tries the job must come back later, and the error says why."""
    server.script("No.")
    with pytest.raises(
        ModelError, match="'m' did not return a valid session_summary in two tries: there is no JSON"
    ):
        ask(server, "session", TURNS)
    assert len(server.requests) == 2


def test_a_rolling_summary_is_one_line(server: ScriptedModel) -> None:
    """Line breaks become blanks, and what was before is in the prompt."""
    server.script("Ann bakes.\n\nTom waits.")
    assert ask(server, "rolling", "Ann slept.", TURNS) == "Ann bakes. Tom waits."
    assert "Ann slept." in server.requests[0].prompt


def test_a_long_rolling_summary_ends_with_a_sentence(server: ScriptedModel) -> None:
    """What is too long is cut after a whole sentence."""
    server.script("Ann bakes a cake for Tom. " * 50)
    summary = ask(server, "rolling", "", TURNS)
    assert len(summary) <= MAX_ROLLING
    assert summary.endswith("for Tom.")


@pytest.mark.parametrize(
    "text", ["word " * 400, "x" * 2000, "終わり。" * 400], ids=["words", "one word", "wide"]
)
def test_no_rolling_summary_is_too_long(server: ScriptedModel, text: str) -> None:
    """Whatever is cut, it fits and is a beginning of the text."""
    server.script(text)
    summary = ask(server, "rolling", "", TURNS)
    assert MAX_ROLLING // 2 < len(summary) <= MAX_ROLLING
    assert text.startswith(summary)


def test_a_spine_is_read(server: ScriptedModel) -> None:
    """Four sections become a record; a list is as good as lines; the version before is in the prompt."""
    server.script(says_json({"PROFILE": ["Is a nurse", "Likes tea"], "PEOPLE": "Tom"}))
    spine = ask(server, "spine", SpineContent(projects="Bakes"), MATERIAL)
    assert spine == SpineContent(profile="Is a nurse\nLikes tea", people="Tom")
    assert "PROJECTS:\nBakes" in server.requests[0].prompt


def test_an_empty_spine_goes_back(server: ScriptedModel) -> None:
    """A model that forgets everything it was told is asked again; out of nothing, nothing is fine."""
    server.script(says_json({}), says_json({"PROFILE": "Is a nurse"}))
    assert ask(server, "spine", None, MATERIAL).profile == "Is a nurse"
    server.script(says_json({}))
    assert ask(server, "spine", None, SpineMaterial()) == SpineContent()


@pytest.mark.parametrize("work", ["fold", "session", "rolling", "spine"])
def test_a_server_that_fails_is_a_model_error(server: ScriptedModel, work: str) -> None:
    """Nothing else ever comes out of a writer."""
    server.script(refuses(500))
    arguments: dict[str, tuple[Any, ...]] = {
        "fold": ("", TURNS),
        "session": (TURNS,),
        "rolling": ("", TURNS),
        "spine": (None, MATERIAL),
    }
    with pytest.raises(ModelError, match="status 500"):
        ask(server, work, *arguments[work], **({"cap": 50} if work == "fold" else {}))


def hosted(server: ScriptedModel) -> HostedWriter:
    """A writer whose briefs the server writes, and the rest the rules."""
    openai = OpenAI(base_url=server.url, api_key="k", timeout_seconds=5.0, max_retries=0)
    return HostedWriter(openai, "pmpt_1", "3", rest=OfflineWriter(words))


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

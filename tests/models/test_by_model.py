"""Tests of models/by_model.py, against a scripted model."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest
from scripted_model import Answer, ScriptedModel, refuses, says, says_json
from spoken import spoken

from recollect.errors import ModelError
from recollect.language.spine_material import SpineMaterial
from recollect.models.by_model import ModelWriter
from recollect.models.openai import OpenAI
from recollect.records.session_state import MAX_ROLLING
from recollect.records.session_summary import SessionDigest
from recollect.records.spine import SpineContent
from recollect.rules.fold import Folded

TURNS = spoken(("user", "I promised Tom a cake."), ("assistant", "Nice."))
DIGEST = {
    "one_liner": "Ann plans a cake.",
    "what_mattered": ["cake"],
    "open_loops": [],
    "commitments": ["bake for Tom"],
    "people": ["Tom"],
    "tone": "cheerful",
}
MATERIAL = SpineMaterial(profile=("User is a nurse",))


@pytest.fixture
def server() -> Iterator[ScriptedModel]:
    with ScriptedModel() as running:
        yield running


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
    with pytest.raises(ModelError, match="'m' did not give a session_summary in two tries: there is no JSON"):
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

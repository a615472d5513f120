"""The protocol against a real local HTTP server that can misbehave."""

import asyncio
from collections.abc import Coroutine, Iterator
from typing import Any, TypeVar

import pytest
from scripted_model import (
    Answer,
    KeptAlive,
    Reply,
    Request,
    ScriptedModel,
    event,
    hangs,
    raw,
    refuses,
    says,
    says_json,
    streams,
)

from recollect.errors import ModelError
from recollect.models.endpoint import Silent
from recollect.models.openai import THINKING_ROOM, OpenAI
from recollect.models.reply import Completion, Delta

T = TypeVar("T")

KEY = "sk-very-secret"
ASKED = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi"}]
SCHEMA = {"title": "thing", "type": "object", "properties": {"a": {"type": "integer"}}}


@pytest.fixture
def server() -> Iterator[ScriptedModel]:
    with ScriptedModel() as running:
        yield running


class Client:
    """An OpenAI whose waits are noted instead of slept; each call has an event loop of its own."""

    def __init__(self, server: ScriptedModel, **options: Any) -> None:
        self.waits: list[float] = []
        given: dict[str, Any] = {"api_key": KEY, "timeout_seconds": 5.0, **options}
        self.openai = OpenAI(base_url=server.url, sleep=self._note, **given)
        self.words: list[str] = []

    async def _note(self, seconds: float) -> None:
        self.waits.append(seconds)

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        async def run() -> T:
            try:
                return await work
            finally:
                await self.openai.aclose()

        return asyncio.run(run())

    def complete(self, **options: Any) -> Completion:
        given: dict[str, Any] = {"model": "m", "max_tokens": 50, **options}
        return self._run(self.openai.complete(ASKED, **given))

    def responses(self) -> Completion:
        return self._run(self.openai.responses("pmpt_1", "3", "Fold this"))

    def stream(self) -> str:
        async def run() -> str:
            async for word in self.openai.stream(ASKED, model="m"):
                self.words.append(word)
            return "".join(self.words)

        return self._run(run())


def only_if(accepts: Any, status: int, complaint: str, then: Answer) -> Answer:
    """A server that takes a request only in its own way."""

    def answer(request: Request) -> Reply:
        return then(request) if accepts(request.body) else refuses(status, complaint)(request)

    return answer


# -- complete -------------------------------------------------------------------------------------------


def test_a_question_is_answered(server: ScriptedModel) -> None:
    """The messages go out with model, limit and key; text, model and tokens come back."""
    server.script(says("Hello.", model="m-2026"))
    assert Client(server).complete() == Completion(
        text="Hello.", model="m-2026", tokens=15, prompt_tokens=10, completion_tokens=5
    )
    request = server.requests[0]
    assert request.path == "/v1/chat/completions"
    assert request.body == {"model": "m", "messages": ASKED, "max_tokens": 50}
    assert request.headers["authorization"] == f"Bearer {KEY}"


def test_a_cut_answer_says_so(server: ScriptedModel) -> None:
    """What reached the limit is marked."""
    server.script(says("Hello and", finish="length"))
    assert Client(server).complete().truncated


def test_a_schema_is_sent(server: ScriptedModel) -> None:
    """Strictly, under its title, and the messages stay as they are."""
    server.script(says_json({"a": 1}))
    assert Client(server).complete(schema=SCHEMA).text == '{"a": 1}'
    assert server.requests[0].body["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "thing", "strict": True, "schema": SCHEMA},
    }
    assert server.requests[0].body["messages"] == ASKED


@pytest.mark.parametrize("status", [400, 422])
def test_a_refused_schema_goes_into_the_prompt(server: ScriptedModel, status: int) -> None:
    """A server without schemas is asked for an object, told the schema in words, and not asked in vain again."""
    server.script(
        only_if(
            lambda body: body["response_format"] == {"type": "json_object"},
            status,
            "This response_format type is unavailable now",
            says_json({"a": 1}),
        )
    )
    client = Client(server)
    assert client.complete(schema=SCHEMA).text == '{"a": 1}'
    assert '"title": "thing"' in server.requests[1].body["messages"][0]["content"]
    client.complete(schema=SCHEMA)
    assert len(server.requests) == 3
    assert ASKED[0]["content"] == "Be brief."


def test_a_server_without_any_form_of_json_is_asked_in_words(server: ScriptedModel) -> None:
    """A server that knows no response_format at all gets none, is told the schema, and is not asked in vain again."""
    server.script(
        only_if(
            lambda body: "response_format" not in body,
            400,
            "unknown parameter response_format",
            says('```json\n{"a": 1}\n```'),
        )
    )
    client = Client(server)
    assert client.complete(schema=SCHEMA).text == '{"a": 1}'
    assert '"title": "thing"' in server.requests[2].body["messages"][0]["content"]
    client.complete(schema=SCHEMA)
    assert len(server.requests) == 4


def test_a_model_that_refuses_max_tokens_is_asked_with_the_new_name(server: ScriptedModel) -> None:
    """It thinks first, so it gets room for that; the next question is right at once."""
    server.script(
        only_if(
            lambda body: "max_tokens" not in body,
            400,
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
            says("Hello."),
        )
    )
    client = Client(server)
    assert client.complete().text == "Hello."
    assert server.requests[1].body["max_completion_tokens"] == 50 + THINKING_ROOM
    client.complete()
    assert len(server.requests) == 3


def test_both_manners_can_be_learnt_at_once(server: ScriptedModel) -> None:
    """A model that wants the new name and has no schema is found in three questions."""
    server.script(
        refuses(400, "'max_tokens' is not supported"), refuses(400, "no json_schema"), says_json({"a": 1})
    )
    assert Client(server).complete(schema=SCHEMA).text == '{"a": 1}'
    body = server.requests[2].body
    assert "max_tokens" not in body
    assert body["response_format"] == {"type": "json_object"}


def test_a_refusal_of_everything_ends(server: ScriptedModel) -> None:
    """When no manner helps the last complaint is told, and no manner is remembered."""
    server.script(refuses(400, "max_tokens: the text is too long"))
    client = Client(server)
    with pytest.raises(ModelError, match="too long"):
        client.complete(schema=SCHEMA)
    assert len(server.requests) == 4
    server.script("Hello.")
    client.complete()
    assert "max_tokens" in server.requests[-1].body


@pytest.mark.parametrize(
    "thinking",
    [
        says("<think>Let me see, the user", finish="length"),
        says("", finish="length", reasoning_content="Let me see"),
    ],
    ids=["in the text", "beside it"],
)
def test_a_model_that_only_thought_is_given_room(server: ScriptedModel, thinking: Answer) -> None:
    """A limit that was used up by thoughts is widened once, stays wide for that model, and both answers are billed."""
    server.script(thinking, says("<think>Let me see.</think>Hello."))
    client = Client(server)
    first = client.complete()
    assert (first.text, first.tokens, first.prompt_tokens, first.completion_tokens) == ("Hello.", 30, 20, 10)
    assert [request.body["max_tokens"] for request in server.requests] == [50, 50 + THINKING_ROOM]
    client.complete()
    assert server.requests[2].body["max_tokens"] == 50 + THINKING_ROOM


@pytest.mark.parametrize(
    "empty", [says(""), says(" \n"), says("<think>Hm.</think>"), says("", finish="length")]
)
def test_an_empty_answer_is_an_error(server: ScriptedModel, empty: Answer) -> None:
    """Nothing is never kept as a summary."""
    server.script(empty)
    with pytest.raises(ModelError, match=r"empty answer\. Check 'm'"):
        Client(server).complete()


@pytest.mark.parametrize(
    ("status", "hint"),
    [(400, "length"), (401, "Check the API key"), (403, "API key"), (404, "serves the model 'm'")],
)
def test_refusals_say_what_to_check(server: ScriptedModel, status: int, hint: str) -> None:
    """A refusal is final, and the key is not in it."""
    server.script(refuses(status, f"denied for {KEY}"))
    client = Client(server)
    with pytest.raises(ModelError, match=f"status {status}.*{hint}") as refused:
        client.complete()
    assert KEY not in str(refused.value)
    assert len(server.requests) == 1


def test_busy_servers_are_asked_again(server: ScriptedModel) -> None:
    """Rate limits and failures of the server cost time, not the answer."""
    server.script(refuses(429, retry_after="7"), refuses(500), "Hello.")
    client = Client(server)
    assert client.complete().text == "Hello."
    assert client.waits == [7.0, 2.0]


def test_a_hanging_server_is_given_up(server: ScriptedModel) -> None:
    """The error says how long was waited."""
    server.script(hangs())
    with pytest.raises(ModelError, match=r"no answer within 0\.1 s"):
        Client(server, timeout_seconds=0.1, max_retries=0).complete()


@pytest.mark.parametrize(
    "body", ["", "<html>", "null", "[]", "{}", '{"choices": []}', f'{{"error": "{KEY}"}}']
)
def test_nonsense_is_an_error(server: ScriptedModel, body: str) -> None:
    """An answer that is none says so, without the key."""
    server.script(raw(body))
    with pytest.raises(ModelError, match="returned an invalid answer") as refused:
        Client(server).complete()
    assert KEY not in str(refused.value)


# -- responses ------------------------------------------------------------------------------------------


def test_a_hosted_prompt_is_used(server: ScriptedModel) -> None:
    """S1's request: the prompt by id and version, one input, no model."""
    server.script(says("Summary.", model="nano"))
    assert Client(server).responses() == Completion(
        text="Summary.", model="nano", tokens=15, prompt_tokens=10, completion_tokens=5
    )
    assert server.requests[0].path == "/v1/responses"
    assert server.requests[0].body == {"prompt": {"id": "pmpt_1", "version": "3"}, "input": "Fold this"}


def test_a_missing_prompt_is_named(server: ScriptedModel) -> None:
    """The error says which prompt the server does not have."""
    server.script(refuses(404, "prompt not found"))
    with pytest.raises(ModelError, match="serves the prompt 'pmpt_1' in version '3'"):
        Client(server).responses()


@pytest.mark.parametrize("body", ['{"output": 3}', '{"status": "failed", "error": {"message": "x"}}', "{}"])
def test_a_broken_response_is_an_error(server: ScriptedModel, body: str) -> None:
    """A failed or senseless response is never a summary."""
    server.script(raw(body))
    with pytest.raises(ModelError, match="returned an invalid answer"):
        Client(server).responses()


def test_an_empty_response_is_an_error(server: ScriptedModel) -> None:
    """Nothing is never kept as a summary."""
    server.script(says(""))
    with pytest.raises(ModelError, match=r"empty answer\. Check 'pmpt_1'"):
        Client(server).responses()


# -- stream ---------------------------------------------------------------------------------------------


def test_words_come_one_by_one(server: ScriptedModel) -> None:
    """Each delta is given as it was sent."""
    server.script("Hello dear Ann.")
    client = Client(server)
    assert client.stream() == "Hello dear Ann."
    assert client.words == ["Hello", " dear", " Ann."]
    assert server.requests[0].body == {
        "model": "m",
        "messages": ASKED,
        "stream": True,
        "stream_options": {"include_usage": True},
    }


def test_a_word_does_not_wait_for_the_next(server: ScriptedModel) -> None:
    """The first word is there while the server still holds the rest back, and leaving then is clean."""
    server.script(streams(event("Hello"), hang=True))

    async def run() -> str:
        openai = OpenAI(base_url=server.url, api_key=KEY, timeout_seconds=30.0)
        words = openai.stream(ASKED, model="m")
        first = await anext(words)
        await words.aclose()
        await openai.aclose()
        return first

    assert asyncio.run(run()) == "Hello"


def test_a_stream_may_end_without_a_last_word(server: ScriptedModel) -> None:
    """A reason to finish is an end as good as [DONE]; after [DONE] nobody waits."""
    server.script(streams(": hello", event("Hi"), event(None, "stop")))
    assert Client(server).stream() == "Hi"
    server.script(streams(event("Hi"), "data: [DONE]", hang=True))
    assert Client(server, timeout_seconds=60.0).stream() == "Hi"


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (streams(event("Hi"), broken=True), "stopped in the middle"),
        (streams(event("Hi")), "stopped in the middle"),
        (streams(event("Hi"), hang=True), r"no answer within 0\.5 s"),
        (streams(event("Hi"), 'data: {"error": {"message": "overloaded"}}'), "overloaded"),
        (streams(event("Hi"), 'error: {"message": "no slot"}'), "no slot"),
        (streams(event("Hi"), "data: {nonsense"), "returned an invalid answer"),
        (streams(event("Hi"), "data: {", broken=True), "returned an invalid answer"),
    ],
    ids=["hung up", "ended early", "silent", "error event", "error line", "nonsense", "half an event"],
)
def test_a_stream_that_goes_wrong_says_how(server: ScriptedModel, answer: Answer, reason: str) -> None:
    """What was said has been given; then the error tells what happened."""
    server.script(answer)
    client = Client(server, timeout_seconds=0.5)
    with pytest.raises(ModelError, match=reason):
        client.stream()
    assert client.words == ["Hi"]
    assert len(server.requests) == 1


def test_a_stream_without_words_is_an_error(server: ScriptedModel) -> None:
    """An answer of nothing is said to be one."""
    server.script(streams(event(None, "stop"), "data: [DONE]"))
    with pytest.raises(ModelError, match="returned no text"):
        Client(server).stream()


def test_a_refused_stream_says_why(server: ScriptedModel) -> None:
    """A refusal comes before the first word, without the key."""
    server.script(refuses(401, f"bad key {KEY}"))
    with pytest.raises(ModelError, match="Check the API key") as refused:
        Client(server).stream()
    assert KEY not in str(refused.value)


# -- speech ---------------------------------------------------------------------------------------------


def speech(server: ScriptedModel, messages: Any = ASKED, times: int = 1) -> list[Delta]:
    """The events of the last of so many answers."""
    client = Client(server)

    async def run() -> list[Delta]:
        for _ in range(times):
            heard = [event async for event in client.openai.speech(messages, model="m")]
        return heard

    return client._run(run())


def test_a_stream_tells_model_and_cost(server: ScriptedModel) -> None:
    """The server's own name of the model and the tokens come beside the words."""
    server.script(says("Hello Ann.", model="m-2026"))
    heard = speech(server)
    assert "".join(event.text for event in heard) == "Hello Ann."
    assert {event.model for event in heard if event.model} == {"m-2026"}
    assert [event.tokens for event in heard if event.tokens is not None] == [15]


@pytest.mark.parametrize("status", [400, 422])
def test_a_server_that_does_not_tell_the_cost_is_not_asked_for_it_again(
    server: ScriptedModel, status: int
) -> None:
    """A refusal, in whatever words, is tried without `stream_options`; the next question leaves it out at once."""
    server.script(
        only_if(
            lambda body: "stream_options" not in body, status, "Extra inputs are not permitted", says("Hi")
        )
    )
    assert "".join(event.text for event in speech(server, times=2)) == "Hi"
    assert ["stream_options" in request.body for request in server.requests] == [True, False, False]


def test_a_server_that_wants_one_system_message_gets_one(server: ScriptedModel) -> None:
    """All instructions stand in front, and roles take turns, once a template has refused anything else."""
    said = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "One"},
        {"role": "user", "content": "Two"},
        {"role": "system", "content": "Remembered."},
        {"role": "user", "content": "Three"},
    ]
    complaint = "System message must be at the beginning."
    server.script(only_if(lambda body: len(body["messages"]) == 2, 400, complaint, says("Hi")))
    speech(server, said, times=2)
    assert len(server.requests) == 3
    assert server.requests[-1].body["messages"] == [
        {"role": "system", "content": "Be brief.\n\nRemembered."},
        {"role": "user", "content": "One\n\nTwo\n\nThree"},
    ]
    assert "stream_options" in server.requests[-1].body


def test_a_real_refusal_of_a_stream_is_told(server: ScriptedModel) -> None:
    """When no other way helps, the server's last complaint is the error."""
    server.script(refuses(400, "the context is too long"))
    with pytest.raises(ModelError, match="the context is too long"):
        speech(server)
    assert len(server.requests) == 2


def test_blank_words_are_no_answer(server: ScriptedModel) -> None:
    """A model that sends blanks alone has said nothing."""
    server.script(says("  "))
    with pytest.raises(ModelError, match="returned no text"):
        speech(server)


def test_who_waits_is_not_kept_waiting(server: ScriptedModel) -> None:
    """In a hurry, silence is not tried again, and a server that wants a minute gets two seconds."""
    client = Client(server, hurried=True, max_retries=1, timeout_seconds=0.2)
    server.script(hangs())
    with pytest.raises(Silent, match="after 1 try"):
        client.stream()
    server.script(refuses(429, "slow down", retry_after="60"), says("Now"))
    assert client.stream() == "Now"
    assert client.waits == [2.0]


def test_connections_are_used_again(server: ScriptedModel) -> None:
    """One connection serves several streams, although nobody waits for what follows the last word."""
    with KeptAlive() as kept:
        client = Client(kept)

        async def run() -> None:
            for _ in range(3):
                async for _ in client.openai.speech(ASKED, model="m"):
                    pass

        client._run(run())
        assert len(kept.requests) == 3
        assert kept.connections == 1

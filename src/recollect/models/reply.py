"""Reading a model's reply: its text, without thoughts, code fences and broken characters.

Reads the three shapes of OpenAI's protocol (chat completion, response, stream event) and JSON inside a text. Only the few
fields that servers agree on are read. A ValueError says what is wrong; the caller adds which server was asked.
"""

import json
import re
from dataclasses import dataclass
from typing import Any, cast

from recollect.models.endpoint import MAX_COMPLAINT, complaint_in

_TAGS = "think|thinking|thought|reasoning"
_THOUGHT = re.compile(rf"<({_TAGS})>.*?</\1>", re.DOTALL | re.IGNORECASE)
#: Some templates open the thought themselves; a truncated thought has no end.
_LOOSE_END = re.compile(rf"\A.*</(?:{_TAGS})>", re.DOTALL | re.IGNORECASE)
_LOOSE_START = re.compile(rf"<(?:{_TAGS})>.*\Z", re.DOTALL | re.IGNORECASE)
_FENCED = re.compile(r"\A```[\w-]*[ \t]*\n(.*?)\n?```\Z", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """A whole answer."""

    text: str
    #: The model that answered, as its server names it.
    model: str
    #: Tokens of question and answer as the server counts them; None if it does not.
    tokens: int | None = None
    #: The two counts separately; None if the server does not report them.
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    #: The answer was truncated at its token limit.
    truncated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Delta:
    """One event of a stream."""

    text: str = ""
    #: The model has ended its answer.
    finished: bool = False
    #: Nothing follows.
    last: bool = False
    #: The model as its server names it; empty if it does not.
    model: str = ""
    #: Tokens of question and answer as the server counts them; most report them at the end, many never.
    tokens: int | None = None


def completion(body: bytes) -> Completion:
    """Read a chat completion; the text may be empty."""
    reply = _object(body)
    choice = _first(reply.get("choices"), "choices")
    message = _dict(choice.get("message"), "message")
    return Completion(
        text=answer(_content(message.get("content"))),
        model=str(reply.get("model") or ""),
        tokens=_tokens(reply, "total_tokens"),
        prompt_tokens=_tokens(reply, "prompt_tokens"),
        completion_tokens=_tokens(reply, "completion_tokens"),
        truncated=choice.get("finish_reason") == "length",
    )


def response(body: bytes) -> Completion:
    """Read an answer of the Responses API; the text may be empty."""
    reply = _object(body)
    text = reply.get("output_text")
    if not isinstance(text, str):
        outputs = [_dict(item, "output") for item in _list(reply.get("output"), "output")]
        # Reasoning is a separate output.
        said = [item for item in outputs if item.get("type", "message") == "message"]
        text = "".join(_content(item.get("content")) for item in said)
    return Completion(
        text=answer(text),
        model=str(reply.get("model") or ""),
        tokens=_tokens(reply, "total_tokens"),
        prompt_tokens=_tokens(reply, "input_tokens"),
        completion_tokens=_tokens(reply, "output_tokens"),
        truncated=reply.get("status") == "incomplete",
    )


def delta(line: str) -> Delta:
    """Read one line of a stream; comments and unknown fields give an empty delta."""
    field, _, value = line.partition(":")
    value = value.strip()
    if field == "error":
        raise ValueError(complaint_in(f'{{"error": {value}}}')[:MAX_COMPLAINT])
    if field != "data" or not value:
        return Delta()
    if value == "[DONE]":
        return Delta(finished=True, last=True)
    event = _object(value.encode())
    named, tokens = str(event.get("model") or ""), _tokens(event, "total_tokens")
    choices = _list(event.get("choices") or [], "choices")
    if not choices:
        return Delta(model=named, tokens=tokens)
    choice = _dict(choices[0], "choices")
    content = _dict(choice.get("delta") or {}, "delta").get("content")
    return Delta(
        text=storable(_content(content)),
        finished=bool(choice.get("finish_reason")),
        model=named,
        tokens=tokens,
    )


def answer(text: str) -> str:
    """The text without thoughts, and without a code fence around all of it."""
    plain = _LOOSE_START.sub("", _LOOSE_END.sub("", _THOUGHT.sub("", text))).strip()
    fenced = _FENCED.match(plain)
    return storable(fenced.group(1).strip() if fenced else plain)


def storable(text: str) -> str:
    """The text without NUL characters and lone surrogates, which models write and databases refuse."""
    return text.replace("\x00", "").encode("utf-8", "replace").decode("utf-8")


def json_object(text: str) -> dict[str, Any]:
    """The first JSON object in a text, whatever surrounds it."""
    decoder = json.JSONDecoder()
    start = text.find("{")
    try:
        while start >= 0:
            try:
                value, _ = decoder.raw_decode(text, start)
            except json.JSONDecodeError:
                start = text.find("{", start + 1)
            else:
                return _clean(value)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    raise ValueError("there is no JSON object in it")


def _clean(value: Any) -> Any:
    """The same JSON with storable texts: escapes can spell NUL characters and lone surrogates."""
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, list):
        return [_clean(item) for item in cast("list[Any]", value)]
    if isinstance(value, dict):
        return {storable(name): _clean(item) for name, item in cast("dict[str, Any]", value).items()}
    return value


def _object(body: bytes) -> dict[str, Any]:
    """A JSON object; one that reports an error raises ValueError."""
    try:
        reply = _dict(json.loads(body), "the answer")
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if reply.get("error"):
        raise ValueError(complaint_in(json.dumps(reply))[:MAX_COMPLAINT])
    return reply


def _content(value: object) -> str:
    """A message's text: plain, in parts, or absent; a refusal is an error."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    texts: list[str] = []
    for item in _list(value, "content"):
        part = _dict(item, "content")
        if part.get("type") == "refusal":
            raise ValueError(f"the model refused: {str(part.get('refusal'))[:MAX_COMPLAINT]}")
        texts.append(str(part.get("text") or ""))
    return "".join(texts)


def _tokens(reply: dict[str, Any], name: str) -> int | None:
    usage = reply.get("usage")
    given = cast("dict[str, Any]", usage).get(name) if isinstance(usage, dict) else None
    return given if isinstance(given, int) and not isinstance(given, bool) and given >= 0 else None


def _first(value: object, name: str) -> dict[str, Any]:
    items = _list(value, name)
    if not items:
        raise ValueError(f"{name} is empty")
    return _dict(items[0], name)


def _list(value: object, name: str) -> list[object]:
    if not isinstance(value, list):
        raise ValueError(f"{name} is not a list")
    return cast("list[object]", value)


def _dict(value: object, name: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"{name} is not an object")
    return cast("dict[str, Any]", value)

"""Chat completions in OpenAI's protocol: what a request says, where memory goes among its messages, and errors.

A request is read only as far as memory needs it: who said what, which chat it is, what was not recorded yet. The rest belongs
to the model's server; a full schema would refuse or lose whatever it did not know.

Memory goes around the conversation if the server allows that: what changes rarely after the client's own instructions, so that a
provider's cache matches everything before the conversation, and what the question found right before the question. Some
chat templates accept system messages only at the beginning, or only one, or require alternating roles. Then everything goes
into one system message in front, which all tested templates accept (llama.cpp with three templates; refusals had status 400).
The client's messages are not changed: memory inside the user's message would change what the user said.
"""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from typing import Any, Final, cast

from recollect.errors import InvalidInput
from recollect.records.message import MAX_BATCH, MAX_TEXT, Role, Utterance, check_message_text, check_speaker
from recollect.records.talk import BROKEN_OFF

#: The recorded form of message parts that are no text, by type.
_SHOWN = {
    "image_url": "[image]",
    "input_image": "[image]",
    "image": "[image]",
    "input_audio": "[audio]",
    "file": "[file]",
    "input_file": "[file]",
    "video_url": "[video]",
}
_TEXTS = ("text", "input_text", "output_text")
#: The recorded role; instructions are not recorded.
_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "tool": Role.TOOL, "function": Role.TOOL}


@dataclass(frozen=True, slots=True, kw_only=True)
class CompletionRequest:
    """A client's request."""

    #: The whole request, unchanged.
    body: Mapping[str, Any]
    messages: tuple[Mapping[str, Any], ...]
    #: None: the client names none.
    model: str | None
    stream: bool
    #: The client's name for its user.
    user: str
    #: The number of requested answers.
    choices: int

    @property
    def question(self) -> str:
        """The user's last message; empty if there is none."""
        asked = [message for message in self.messages if message.get("role") == "user"]
        return storable(text_of(asked[-1])) if asked else ""

    @property
    def history(self) -> list[Utterance]:
        """The messages of user and assistant before the new ones."""
        return [
            spoken
            for message in self.messages[: self._start]
            if message.get("role") in ("user", "assistant") and (spoken := _old(message))
        ][-MAX_BATCH:]

    @property
    def new(self) -> list[Utterance]:
        """The messages of user and tools after the assistant's last one."""
        return [spoken for message in self.messages[self._start :] if (spoken := _new(message))]

    @property
    def texts(self) -> frozenset[str]:
        """All texts but instructions, trimmed."""
        said = (text_of(message).strip() for message in self.messages if message.get("role") in _ROLES)
        return frozenset(text for text in said if text)

    @property
    def _start(self) -> int:
        """The place after the assistant's last message."""
        places = [place for place, message in enumerate(self.messages) if message.get("role") == "assistant"]
        return places[-1] + 1 if places else 0


def read(body: object) -> CompletionRequest:
    """Read a request; refuses only what no server could understand."""
    if not isinstance(body, dict):
        raise InvalidInput("The body must be a JSON object.")
    given = cast("dict[str, Any]", body)
    messages = given.get("messages")
    if messages is None:
        raise InvalidInput("messages required", field="messages")
    if not isinstance(messages, list) or not messages:
        raise InvalidInput("messages must be a list of at least one message.", field="messages")
    for number, message in enumerate(cast("list[object]", messages)):
        if not isinstance(message, dict) or not isinstance(cast("dict[str, Any]", message).get("role"), str):
            raise InvalidInput(f"messages.{number} must be an object with a role.", field="messages")
    model, user, count = given.get("model"), given.get("user"), given.get("n")
    if model is not None and not isinstance(model, str):
        raise InvalidInput("model must be text.", field="model")
    if not isinstance(given.get("stream") or False, bool):
        raise InvalidInput("stream must be true or false.", field="stream")
    return CompletionRequest(
        body=given,
        messages=tuple(cast("list[dict[str, Any]]", messages)),
        model=model or None,
        stream=bool(given.get("stream")),
        user=user if isinstance(user, str) else "",
        choices=count if isinstance(count, int) else 1,
    )


def chat_of(request: CompletionRequest) -> str:
    """The id of a chat that the client does not name, from its user and its first message."""
    first = next((item for item in request.messages if item.get("role") == "user"), request.messages[0])
    return f"chat-{_hash([request.user, first.get('content')])[:24]}"


def key_of(chat_id: str, messages: Sequence[object]) -> str:
    """The idempotency key of a request, so that sending it again records nothing twice."""
    return f"completion-{_hash([chat_id, messages])}"


def history_key(chat_id: str, history: Sequence[Utterance]) -> str:
    """The idempotency key of the history before the first request."""
    return f"history-{_hash([chat_id, [[item.role, item.text] for item in history]])}"


def text_of(message: Mapping[str, Any]) -> str:
    """The text of a message; other parts are named."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    return "\n".join(shown for part in cast("list[object]", content) if (shown := _part(part)))


def storable(text: str) -> str:
    """A text that a database can store: without NUL and lone surrogates, and cut if too long."""
    plain = text.replace("\x00", "").encode("utf-8", "replace").decode("utf-8")
    return plain if len(plain) <= MAX_TEXT else plain[: MAX_TEXT - len(BROKEN_OFF)] + BROKEN_OFF


def _part(part: object) -> str:
    if isinstance(part, str):
        return part
    if not isinstance(part, dict):
        return ""
    given = cast("dict[str, Any]", part)
    kind, text = given.get("type"), given.get("text")
    if (kind in _TEXTS or kind is None) and isinstance(text, str):
        return text
    return _SHOWN.get(str(kind), "")


def _old(message: Mapping[str, Any]) -> Utterance | None:
    """An earlier message to record; None if it is empty."""
    text = storable(text_of(message))
    role = _ROLES[message["role"]]
    return Utterance(role=role, text=text, name=_name(message)) if text.strip() else None


def _new(message: Mapping[str, Any]) -> Utterance | None:
    """A new message to record; the user's text is stored unchanged or refused."""
    role = _ROLES.get(message["role"])
    text = text_of(message)
    if role is None or not text.strip():
        return None
    if role is not Role.USER:
        return _old(message)
    return Utterance(role=role, text=check_message_text(text, field="messages"), name=_name(message))


def _name(message: Mapping[str, Any]) -> str | None:
    """The name of the user who speaks; an invalid name is left out."""
    name = message.get("name")
    if message["role"] != "user" or name is None:
        return None
    try:
        return check_speaker(name)
    except InvalidInput:
        return None


def _hash(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


#: Roles of instructions; newer models call `system` `developer`.
INSTRUCTING = ("system", "developer")
_ABOUT_ROLES = re.compile(r"system|role|template|alternat", re.IGNORECASE)


class Placing(StrEnum):
    """The place of memory."""

    AROUND = "around"
    FRONT = "front"


def about_roles(complaint: str) -> bool:
    """Whether a server's complaint is about the order of roles."""
    return bool(_ABOUT_ROLES.search(complaint))


def placed(
    messages: Sequence[Mapping[str, Any]], stable: str, recalled: str, placing: Placing
) -> list[Mapping[str, Any]]:
    """The client's messages with memory among them; unchanged without memory."""
    start = _leading(messages)
    if placing is Placing.FRONT:
        ours = _joined(stable, recalled)
        front = [_extended(messages[:start], ours)] if ours else messages[:start]
        return [*front, *messages[start:]]
    asked = _last_question(messages)
    if asked == start or not recalled:
        return [*messages[:start], *_system(_joined(stable, recalled)), *messages[start:]]
    return [
        *messages[:start],
        *_system(stable),
        *messages[start:asked],
        *_system(recalled),
        *messages[asked:],
    ]


def one_system(messages: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Our messages for a server that accepts one system message in front and alternating roles."""
    instructions = [str(message["content"]) for message in messages if message["role"] in INSTRUCTING]
    spoken = [message for message in messages if message["role"] not in INSTRUCTING]
    turns: list[dict[str, Any]] = []
    for _, together in groupby(spoken, key=lambda message: message["role"]):
        group = list(together)
        turns.append({**group[0], "content": "\n\n".join(str(item["content"]) for item in group)})
    return [*({"role": "system", "content": text} for text in ["\n\n".join(instructions)] if text), *turns]


def _leading(messages: Sequence[Mapping[str, Any]]) -> int:
    """The number of instructions at the beginning."""
    return next(
        (number for number, message in enumerate(messages) if message.get("role") not in INSTRUCTING),
        len(messages),
    )


def _last_question(messages: Sequence[Mapping[str, Any]]) -> int:
    """The place of the user's last message, or the end if there is none."""
    return next(
        (place for place in range(len(messages) - 1, -1, -1) if messages[place].get("role") == "user"),
        len(messages),
    )


def _system(text: str) -> list[Mapping[str, Any]]:
    return [{"role": "system", "content": text}] if text else []


def _joined(*texts: str) -> str:
    return "\n\n".join(text for text in texts if text)


def _extended(instructions: Sequence[Mapping[str, Any]], ours: str) -> Mapping[str, Any]:
    """The client's instructions and ours as one message, theirs first."""
    if not instructions:
        return {"role": "system", "content": ours}
    contents = [message.get("content") for message in instructions]
    if all(isinstance(content, str) for content in contents):
        return {**instructions[0], "content": _joined(*cast("list[str]", contents), ours)}
    parts: list[object] = []
    for content in contents:
        if isinstance(content, list):
            parts += cast("list[object]", content)
        elif isinstance(content, str):
            parts.append({"type": "text", "text": content})
    return {**instructions[0], "content": [*parts, {"type": "text", "text": ours}]}


#: Type and code of an error by status, as OpenAI's clients know them.
_BY_STATUS: Final[dict[int, tuple[str, str]]] = {
    400: ("invalid_request_error", "invalid_request"),
    401: ("authentication_error", "invalid_api_key"),
    403: ("permission_error", "forbidden"),
    404: ("not_found_error", "not_found"),
    405: ("invalid_request_error", "method_not_allowed"),
    409: ("conflict_error", "conflict"),
    413: ("invalid_request_error", "request_too_large"),
    429: ("rate_limit_error", "rate_limit_exceeded"),
    502: ("upstream_error", "model_failed"),
    503: ("server_error", "store_unavailable"),
    504: ("upstream_error", "model_timeout"),
}
_OTHER: Final = ("server_error", "internal_error")


def error_of(status: int, message: str) -> dict[str, Any]:
    """The body of an error response."""
    kind, code = _BY_STATUS.get(status, _OTHER)
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}


def error_event(status: int, message: str) -> bytes:
    """The last event of a stream that failed."""
    return b"data: " + json.dumps(error_of(status, message)).encode() + b"\n\n"

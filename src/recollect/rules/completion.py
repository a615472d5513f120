"""A chat completion as clients of OpenAI's protocol ask for it: what it says, and what of it is new.

It reads a request as far as memory needs it: who said what, which chat that is, what was not recorded yet. Everything
else in a request belongs to the model's server and is not looked at. Where memory goes is `completion_memory`'s business.
A full schema of the protocol was rejected: whatever it did not know would be refused or lost.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from recollect.errors import InvalidInput
from recollect.records.message import MAX_BATCH, MAX_TEXT, Role, Utterance, check_message_text, check_speaker
from recollect.records.talk import BROKEN_OFF

#: What a part of a message that is no text is recorded as, by its type.
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
#: Who speaks, as it is recorded; instructions are not.
_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "tool": Role.TOOL, "function": Role.TOOL}


@dataclass(frozen=True, slots=True, kw_only=True)
class CompletionRequest:
    """What a client asks for."""

    #: All of it, as it came.
    body: Mapping[str, Any]
    messages: tuple[Mapping[str, Any], ...]
    #: None: the client does not say.
    model: str | None
    stream: bool
    #: The client's own word for who its user is.
    user: str
    #: How many answers are wanted.
    choices: int

    @property
    def question(self) -> str:
        """What the user said last; empty: nothing."""
        asked = [message for message in self.messages if message.get("role") == "user"]
        return storable(text_of(asked[-1])) if asked else ""

    @property
    def history(self) -> list[Utterance]:
        """What user and assistant said before that which is new."""
        return [
            spoken
            for message in self.messages[: self._start]
            if message.get("role") in ("user", "assistant") and (spoken := _old(message))
        ][-MAX_BATCH:]

    @property
    def new(self) -> list[Utterance]:
        """What the user and tools said since the assistant spoke last."""
        return [spoken for message in self.messages[self._start :] if (spoken := _new(message))]

    @property
    def texts(self) -> frozenset[str]:
        """The words of everybody but those who instruct, without blanks around them."""
        said = (text_of(message).strip() for message in self.messages if message.get("role") in _ROLES)
        return frozenset(text for text in said if text)

    @property
    def _start(self) -> int:
        """The place behind the assistant's last message."""
        places = [place for place, message in enumerate(self.messages) if message.get("role") == "assistant"]
        return places[-1] + 1 if places else 0


def read(body: object) -> CompletionRequest:
    """Read a request; an error says what no server could understand."""
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
    """The id of a chat that the client does not name: its user and its first message."""
    first = next((item for item in request.messages if item.get("role") == "user"), request.messages[0])
    return f"chat-{_hash([request.user, first.get('content')])[:24]}"


def key_of(chat_id: str, messages: Sequence[object]) -> str:
    """What tells that the same is said again: a request that is sent twice, or answered anew."""
    return f"completion-{_hash([chat_id, messages])}"


def history_key(chat_id: str, history: Sequence[Utterance]) -> str:
    """The same for what was said before we were asked."""
    return f"history-{_hash([chat_id, [[item.role, item.text] for item in history]])}"


def text_of(message: Mapping[str, Any]) -> str:
    """The words of a message; what is no text is named."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    return "\n".join(shown for part in cast("list[object]", content) if (shown := _part(part)))


def storable(text: str) -> str:
    """What a database keeps of a text that is not the user's new words: no NUL, no broken letters, not without end."""
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
    """An earlier message as it is recorded; None when it says nothing."""
    text = storable(text_of(message))
    role = _ROLES[message["role"]]
    return Utterance(role=role, text=text, name=_name(message)) if text.strip() else None


def _new(message: Mapping[str, Any]) -> Utterance | None:
    """A new message as it is recorded; the user's own words are kept as they are, or refused."""
    role = _ROLES.get(message["role"])
    text = text_of(message)
    if role is None or not text.strip():
        return None
    if role is not Role.USER:
        return _old(message)
    return Utterance(role=role, text=check_message_text(text, field="messages"), name=_name(message))


def _name(message: Mapping[str, Any]) -> str | None:
    """Who of several users speaks; a name that cannot be kept is left out, for it is only an addition."""
    name = message.get("name")
    if message["role"] != "user" or name is None:
        return None
    try:
        return check_speaker(name)
    except InvalidInput:
        return None


def _hash(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()

"""ChatGPT: `conversations.json`, a list of conversations, each a tree of nodes in `mapping`.

The branch that ends in `current_node` is read, as the user saw it: system prompts, tool calls, their results and thoughts are
skipped, an image is "[image]". Other branches hold what the user edited away. ChatGPT's memories (written to `bio`, or shown to
the model as `model_set_context`) and the user's description of themselves in the custom instructions become memories. The
format is not documented; it was taken from public parsers and examples.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, cast

from recollect.errors import InvalidInput
from recollect.interchange.foreign.piece import (
    Fact,
    Format,
    Piece,
    Skipped,
    began,
    branch,
    derived,
    fact,
    last_leaf,
    message,
    moment_of,
    name_of,
    objects,
    talk,
)
from recollect.interchange.portable_value import fields
from recollect.language.sentence import Kind, sentences
from recollect.records.message import Role, parse_role

_FORMAT = Format.CHATGPT
#: Kinds of content that ChatGPT does not show as text.
_UNSEEN = frozenset(
    "thoughts reasoning_recap user_editable_context model_editable_context execution_output system_error"
    " tether_browsing_display tether_browsing_code tether_quote sonic_webpage computer_output".split()
)
#: "3. [2024-05-02]. User is vegan."
_NUMBERED = re.compile(r"^\d+\.\s*\[(\d{4}-\d\d-\d\d)\]\.?\s*")
_AUDIO = "[audio]"


def is_conversation(value: Mapping[str, Any]) -> bool:
    """Whether an object is a conversation of ChatGPT."""
    return isinstance(value.get("mapping"), Mapping)


def read(entries: Sequence[object], now: datetime) -> Iterator[Piece]:
    """The chats and memories in a list of conversations."""
    for entry in objects(entries):
        if isinstance(entry, Skipped):
            yield entry
            continue
        try:
            yield from _conversation(*entry, now)
        except InvalidInput as error:
            yield Skipped(line=entry[0], reason=error.message)


def _conversation(line: int, values: Mapping[str, Any], now: datetime) -> Iterator[Piece]:
    name = name_of(values.get("conversation_id") or values.get("id"), "id")
    nodes = {
        str(key): cast("Mapping[str, Any]", node)
        for key, node in fields(values.get("mapping"), "mapping").items()
        if isinstance(node, Mapping)
    }
    way, missing = _way(nodes, values.get("current_node"))
    if missing is not None:
        yield Skipped(line=line, reason=f"the messages before node {missing[:60]!r} are not in the file.")
    start = began(values.get("create_time"), now)
    said: list[dict[str, Any]] = []
    last = start
    for number, key in enumerate(way, 1):
        if nodes[key].get("message") is None:
            continue
        try:
            given = fields(nodes[key]["message"], "message")
            last = moment_of(given.get("create_time"), "create_time", now) or last
            if last is None:
                raise InvalidInput("it has no time.")
            yield from _remembered(line, (name, key), given, last)
            if (words := _seen(given)) is not None:
                said.append(_message(derived(_FORMAT, name, key), given, words, last))
        except InvalidInput as error:
            yield Skipped(line=line, reason=f"message {number}: {error.message}")
    if said:
        yield talk(line, derived(_FORMAT, name), said, title=values.get("title"), began=start)


def _way(nodes: Mapping[str, Mapping[str, Any]], end: object) -> tuple[list[str], str | None]:
    parents = {
        key: parent if isinstance(parent := node.get("parent"), str) else None for key, node in nodes.items()
    }
    last = end if isinstance(end, str) and end in nodes else last_leaf(parents)
    if last is None:
        if nodes:
            raise InvalidInput("the conversation contains a loop.")
        return [], None
    return branch(parents, last)


def _message(message_id: str, given: Mapping[str, Any], words: str, at: datetime) -> dict[str, Any]:
    model = _object(given.get("metadata")).get("model_slug")
    return message(message_id, parse_role(_role(given)), words, at, model=model)


def _role(given: Mapping[str, Any]) -> object:
    return fields(given.get("author"), "author").get("role")


def _object(value: object) -> Mapping[str, Any]:
    """An object that may be missing."""
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}


# -- visible messages -------------------------------------------------------------------------------------


def _seen(given: Mapping[str, Any]) -> str | None:
    """The text of a message as it was shown; None if it was hidden or empty."""
    content, metadata = _object(given.get("content")), _object(given.get("metadata"))
    role = _role(given)
    hidden = metadata.get("is_visually_hidden_from_conversation") is True or given.get("weight") == 0
    aside = given.get("recipient") not in (None, "all") or str(content.get("content_type")) in _UNSEEN
    if hidden or aside or role == Role.SYSTEM:
        return None
    words = [*_words(content), *_files(metadata)]
    if role == Role.TOOL and "[image]" not in words:
        return None
    text = "\n".join(words)
    return text if text.strip() else None


def _words(content: Mapping[str, Any]) -> list[str]:
    parts: object = content.get("parts", [content.get("text")])
    if not isinstance(parts, list):
        raise InvalidInput("parts must be a list.", field="parts")
    found = [_part(part) for part in cast("list[object]", parts) if part is not None]
    if any(word and not word.startswith("[") for word in found):
        # Audio with a transcript.
        found = [word for word in found if word != _AUDIO]
    return [word for word in found if word]


def _part(part: object) -> str:
    if isinstance(part, str):
        return part
    values = fields(part, "a part")
    words, kind = values.get("text"), str(values.get("content_type"))
    if isinstance(words, str):
        return words
    if kind == "image_asset_pointer":
        return "[image]"
    return _AUDIO if "audio" in kind else "[attachment]"


def _files(metadata: Mapping[str, Any]) -> list[str]:
    """The names of attached files; images are in the text already."""
    given = metadata.get("attachments")
    files = [_object(item) for item in cast("list[object]", given)] if isinstance(given, list) else []
    return [
        f"[file: {name[:200]}]"
        for file in files
        if isinstance(name := file.get("name"), str)
        and not str(file.get("mime_type", file.get("mimeType"))).startswith("image/")
    ]


# -- memories ---------------------------------------------------------------------------------


def _remembered(
    line: int, source: tuple[str, str], given: Mapping[str, Any], at: datetime
) -> Iterator[Fact | Skipped]:
    """The memories in a message."""
    content = _object(given.get("content"))
    if given.get("recipient") == "bio" and _role(given) == Role.ASSISTANT:
        for words in "\n".join(_words(content)).splitlines():
            yield from _fact(line, words, source, at)
    known = content.get("model_set_context")
    if isinstance(known, str):
        for words in known.splitlines():
            yield from _fact(line, words, (), at)
    about_user = _object(_object(given.get("metadata")).get("user_context_message_data")).get(
        "about_user_message"
    )
    if isinstance(about_user, str):
        for sentence in sentences(about_user):
            if sentence.kind in (Kind.PROSE, Kind.ITEM):
                yield from _fact(line, sentence.text, (), at)


def _fact(line: int, words: str, source: tuple[str, ...], at: datetime) -> Iterator[Fact | Skipped]:
    dated = _NUMBERED.match(words)
    if not words.strip():
        return
    try:
        then = (dated and moment_of(dated[1], "date", at)) or at
        text = words[dated.end() :] if dated else words
        yield fact(line, text.strip(), format=_FORMAT, source=source, at=then)
    except InvalidInput as error:
        yield Skipped(line=line, reason=f"a memory ({words.strip()[:60]!r}): {error.message}")

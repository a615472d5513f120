"""Claude: `conversations.json`, a list of conversations with `chat_messages`.

In newer exports each message names its parent; then only the branch that was seen last is read. The text comes from text blocks;
thoughts, tool calls and their results are skipped, and a file is "[file: name]". A pasted text, which the product keeps as an
attachment, is the message if nothing else was written. The format is not documented; it was taken from public parsers and examples.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, cast

from recollect.errors import InvalidInput
from recollect.interchange.foreign.piece import (
    Format,
    Piece,
    Skipped,
    began,
    branch,
    derived,
    message,
    moment_of,
    name_of,
    objects,
    talk,
)
from recollect.interchange.portable_value import listed
from recollect.records.message import Role, parse_role

_FORMAT = Format.CLAUDE
_SENDERS = {"human": Role.USER, "assistant": Role.ASSISTANT}
#: The parent of a first message.
_NOBODY = frozenset(("00000000-0000-4000-8000-000000000000", "00000000-0000-0000-0000-000000000000", ""))
_IMAGES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".heic", ".bmp")

Numbered = tuple[int, Mapping[str, Any]]


def is_conversation(value: Mapping[str, Any]) -> bool:
    """Whether an object is a conversation of Claude."""
    return isinstance(value.get("chat_messages"), list)


def read(entries: Sequence[object], now: datetime) -> Iterator[Piece]:
    """The chats in a list of conversations."""
    for entry in objects(entries):
        if isinstance(entry, Skipped):
            yield entry
            continue
        try:
            yield from _conversation(*entry, now)
        except InvalidInput as error:
            yield Skipped(line=entry[0], reason=error.message)


def _conversation(line: int, values: Mapping[str, Any], now: datetime) -> Iterator[Piece]:
    name = name_of(values.get("uuid"), "uuid")
    found: list[Numbered] = []
    for entry in objects(listed(values.get("chat_messages"), "chat_messages")):
        if isinstance(entry, Skipped):
            yield Skipped(line=line, reason=f"message {entry.line}: {entry.reason}")
        else:
            found.append(entry)
    way, missing = _way(found, values.get("current_leaf_message_uuid"))
    if missing is not None:
        yield Skipped(line=line, reason=f"the messages before {missing[:60]!r} are not in the file.")
    start = began(values.get("created_at"), now)
    said: list[dict[str, Any]] = []
    last = start
    for number, given in way:
        try:
            last = moment_of(given.get("created_at"), "created_at", now) or last
            if last is None:
                raise InvalidInput("it has no time.")
            if words := _words(given):
                message_id = derived(_FORMAT, name, name_of(given.get("uuid"), "uuid"))
                said.append(message(message_id, _role(given.get("sender")), words, last))
        except InvalidInput as error:
            yield Skipped(line=line, reason=f"message {number}: {error.message}")
    if said:
        yield talk(line, derived(_FORMAT, name), said, title=values.get("name"), began=start)


def _way(found: Sequence[Numbered], leaf: object) -> tuple[Sequence[Numbered], str | None]:
    """The branch that was seen last, in order; all messages, unless each names its parent."""
    names = [given.get("uuid") for _, given in found]
    befores = [given.get("parent_message_uuid") for _, given in found]
    if not found or not all(isinstance(name, str) for name in (*names, *befores)):
        return found, None
    places: dict[str, Numbered] = dict(zip(cast("list[str]", names), found, strict=True))
    parents = dict(
        zip(places, (str(given["parent_message_uuid"]) for _, given in places.values()), strict=True)
    )
    end = leaf if isinstance(leaf, str) and leaf in places else str(names[-1])
    way, missing = branch(parents, end)
    return [places[name] for name in way], None if missing in _NOBODY else missing


def _role(sender: object) -> Role:
    known = _SENDERS.get(sender) if isinstance(sender, str) else None
    return known or parse_role(sender)


def _words(given: Mapping[str, Any]) -> str:
    """The text of a message; empty if it holds only thoughts or tool calls."""
    blocks = [
        block for block in _objects(given.get("content")) if block.get("type") in ("text", "voice_note")
    ]
    words = [text for block in blocks if isinstance(text := block.get("text"), str) and text.strip()]
    whole = given.get("text")
    if not words and isinstance(whole, str) and whole.strip():
        words = [whole]
    attached = _objects(given.get("attachments"))
    if not words:
        words = [
            text
            for item in attached
            if isinstance(text := item.get("extracted_content"), str) and text.strip()
        ]
    return "\n\n".join([*words, *_marks([*attached, *_objects(given.get("files"))])])


def _marks(files: Sequence[Mapping[str, Any]]) -> list[str]:
    names = [name for file in files if isinstance(name := file.get("file_name"), str) and name]
    return ["[image]" if name.lower().endswith(_IMAGES) else f"[file: {name[:200]}]" for name in names]


def _objects(value: object) -> list[Mapping[str, Any]]:
    """The objects of a list that may be missing."""
    items = cast("list[object]", value) if isinstance(value, list) else []
    return [cast("Mapping[str, Any]", item) for item in items if isinstance(item, Mapping)]

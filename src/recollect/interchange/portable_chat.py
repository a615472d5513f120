"""A chat as an export holds it: messages, pins, segments and briefs, written as JSON and read back.

A wrong message or pin is skipped with a reason. Segments and briefs are taken together or not at all, because a brief without the
messages that it covers would hide them; a broken fold is not repaired, because folding again is safe. Token counts of the file
are never used.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from recollect.errors import InvalidInput
from recollect.interchange.portable_value import (
    LARGEST,
    fields,
    identifier,
    listed,
    moment,
    past,
    text,
    truth,
    whole,
)
from recollect.records.chat import MAX_TITLE, Brief, ChatRecord, Summary
from recollect.records.message import Message, check_message_text, check_name, check_speaker, parse_role
from recollect.records.pin import (
    DEFAULT_IMPORTANCE,
    Pin,
    PinType,
    check_pin_content,
    check_pin_importance,
    parse_pin_type,
)
from recollect.rules.importance import score
from recollect.rules.vocabulary import Vocabulary

#: Characters of a summary: the largest cap of a brief is 4,000 tokens, which are rarely longer.
MAX_SUMMARY = 100_000
#: Characters of a summary's author.
MAX_WRITER = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenChat:
    """The readable content of one chat in a file."""

    chat: ChatRecord
    #: In order, with increasing positions; without token counts.
    messages: tuple[Message, ...]
    pins: tuple[Pin, ...]
    #: Segments and briefs as in the file: they are checked against the messages when those are placed.
    summaries: tuple[object, ...]
    briefs: tuple[object, ...]
    #: What was skipped, with reasons.
    skipped: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Folds:
    """Contiguous segments from the first message on, and briefs; the last brief ends with the last segment."""

    summaries: tuple[Summary, ...] = ()
    briefs: tuple[Brief, ...] = ()


def chat_from(value: object, *, user_id: str, vocabulary: Vocabulary, now: datetime) -> GivenChat:
    """A chat from its JSON values; without a creation time it began with its first message."""
    values = fields(value, "chat")
    chat_id = check_name(values.get("chat_id"), field="chat_id")
    persona, title = values.get("persona_id"), values.get("title")
    skipped: list[str] = []
    said: dict[str, Message] = {}
    for number, item in enumerate(_list(values, "messages"), 1):
        try:
            message = message_from(item, user_id=user_id, chat_id=chat_id, vocabulary=vocabulary, now=now)
            _once(message.message_id, said)
            said[message.message_id] = message
        except InvalidInput as error:
            skipped.append(f"message {number}: {error.message}")
    pins: dict[str, Pin] = {}
    for number, item in enumerate(_list(values, "pins"), 1):
        try:
            pin = pin_from(item, user_id=user_id, chat_id=chat_id, now=now)
            _once(pin.pin_id, pins)
            pins[pin.pin_id] = pin
        except InvalidInput as error:
            skipped.append(f"pin {number}: {error.message}")
    created, judged = values.get("created_at"), values.get("judged_position")
    placed = _placed(list(said.values()))
    earliest = min((message.created_at for message in said.values()), default=now)
    return GivenChat(
        chat=ChatRecord(
            user_id=user_id,
            chat_id=chat_id,
            persona_id=check_name(persona, field="persona_id") if persona is not None else None,
            title=_title(title) if title is not None else None,
            created_at=past(created, "created_at", now) if created is not None else earliest,
            judged_position=_judged(judged, placed),
        ),
        messages=placed,
        pins=tuple(pins.values()),
        summaries=tuple(_list(values, "summaries")),
        briefs=_briefs(values),
        skipped=tuple(skipped),
    )


def _judged(value: object, placed: Sequence[Message]) -> int:
    """The judged position; without one, the end of the chat, because the facts are in the file's memories."""
    end = placed[-1].position if placed else 0
    return min(whole(value, "judged_position"), end) if value is not None else end


def message_from(
    value: object, *, user_id: str, chat_id: str, vocabulary: Vocabulary, now: datetime
) -> Message:
    """A message from its JSON values; a missing score is computed, an invalid position is 0."""
    values = fields(value, "message")
    _of_chat(values, chat_id)
    role, words = parse_role(values.get("role")), check_message_text(values.get("text"))
    usage, given, session = (values.get(field) for field in ("token_usage", "importance_score", "session"))
    return Message(
        user_id=user_id,
        message_id=identifier(values.get("id"), "id"),
        chat_id=chat_id,
        position=_position(values.get("position")),
        role=role,
        text=words,
        model_id=_model(values.get("model_id"), "model_id"),
        model_variant=_model(values.get("model_variant"), "model_variant"),
        name=check_speaker(name) if (name := values.get("name")) is not None else None,
        token_usage=whole(usage, "token_usage") if usage is not None else None,
        tokens=0,
        importance_score=(
            check_pin_importance(given) if given is not None else score(words, role, vocabulary)
        ),
        session_id=identifier(session, "session") if session is not None else None,
        created_at=past(values.get("created_at"), "created_at", now),
    )


def counted(message: Message, tokens: int) -> Message:
    """The message with its tokens. S0 shows them as the usage if nothing was billed, so an equal usage is dropped."""
    usage = None if message.token_usage == tokens else message.token_usage
    return replace(message, tokens=tokens, token_usage=usage)


def pin_from(value: object, *, user_id: str, chat_id: str, now: datetime) -> Pin:
    """A pin from its JSON values."""
    values = fields(value, "pin")
    _of_chat(values, chat_id)
    source = values.get("source_message_id")
    return Pin(
        user_id=user_id,
        pin_id=identifier(values.get("id"), "id"),
        chat_id=chat_id,
        content=check_pin_content(values.get("content")),
        source_message_id=identifier(source, "source_message_id") if source is not None else None,
        importance_score=check_pin_importance(values.get("importance_score", DEFAULT_IMPORTANCE)),
        pin_type=parse_pin_type(values.get("pin_type", PinType.MANUAL)),
        derived=truth(values.get("derived", False), "derived"),
        tokens=0,
        created_at=past(values.get("created_at"), "created_at", now),
    )


def folds_from(given: GivenChat, said: Sequence[Message]) -> Folds:
    """The segments and briefs of a chat with these messages, which are in order and counted."""
    summaries = _segments(given, said)
    ends = {summary.end_message_id: number for number, summary in enumerate(summaries)}
    briefs: list[Brief] = []
    reached, revision = -1, 0
    for value in given.briefs:
        brief = _brief_from(value, given.chat)
        end = ends.get(brief.last_summarized_message_id or "", -1)
        if end <= reached or brief.revision <= revision:
            raise InvalidInput("briefs must follow the order of the summaries.", field="briefs")
        reached, revision = end, brief.revision
        briefs.append(brief)
    if reached != len(summaries) - 1:
        raise InvalidInput("the last brief must end with the last summary.", field="briefs")
    return Folds(summaries=tuple(summaries), briefs=tuple(briefs))


def _segments(given: GivenChat, said: Sequence[Message]) -> list[Summary]:
    places = {message.message_id: place for place, message in enumerate(said)}
    found: list[Summary] = []
    ids: set[str] = set()
    following = 0
    for value in given.summaries:
        values = fields(value, "summary")
        _of_chat(values, given.chat.chat_id)
        start, end = (identifier(values.get(name), name) for name in ("start_message_id", "end_message_id"))
        last = places.get(end, -1)
        if places.get(start) != following or last < following:
            raise InvalidInput("summaries must be contiguous and name existing messages.")
        covered = said[following : last + 1]
        if whole(values.get("message_count"), "message_count") != len(covered):
            raise InvalidInput("message_count of a summary must be the number of its messages.")
        summary_id = identifier(values.get("id"), "id")
        if summary_id in ids:
            raise InvalidInput(f"duplicate summary {summary_id!r}.", field="id")
        ids.add(summary_id)
        found.append(
            Summary(
                user_id=given.chat.user_id,
                summary_id=summary_id,
                chat_id=given.chat.chat_id,
                summary=text(values.get("summary"), "summary", MAX_SUMMARY),
                message_count=len(covered),
                start_message_id=start,
                end_message_id=end,
                start_position=covered[0].position,
                end_position=covered[-1].position,
                importance_score=check_pin_importance(values.get("importance_score")),
                tokens=0,
                covered_tokens=sum(message.tokens for message in covered),
                created_at=moment(values.get("created_at"), "created_at"),
            )
        )
        following = last + 1
    return found


def _brief_from(value: object, chat: ChatRecord) -> Brief:
    values = fields(value, "brief")
    if values.get("chat_id", chat.chat_id) != chat.chat_id:
        raise InvalidInput("chat_id of a brief names another chat.", field="chat_id")
    return Brief(
        user_id=chat.user_id,
        chat_id=chat.chat_id,
        revision=whole(values.get("revision"), "revision", least=1),
        global_summary=text(values.get("global_summary"), "global_summary", MAX_SUMMARY),
        last_summarized_message_id=identifier(
            values.get("last_summarized_message_id"), "last_summarized_message_id"
        ),
        written_by=text(values.get("written_by", ""), "written_by", MAX_WRITER),
        created_at=moment(values.get("updated_at"), "updated_at"),
    )


def _briefs(values: Mapping[str, Any]) -> tuple[object, ...]:
    """All revisions, or the one brief of a file that has only the newest."""
    if "briefs" in values:
        return tuple(_list(values, "briefs"))
    brief = values.get("brief")
    return (brief,) if brief else ()


def _placed(said: Sequence[Message]) -> tuple[Message, ...]:
    """The file's positions if they increase, otherwise new ones from 1."""
    positions = [message.position for message in said]
    if all(before < after for before, after in zip([0, *positions], positions, strict=False)):
        return tuple(said)
    return tuple(replace(message, position=number) for number, message in enumerate(said, 1))


def _position(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value < LARGEST:
        return 0
    return value


def _once(name: str, known: Mapping[str, object]) -> None:
    if name in known:
        raise InvalidInput(f"duplicate id {name!r}.", field="id")


def _of_chat(values: Mapping[str, Any], chat_id: str) -> None:
    """Refuse values of another chat; S0 calls a chat's id `session_id`."""
    if values.get("session_id", chat_id) != chat_id:
        raise InvalidInput("session_id names another chat.", field="session_id")


def _title(value: object) -> str:
    title = text(value, "title", MAX_TITLE).strip()
    if not title:
        raise InvalidInput("title must not be empty.", field="title")
    return title


def _model(value: object, field: str) -> str | None:
    """A model's name; S0 writes a missing one as an empty text."""
    return None if value is None or value == "" else check_name(value, field=field)


def _list(values: Mapping[str, Any], name: str) -> list[Any]:
    return listed(values.get(name, []), name)

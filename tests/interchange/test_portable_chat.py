"""Portable chats: what was written can be read, wrong parts are left out, and folds are taken whole or not at all."""

from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.errors import InvalidInput
from recollect.interchange.portable_chat import (
    GivenChat,
    chat_from,
    counted,
    folds_from,
    message_from,
    pin_from,
)
from recollect.records.chat import Brief, Summary
from recollect.records.message import Message, Role
from recollect.records.pin import Pin, PinType
from recollect.rules.vocabulary import Vocabulary

NOW = datetime(2026, 1, 1, tzinfo=UTC)
#: When a file is read.
LATER = NOW + timedelta(hours=1)
NO_TERMS = Vocabulary(words=frozenset(), phrases={})
FULL = Message(
    user_id="alice",
    message_id="m1",
    chat_id="c",
    position=7,
    role=Role.TOOL,
    text="  kept as it is \n",
    model_id="m",
    model_variant="v",
    name="Zoë Lee",
    token_usage=5,
    tokens=9,
    importance_score=8.5,
    session_id="s",
    created_at=NOW,
)


def _read(value: object) -> GivenChat:
    return chat_from(value, user_id="alice", vocabulary=NO_TERMS, now=LATER)


def _message(value: object) -> Message:
    return message_from(value, user_id="alice", chat_id="c", vocabulary=NO_TERMS, now=LATER)


def _said(count: int) -> list[Message]:
    return [
        replace(FULL, message_id=f"m{n}", position=n, created_at=NOW + timedelta(seconds=n))
        for n in range(1, count + 1)
    ]


def _folded(*ends: int) -> dict[str, Any]:
    """Segments that end at these messages, each with its brief."""
    starts = [1, *(end + 1 for end in ends)][: len(ends)]
    segments = [
        Summary(
            user_id="alice",
            summary_id=f"s{end}",
            chat_id="c",
            summary=f"until {end}",
            message_count=end - start + 1,
            start_message_id=f"m{start}",
            end_message_id=f"m{end}",
            start_position=start,
            end_position=end,
            importance_score=5.0,
            tokens=0,
            covered_tokens=9 * (end - start + 1),
            created_at=NOW,
        )
        for start, end in zip(starts, ends, strict=True)
    ]
    briefs = [
        Brief(
            user_id="alice",
            chat_id="c",
            revision=number,
            global_summary=f"all until {end}",
            last_summarized_message_id=f"m{end}",
            written_by="offline",
            created_at=NOW,
        )
        for number, end in enumerate(ends, 1)
    ]
    return {"segments": segments, "briefs": briefs}


def _chat(count: int, *ends: int, **values: object) -> dict[str, Any]:
    folded = _folded(*ends)
    made = {
        "chat_id": "c",
        "messages": [message.to_dict() for message in _said(count)],
        "summaries": [summary.to_dict() for summary in folded["segments"]],
        "briefs": [brief.to_dict() for brief in folded["briefs"]],
    }
    return {**made, **values}


def test_a_message_comes_back() -> None:
    """A message that was written is read as it was, once its tokens are counted."""
    assert counted(_message(FULL.to_dict()), 9) == FULL


def test_usage_that_nobody_billed_stays_unknown() -> None:
    """S0 shows our own count where no usage is known; reading that back does not make it a bill."""
    unbilled = replace(FULL, token_usage=None, model_id=None, model_variant=None)
    assert counted(_message(unbilled.to_dict()), unbilled.tokens) == unbilled


@pytest.mark.parametrize("name", ["", " ", "a\nb", 5, "x" * 257])
def test_a_wrong_name_is_refused(name: object) -> None:
    """A message whose speaker cannot be kept is left out with its place, not kept under another name."""
    read = _read(_chat(0, messages=[{**FULL.to_dict(), "name": name}]))
    assert read.messages == () and read.skipped[0].startswith("message 1: name ")


def test_a_message_without_a_score_is_weighed() -> None:
    """A file that has no scores gets ours."""
    values = {**FULL.to_dict(), "role": "user", "text": "I'm allergic to penicillin"}
    del values["importance_score"]
    assert _message(values).importance_score == 10


def test_a_pin_comes_back() -> None:
    """A pin that was written is read as it was, but for its tokens."""
    pin = Pin(
        user_id="alice",
        pin_id="p",
        chat_id="c",
        content="Gate: 4711",
        source_message_id="m1",
        importance_score=9.5,
        pin_type=PinType.AUTO,
        derived=True,
        tokens=0,
        created_at=NOW,
    )
    assert pin_from(pin.to_dict(), user_id="alice", chat_id="c", now=LATER) == pin


def test_a_chat_comes_back_with_its_folds() -> None:
    """Messages keep their places, and segments and briefs fit them."""
    read = _read(_chat(6, 2, 5, title=" Bees ", persona_id="coach"))
    assert (read.chat.title, read.chat.persona_id, read.skipped) == ("Bees", "coach", ())
    assert read.chat.created_at == NOW + timedelta(seconds=1)
    said = [counted(message, 9) for message in read.messages]
    assert said == _said(6)
    folds, wanted = folds_from(read, said), _folded(2, 5)
    assert list(folds.summaries) == wanted["segments"] and list(folds.briefs) == wanted["briefs"]


def test_a_chat_without_folds_has_none() -> None:
    """Nothing to fold is no error."""
    folds = folds_from(_read(_chat(3)), _said(3))
    assert (folds.summaries, folds.briefs) == ((), ())


@given(st.sets(st.integers(1, 12), max_size=5), st.integers(0, 12))
def test_folds_are_whole_or_refused(ends: set[int], missing: int) -> None:
    """Segments and briefs are taken exactly when each of their messages is there."""
    read = _read(_chat(12, *sorted(ends)))
    said = [message for message in _said(12) if message.position != missing]
    if 1 <= missing <= max(ends, default=0):
        with pytest.raises(InvalidInput):
            folds_from(read, said)
        return
    folds = folds_from(read, said)
    assert sum(item.message_count for item in folds.summaries) == max(ends, default=0)
    assert [item.revision for item in folds.briefs] == list(range(1, len(ends) + 1))


@given(st.lists(st.integers(-2, 6) | st.none() | st.text(max_size=2) | st.floats(0, 5), max_size=5))
def test_positions_grow(positions: list[object]) -> None:
    """Whatever a file says, the messages are in its order and their positions grow from 1 on."""
    said = [
        {**message.to_dict(), "position": place}
        for message, place in zip(_said(len(positions)), positions, strict=True)
    ]
    read = _read(_chat(0, messages=said)).messages
    assert [message.message_id for message in read] == [f"m{n}" for n in range(1, len(positions) + 1)]
    places = [message.position for message in read]
    assert places == sorted(set(places)) and all(place >= 1 for place in places)
    if all(type(place) is int for place in positions) and positions == sorted(set(positions)):  # type: ignore[type-var]
        assert places == positions or positions[0] < 1  # type: ignore[operator]


def test_an_id_that_occurs_twice_is_taken_once() -> None:
    """The second message of an id is left out with its place."""
    read = _read(_chat(0, messages=[FULL.to_dict(), FULL.to_dict()]))
    assert len(read.messages) == 1 and read.skipped == ("message 2: duplicate id 'm1'.",)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4) | st.just("m1"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


@given(
    st.dictionaries(
        st.sampled_from([*_chat(1), "pins", "brief", "title", "persona_id", "created_at"]), values
    )
)
def test_any_value_is_read_or_refused(changes: dict[str, Any]) -> None:
    """Whatever JSON a chat is, it is read or refused, and never anything else."""
    with suppress(InvalidInput):
        read = _read({**_chat(4, 2), **changes})
        folds = folds_from(read, read.messages)
        assert bool(folds.summaries) == bool(folds.briefs)

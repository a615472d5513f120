"""Pins: what may be pinned, and S0's shape."""

from datetime import UTC, datetime

import pytest

from recollect.errors import InvalidInput
from recollect.records.pin import (
    MAX_CONTENT,
    MAX_PINS,
    Pin,
    PinType,
    check_pin_content,
    check_pin_count,
    check_pin_importance,
    parse_pin_type,
)

PIN = Pin(
    user_id="ann",
    pin_id="1-a",
    chat_id="c1",
    content="Allergic to bees",
    source_message_id="m1",
    importance_score=9.0,
    pin_type=PinType.CONCEPT,
    tokens=4,
    created_at=datetime(2026, 3, 1, tzinfo=UTC),
)


def test_the_shape() -> None:
    """S0's SemanticPin, in its order; then ours."""
    assert list(PIN.to_dict().items()) == [
        ("id", "1-a"),
        ("session_id", "c1"),
        ("content", "Allergic to bees"),
        ("source_message_id", "m1"),
        ("importance_score", 9.0),
        ("pin_type", "concept"),
        ("created_at", "2026-03-01T00:00:00.000Z"),
        ("derived", PIN.derived),
        ("tokens", PIN.tokens),
    ]


def test_a_pin_by_hand_has_no_source() -> None:
    """S0's optional field is left out, not null; the importance is S0's default."""
    pin = Pin(user_id="ann", pin_id="1", chat_id="c1", content="x", tokens=1, created_at=PIN.created_at)
    assert "source_message_id" not in pin.to_dict()
    assert (pin.to_dict()["importance_score"], pin.to_dict()["pin_type"]) == (5.0, "manual")


def test_content_is_trimmed() -> None:
    """Blanks around go, lines inside stay, and the limit itself is allowed."""
    assert check_pin_content(" a\nb ") == "a\nb"
    assert len(check_pin_content("x" * MAX_CONTENT)) == MAX_CONTENT


@pytest.mark.parametrize("value", ["", "  ", "x" * (MAX_CONTENT + 1), None, 5, "\x00"])
def test_content_has_limits(value: object) -> None:
    """Something must be pinned, and not a document."""
    with pytest.raises(InvalidInput) as raised:
        check_pin_content(value)
    assert raised.value.field == "content"


@pytest.mark.parametrize(("value", "score"), [(0, 0.0), (10, 10.0), (7.5, 7.5)])
def test_the_scale_of_importance(value: float, score: float) -> None:
    """0 to 10, both included, as a number with a point."""
    assert check_pin_importance(value) == score
    assert isinstance(check_pin_importance(value), float)


@pytest.mark.parametrize("value", [-0.1, 10.1, float("nan"), float("inf"), True, "5", None])
def test_no_other_importance(value: object) -> None:
    """Anything off the scale is refused."""
    with pytest.raises(InvalidInput) as raised:
        check_pin_importance(value)
    assert raised.value.field == "importance_score"


@pytest.mark.parametrize("name", ["manual", "auto", "code", "concept", "system"])
def test_five_types(name: str) -> None:
    """S0's types, spelled as on the wire."""
    assert parse_pin_type(name).value == name


@pytest.mark.parametrize("value", ["MANUAL", "", None, 5, []])
def test_no_other_type(value: object) -> None:
    """An unknown type is refused with the allowed ones."""
    with pytest.raises(InvalidInput, match="manual, auto") as raised:
        parse_pin_type(value)
    assert raised.value.field == "pin_type"


def test_a_chat_has_room_for_so_many() -> None:
    """The last place may be taken, and one more is refused with what to do."""
    check_pin_count(MAX_PINS - 1, "c1")
    with pytest.raises(InvalidInput, match=r"1,000 pins .*: unpin something first"):
        check_pin_count(MAX_PINS, "c1")

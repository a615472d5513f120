"""Values of a file: what is of the right kind comes through unchanged, and everything else is refused by name."""

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.errors import InvalidInput
from recollect.interchange.portable_value import (
    LARGEST,
    fields,
    free,
    identifier,
    listed,
    moment,
    number,
    past,
    text,
    truth,
    whole,
)


def test_values_of_the_right_kind_come_through() -> None:
    """A value that is what it should be is returned as it is."""
    assert fields({"a": 1}, "f") == {"a": 1}
    assert listed([1], "f") == [1]
    assert text("ü", "f", 1) == "ü"
    assert identifier("2026-01-01T00:00:00.000Z#1", "f") == "2026-01-01T00:00:00.000Z#1"
    assert (whole(0, "f"), whole(LARGEST - 1, "f"), number(0.5, "f"), truth(False, "f")) == (
        0,
        LARGEST - 1,
        0.5,
        False,
    )
    assert moment("2026-01-01", "f") == datetime(2026, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("read", "value"),
    [
        (fields, []),
        (fields, None),
        (listed, {}),
        (listed, "ab"),
        (lambda value, field: text(value, field, 2), "abc"),
        (lambda value, field: text(value, field, 2), 5),
        (identifier, ""),
        (identifier, "x" * 101),
        (identifier, "a b"),
        (identifier, "a%"),
        (identifier, "a\x00"),
        (whole, True),
        (whole, -1),
        (whole, 1.0),
        (whole, LARGEST),
        (lambda value, field: whole(value, field, least=1), 0),
        (number, float("nan")),
        (number, 10**400),
        (number, "1"),
        (truth, 1),
        (moment, 5),
        (moment, "9999-12-31T23:59:59Z"),
        (lambda value, field: past(value, field, datetime(2026, 1, 1, tzinfo=UTC)), "2026-01-03"),
        (free, "\ud800"),
        (free, [float("inf")]),
        (free, {"a": {1}}),
        (free, {5: 5}),
        (free, json.loads("[" * 50 + "]" * 50)),
    ],
    ids=lambda value: getattr(value, "__name__", None) or str(value)[:20].replace("\x00", "NUL"),
)
def test_other_values_are_refused_by_name(read: object, value: object) -> None:
    """A value of another kind or size is refused, and the error names the field."""
    with pytest.raises(InvalidInput) as refused:
        read(value, "shoe")  # type: ignore[operator]
    assert "shoe" in refused.value.message and refused.value.field == "shoe"


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**50), 2**50)
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(json_values)
def test_free_json_can_be_written_and_read(value: object) -> None:
    """Whatever is accepted as free JSON survives being written."""
    try:
        free(value, "f")
    except InvalidInput:
        # A NUL in a name.
        return
    assert json.loads(json.dumps(value, allow_nan=False)) == value

"""The memory record: its limits, its shapes and its id."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.errors import InvalidInput
from recollect.records.category import Category, MemoryType
from recollect.records.memory import (
    FIELDS,
    MemoryRecord,
    Status,
    check_content,
    check_importance,
    check_tags,
    check_text,
    check_user_id,
    make_id,
    parse_status,
)

NOW = datetime(2026, 1, 28, 10, 30, 45, 123000, tzinfo=UTC)
RECORD = MemoryRecord(
    user_id="user@example.com",
    memory_id="2026-01-28T10:30:45.123Z#a1b2c3d4",
    content="User prefers Python 3.12+",
    category=Category.PREFERENCE,
    type=MemoryType.PROFILE,
    importance=9.0,
    created_at=NOW,
    updated_at=NOW,
    valid_from=NOW,
)


def test_the_id_of_s3() -> None:
    """S3's example: the time of creation with milliseconds, then eight hexadecimal digits."""
    assert make_id(NOW, "a1b2c3d4") == "2026-01-28T10:30:45.123Z#a1b2c3d4"


@given(
    st.datetimes(min_value=datetime(1970, 1, 1), max_value=datetime(9999, 1, 1)),
    st.timedeltas(timedelta(milliseconds=1), timedelta(days=99)),
)
def test_ids_sort_by_time(moment: datetime, gap: timedelta) -> None:
    """A memory made a millisecond later or more has the greater id."""
    moment = moment.replace(tzinfo=UTC)
    assert make_id(moment, "ffffffff") < make_id(moment + gap, "00000000")


def test_the_record_of_s3() -> None:
    """Whole numbers are shown as whole numbers, an absent use as null, and absent context not at all."""
    assert list(RECORD.to_s3()) == [
        "user_id", "memory_id", "content", "category", "importance", "tags", "created_at", "last_accessed", "access_count"
    ]  # fmt: skip
    assert json.dumps(RECORD.to_s3()["importance"]) == "9"
    assert RECORD.to_s3()["last_accessed"] is None
    assert json.dumps(replace(RECORD, importance=7.5).to_s3()["importance"]) == "7.5"
    assert replace(RECORD, source_context="at lunch").to_s3()["source_context"] == "at lunch"


def test_the_whole_record_is_json_and_holds_every_field() -> None:
    """Nothing of a record is lost on the wire."""
    wire = json.loads(json.dumps(RECORD.to_dict()))
    inside_subtype = {"entity_type", "fact_type"}
    assert set(MemoryRecord.__dataclass_fields__) - inside_subtype <= wire.keys()
    assert replace(RECORD, entity_type="person", fact_type="fact").to_dict()["subtype"] == {
        "entityType": "person",
        "factType": "fact",
    }


def test_every_field_that_can_change_is_in_the_history() -> None:
    """Only the identity and the counters of a record are outside the fields that history knows."""
    derived = {"contradicts"}
    unchanging = {
        "user_id",
        "memory_id",
        "created_at",
        "last_accessed",
        "access_count",
        "mention_count",
    } | derived
    assert set(FIELDS) == set(MemoryRecord.__dataclass_fields__) - unchanging


def test_current_is_active_and_still_true() -> None:
    """Archived or superseded memories are not current."""
    assert RECORD.current
    assert not replace(RECORD, status=Status.ARCHIVED).current
    assert not replace(RECORD, valid_to=NOW).current


def test_a_pinned_memory_is_level_three_and_always_ten() -> None:
    """The pin decides level and effective importance, not the stored value."""
    light = replace(RECORD, importance=1.0)
    assert (light.importance_level, replace(light, pinned=True).importance_level) == (0, 3)
    assert replace(light, pinned=True).effective_importance(NOW + timedelta(days=9999)) == 10


def test_a_memory_from_the_future_has_no_negative_age() -> None:
    """A clock that goes backwards does not make a memory more important than it is."""
    assert RECORD.effective_importance(NOW - timedelta(days=5)) == RECORD.effective_importance(NOW)


@given(st.text())
def test_content_is_trimmed_and_within_limits_or_refused(text: str) -> None:
    """What passes has 10-500 characters and no space around it."""
    if 10 <= len(text.strip()) <= 500 and "\x00" not in text and text.isprintable():
        assert check_content(text) == text.strip()
    elif not 10 <= len(text.strip()) <= 500:
        with pytest.raises(InvalidInput) as raised:
            check_content(text)
        assert raised.value.field == "content"


@pytest.mark.parametrize(("length", "passes"), [(9, False), (10, True), (500, True), (501, False)])
def test_the_limits_of_content(length: int, passes: bool) -> None:
    """10 and 500 are allowed, 9 and 501 are not."""
    if passes:
        assert len(check_content("x" * length)) == length
    else:
        with pytest.raises(
            InvalidInput, match=r"^Content too (short|long) \((minimum 10|maximum 500) characters\)$"
        ):
            check_content("x" * length)


@pytest.mark.parametrize("value", ["nul\x00", "lone \ud800", b"bytes", 5, None, ["x"]])
def test_text_that_no_database_keeps(value: object) -> None:
    """NUL, lone surrogates and what is no text are refused with the field's name."""
    with pytest.raises(InvalidInput, match=r"^note ") as raised:
        check_text(value, field="note")
    assert raised.value.field == "note"


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\x00")))
def test_all_other_text_passes_unchanged(text: str) -> None:
    """Nothing else is refused or altered."""
    assert check_text(text, field="note") == text


def test_tags_are_trimmed_unique_and_in_order() -> None:
    """Tags keep their order and case; repetition is dropped."""
    assert check_tags([" b ", "a", "b", "A"]) == ("b", "a", "A")
    assert check_tags(tag for tag in ("x", "y")) == ("x", "y")


@pytest.mark.parametrize("value", [0, 10, 7.5, 0.0])
def test_importance_from_zero_to_ten(value: float) -> None:
    """Both ends belong to the scale."""
    assert check_importance(value) == value


@pytest.mark.parametrize("value", [True, False, -0.1, 10.1, float("nan"), float("inf"), "5", None, [5]])
def test_importance_that_is_none(value: object) -> None:
    """Truth values, text and what is off the scale are refused."""
    with pytest.raises(InvalidInput) as raised:
        check_importance(value)
    assert raised.value.field == "importance"


def test_user_ids() -> None:
    """Up to 256 characters of any text that is not blank."""
    assert check_user_id("x" * 256) == "x" * 256
    for value in ("", " \n", "x" * 257, None, 5, "\x00"):
        with pytest.raises(InvalidInput) as raised:
            check_user_id(value)
        assert raised.value.field == "user_id"


def test_status_as_a_caller_spells_it() -> None:
    """Case and space do not matter; anything else is refused."""
    assert parse_status(" archived ") is Status.ARCHIVED
    for value in ("gone", "", 5, None):
        with pytest.raises(InvalidInput) as raised:
            parse_status(value)  # type: ignore[arg-type]
        assert raised.value.field == "status"

"""Briefs: the record."""

from datetime import UTC, datetime

from recollect.records.brief import Brief


def test_the_shape() -> None:
    """S1's fields with the revision and its time, its size and who wrote it."""
    brief = Brief(
        user_id="ann",
        chat_id="c1",
        revision=2,
        global_summary="They planned a hive.",
        last_summarized_message_id="m9",
        tokens=5,
        created_at=datetime(2026, 3, 1, tzinfo=UTC),
    )
    assert brief.to_dict() == {
        "chat_id": "c1",
        "global_summary": "They planned a hive.",
        "last_summarized_message_id": "m9",
        "revision": 2,
        "updated_at": "2026-03-01T00:00:00.000Z",
        "tokens": 5,
        "written_by": "",
    }


def test_before_the_first_fold() -> None:
    """A chat without a fold has an empty brief of revision 0."""
    assert Brief(user_id="ann", chat_id="c1").to_dict() == {
        "chat_id": "c1",
        "global_summary": "",
        "last_summarized_message_id": None,
        "revision": 0,
        "updated_at": None,
        "tokens": 0,
        "written_by": "",
    }

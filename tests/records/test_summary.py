"""Summaries: the record of a folded segment."""

from datetime import UTC, datetime

from recollect.records.summary import Summary


def test_the_shape() -> None:
    """S0's ConversationSummary, where the chat is its session; then positions and sizes, which are ours."""
    summary = Summary(
        user_id="ann",
        summary_id="1-a",
        chat_id="c1",
        summary="They planned a hive.",
        message_count=44,
        start_message_id="m1",
        end_message_id="m44",
        start_position=1,
        end_position=44,
        importance_score=7.5,
        tokens=5,
        covered_tokens=900,
        created_at=datetime(2026, 3, 1, tzinfo=UTC),
    )
    assert summary.to_dict() == {
        "id": "1-a",
        "session_id": "c1",
        "summary": "They planned a hive.",
        "message_count": 44,
        "start_message_id": "m1",
        "end_message_id": "m44",
        "importance_score": 7.5,
        "created_at": "2026-03-01T00:00:00.000Z",
        "start_position": 1,
        "end_position": 44,
        "tokens": 5,
        "covered_tokens": 900,
    }

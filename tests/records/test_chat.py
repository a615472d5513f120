"""Chats: the record."""

from datetime import UTC, datetime

from recollect.records.chat import Brief, ChatRecord, Summary, titled

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def test_the_shape() -> None:
    """A list of chats shows names, count and last activity; then how far it is folded and judged."""
    chat = ChatRecord(
        user_id="ann",
        chat_id="c1",
        persona_id="coach",
        title="Bees",
        created_at=NOON,
        last_message_at=NOON,
        message_count=4,
        unfolded_tokens=99,
    )
    assert chat.to_dict() == {
        "chat_id": "c1",
        "title": "Bees",
        "persona_id": "coach",
        "message_count": 4,
        "last_message_at": "2026-03-01T12:00:00.000Z",
        "created_at": "2026-03-01T12:00:00.000Z",
        "last_position": 0,
        "revision": 0,
        "folded_position": 0,
        "refold_position": 0,
        "unfolded_messages": 0,
        "unfolded_tokens": 99,
        "judged_position": 0,
    }


def test_a_new_chat_is_empty() -> None:
    """Before the first message there is no time of one, and nothing to fold."""
    chat = ChatRecord(user_id="ann", chat_id="c1", created_at=NOON)
    assert chat.to_dict()["last_message_at"] is None
    assert (chat.message_count, chat.last_position, chat.folded_position, chat.unfolded_messages) == (
        0,
        0,
        0,
        0,
    )


def test_a_chat_goes_by_its_title_or_its_first_words() -> None:
    """A title given by hand stays; else the beginning stands in on one line, if there is any."""
    bare = ChatRecord(user_id="ann", chat_id="c1", created_at=NOON)
    named = ChatRecord(user_id="ann", chat_id="c1", title="Bees", created_at=NOON)
    assert titled(named, "Hello") == named
    assert titled(bare, " Hello\n there ").title == "Hello there"
    assert titled(bare, " ").title is None


def test_the_shape_of_brief() -> None:
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


def test_the_shape_of_summary() -> None:
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

"""The summaries table."""

from dataclasses import replace

import pytest

from recollect.errors import StoreError
from recollect.records.chat import Summary
from recollect.store import summaries
from recollect.store.summaries import Totals

from .conftest import Store
from .conversations import minutes


def _summary(start: int, end: int, chat_id: str = "c1", user_id: str = "ann", name: str = "") -> Summary:
    return Summary(
        user_id=user_id,
        summary_id=name or f"{chat_id}:{start}",
        chat_id=chat_id,
        summary=f"From {start} to {end} they spoke of bees.",
        message_count=end - start + 1,
        start_message_id=f"m{start}",
        end_message_id=f"m{end}",
        start_position=start,
        end_position=end,
        importance_score=7.5,
        tokens=12,
        covered_tokens=100,
        created_at=minutes(end),
    )


#: A gap between the two: the messages 45 to 49 were deleted.
FIRST, SECOND = _summary(1, 44), _summary(50, 93)


@pytest.fixture
def chat(store: Store) -> Store:
    """Two segments of one chat, written in the wrong order; another chat and another user have one each."""
    for one in (SECOND, FIRST, _summary(1, 99, "c2"), _summary(1, 99, user_id="bob")):
        store.write(one.user_id, lambda tx, one=one: summaries.insert(tx, one))
    return store


def test_segments_in_order(chat: Store) -> None:
    """The segments of a chat come in its order, and each by its id."""
    assert chat.read("ann", lambda tx: summaries.of_chat(tx, "ann", "c1")) == [FIRST, SECOND]
    assert chat.read("ann", lambda tx: summaries.get(tx, "ann", FIRST.summary_id)) == FIRST
    assert chat.read("cy", lambda tx: summaries.get(tx, "cy", FIRST.summary_id)) is None


def test_segments_for_a_context(store: Store) -> None:
    """The newest, and the three most important of those before, each once, in the order of the chat."""
    scores = {1: 9.0, 3: 8.0, 5: 7.5, 7: 7.0, 19: 10.0}
    found = [
        replace(_summary(start, start + 1), importance_score=scores.get(start, 5.0))
        for start in range(1, 21, 2)
    ]
    for one in (*found, _summary(50, 60, "c2"), _summary(50, 60, user_id="bob")):
        store.write(one.user_id, lambda tx, one=one: summaries.insert(tx, one))

    def read(newest: int) -> list[int]:
        listed = store.read("ann", lambda tx: summaries.for_context(tx, "ann", "c1", newest=newest))
        return [summary.start_position for summary in listed]

    assert read(2) == [1, 3, 17, 19]
    assert read(99) == list(range(1, 21, 2))


def test_two_folds_cannot_begin_at_one_message(chat: Store) -> None:
    """The second segment with the same beginning is refused, whatever its id."""
    with pytest.raises(StoreError):
        chat.write("ann", lambda tx: summaries.insert(tx, _summary(50, 60, name="late")))


def test_segments_are_taken_back(chat: Store) -> None:
    """A segment goes with those after it; other chats keep theirs."""
    assert chat.write("ann", lambda tx: summaries.delete_from(tx, "ann", "c1", 50)) == 1
    assert chat.read("ann", lambda tx: summaries.of_chat(tx, "ann", "c1")) == [FIRST]
    assert chat.write("ann", lambda tx: summaries.delete_from(tx, "ann", "c1", 0)) == 1
    assert len(chat.read("ann", lambda tx: summaries.of_chat(tx, "ann", "c2"))) == 1
    assert len(chat.read("bob", lambda tx: summaries.of_chat(tx, "bob", "c1"))) == 1


def test_segments_in_numbers(chat: Store) -> None:
    """How many, for how many messages and tokens, at what price; zeros for a chat without any."""
    assert chat.read("ann", lambda tx: summaries.totals(tx, "ann", "c1")) == Totals(
        count=2, message_count=88, covered_tokens=200, tokens=24
    )
    assert chat.read("ann", lambda tx: summaries.totals(tx, "ann", "none")) == Totals(
        count=0, message_count=0, covered_tokens=0, tokens=0
    )

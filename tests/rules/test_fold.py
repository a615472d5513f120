"""The fold: when it is due, what it takes, and which summaries by hand fit (S1 8.1)."""

from datetime import UTC, datetime
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.errors import Conflict, InvalidInput, NotFound
from recollect.records.chat import Brief, ChatRecord
from recollect.records.message import Message, Role, messages_of, turns_of
from recollect.rules.fold import MAX_UNFOLDED, Fold, check_segment, is_due, plan

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def _message(position: int, role: Role, tokens: int = 100, chat_id: str = "c") -> Message:
    return Message(
        user_id="ann",
        message_id=f"m{position}",
        chat_id=chat_id,
        position=position,
        role=role,
        text="x",
        tokens=tokens,
        importance_score=5.0,
        created_at=NOON,
    )


def _talk(turns: int, tokens: int = 100) -> list[Message]:
    """Turns of two messages."""
    return [
        _message(position, Role.ASSISTANT if position % 2 == 0 else Role.USER, tokens)
        for position in range(1, 2 * turns + 1)
    ]


def _chat(unfolded: list[Message], refold: int = 0) -> ChatRecord:
    return ChatRecord(
        user_id="ann",
        chat_id="c",
        created_at=NOON,
        unfolded_messages=len(unfolded),
        unfolded_tokens=sum(message.tokens for message in unfolded),
        refold_position=refold,
    )


def _brief(tokens: int) -> Brief:
    return Brief(user_id="ann", chat_id="c", revision=1, global_summary="s", tokens=tokens)


def _plan(unfolded: list[Message], *, brief: int = 0, refold: int = 0, threshold: int = 1000) -> Fold | None:
    known = _brief(brief) if brief else None
    return plan(_chat(unfolded, refold), known, unfolded, raw_turns=3, threshold=threshold)


@pytest.mark.parametrize(
    ("messages", "tokens", "brief", "due"),
    [(2, 1000, 0, False), (2, 1001, 0, True), (2, 901, 100, True), (2, 900, 100, False), (49, 0, 0, False), (50, 0, 0, True)],
)  # fmt: skip
def test_when_a_chat_is_due(messages: int, tokens: int, brief: int, due: bool) -> None:
    """Only above the threshold, brief included, or at 50 messages; exactly at the threshold it is not."""
    chat = ChatRecord(
        user_id="ann", chat_id="c", created_at=NOON, unfolded_messages=messages, unfolded_tokens=tokens
    )
    assert is_due(chat, brief, threshold=1000) is due


def test_at_the_threshold_nothing_is_folded() -> None:
    """S1: tokens(brief + buffer) ≤ threshold: no call; one more, and everything before the tail is taken."""
    assert _plan(_talk(5)) is None
    taken = _plan([*_talk(5)[:-1], _message(10, Role.ASSISTANT, 101)])
    assert taken is not None
    assert [message.position for message in messages_of(taken.turns)] == [1, 2, 3, 4]
    assert (taken.left, sum(turn.tokens for turn in taken.turns)) == (3, 400)


def test_the_brief_counts() -> None:
    """S1: the existing summary belongs to the size that is compared."""
    assert _plan(_talk(5), brief=1) is not None


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_without_an_older_part_nothing_is_folded(turns: int) -> None:
    """S1: however large, the last K turns are never taken."""
    assert _plan(_talk(turns, tokens=5000)) is None


def test_fifty_messages_fold_forty_four() -> None:
    """S0's fifty messages: with K = 3 the fold takes 44 of them, whatever their size."""
    taken = _plan(_talk(MAX_UNFOLDED // 2, tokens=1), threshold=6000)
    assert taken is not None
    assert len(messages_of(taken.turns)) == 44
    assert _plan(_talk(MAX_UNFOLDED // 2, tokens=1)[:-1], threshold=6000) is None


def test_a_backlog_is_folded_in_steps() -> None:
    """What is much larger than the threshold is taken in turns that fit, and a giant turn alone."""
    taken = _plan(_talk(30))
    assert taken is not None
    assert sum(turn.tokens for turn in taken.turns) == 1000
    giant = _plan(_talk(6, tokens=900))
    assert giant is not None
    assert len(giant.turns) == 1


def test_what_an_edit_took_back_is_owed() -> None:
    """Messages that had been folded are folded again, due or not, even those of the tail; no others are."""
    taken = _plan(_talk(3, tokens=1), refold=2)
    assert taken is not None
    assert [message.position for message in messages_of(taken.turns)] == [1, 2]
    assert _plan(_talk(3, tokens=1)[2:], refold=2) is None


@given(
    roles=st.lists(st.sampled_from(list(Role)), max_size=80),
    tokens=st.integers(1, 400),
    brief=st.integers(0, 500),
    refold=st.integers(0, 90),
    raw_turns=st.integers(1, 6),
)
def test_a_fold_takes_a_beginning_of_whole_turns(
    roles: list[Role], tokens: int, brief: int, refold: int, raw_turns: int
) -> None:
    """Whatever was said, a fold takes the first turns without a gap and leaves the last K, unless they are owed."""
    said = [_message(position, role, tokens) for position, role in enumerate(roles, 1)]
    taken = plan(
        _chat(said, refold), _brief(brief) if brief else None, said, raw_turns=raw_turns, threshold=2000
    )
    if taken is None:
        assert refold == 0 or not said
        return
    assert messages_of(taken.turns) == said[: len(messages_of(taken.turns))]
    assert messages_of(taken.turns)
    if refold:
        assert messages_of(taken.turns)[-1].position <= refold
    else:
        assert len(turns_of(said)) - len(taken.turns) >= raw_turns
    assert sum(turn.tokens for turn in taken.turns) <= 2000 or len(taken.turns) == 1


@given(st.lists(st.sampled_from(list(Role)), max_size=60))
def test_every_message_is_in_exactly_one_turn(roles: list[Role]) -> None:
    """Turns divide a chat: in order, without loss, each opened by the user but perhaps the first."""
    said = [_message(position, role) for position, role in enumerate(roles, 1)]
    turns = turns_of(said)
    assert messages_of(turns) == said
    assert all(later.messages[0].role is Role.USER for _, later in pairwise(turns))
    assert all(message.role is not Role.USER for turn in turns for message in turn.messages[1:])


# -- by hand --------------------------------------------------------------------------------------------


def test_a_summary_by_hand_that_fits() -> None:
    """From the first uncovered message, in order, with the right count: these are its messages."""
    said = _talk(4)
    assert check_segment(said, said[0], said[3], 4, chat_id="c") == said[:4]
    assert check_segment(said, said[0], said[0], 1, chat_id="c") == said[:1]


def test_a_summary_by_hand_that_does_not_fit() -> None:
    """Each way to be wrong has its error, and a wrong start names the right one."""
    said = _talk(4)
    rest = said[2:]
    foreign = _message(1, Role.USER, chat_id="other")
    for start, end in ((None, said[3]), (said[0], None), (foreign, said[3]), (said[0], foreign)):
        with pytest.raises(NotFound):
            check_segment(said, start, end, 4, chat_id="c")
    with pytest.raises(InvalidInput, match="before"):
        check_segment(said, said[3], said[0], 4, chat_id="c")
    for count in (3, 5, 0, -4, True, "4", 4.0, None):
        with pytest.raises(InvalidInput, match="4 messages"):
            check_segment(said, said[0], said[3], count, chat_id="c")
    with pytest.raises(Conflict, match="m3"):
        check_segment(rest, said[0], said[3], 4, chat_id="c")
    with pytest.raises(Conflict, match="m3"):
        check_segment(rest, said[4], said[5], 2, chat_id="c")
    with pytest.raises(Conflict, match="already"):
        check_segment([], said[0], said[3], 4, chat_id="c")

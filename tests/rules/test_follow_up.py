"""Follow-ups: which jobs wait for each other and which are one."""

from datetime import UTC, datetime, timedelta

import pytest

from recollect.records.job import JobKind, chat_lane
from recollect.rules import follow_up
from recollect.rules.follow_up import ENOUGH_MESSAGES, ENOUGH_NEW, ENOUGH_TOKENS, WAIT, due_at, judged_at

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def test_everything_that_changes_a_chat_shares_its_lane() -> None:
    """Folding a chat and following an edit in it never run side by side; two chats do."""
    assert follow_up.fold_chat("c").lane == follow_up.rederive("c", "m").lane == chat_lane("c")
    assert follow_up.fold_chat("c").lane != follow_up.fold_chat("d").lane


def test_two_follow_ups_of_one_thing_are_one() -> None:
    """The subject names what the job is about: the chat, the message, the session, the persona or the user's spine."""
    assert follow_up.fold_chat("c").subject == "c"
    assert follow_up.rederive("c", "m").subject == "m"
    assert follow_up.summarise_session("s").subject == follow_up.close_session("s", NOON).subject == "s"
    assert follow_up.roll("Coach").subject == "Coach"
    assert follow_up.grow_spine() == follow_up.grow_spine()
    assert follow_up.index_messages() == follow_up.index_messages()
    assert follow_up.curate().subject == follow_up.curate(NOON).subject


def test_closing_waits_for_its_time() -> None:
    """The close of a session is scheduled, tidying and judging may be; everything else is due at once."""
    assert follow_up.close_session("s", NOON).run_at == follow_up.curate(NOON).run_at == NOON
    others = (
        follow_up.fold_chat("c"),
        follow_up.roll(None),
        follow_up.summarise_session("s"),
        follow_up.grow_spine(),
        follow_up.rederive("c", "m"),
        follow_up.index_messages(),
        follow_up.judge_chat("c"),
        follow_up.curate(),
    )
    assert [job.run_at for job in others] == [None] * 8
    assert {job.kind for job in others} | {JobKind.CLOSE_SESSION} == set(JobKind)


def test_no_persona_is_told_apart() -> None:
    """The payload keeps whether there is a persona at all."""
    assert follow_up.roll(None).payload == {"persona_id": None}
    assert follow_up.roll("Coach").payload == {"persona_id": "Coach"}


def test_jobs_hold_no_words() -> None:
    """A job names things by their ids; the payload has nothing else."""
    assert follow_up.fold_chat("c").payload == follow_up.rederive("c", "m").payload == {}


_NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def test_rules_do_not_wait() -> None:
    """By rules every turn is read at once."""
    assert judged_at(_NOW, by_rules=True, messages=1, tokens=1) == _NOW


@pytest.mark.parametrize(
    ("messages", "tokens", "waits"),
    [
        (1, ENOUGH_TOKENS - 1, True),
        (1, ENOUGH_TOKENS, False),
        (ENOUGH_MESSAGES - 1, 10, True),
        (ENOUGH_MESSAGES, 10, False),
    ],
)
def test_a_model_waits_for_a_heap(messages: int, tokens: int, waits: bool) -> None:
    """A model waits a minute, unless enough was said for a call of its own."""
    at = judged_at(_NOW, by_rules=False, messages=messages, tokens=tokens)
    assert at == (_NOW + WAIT if waits else _NOW)


def test_many_at_once_few_within_a_day() -> None:
    """After 25 new memories at once, else at the same time of the next day."""
    assert ENOUGH_NEW == 25
    assert due_at(25, NOON) == due_at(400, NOON) == NOON
    assert due_at(24, NOON) == due_at(0, NOON) == NOON + timedelta(days=1)

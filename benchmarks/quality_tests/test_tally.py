"""Tests of evaluation/tally.py."""

from pathlib import Path

from benchmarks.quality.tally import Tally

from . import tiny


def test_a_tally_counts_each_turn_once(tmp_path: Path) -> None:
    """A turn that comes back twice has one place and costs its tokens once; only the first ten count."""
    conversation = tiny.dataset(tmp_path).conversations[0]
    tally = Tally("one")
    tokens = {f"t{number}": 1 for number in range(20)} | {"b:1": 100}
    ranked = ["b:1", "b:1", *(f"t{number}" for number in range(20))]
    session_of = conversation.session_of()
    tally.add(
        conversation, conversation.questions[1], ranked, session_of=session_of, tokens=tokens, seconds=0.5
    )
    row = tally.result()
    assert row.turns[0].ranks == row.sessions[0].ranks == (1,)
    assert row.tokens == (109,)
    assert row.query_seconds == (0.5,)
    assert row.ranked_sessions == ()


def test_sessions_of_a_systems_own_are_counted_besides(tmp_path: Path) -> None:
    """A system that ranks sessions is judged by that order too; the order of its turns counts as for everybody."""
    conversation = tiny.dataset(tmp_path).conversations[0]
    tally = Tally("one")
    asked, session_of = conversation.questions[1], conversation.session_of()
    tally.add(conversation, asked, ["a:1", "b:1"], session_of=session_of, tokens={}, sessions=["b", "c", "a"])
    row = tally.result()
    assert (row.sessions[0].ranks, row.ranked_sessions[0].ranks) == ((2,), (1,))

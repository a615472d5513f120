"""Tests of evaluation/tally.py."""

from pathlib import Path

from recollect.evaluation.tally import Tally

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

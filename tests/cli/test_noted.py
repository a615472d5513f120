"""What was noted: the difference that a message made, and why the rest was not kept."""

import io
from collections.abc import Iterator
from pathlib import Path

import pytest

from recollect import Memory
from recollect.cli.noted import Noted, look, noted, noted_lines
from recollect.cli.output import Output


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """A memory with its judge."""
    with Memory(tmp_path / "noted.db") as opened:
        yield opened


def _said(memory: Memory, text: str) -> Noted:
    before = look(memory)
    done = memory.chat("talk").add(user=text)
    assert memory.drain()
    return noted(memory, before, done.messages)


def _shown(memory: Memory, what: Noted) -> str:
    stream = io.StringIO()
    noted_lines(Output(stream=stream), what, memory)
    return stream.getvalue()


def test_a_compound_sentence_is_several_things(memory: Memory) -> None:
    """Facts and a todo of one message are told apart, in the order in which they were said."""
    found = _said(memory, "I live in Berlin, my sister Ida lives in Oslo, and I have to call Jo by Friday.")
    assert [new.content for new, _ in found.added] == [
        "User lives in Berlin.",
        "User's sister Ida lives in Oslo.",
    ]
    assert [todo.text for todo in found.todos] == ["User has to call Jo by Friday."]
    assert "Todo: User has to call Jo by Friday. (commitment · due " in _shown(memory, found)


def test_a_new_value_names_the_old_one(memory: Memory) -> None:
    """What is replaced is named with what replaces it, and is not taken for forgotten."""
    _said(memory, "I live in Berlin.")
    found = _said(memory, "I moved to Lisbon.")
    assert [(new.content, old.content if old else None) for new, old in found.added] == [
        ("User moved to Lisbon.", "User lives in Berlin.")
    ]
    assert found.forgotten == ()


def test_said_again(memory: Memory) -> None:
    """A known fact that is said again is told as known."""
    _said(memory, "I live in Berlin.")
    found = _said(memory, "I live in Berlin.")
    assert (found.added, [known.content for known in found.again]) == ((), ["User lives in Berlin."])
    assert _shown(memory, found) == "Known already: User lives in Berlin.\n"


def test_forgetting(memory: Memory) -> None:
    """What the user asks to forget is told as forgotten; of what is not known it is said that nothing went."""
    _said(memory, "I play the cello on Sundays.")
    found = _said(memory, "Forget that I play the cello on Sundays.")
    assert [gone.content for gone in found.forgotten] == ["User plays the cello on Sundays."]
    unknown = _said(memory, "Forget that I speak Klingon.")
    assert unknown.unfound and not unknown
    assert "nothing was forgotten" in _shown(memory, unknown)


def test_what_contradicts_is_left_to_the_person(memory: Memory) -> None:
    """A contradiction is shown as a proposal with both memories."""
    _said(memory, "I am vegetarian.")
    shown = _shown(memory, _said(memory, "I love steak."))
    assert "For you to decide:\n  contradiction: the one excludes steak\n" in shown
    assert "    User is vegetarian.  " in shown


def test_nothing_to_remember(memory: Memory) -> None:
    """Where nothing is kept, that is said, with the reason if the rules have one."""
    assert _shown(memory, _said(memory, "hello")) == "Nothing to remember.\n"
    found = _said(memory, "I might learn the cello.")
    assert (
        _shown(memory, found)
        == 'Nothing to remember.\n  not kept: "I might learn the cello." It is hedged.\n'
    )
    assert found.to_dict()["not_kept"] == [{"said": "I might learn the cello.", "reason": "It is hedged."}]

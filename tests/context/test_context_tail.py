"""S1 8.1: which recent messages are shown, and what happens near the prompt budget."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from remembered import brief, context, count, exchanges, message, talk

from recollect.context import SectionName
from recollect.rules.budget import Limits

HEADER = "BACKGROUND – PRIOR CONVERSATION SUMMARY (use only if relevant):"


def test_s1s_memory_text() -> None:
    """A chat with only a brief and a tail reads exactly as S1 says."""
    recent = talk(
        ("user", "How do I hold the bow?"),
        ("assistant", "Loosely."),
        ("user", "And the wrist?"),
        ("assistant", "Relaxed."),
        start=3,
    )
    shown = context(brief=brief("They talked about posture."), recent=recent, folded_position=2)
    assert shown.to_text() == (
        f"{HEADER}\nThey talked about posture.\n\n"
        "User: How do I hold the bow?\nAssistant: Loosely.\n\n"
        "User: And the wrist?\nAssistant: Relaxed."
    )


def test_a_short_chat_has_no_background() -> None:
    """Without a brief there is nothing but the turns."""
    assert context(recent=exchanges(1)).to_text() == "User: question 1\nAssistant: answer 1"
    assert context().to_text() == "" and context().to_openai() == []


@pytest.mark.parametrize(
    ("raw_turns", "folded", "first"), [(3, 8, 3), (1, 8, 5), (3, 4, 3), (3, 2, 2), (3, 0, 1)]
)
def test_the_last_turns_and_what_is_not_folded(raw_turns: int, folded: int, first: int) -> None:
    """The last K turns are shown even when they are folded; before them only turns that are not."""
    shown = context(recent=exchanges(5), folded_position=folded, limits=Limits(raw_turns=raw_turns))
    assert [item.text for item in shown.tail if item.role == "user"] == [
        f"question {turn}" for turn in range(first, 6)
    ]
    assert shown.dropped == ()


def test_at_most_twenty_messages() -> None:
    """Older unfolded turns follow as whole turns up to 20 messages in all; what is older is reported."""
    shown = context(recent=exchanges(12))
    assert [item.text for item in shown.tail][:1] == ["question 3"] and len(shown.tail) == 20
    assert [item.sources for item in shown.dropped] == [("m1",), ("m2",), ("m3",), ("m4",)]


def test_the_last_turns_may_be_more_than_twenty_messages() -> None:
    """The last K turns are shown whatever their number of messages."""
    many = talk(("user", "go"), *[("tool", f"step {number}") for number in range(30)])
    assert context(recent=many).tail == many


def test_near_the_prompt_budget() -> None:
    """What costs exactly the prompt budget stays; one token less costs the oldest turn."""
    values = {
        "brief": brief("They talked about tea."),
        "recent": exchanges(3, words=50),
        "folded_position": 0,
    }
    whole = context(**values)
    needed = count(whole.to_text())
    assert len(context(**values, limits=Limits(prompt_budget=needed)).tail) == 6
    tight = context(**values, limits=Limits(prompt_budget=needed - 1))
    assert [item.text.split(" tea")[0] for item in tight.tail] == [
        "question 2",
        "answer 2",
        "question 3",
        "answer 3",
    ]
    assert [item.section for item in tight.dropped] == [SectionName.TAIL] * 2


def test_down_to_one_turn_then_the_brief() -> None:
    """The oldest turns go first, down to one; then the brief keeps its end."""
    text = "Once upon a time. " * 40 + "The wrist stays relaxed."
    values = {"brief": brief(text), "recent": exchanges(3, words=100)}
    shown = context(**values, limits=Limits(prompt_budget=300))
    assert [item.text.split(" tea")[0] for item in shown.tail] == ["question 3", "answer 3"]
    assert count(shown.to_text()) <= 300
    background = shown.to_text().split("\n\n")[0]
    assert background.startswith(f"{HEADER}\n… ") and background.endswith("The wrist stays relaxed.")
    cut = [item for item in shown.dropped if item.section is SectionName.BRIEF]
    assert [item.cut for item in cut] == [True] and cut[0].sources == ("m2",)


def test_a_turn_beyond_the_prompt_budget_leaves_the_brief() -> None:
    """One turn that is larger than S1's budget breaks it anyway: the brief stays, within the budget of the whole."""
    values = {"brief": brief("They talked about tea."), "recent": exchanges(3, words=400)}
    shown = context(**values, limits=Limits(prompt_budget=300))
    assert len(shown.tail) == 2
    assert "They talked about tea." in shown.to_text()
    assert not [item for item in shown.dropped if item.section is SectionName.BRIEF]


@pytest.mark.parametrize("words", range(120, 150, 2))
def test_a_larger_turn_never_keeps_more_of_the_brief_than_a_smaller_one_loses(words: int) -> None:
    """Wherever S1's budget ends within the last turn, something of the brief is shown."""
    values = {"brief": brief("They talked about tea. " * 20), "recent": exchanges(3, words=words)}
    shown = context(**values, limits=Limits(prompt_budget=300))
    assert "They talked about tea." in shown.to_text()


def test_why_a_brief_is_cut() -> None:
    """It is S1's budget that has no room, not the budget of the context."""
    text = "Once upon a time. " * 40
    shown = context(brief=brief(text), recent=exchanges(3, words=100), limits=Limits(prompt_budget=300))
    cut = next(item for item in shown.dropped if item.section is SectionName.BRIEF)
    assert cut.why == "only its end: no room in the 300 tokens of the conversation"


@given(st.integers(1, 9), st.integers(1, 200), st.integers(200, 3000), st.integers(0, 6))
def test_the_prompt_budget_holds(turns: int, words: int, prompt_budget: int, folded: int) -> None:
    """Brief and tail keep within S1's budget, unless the last turn alone is larger."""
    shown = context(
        budget=100_000,
        brief=brief("They talked about tea and bread. " * 20),
        recent=exchanges(turns, words=words),
        folded_position=folded,
        limits=Limits(prompt_budget=prompt_budget),
    )
    assert count(shown.to_text()) <= prompt_budget or len(shown.tail) == 2
    assert [item.text.split(" tea")[0] for item in shown.tail[-2:]] == [
        f"question {turns}",
        f"answer {turns}",
    ]


def test_models_make_no_difference() -> None:
    """Turns of several models are treated identically."""
    plain = exchanges(4, words=30)
    mixed = tuple(
        replace(item, model_id="gpt-5.1", model_variant="deep-dive") if item.position % 4 == 0 else item
        for item in plain
    )
    for budget in (200, 8000):
        first, second = context(budget, recent=plain), context(budget, recent=mixed)
        assert first.to_openai() == second.to_openai() and first.to_text() == second.to_text()


def test_a_reply_that_is_missing_and_a_greeting() -> None:
    """A turn without a reply and words before the user's first are turns like others."""
    shown = context(recent=talk(("assistant", "Hello!"), ("user", "Hi."), ("user", "Are you there?")))
    assert shown.to_text() == "Assistant: Hello!\n\nUser: Hi.\n\nUser: Are you there?"


def test_the_question_is_not_repeated() -> None:
    """A question that is recorded already is asked once, last, and is no part of the last turns."""
    recent = (*exchanges(4), message(9, "user", "Which tea?"))
    shown = context(recent=recent, folded_position=8, query="Which tea?")
    assert [item["content"] for item in shown.to_openai()] == [item.text for item in recent[2:]]
    assert shown.to_memory_context()["recentMessages"][-1]["text"] == "Which tea?"
    other = context(recent=recent, folded_position=8, query="Which bread?")
    assert [item["content"] for item in other.to_openai()][-2:] == ["Which tea?", "Which bread?"]

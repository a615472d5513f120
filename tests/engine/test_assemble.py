"""Assemble: what a model sees, end to end: the tail, the budgets, the personas, and a prefix that stays."""

import asyncio
import logging
from typing import Any

import pytest

from recollect import Context, InvalidInput, Memory, Settings
from recollect.context import SectionName
from recollect.context import assemble as put_together
from recollect.encoder.tokens import count
from recollect.engine.assemble import MAX_EPISODES

from .conftest import Opener
from .conversing import QUICK, FakeWriter, flush, record_of, talk, until, written_by
from .fakes import FakeClock


def _prefix(memory: Memory, query: str | None = "What now?", budget: int = 8000) -> str:
    first = memory.chat("c", user="ann").context(query, tokens=budget).to_openai()[0]
    return first["content"] if first["role"] == "system" else ""


# -- S1 8.1 and 8.2 -------------------------------------------------------------------------------------


def test_the_tail_is_the_last_turns(opener: Opener) -> None:
    """S1: with everything else folded, exactly the last K turns are verbatim, and the summary stands before them."""
    memory = opener(settings=Settings(sqlite_synchronous="normal", raw_turns=3))
    chat = memory.chat("c", user="ann")
    talk(chat, 25)
    assert memory.drain(user="ann")
    context = chat.context("What now?")
    assert [item.text for item in context.tail] == [item.text for item in chat.messages(limit=6)]
    text = context.to_text()
    assert text.index("BACKGROUND – PRIOR CONVERSATION SUMMARY") < text.index("Question number 23 ")
    assert text.endswith("User: What now?")


def test_what_no_summary_covers_is_visible(memory: Memory) -> None:
    """Turns between the cursor and the tail follow, up to 20 messages, so that nothing recent is invisible."""
    chat = memory.chat("c", user="ann")
    said = talk(chat, 15)
    assert [item.text for item in chat.context("What now?").tail] == [item.text for item in said[-20:]]


def test_near_the_prompt_budget_the_oldest_turns_go_first(
    opener: Opener, caplog: pytest.LogCaptureFixture
) -> None:
    """S1: summary and tail keep to the prompt budget; tail turns go before the last one does, and they are counted."""
    memory = opener(
        settings=Settings(sqlite_synchronous="normal", prompt_token_budget=300, fold_threshold_tokens=100_000)
    )
    chat = memory.chat("c", user="ann")
    for number in range(4):
        chat.add(user=f"{number} " + "word " * 70, assistant=f"{number} " + "reply " * 50)
    with caplog.at_level(logging.INFO, "recollect.engine.assemble"):
        context = chat.context("What now?")
    assert [item.text[0] for item in context.tail] == ["2", "2", "3", "3"]
    assert {item.why[:11] for item in context.dropped} == {"no room in "}
    (logged,) = [item.getMessage() for item in caplog.records if "context.dropped" in item.getMessage()]
    missing = sum(item.tokens for item in context.dropped)
    assert logged == (
        f"context.dropped user=ann chat=c budget=8000 tail_turns=2 brief_cut=0 lines=4 tokens={missing}"
    )


def test_a_brief_that_is_cut_is_logged(opener: Opener, caplog: pytest.LogCaptureFixture) -> None:
    """S1 8.3: what is tuned by is in the event: turns of the tail that went, and whether the brief was cut."""
    memory = opener(
        settings=Settings(
            sqlite_synchronous="normal", prompt_token_budget=300, fold_threshold_tokens=1000, raw_turns=1
        )
    )
    writer = written_by(memory, FakeWriter())
    writer.answer = lambda existing, turns: "They spoke of roses. " * 60
    chat = memory.chat("c", user="ann")
    for number in range(8):
        chat.add(user=f"{number} " + "word " * 100, assistant=f"{number} " + "reply " * 100)
    assert memory.drain(user="ann")
    with caplog.at_level(logging.INFO, "recollect.engine.assemble"):
        context = chat.context("What now?")
    cut = [item for item in context.dropped if item.section is SectionName.BRIEF]
    assert [item.cut for item in cut] == [True]
    (logged,) = [item.getMessage() for item in caplog.records if "context.dropped" in item.getMessage()]
    gone = {source for item in context.dropped if item.section is SectionName.TAIL for source in item.sources}
    assert f"tail_turns={len(gone) // 2} brief_cut=1 lines={len(context.dropped)} tokens=" in logged


def test_a_turn_of_too_many_messages(memory: Memory) -> None:
    """What opened the turn and its newest messages are read, a bounded number; the others are counted as dropped."""
    chat = memory.chat("c", user="ann")
    talk(chat, 1)
    steps = [{"role": "tool", "text": f"step {number}"} for number in range(700)]
    steps[3]["text"] = "Was his diabetes medication metformin changed?"
    for start in range(0, 700, 100):
        batch = steps[start : start + 100]
        chat.add([{"role": "user", "text": "Go."}, *batch] if start == 0 else batch)
    context = chat.context("And?", tokens=100_000)
    said = chat.messages(limit=1000)
    shown = [item.text for item in context.tail]
    assert shown == ["Go.", *(f"step {number}" for number in range(500, 700))]
    (unread,) = [item for item in context.dropped if item.text.endswith(" messages")]
    between = said[said.index(context.tail[0]) + 1 : said.index(context.tail[1])]
    assert unread.text == f"{len(between)} messages" == "500 messages"
    assert unread.tokens == sum(item.tokens for item in between)
    # What matters among them is not lost for that.
    assert any(
        "metformin changed" in item["content"] for item in context.to_openai() if item["role"] == "system"
    )


def test_a_turn_of_too_many_messages_that_nobody_opened(memory: Memory) -> None:
    """Words before the user's first are a turn too: its newest are read, the others counted."""
    chat = memory.chat("c", user="ann")
    for start in range(0, 300, 100):
        chat.add([{"role": "tool", "text": f"step {start + number}"} for number in range(100)])
    context = chat.context("And?", tokens=100_000)
    assert [item.text for item in context.tail] == [f"step {number}" for number in range(100, 300)]
    assert [item.text for item in context.dropped] == ["100 messages"]


@pytest.mark.parametrize(("pins", "words"), [(0, 10), (201, 10), (0, 40_000)])
def test_a_large_context_is_not_put_together_on_the_loop(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, pins: int, words: int
) -> None:
    """Many pins or much text are put together in a thread, so that nobody else waits for them."""
    on_loop: list[bool] = []

    def noted(*given: Any, **named: Any) -> Context:
        try:
            asyncio.get_running_loop()
            on_loop.append(True)
        except RuntimeError:
            on_loop.append(False)
        return put_together(*given, **named)

    monkeypatch.setattr("recollect.engine.assemble.put_together", noted)
    chat = memory.chat("c", user="ann")
    chat.add(user="word " * words, assistant="Noted.")
    for number in range(pins):
        chat.pin(f"Fact number {number}")
    chat.context("What now?")
    assert on_loop == [pins == 0 and words == 10]


def test_a_budget_is_a_law_and_has_limits(memory: Memory) -> None:
    """No form costs more than the budget; below 200 tokens, and no whole number, is refused."""
    chat = memory.chat("c", user="ann")
    chat.add(user="I am allergic to penicillin. " + "Tell me more. " * 300, assistant="Very well. " * 400)
    for budget in (200, 300, 1000):
        context = chat.context("What now?", tokens=budget)
        assert sum(count(item["content"]) + 4 for item in context.to_openai()) <= budget
        assert count(context.to_text()) <= budget
        assert "penicillin" in context.to_openai()[0]["content"]
    for bad in (199, 0, -1, 1_000_001, 800.0, True, "800"):
        with pytest.raises(InvalidInput, match="tokens"):
            chat.context("What now?", tokens=bad)  # type: ignore[arg-type]


# -- the question ---------------------------------------------------------------------------------------


def test_the_unanswered_message_is_the_question(memory: Memory) -> None:
    """Without a query the user's last message is asked, once; an answered one is not asked again."""
    chat = memory.chat("c", user="ann")
    talk(chat, 2)
    chat.add(user="Which roses are red?")
    shown = chat.context().to_openai()
    assert shown[-1] == {"role": "user", "content": "Which roses are red?"}
    assert sum(item["content"] == "Which roses are red?" for item in shown) == 1
    assert chat.context("Which roses are red?").to_openai() == shown
    chat.add(assistant="Those.")
    assert chat.context().question == ""
    assert chat.context().to_openai()[-1] == {"role": "assistant", "content": "Those."}


def test_a_chat_that_does_not_exist_yet(memory: Memory) -> None:
    """A context before the first word knows the user, makes no chat, and needs no query."""
    memory.add("User's name is Alice", user="ann", category="identity")
    chat = memory.chat("new", user="ann")
    assert "Alice" in chat.context("Hello!").to_text()
    assert chat.context().tail == ()
    assert memory.chats(user="ann") == []


def test_across_chats_critical_pins_are_there(memory: Memory) -> None:
    """Outside any chat the critical pins of all chats with that persona are shown, and no conversation."""
    chat = memory.chat("c", user="ann")
    chat.add(user="I am allergic to penicillin.", assistant="Noted, and the gate is green.")
    chat.pin("A minor note", importance_score=4)
    context = memory.context("What may I take?", user="ann")
    text = context.to_text()
    assert "penicillin" in text
    assert "minor note" not in text
    assert context.tail == ()
    other = memory.context("What may I take?", user="ann", persona="Chef")
    assert SectionName.PINS not in {section.name for section in other.sections}


def test_a_persona_sees_its_own_memories(memory: Memory) -> None:
    """What belongs to a persona is found in its chats only."""
    memory.add("User's secret recipe is strudel with plums", user="ann", persona="Chef")
    memory.add("User's name is Alice", user="ann", category="identity")
    memory.chat("c", user="ann", persona="Coach").add(user="Hello.", assistant="Hi.")
    query = "What is the secret recipe, strudel with plums?"
    text = memory.chat("c", user="ann").context(query).to_text()
    assert "with plums (" not in text
    assert "Alice" in text
    assert "User's secret recipe" in memory.chat("d", user="ann", persona="Chef").context(query).to_text()


# -- what was said earlier ------------------------------------------------------------------------------


def _said(context: Context) -> list[str]:
    return [
        line.text
        for section in context.sections
        if section.name is SectionName.RECALL
        for line in section.lines
        if "said earlier" in line.why
    ]


@pytest.mark.parametrize("indexed", [False, True])
def test_messages_of_other_chats_are_found(database_url: str, opener: Opener, indexed: bool) -> None:
    """What was said in another chat stands in the context of this one, by its words at once, on both databases."""
    anywhere = opener(database_url)
    old = anywhere.chat("old", user="ann")
    old.add([{"role": "user", "text": "My bicycle is a green Brompton.", "name": "Anna"}])
    anywhere.chat("new", user="ann").add(user="Hello.", assistant="Hi.")
    if indexed:
        assert anywhere.drain(user="ann")
    context = anywhere.chat("new", user="ann").context("Which bicycle do I have?")
    (line,) = _said(context)
    assert line.endswith(", Anna: My bicycle is a green Brompton.")
    assert context.to_openai()[-2]["content"].endswith(line)
    assert "Brompton" not in anywhere.chat("new", user="bob").context("Which bicycle do I have?").to_text()


def test_what_the_conversation_shows_is_not_found_again(memory: Memory) -> None:
    """No message stands twice: not one of the tail, not the question, not an important one."""
    chat = memory.chat("c", user="ann")
    chat.add(user="My dad takes Metformin for his diabetes, is that dangerous?", assistant="Ask his doctor.")
    talk(chat, 24)
    chat.add(user="Question number 3 about roses?")
    assert memory.drain(user="ann")
    context = chat.context()
    sources = [
        line.sources[0]
        for section in context.sections
        if section.name in (SectionName.IMPORTANT, SectionName.TAIL, SectionName.RECALL, SectionName.QUERY)
        for line in section.lines
        if line.sources
    ]
    assert len(_said(context)) > 10
    assert len(sources) == len(set(sources))


def test_a_recent_turn_without_room_in_the_tail_is_found(memory: Memory) -> None:
    """What S1's limit keeps out of the tail is not invisible: the question finds it, also in a document."""
    chat = memory.chat("c", user="ann")
    pages = "The weather was mild and the sea was calm. " * 600
    chat.add(user=f"{pages} The treasure lies near Salzburg. {pages}", assistant="Read.")
    chat.add(user="Thanks, nice.", assistant="Sure.")
    assert memory.drain(user="ann")
    context = chat.context("Where is the treasure?")
    assert "near Salzburg" in context.to_text()
    assert [message.text for message in context.tail] == ["Thanks, nice.", "Sure."]


def test_a_list_is_as_long_as_it_is_shown(memory: Memory) -> None:
    """Lines cost more than their words: a list that has no room in the tail can be found."""
    chat = memory.chat("c", user="ann")
    lines = "\n".join(f"- item {number}" for number in range(300))
    chat.add(user=f"The zeppelin password is marmalade.\n{lines}", assistant="Noted.")
    for _ in range(2):
        chat.add(user=f"More:\n{lines}", assistant="Noted.")
    assert memory.drain(user="ann")
    assert "marmalade" in chat.context("What is the zeppelin password?").to_text()


def test_a_persona_finds_its_own_messages(memory: Memory) -> None:
    """What was said to one persona is not found in the chats of another."""
    memory.chat("c", user="ann", persona="Chef").add(user="My secret is strudel with plums.")
    asked = "What is my secret with plums?"
    assert _said(memory.chat("d", user="ann", persona="Chef").context(asked))
    assert not _said(memory.chat("e", user="ann", persona="Coach").context(asked))
    assert not _said(memory.context(asked, user="ann"))


def test_the_budget_says_how_many_messages_are_asked_for(memory: Memory) -> None:
    """A line for every 25 tokens, at most 40; what does not fit is reported, and a larger budget shows more."""
    chat = memory.chat("c", user="ann")
    chat.add([{"role": "user", "text": f"I planted rose number {number}."} for number in range(120)])
    assert memory.drain(user="ann")
    found = {
        budget: memory.context("Which rose did I plant?", user="ann", tokens=budget)
        for budget in (200, 600, 8000)
    }
    assert [len(_said(context)) + _lost(context) for context in found.values()] == [8, 24, MAX_EPISODES]
    assert 0 < len(_said(found[200])) < len(_said(found[600])) < len(_said(found[8000])) == MAX_EPISODES


def _lost(context: Context) -> int:
    """Found messages for which there was no room."""
    return sum(
        item.section is SectionName.RECALL and not item.sources[0].startswith("rolling:")
        for item in context.dropped
    )


# -- the prefix -----------------------------------------------------------------------------------------


def test_the_prefix_stays_from_turn_to_turn(memory: Memory, clock: FakeClock) -> None:
    """Between folds and pins no byte of the first message changes: with accesses, minutes and rolling summaries."""
    for fact in ("User's name is Alice", "User prefers dark mode", "User's sister is named Jane"):
        memory.add(fact, user="ann")
    memory.add_todo("Renew the passport", user="ann")
    chat = memory.chat("c", user="ann")
    chat.add(user="My dad takes Metformin for his diabetes, is that dangerous?", assistant="Ask his doctor.")
    talk(chat, 24)
    assert memory.drain(user="ann")
    before = _prefix(memory)
    assert "Alice" in before
    assert "BACKGROUND" in before
    assert "Metformin" in before
    rolled = len(memory.state(user="ann", revisions=True).rolling_summaries)
    for number in range(12):
        clock.move(minutes=2)
        assert _prefix(memory, f"Does Jane like dark mode number {number}?") == before
        talk(chat, 1, start=100 + number)
        flush(memory)
        assert memory.drain(user="ann")
        assert _prefix(memory, None) == before
    assert len(memory.state(user="ann", revisions=True).rolling_summaries) > rolled
    assert record_of(chat).folded_position == 44
    chat.pin("The gate is green")
    assert _prefix(memory) != before


def test_an_important_folded_message_is_seen_at_once(memory: Memory) -> None:
    """An important message that was just folded is among the important ones, although it is recent."""
    chat = memory.chat("c", user="ann")
    talk(chat, 18)
    chat.add(user="My dad was told that his diabetes medication is changed, what now?", assistant="Ask.")
    talk(chat, 6, start=20)
    assert memory.drain(user="ann")
    assert record_of(chat).folded_position == 44
    before = _prefix(memory)
    assert "IMPORTANT EARLIER MESSAGES" in before
    assert "medication is changed" in before.split("IMPORTANT EARLIER MESSAGES")[1]
    talk(chat, 5, start=40)
    assert _prefix(memory) == before


def test_a_context_does_not_wait_for_a_model(opener: Opener) -> None:
    """While a writer is busy the context is built from what is there."""
    memory = opener(settings=QUICK)
    writer = written_by(memory, FakeWriter())
    writer.held.add("brief")
    chat = memory.chat("c", user="ann")
    talk(chat, 12)
    until(lambda: writer.folds)
    assert len(chat.context("What now?").tail) >= 20
    writer.held.clear()
    assert memory.drain(user="ann")
    assert chat.brief().global_summary.split()[0] in _prefix(memory)

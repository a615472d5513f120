"""Fold: older turns become the brief, once, without gap or overlap; summaries by hand; a writer that fails."""

import logging
import threading

import pytest
from patience import join
from scripted_model import ScriptedModel, refuses

from recollect import Chat, Conflict, InvalidInput, Memory, NotFound, Settings
from recollect.admin import Admin
from recollect.encoder import tokens
from recollect.engine.fold import FIRST_LOADED
from recollect.records.job import MAX_ATTEMPTS, Job
from recollect.records.message import Role

from .conftest import Opener
from .conversing import QUICK, FakeWriter, check_chat, record_of, talk, until, words, written_by
from .fakes import FakeClock


@pytest.fixture
def quick(opener: Opener) -> Memory:
    """A memory that folds after a few turns."""
    return opener(settings=QUICK)


@pytest.fixture
def writer(quick: Memory) -> FakeWriter:
    return written_by(quick, FakeWriter())


# -- S0 and S1 ------------------------------------------------------------------------------------------


def test_a_short_chat_has_no_summary(memory: Memory) -> None:
    """S1 8.2: a short chat keeps an empty summary and behaves as a sliding window."""
    chat = memory.chat("c", user="ann")
    talk(chat, 5)
    assert memory.drain(user="ann")
    assert (chat.brief().global_summary, chat.brief().last_summarized_message_id) == ("", None)
    assert chat.summaries() == []
    assert [item.text for item in chat.context().tail] == [item.text for item in chat.messages()]
    check_chat(chat)


def test_fifty_messages_make_a_summary_of_forty_four(opener: Opener, database_url: str) -> None:
    """S0's workflow: at 50 messages a summary of all before the tail is made, and its cursor is the brief's."""
    memory = opener(database_url)
    chat = memory.chat("dads-health", user="ann")
    said = list(chat.add(user="My dad is allergic to Penicillin", assistant="Noted.").messages)
    said += chat.add(user="He takes Metformin 500mg twice daily", assistant="Good to know.").messages
    said += talk(chat, 22)
    assert memory.drain(user="ann")
    assert chat.summaries() == []
    said += talk(chat, 1, start=23)
    assert memory.drain(user="ann")
    (summary,) = chat.summaries()
    assert (summary.message_count, summary.start_message_id, summary.end_message_id) == (
        44,
        said[0].message_id,
        said[43].message_id,
    )
    assert summary.importance_score == 10.0
    brief = chat.brief()
    assert brief.last_summarized_message_id == said[43].message_id
    assert "penicillin" in brief.global_summary.lower()
    assert "metformin" in brief.global_summary.lower()
    context = chat.context("What antibiotics are safe?")
    assert [item.text for item in context.tail] == [item.text for item in said[44:]]
    assert "penicillin" in context.to_openai()[0]["content"].lower()
    check_chat(chat)


def test_the_cursor_advances_from_fold_to_fold(quick: Memory, writer: FakeWriter) -> None:
    """S1: each fold takes up where the last one ended; its end is last_summarized_message_id."""
    chat = quick.chat("c", user="ann")
    ends: list[str | None] = [None]
    for start in range(1, 60):
        talk(chat, 1, start=start)
        assert quick.drain(user="ann")
        end = chat.brief().last_summarized_message_id
        if end != ends[-1]:
            ends.append(end)
        check_chat(chat)
    assert len(ends) > 3
    assert [segment.end_message_id for segment in chat.summaries()] == ends[1:]
    folded = [item for _, turns in writer.folds for turn in turns for item in turn.messages]
    assert folded == chat.messages(limit=1000)[: len(folded)]
    assert [existing for existing, _ in writer.folds] == [
        "",
        *(brief.global_summary for brief in chat.brief(revisions=True).revisions[:-1]),
    ]


def test_folds_only_above_the_threshold(quick: Memory, writer: FakeWriter) -> None:
    """S1: no call of the summariser at the threshold, one call just above it."""
    chat = quick.chat("c", user="ann")
    word = "word " * 49 + "end"
    size = tokens.count(word)
    for _ in range(4):
        chat.add(user=word)
    assert 4 * size == 200
    assert quick.drain(user="ann")
    assert writer.folds == []
    chat.add(assistant="one more")
    assert quick.drain(user="ann")
    ((_, turns),) = writer.folds
    assert len(turns) == 2


def test_models_do_not_matter(quick: Memory, writer: FakeWriter) -> None:
    """S1 8.1: turns of different models are folded and shown exactly alike."""
    # Of two users: what one chat says is no episode of the other.
    chats = [quick.chat("violin", user=name) for name in ("one", "many")]
    for number in range(12):
        for chat, variant in zip(chats, ("arco", ("arco", "arco-pro", "deep-dive")[number % 3]), strict=True):
            chat.add(
                user=f"Question {number} about bowing, breathing, fingering and the Bach partita",
                assistant=f"Answer {number} about bowing, breathing, fingering and the Bach partita",
                model_id=f"gpt-{variant}",
                model_variant=variant,
            )
            # So that both are folded at the same turns.
            assert quick.drain(user="one") and quick.drain(user="many")
    one, many = chats
    assert one.brief().global_summary == many.brief().global_summary != ""
    assert one.context("And now?").to_openai() == many.context("And now?").to_openai()
    assert [item.model_variant for item in many.messages()[1::2][:3]] == ["arco", "arco-pro", "deep-dive"]


def test_older_facts_survive_in_the_summary(memory: Memory) -> None:
    """S1 8.2: what was said long ago stands in the summary after chunk boundaries, the last K turns verbatim."""
    chat = memory.chat("violin", user="ann")
    chat.add(
        user="My audition at the conservatory in Vienna is on May 18.",
        assistant="Let us plan backwards from May 18.",
    )
    for number in range(60):
        chat.add(
            user=f"How is my exercise {number}?", assistant=f"Exercise {number} is fine. {'Go on. ' * 120}"
        )
    assert memory.drain(user="ann")
    assert len(chat.brief(revisions=True).revisions) >= 2
    assert "May 18" in chat.brief().global_summary
    assert chat.brief().tokens <= 500
    shown = [item.text for item in chat.context("When is it?").tail]
    assert shown[-6:] == [item.text for item in chat.messages(limit=6)]
    check_chat(chat)


def test_every_revision_of_a_brief_is_kept(quick: Memory, writer: FakeWriter) -> None:
    """A new summary does not overwrite the one before."""
    chat = quick.chat("c", user="ann")
    talk(chat, 40)
    assert quick.drain(user="ann")
    revisions = [brief.revision for brief in chat.brief(revisions=True).revisions]
    assert len(revisions) == len(chat.summaries()) > 1
    assert revisions == sorted(set(revisions))
    assert chat.brief(revisions=True).revisions[-1] == chat.brief()
    assert {brief.written_by for brief in chat.brief(revisions=True).revisions} == {"fake"}


def test_odd_turns_are_folded_whole(quick: Memory, writer: FakeWriter) -> None:
    """A greeting, several replies, tools between and missing replies leave no gap at a fold's edge."""
    chat = quick.chat("c", user="ann")
    chat.add(assistant="Welcome to the garden.")
    for number in range(20):
        chat.add(
            user=f"Question {number} about roses and thorns",
            tool=f"Result {number}" if number % 3 == 0 else None,
            system="Locale: en" if number % 5 == 0 else None,
            assistant=[f"Reply {number}", "And more"][: number % 3] or None,
        )
    assert quick.drain(user="ann")
    assert chat.summaries()
    first = chat.messages(limit=1000)[0]
    assert writer.folds[0][1][0].messages[0] == first
    assert first.role is not Role.USER
    check_chat(chat)


# -- what a writer may do -------------------------------------------------------------------------------


def test_a_summary_that_is_too_long_is_cut_and_logged(
    memory: Memory, caplog: pytest.LogCaptureFixture
) -> None:
    """More than 500 tokens are cut at a sentence's end, and the log says so with both counts."""
    writer = written_by(memory, FakeWriter())
    answer = " ".join(f"The garden has {number} roses and a gate." for number in range(1, 200))
    writer.answer = lambda existing, turns: answer
    chat = memory.chat("c", user="ann")
    with caplog.at_level(logging.INFO, "recollect.engine.fold"):
        talk(chat, 25)
        assert memory.drain(user="ann")
    brief = chat.brief()
    assert 450 < brief.tokens == tokens.count(brief.global_summary) <= 500
    assert answer.startswith(brief.global_summary)
    assert brief.global_summary.endswith("a gate.")
    (cut,) = [item.getMessage() for item in caplog.records if "summary_cut" in item.getMessage()]
    assert f"tokens={tokens.count(answer)} cap=500" in cut
    (done,) = [item.getMessage() for item in caplog.records if "fold.done" in item.getMessage()]
    assert "turns=22 messages=44" in done
    assert f"tokens_after={brief.tokens}" in done


def test_a_failing_writer_changes_nothing_until_it_succeeds(
    quick: Memory, writer: FakeWriter, clock: FakeClock
) -> None:
    """A failed fold leaves chat, brief and segments as they were; it is tried again, and then it is done."""
    writer.failing = True
    chat = quick.chat("c", user="ann")
    talk(chat, 12)
    before = record_of(chat)
    until(lambda: [job for job in Admin(quick).jobs(user="ann") if job.kind == "fold" and job.attempts])
    assert (
        record_of(chat),
        chat.brief().revision,
        chat.summaries(),
    ) == (before, 0, [])
    assert len(chat.context("Hm?").tail) > 4
    (job,) = [job for job in Admin(quick).jobs(user="ann") if job.kind == "fold"]
    assert job.last_error is not None
    assert "cannot be reached" in job.last_error
    writer.failing = False
    clock.move(minutes=2)
    assert quick.drain(user="ann")
    assert chat.summaries()
    check_chat(chat)


def test_after_too_many_failures_a_job_is_dead_and_can_be_revived(opener: Opener, clock: FakeClock) -> None:
    """With a server that refuses, the fold dies visibly after its attempts; revived, it is done as if nothing was."""
    with ScriptedModel() as model:
        model.script(refuses(400, "broken"))
        settings = Settings(
            sqlite_synchronous="normal", summarizer_model="m", openai_base_url=model.url, openai_api_key="k"
        )
        memory = opener(settings=settings)
        chat = memory.chat("c", user="ann")

        def tries() -> list[tuple[int, bool]]:
            found = [job for job in Admin(memory).jobs(user="ann") if job.kind == "fold"]
            return [(job.attempts, job.status == "running") for job in found]

        def running() -> list[Job]:
            return Admin(memory).jobs(user="ann", status="running")

        chat.add([{"role": role, "text": f"{role} {n}"} for n in range(25) for role in ("user", "assistant")])
        for attempt in range(1, MAX_ATTEMPTS + 1):
            # Not while anything runs: moved too far, the clock would end its lease.
            until(lambda attempt=attempt: (attempt, False) in tries() and not running())
            clock.move(minutes=3)
        (dead,) = [job for job in Admin(memory).jobs(user="ann", status="dead") if job.kind == "fold"]
        assert dead.attempts == MAX_ATTEMPTS
        assert dead in Admin(memory).jobs()
        assert chat.stats().dead_jobs == len(Admin(memory).jobs(user="ann", status="dead"))
        assert (chat.brief().revision, chat.summaries()) == (0, [])
        with pytest.raises(NotFound):
            Admin(memory).revive(dead.job_id, user="bob")
        model.script("All is well in the garden.")
        Admin(memory).revive(dead.job_id, user="ann")
        until(chat.summaries)
        assert chat.brief().global_summary == "All is well in the garden."
        check_chat(chat)
        with pytest.raises(NotFound):
            Admin(memory).revive(dead.job_id, user="ann")


def test_messages_may_come_while_a_fold_is_written(quick: Memory, writer: FakeWriter) -> None:
    """The fold takes what it saw; what was said meanwhile stays in the tail and is counted."""
    writer.held.add("brief")
    chat = quick.chat("c", user="ann")
    talk(chat, 10)
    until(lambda: writer.folds)
    talk(chat, 1, start=11)
    writer.held.clear()
    assert quick.drain(user="ann")
    folded = [item for _, turns in writer.folds for turn in turns for item in turn.messages]
    assert len({item.message_id for item in folded}) == len(folded)
    check_chat(chat)


@pytest.mark.parametrize("change", ["edit", "delete"])
def test_a_change_meanwhile_makes_the_fold_start_anew(quick: Memory, writer: FakeWriter, change: str) -> None:
    """A fold whose message is edited or deleted while it is being written is thrown away and decided again."""
    writer.held.add("brief")
    chat = quick.chat("c", user="ann")
    chat.add(user="The secret is wolframite.", assistant="I see.")
    said = talk(chat, 10)
    until(lambda: writer.folds)
    first = chat.messages(limit=1000)[0].message_id
    if change == "edit":
        quick.edit(first, "There is nothing to tell.", user=chat.user_id)
    else:
        quick.forget(message=first, user=chat.user_id)
    writer.held.clear()
    assert quick.drain(user="ann")
    assert said
    assert chat.summaries()
    assert all("wolframite" not in brief.global_summary for brief in chat.brief(revisions=True).revisions)
    assert all("wolframite" not in item.summary for item in chat.summaries())
    check_chat(chat)


def test_a_chat_that_was_forgotten_meanwhile_does_not_come_back(quick: Memory, writer: FakeWriter) -> None:
    """A fold of a forgotten chat is not saved into another chat of the same name."""
    writer.held.add("brief")
    chat = quick.chat("c", user="ann")
    talk(chat, 10, words="wolframite")
    until(lambda: writer.folds)
    quick.forget(chat=chat.chat_id, user=chat.user_id)
    chat.add(user="A new beginning.")
    writer.held.clear()
    assert quick.drain(user="ann")
    assert (chat.brief().revision, chat.summaries()) == (0, [])
    check_chat(chat)


# -- by hand --------------------------------------------------------------------------------------------


def test_a_summary_by_hand_moves_the_cursor_and_enters_the_brief(memory: Memory) -> None:
    """S0's CreateSummaryRequest: the segment is stored, the cursor moves, the brief tells it, the tail stays."""
    chat = memory.chat("c", user="ann")
    said = list(chat.add(user="I have been a beekeeper in Graz since 2010.", assistant="How nice!").messages)
    said += talk(chat, 4)
    summary = chat.summarise(said[0].message_id, said[3].message_id, 4)
    assert (summary.message_count, summary.start_position, summary.end_position) == (4, 1, 4)
    assert set(summary.to_dict()) == {
        "id", "session_id", "summary", "message_count", "start_message_id", "end_message_id", "importance_score",
        "created_at", "start_position", "end_position", "tokens", "covered_tokens",
    }  # fmt: skip
    brief = chat.brief()
    assert brief.last_summarized_message_id == said[3].message_id
    assert "beekeeper" in brief.global_summary
    assert "beekeeper" in chat.context("Who am I?").to_openai()[0]["content"]
    second = chat.summarise(said[4].message_id, said[9].message_id, 6)
    assert chat.summaries() == [summary, second]
    assert "beekeeper" in chat.brief().global_summary
    assert [item.text for item in chat.context("Who am I?").tail] == [item.text for item in said[4:]]
    check_chat(chat)


def test_the_checks_of_a_summary_by_hand(memory: Memory) -> None:
    """Foreign messages are not found, wrong counts and orders invalid, overlaps a conflict that names the right start."""
    chat, other = memory.chat("c", user="ann"), memory.chat("d", user="ann")
    said = [item.message_id for item in talk(chat, 4)]
    foreign = talk(other, 1)[0].message_id
    strange = talk(memory.chat("c", user="bob"), 1)[0].message_id
    for start, end in ((foreign, said[3]), (said[0], foreign), (strange, said[3]), ("nothing", said[3])):
        with pytest.raises(NotFound):
            chat.summarise(start, end, 4)
    with pytest.raises(NotFound):
        memory.chat("none", user="ann").summarise(said[0], said[3], 4)
    with pytest.raises(InvalidInput, match="before"):
        chat.summarise(said[3], said[0], 4)
    with pytest.raises(InvalidInput, match="4 messages"):
        chat.summarise(said[0], said[3], 5)
    with pytest.raises(Conflict, match=said[0]):
        chat.summarise(said[2], said[3], 2)
    chat.summarise(said[0], said[1], 2)
    with pytest.raises(Conflict, match=said[2]):
        chat.summarise(said[0], said[3], 4)
    with pytest.raises(Conflict, match=said[2]):
        chat.summarise(said[1], said[3], 3)
    assert len(chat.summaries()) == 1
    chat.summarise(said[2], said[7], 6)
    with pytest.raises(Conflict, match="already"):
        chat.summarise(said[7], said[7], 1)
    check_chat(chat)


def test_folding_goes_on_after_a_summary_by_hand(quick: Memory, writer: FakeWriter) -> None:
    """Also when the hand cut a turn in two: the next fold begins right after it."""
    chat = quick.chat("c", user="ann")
    said = talk(chat, 2)
    chat.summarise(said[0].message_id, said[2].message_id, 3)
    talk(chat, 15, start=3)
    assert quick.drain(user="ann")
    assert len(chat.summaries()) > 1
    assert chat.summaries()[1].start_message_id == said[3].message_id
    check_chat(chat)


def test_a_summary_by_hand_that_was_overtaken_is_a_conflict(quick: Memory, writer: FakeWriter) -> None:
    """If the chat changes while the summary is written, the caller is told and nothing is stored."""
    chat = quick.chat("c", user="ann")
    said = talk(chat, 2)
    writer.held.add("brief")
    caught: list[Exception] = []

    def by_hand() -> None:
        try:
            chat.summarise(said[0].message_id, said[1].message_id, 2)
        except Conflict as error:
            caught.append(error)

    thread = threading.Thread(target=by_hand)
    thread.start()
    until(lambda: writer.folds)
    quick.edit(said[0].message_id, "Something else.", user=chat.user_id)
    writer.held.clear()
    join(thread)
    assert len(caught) == 1
    assert chat.summaries() == []
    check_chat(chat)


def test_the_writer_gets_the_existing_summary_and_whole_turns(quick: Memory, writer: FakeWriter) -> None:
    """What is handed over are the brief so far and turns that begin with the user's words."""
    chat: Chat = quick.chat("c", user="ann")
    talk(chat, 30)
    assert quick.drain(user="ann")
    assert all(turn.messages[0].role is Role.USER for _, turns in writer.folds for turn in turns)
    assert words(writer.folds[0][1]).startswith("Question number 1 ")


def test_a_turn_longer_than_one_reading_is_folded_whole(quick: Memory, writer: FakeWriter) -> None:
    """A fold reads as far as it must: a turn of many tool results is never cut, and nothing is left out."""
    chat = quick.chat("c", user="ann")
    long = [{"role": "tool", "text": f"Row {number}"} for number in range(2 * FIRST_LOADED)]
    chat.add([{"role": "user", "text": "Read the table"}, *long])
    talk(chat, 8)
    assert quick.drain(user="ann")
    assert chat.summaries()[0].message_count == 1 + len(long)
    check_chat(chat)

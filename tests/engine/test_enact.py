"""Enact: what a judge proposes is checked and written: memories, todos, pins, contradictions, requests to forget."""

from datetime import timedelta

import pytest

from recollect import Memory, Settings
from recollect.admin import Admin
from recollect.encoder.minilm import MiniLM
from recollect.engine import forget_asked
from recollect.engine.enact import request_for
from recollect.records.judgement import ProposedMemory
from recollect.records.proposal import Proposal, ProposalKind, ProposalStatus
from recollect.store import proposals

from .conftest import Opener
from .conversing import parts_of
from .fakes import FakeClock, MoodyEmbedder
from .judged_talk import FakeJudge, contents, judged_by


@pytest.fixture
def memory(opener: Opener, database_url: str, minilm: MiniLM) -> Memory:
    """A memory on each of the two databases, with the packaged model, in which nothing happens by itself."""
    settings = Settings(sqlite_synchronous="normal", worker="off")
    return opener(database_url, settings=settings, embedder=minilm)


@pytest.fixture
def judge(memory: Memory) -> FakeJudge:
    fake = FakeJudge()
    judged_by(parts_of(memory), fake)
    return fake


@pytest.fixture
def say(memory: Memory, judge: FakeJudge, clock: FakeClock) -> "Say":
    return Say(memory, clock)


class Say:
    """Says lines in a chat, each a message of its own, and has them judged."""

    def __init__(self, memory: Memory, clock: FakeClock) -> None:
        self._memory = memory
        self._clock = clock

    def __call__(self, *lines: str, chat: str = "c", persona: str | None = None) -> None:
        for line in lines:
            self._clock.move(seconds=10)
            self._memory.chat(chat, user="ann", persona=persona).add(user=line)
        Admin(self._memory).judge(user="ann")


def _proposed(memory: Memory, kind: ProposalKind) -> list[Proposal]:
    async def load() -> list[Proposal]:
        return await parts_of(memory).database.read(
            "ann", lambda tx: proposals.page(tx, "ann", status=None, kind=kind, limit=50, after=None)
        )

    return memory._thread.run(load())


def test_a_guess_is_not_kept(memory: Memory, judge: FakeJudge) -> None:
    """What a judge is not sure of becomes neither a memory nor a todo, and is counted."""
    judge.confidence = 0.4
    memory.chat("c", user="ann").add(user="fact: I live in Graz\ntodo: call Tom")
    done = Admin(memory).judge(user="ann")
    assert (done.added, done.todos, done.refused) == (0, 0, 2)


def test_what_is_not_worth_keeping_is_refused(memory: Memory, judge: FakeJudge) -> None:
    """The rules for every memory hold for a judge's as well: no question, no hedge, nothing too short."""
    memory.chat("c", user="ann").add(user="fact: Where do I live?\nfact: I might move someday\nfact: ok")
    done = Admin(memory).judge(user="ann")
    assert (done.proposed, done.added, done.refused) == (3, 0, 3)


def test_facts_are_shared_and_todos_are_not(memory: Memory, say: Say) -> None:
    """S4: what is true is known to every persona; a promise is known to the one that heard it."""
    say("fact: I live in Graz", "todo: go for a walk tomorrow", persona="Coach")
    (known,) = memory.memories(user="ann", persona="Muse")
    assert known.persona_id is None
    assert [todo.persona_id for todo in memory.todos(user="ann", persona="Coach")] == ["Coach"]
    assert memory.todos(user="ann", persona="Muse") == []


def test_a_todo_is_noted_once(memory: Memory, say: Say) -> None:
    """The same promise in other words is the same todo, with both sources; another number is another todo."""
    say("todo: send the report to Tom", "todo: send Tom the report", "todo: send 3 reports to Tom")
    texts = {todo.text: todo.source_message_ids for todo in memory.todos(user="ann")}
    assert {text: len(sources) for text, sources in texts.items()} == {
        "send the report to Tom": 2,
        "send 3 reports to Tom": 1,
    }


def test_a_todo_that_is_done_may_come_again(memory: Memory, say: Say) -> None:
    """Said anew after it was done it is a new todo; reading the old message again is not saying it anew."""
    say("todo: water the plants")
    (todo,) = memory.todos(user="ann")
    memory.update_todo(todo.todo_id, status="done", user="ann")
    Admin(memory).judge(user="ann", again=True)
    assert memory.todos(user="ann") == []
    say("todo: water the plants")
    assert len(memory.todos(user="ann")) == 1


def test_a_pin_enters_the_chat(memory: Memory, say: Say) -> None:
    """What a judge pins stands in every context of its chat, once, and goes with its message."""
    say("pin: The user is deaf in the left ear")
    Admin(memory).judge(user="ann", again=True)
    chat = memory.chat("c", user="ann")
    (pin,) = chat.pins()
    assert pin.content == "The user is deaf in the left ear"
    memory.forget(message=pin.source_message_id, user="ann")
    assert chat.pins() == []


def test_a_contradiction_is_proposed_once(memory: Memory, say: Say) -> None:
    """In one batch or in two, read once or again: one proposal, both memories, and the newer one named last."""
    say("fact: I am vegetarian", "fact: I love steak")
    Admin(memory).judge(user="ann", again=True)
    (proposal,) = _proposed(memory, ProposalKind.CONTRADICTION)
    assert proposal.status is ProposalStatus.OPEN
    assert [memory.get(item, user="ann").content for item in proposal.memory_ids] == [
        "User is vegetarian",
        "User loves steak",
    ]
    assert len(contents(memory)) == 2


def test_a_contradiction_can_be_decided_however_the_clock_runs(
    memory: Memory, say: Say, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A proposal is never older than the memories that were made with it, or accepting it would be refused for ever."""
    monkeypatch.setattr(FakeClock, "__call__", lambda self: self.move(milliseconds=1))
    say("fact: I am vegetarian", "fact: I love steak")
    (proposal,) = _proposed(memory, ProposalKind.CONTRADICTION)
    assert memory.resolve(proposal.proposal_id, accept=True, user="ann").status is ProposalStatus.ACCEPTED
    assert contents(memory) == ["User loves steak"]


def test_a_second_wife_is_proposed(memory: Memory, say: Say) -> None:
    """Two names in a role of one: both are kept, and somebody is asked."""
    say("fact: My wife is Jane")
    say("fact: My wife is Anna")
    assert len(contents(memory)) == 2
    assert len(_proposed(memory, ProposalKind.CONTRADICTION)) == 1


# -- forgetting ---------------------------------------------------------------------------------------------------


def test_forget_a_past_value(memory: Memory, say: Say) -> None:
    """Who lives in Vienna now and wants Graz forgotten keeps Vienna."""
    say("fact: I live in Graz", "fact: I live in Vienna", "forget: User lives in Graz")
    (known,) = memory.memories(user="ann")
    assert (known.content, known.supersedes) == ("User lives in Vienna", None)
    assert Admin(memory).judge(user="ann").messages == 0


def test_forget_and_say_it_anew(memory: Memory, say: Say) -> None:
    """A request means what was said before it, not what the same or a later message states."""
    say("fact: I like jazz", "forget: User likes jazz\nfact: I like blues", "fact: I like jazz")
    assert contents(memory) == ["User likes blues", "User likes jazz"]


def test_forget_after_another_process_changed_the_model(
    opener: Opener, database_url: str, clock: FakeClock
) -> None:
    """A request alone is looked up in the user's present model, whatever this process had seen before."""
    settings = Settings(sqlite_synchronous="normal", worker="off")
    first, second = (
        opener(database_url, settings=settings, embedder=[MoodyEmbedder(), MoodyEmbedder("fake-32", 32)])
        for _ in range(2)
    )
    judged_by(parts_of(first), FakeJudge())
    first.chat("c", user="ann").add(user="fact: I like bagpipes")
    Admin(first).judge(user="ann")
    Admin(second).reembed("fake-32")
    clock.move(seconds=10)
    first.chat("c", user="ann").add(user="forget: User likes bagpipes")
    assert Admin(first).judge(user="ann").forgotten == 1
    assert contents(first) == []


def test_forget_what_is_not_known(memory: Memory, judge: FakeJudge) -> None:
    """A request that means nothing known is counted, and nothing is proposed."""
    memory.add("I live in Graz", user="ann")
    memory.chat("c", user="ann").add(user="forget: User likes jazz")
    done = Admin(memory).judge(user="ann")
    assert (done.forgotten, done.forgettings_asked, done.forgettings_unfound) == (0, 0, 1)
    assert _proposed(memory, ProposalKind.FORGETTING) == []


def test_forget_two_things_in_one_message(memory: Memory, say: Say) -> None:
    """Each request of a message is carried out, and each leaves its own trace."""
    say("fact: I like jazz", "fact: I hate olives", "forget: User likes jazz\nforget: User hates olives")
    assert contents(memory) == []
    assert len(_proposed(memory, ProposalKind.FORGETTING)) == 2


def test_others_are_left_alone(memory: Memory, say: Say) -> None:
    """A request reaches neither another user's memories nor those of another persona."""
    memory.add("I like jazz", user="bob")
    memory.add("I like jazz", user="ann", persona="Muse")
    say("fact: I like jazz", "forget: User likes jazz", persona="Coach")
    assert contents(memory, "bob") == ["User likes jazz"]
    assert [item.persona_id for item in memory.memories(user="ann", persona="Muse")] == ["Muse"]


def test_a_rejected_request_stays_rejected(memory: Memory, say: Say, clock: FakeClock) -> None:
    """What somebody decided not to forget is not erased when the conversation is read again."""
    say("fact: I like jazz", "fact: I play jazz with Tom", "forget: jazz")
    (proposal,) = _proposed(memory, ProposalKind.FORGETTING)
    assert proposal.status is ProposalStatus.OPEN

    async def reject() -> None:
        at = clock.now + timedelta(seconds=1)
        await parts_of(memory).database.write(
            "ann",
            lambda tx: proposals.decide(tx, "ann", proposal.proposal_id, ProposalStatus.REJECTED, "ann", at),
        )

    memory._thread.run(reject())
    (other,) = [item for item in memory.memories(user="ann") if "Tom" in item.content]
    memory.forget(memory=other.memory_id, user="ann")
    clock.move(seconds=10)
    done = Admin(memory).judge(user="ann", again=True)
    assert done.forgotten == 0
    assert "User likes jazz" in contents(memory)


def test_a_request_that_is_read_again_leaves_what_was_said_since(
    memory: Memory, say: Say, clock: FakeClock
) -> None:
    """Who states a fact anew after asking to forget it wants it known, whatever is read a second time, in any chat."""
    say("fact: I live in Graz", "forget: User lives in Graz", chat="first")
    assert contents(memory) == []
    say("fact: I live in Graz", chat="second")
    clock.move(seconds=10)
    memory.add("I keep bees", user="ann")
    say("forget: User keeps bees", chat="first")
    assert contents(memory) == ["User lives in Graz"]
    clock.move(seconds=10)
    memory.add("I keep bees", user="ann")
    Admin(memory).judge(user="ann", chat="first", again=True)
    assert contents(memory) == ["User keeps bees", "User lives in Graz"]


def test_a_topic_is_asked_and_names_what_would_go(memory: Memory, judge: FakeJudge) -> None:
    """The only memory about a topic stays until somebody accepts that it goes."""
    memory.add("I have a dog", user="ann")
    memory.chat("c", user="ann").add(user="forget: User's dog")
    done = Admin(memory).judge(user="ann")
    assert (done.forgotten, done.forgettings_asked) == (0, 1)
    (proposal,) = _proposed(memory, ProposalKind.FORGETTING)
    (known,) = memory.memories(user="ann")
    assert (proposal.status, proposal.memory_ids) == (ProposalStatus.OPEN, (known.memory_id,))
    memory.resolve(proposal.proposal_id, accept=True, user="ann")
    assert contents(memory) == []


@pytest.mark.parametrize("behind", ["What about Vienna?", "Just kidding!", "I'm so mad at this city!!!"])
def test_a_statement_that_is_taken_back_is_asked(memory: Memory, say: Say, behind: str) -> None:
    """Beside a question, a joke or anger nothing is erased."""
    say("fact: I live in Graz", f"forget: User lives in Graz\n{behind}")
    assert contents(memory) == ["User lives in Graz"]
    (proposal,) = _proposed(memory, ProposalKind.FORGETTING)
    assert proposal.status is ProposalStatus.OPEN


def test_a_pinned_memory_is_asked_about(memory: Memory, say: Say) -> None:
    """What somebody pinned is not erased unasked, and the proposal says that this is why."""
    memory.add("I live in Graz", user="ann", pinned=True)
    say("forget: User lives in Graz")
    (proposal,) = _proposed(memory, ProposalKind.FORGETTING)
    assert (proposal.status, "it is pinned" in proposal.reason) == (ProposalStatus.OPEN, True)


def test_everything_is_asked_and_counted(memory: Memory, say: Say, clock: FakeClock) -> None:
    """All memories that the persona may see are named, also where the judge finds no request; another persona's are not."""
    memory.add("I live in Graz", user="ann")
    memory.add("I like jazz", user="ann", persona="Coach")
    memory.add("I hate olives", user="ann", persona="Muse")
    say("Please forget everything you know about me.", persona="Coach")
    (proposal,) = _proposed(memory, ProposalKind.FORGETTING)
    assert proposal.status is ProposalStatus.OPEN
    assert proposal.reason == "the user asked to forget everything: 2 memories"
    named = {memory.get(item, user="ann").content for item in proposal.memory_ids}
    assert named == {"User lives in Graz", "User likes jazz"}
    Admin(memory).judge(user="ann", again=True)
    assert len(_proposed(memory, ProposalKind.FORGETTING)) == 1
    memory.resolve(proposal.proposal_id, accept=True, user="ann")
    assert contents(memory) == ["User hates olives"]


def test_everything_names_only_so_many(memory: Memory, say: Say, monkeypatch: pytest.MonkeyPatch) -> None:
    """A proposal stays readable, and says that there is more."""
    monkeypatch.setattr(forget_asked, "MOST_OF_ALL", 2)
    for said in ("I live in Graz", "I like jazz", "I hate olives"):
        memory.add(said, user="ann")
    say("forget: everything")
    (proposal,) = _proposed(memory, ProposalKind.FORGETTING)
    assert len(proposal.memory_ids) == 2
    assert "newest 2" in proposal.reason and "there are more" in proposal.reason


def test_pins_that_say_the_same_go_too(memory: Memory, say: Say, clock: FakeClock) -> None:
    """A pin by rule goes in every chat with the fact; one that says more or was set by hand stays, and so does a later one."""
    say("I am allergic to nuts.", chat="first")
    say("I am allergic to nuts. I am allergic to penicillin.", chat="second")
    memory.chat("second", user="ann").pin("Careful with nuts")
    memory.add("I am allergic to nuts", user="ann")
    say("forget: User is allergic to nuts", chat="first")
    assert contents(memory) == []
    assert memory.chat("first", user="ann").pins() == []
    left = {pin.content for pin in memory.chat("second", user="ann").pins()}
    assert left == {"User is allergic to penicillin", "Careful with nuts"}
    (proposal,) = _proposed(memory, ProposalKind.FORGETTING)
    assert "2 pins" in proposal.reason
    say("I am allergic to nuts.", chat="first")
    clock.move(seconds=10)
    Admin(memory).judge(user="ann", again=True)
    assert len(memory.chat("first", user="ann").pins()) == 1


def test_a_pin_goes_though_no_memory_says_it(memory: Memory, say: Say) -> None:
    """What only a pin says is forgotten as well, and counted."""
    say("I am allergic to nuts.")
    memory.chat("c", user="ann").add(user="forget: User is allergic to nuts")
    assert Admin(memory).judge(user="ann").forgotten == 1
    assert memory.chat("c", user="ann").pins() == []


def test_pins_go_when_a_request_is_accepted(memory: Memory, say: Say) -> None:
    """A topic leaves the pin alone until somebody accepts that the memory goes."""
    memory.add("I am allergic to nuts", user="ann")
    say("I am allergic to nuts.", "forget: nuts")
    assert len(memory.chat("c", user="ann").pins()) == 1
    (proposal,) = _proposed(memory, ProposalKind.FORGETTING)
    memory.resolve(proposal.proposal_id, accept=True, user="ann")
    assert contents(memory) == []
    assert memory.chat("c", user="ann").pins() == []


def test_a_secret_is_kept_nowhere(memory: Memory, judge: FakeJudge) -> None:
    """A password becomes neither memory nor todo nor pin, and a fact from the same breath does not carry it along."""
    said = "My cat is called Tom and my password is hunter2"
    memory.chat("c", user="ann").add(
        user="fact: My ssh key is AKIAABCDEFGHIJKLMNOP\ntodo: send Tom the door code 4711\npin: my PIN is 4711"
    )
    done = Admin(memory).judge(user="ann")
    assert (done.added, done.todos, done.pins, done.refused) == (0, 0, 0, 3)
    item = ProposedMemory(
        content="User's cat is called Tom", confidence=0.9, reasoning="", said=said, source_message_ids=("m",)
    )
    assert request_for(item).source_context is None


def test_what_is_not_to_be_kept_is_kept_nowhere(memory: Memory, judge: FakeJudge) -> None:
    """Whoever judges: what the user asks not to keep becomes neither memory nor todo nor pin; the message stays."""
    chat = memory.chat("c", user="ann")
    chat.add(user="Off the record:\nfact: I live in Graz\ntodo: call Tom\npin: Ann is deaf")
    done = Admin(memory).judge(user="ann")
    assert (done.added, done.todos, done.pins, done.refused) == (0, 0, 0, 3)
    assert chat.pins() == []
    assert len(chat.messages()) == 1

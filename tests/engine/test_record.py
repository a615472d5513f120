"""Record: verbatim, at once and together with what follows; keys, sessions, counters and pins."""

import hashlib
import json
import logging
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest

from recollect import Chat, Conflict, Memory, Settings
from recollect.engine.idempotency import begin
from recollect.records.pin import MAX_DERIVED
from recollect.store import idempotency_keys

from .conftest import Opener
from .conversing import parts_of, talk
from .fakes import FakeClock


@pytest.fixture
def chat(memory: Memory) -> Chat:
    return memory.chat("garden", user="ann")


@pytest.fixture
def stored(opener: Opener, database_url: str) -> Memory:
    """A memory on each of the two databases."""
    return opener(database_url)


# -- keys -----------------------------------------------------------------------------------------------


def test_who_speaks_is_kept_and_belongs_to_the_request(stored: Memory) -> None:
    """A name comes back as it was given, on both databases, and another name under the same key is a conflict."""
    chat = stored.chat("c", user="ann")
    said = [{"role": "user", "text": "Hello.", "name": "Zoë Lee"}, {"role": "user", "text": "Hi."}]
    recorded = chat.add(said, idempotency_key="k1")
    assert [message.name for message in recorded.messages] == ["Zoë Lee", None]
    assert chat.messages() == list(recorded.messages)
    assert chat.add(said, idempotency_key="k1").repeated
    for name in ("Zoë", None):
        with pytest.raises(Conflict):
            chat.add([{**said[0], "name": name}, said[1]], idempotency_key="k1")
    assert (
        stored.edit(recorded.messages[0].message_id, "Good day.", user=chat.user_id).message.name == "Zoë Lee"
    )
    assert stored.message(recorded.messages[0].message_id, user=chat.user_id).to_dict()["name"] == "Zoë Lee"
    assert "name" not in stored.message(recorded.messages[1].message_id, user=chat.user_id).to_dict()


def test_a_key_of_an_earlier_version_is_known(chat: Chat, memory: Memory) -> None:
    """A call without names has the hash that it had before there were any: a retry across an upgrade is no conflict."""
    chat.add(user="First.", idempotency_key="k1")
    load = partial(idempotency_keys.find, user_id="ann", key="k1", since=datetime(2026, 1, 1, tzinfo=UTC))
    found = memory._thread.run(parts_of(memory).database.read("ann", load))
    values = ["garden", [["user", "First.", None, None, None, None]]]
    assert found is not None and found[0] == hashlib.sha256(json.dumps(values).encode()).hexdigest()


@pytest.mark.parametrize("key", ["http k", "said http k", "said k"])
def test_keys_do_not_meet_those_of_requests(chat: Chat, memory: Memory, key: str) -> None:
    """Whatever key a caller chooses, a request of another kind under the same words is another one."""
    chat.add(user="First.", idempotency_key=key)
    assert memory._thread.run(begin(parts_of(memory), "ann", "k", "another request")) is None
    assert chat.add(user="First.", idempotency_key=key).repeated is True
    assert chat.add(user="Second.", idempotency_key="k").repeated is False


# -- counters, sessions, state --------------------------------------------------------------------------


def test_a_batch_from_the_past_opens_its_own_sessions(memory: Memory, chat: Chat, clock: FakeClock) -> None:
    """Messages with times of their own fall into sessions by those times, also inside one call."""
    start = clock.now - timedelta(days=3)
    times = [0, 10, 44, 80, 200]
    chat.add(
        [
            {"role": "user", "text": f"at {minute}", "created_at": start + timedelta(minutes=minute)}
            for minute in times
        ]
    )
    assert memory.drain(user="ann")
    found = [past.session for past in reversed(memory.sessions(user="ann"))]
    assert [session.turn_count for session in found] == [3, 1, 1]
    assert [session.ended_at for session in found] == [
        start + timedelta(minutes=minute + 30) for minute in (44, 80, 200)
    ]
    assert len({item.session_id for item in chat.messages()}) == 3


def test_nobody_speaks_in_the_future(memory: Memory, chat: Chat, clock: FakeClock) -> None:
    """A message that claims a later time is recorded as said now, so its session ends like any other."""
    chat.add(user="My clock is wrong.", created_at=clock.now + timedelta(days=400))
    assert chat.messages()[0].created_at == clock.now
    clock.move(minutes=40)
    chat.add(user="Now it is right.")
    assert len(memory.sessions(user="ann")) == 2


def test_the_last_words_are_shortened(memory: Memory, chat: Chat) -> None:
    """The state shows the beginning of what the user said last, 200 characters of it."""
    chat.add(user="word " * 100, assistant="ok")
    assert memory.state(user="ann").to_dict()["state"]["lastUserMessage"] == ("word " * 40)


# -- pins and importance --------------------------------------------------------------------------------


def test_a_newer_dose_replaces_the_older(chat: Chat) -> None:
    """However often a dose is told, in one call or in many, one pin tells the last one; a pin by hand stays beside it."""
    by_hand = chat.pin("Dad takes metformin 1 mg")
    chat.add([{"role": "user", "text": f"My dad takes metformin {dose} mg"} for dose in range(100, 150)])
    for dose in (500, 850):
        recorded = chat.add(user=f"My dad takes metformin {dose} mg")
        assert [pin.content for pin in recorded.pins] == [f"User's dad takes metformin {dose} mg"]
        assert {pin.pin_id for pin in chat.pins()} == {by_hand.pin_id, recorded.pins[0].pin_id}


def test_what_was_said_earlier_replaces_nothing(chat: Chat, clock: FakeClock) -> None:
    """A message that is recorded late, with the time at which it was said, does not outdo a newer one."""
    chat.add(user="I take warfarin 5 mg")
    said = [{"role": "user", "text": "I take warfarin 3 mg", "created_at": clock() - timedelta(days=1)}]
    assert chat.add(said).pins == ()
    assert [pin.content for pin in chat.pins()] == ["User takes warfarin 5 mg"]


def test_rules_leave_room(chat: Chat, caplog: pytest.LogCaptureFixture) -> None:
    """Rules keep so many pins in a chat: the least important, then the oldest, go, and the log says so."""
    caplog.set_level(logging.INFO)
    for number in range(MAX_DERIVED + 5):
        chat.add(user=f"I take pillomax{number} 5 mg")
    (allergy,) = chat.add(user="I am allergic to penicillin.").pins
    kept = chat.pins()
    assert len(kept) == MAX_DERIVED and kept[0] == allergy
    assert {pin.content.split()[2] for pin in kept[1:]} == {f"pillomax{n}" for n in range(6, MAX_DERIVED + 5)}
    assert sum(line.getMessage().startswith("pin.dropped ") for line in caplog.records) == 6


def test_nothing_waits_for_a_model(opener: Opener) -> None:
    """Recording succeeds while no server of models can be reached."""
    memory = opener(
        settings=Settings(summarizer_model="m", openai_base_url="http://127.0.0.1:9/v1", openai_api_key="k")
    )
    chat = memory.chat("c", user="ann")
    talk(chat, 30)
    assert len(chat.messages(limit=100)) == 60
    assert chat.context("What did I ask?").tail[-1].text.startswith("Answer number 30 ")


def test_ids_sort_by_creation(chat: Chat, clock: FakeClock) -> None:
    """Message ids begin with the time in milliseconds and keep the order of recording."""
    said = talk(chat, 20)
    clock.move(seconds=1)
    said += talk(chat, 2)
    ids = [item.message_id for item in said]
    assert ids == sorted(ids)
    assert ids[0].startswith(str(int(datetime(2026, 3, 1, 12, tzinfo=UTC).timestamp() * 1000)))


def test_a_batch_finds_the_sessions_that_single_messages_find(memory: Memory, clock: FakeClock) -> None:
    """Messages out of order, around sessions that are there already, open and resume the same ones in one call."""
    start = clock() - timedelta(days=3)
    minutes = (0, 300, 10, 310, 5, 120, 700, 331, 34, 690, 100, 64, 1200, 365)
    said = [
        {
            "role": ("user", "assistant")[place % 2],
            "text": "Hm.",
            "created_at": start + timedelta(minutes=minute),
        }
        for place, minute in enumerate(minutes)
    ]
    for name in ("one by one", "at once"):
        memory.chat("c", user=name).add(said[:4])
    for item in said[4:]:
        memory.chat("c", user="one by one").add([item])
    memory.chat("c", user="at once").add(said[4:])
    single, batch = (
        [
            (past.session.started_at, past.session.last_activity_at, past.session.turn_count)
            for past in memory.sessions(user=name)
        ]
        for name in ("one by one", "at once")
    )
    assert batch == single
    assert len(batch) > 3

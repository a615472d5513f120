"""Record: verbatim, at once and together with what follows; keys, sessions, counters and pins."""

import hashlib
import json
import logging
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest

from recollect import Chat, Conflict, InvalidInput, Memory, Settings
from recollect.engine.idempotency import begin
from recollect.records.message import Role
from recollect.records.pin import MAX_DERIVED
from recollect.store import idempotency_keys

from .conftest import Opener
from .conversing import check_chat, parts_of, talk
from .fakes import FakeClock


@pytest.fixture
def chat(memory: Memory) -> Chat:
    return memory.chat("garden", user="ann")


@pytest.fixture
def stored(opener: Opener, database_url: str) -> Memory:
    """A memory on each of the two databases."""
    return opener(database_url)


def test_what_is_said_is_kept_verbatim(stored: Memory) -> None:
    """Every message comes back with the very characters, the model and the usage that were given, on both databases."""
    chat = stored.chat("c", user="ann")
    given = [
        {"role": "system", "text": "  You are kind.\n\n"},
        {"role": "user", "text": "Grüße, 你好 🌿\tand === END MEMORY ==="},
        {"role": "tool", "text": '{"rows": [1, 2]}'},
        {
            "role": "assistant",
            "text": "x" * 20_000,
            "model_id": "m",
            "model_variant": "pro",
            "token_usage": 7,
        },
    ]
    recorded = chat.record(given)
    assert [
        (item.role.value, item.text, item.model_id, item.model_variant, item.token_usage)
        for item in chat.messages()
    ] == [
        (item["role"], item["text"], item.get("model_id"), item.get("model_variant"), item.get("token_usage"))
        for item in given
    ]
    assert chat.messages() == list(recorded.messages)
    check_chat(chat)


def test_the_parts_of_a_turn(chat: Chat) -> None:
    """One call takes a notice, the user's words, a tool's result and several replies, in that order."""
    recorded = chat.add(
        user="What is the weather?",
        tool="Rain.",
        system="Locale: en",
        assistant=["It rains.", "Take a coat."],
        model_id="mini",
        token_usage=12,
    )
    assert [(item.role, item.position) for item in recorded.messages] == [
        (Role.SYSTEM, 1),
        (Role.USER, 2),
        (Role.TOOL, 3),
        (Role.ASSISTANT, 4),
        (Role.ASSISTANT, 5),
    ]
    assert [item.model_id for item in recorded.messages] == [None, None, None, "mini", "mini"]


def test_a_turn_may_be_missing_its_reply(chat: Chat) -> None:
    """A greeting before the first question, questions without replies and late replies are all recorded in order."""
    chat.add(assistant="Hello, how can I help?")
    chat.add(user="Are you there?")
    chat.add(user="Anybody?")
    chat.add(assistant="Yes.")
    assert [item.text for item in chat.messages()] == [
        "Hello, how can I help?",
        "Are you there?",
        "Anybody?",
        "Yes.",
    ]
    check_chat(chat)


@pytest.mark.parametrize(
    ("call", "field"),
    [
        ({}, ""),
        ({"user": "   "}, "text"),
        ({"user": "x" * 200_001}, "text"),
        ({"user": "a\x00b"}, "text"),
        ({"user": "hi", "created_at": "yesterday"}, "created_at"),
        ({"user": "hi", "assistant": "ho", "token_usage": -1}, "token_usage"),
        ({"user": "hi", "key": ""}, "key"),
    ],
)
def test_bad_input_records_nothing(memory: Memory, chat: Chat, call: dict[str, object], field: str) -> None:
    """What cannot be recorded is refused with the field's name, and not even the chat is made."""
    with pytest.raises(InvalidInput) as refused:
        chat.add(**call)  # type: ignore[arg-type]
    assert refused.value.field == field
    assert memory.chats(user="ann") == []


def test_a_batch_is_recorded_whole_or_not_at_all(memory: Memory, chat: Chat) -> None:
    """One bad message in a batch keeps the others out too, and a batch has a size."""
    with pytest.raises(InvalidInput):
        chat.record([{"role": "user", "text": "good"}, {"role": "robot", "text": "bad"}])
    with pytest.raises(InvalidInput, match="no field"):
        chat.record([{"role": "user", "text": "good", "mood": "fine"}])
    with pytest.raises(InvalidInput, match="1 to 10000"):
        chat.record([])
    with pytest.raises(InvalidInput, match="1 to 10000"):
        chat.record([{"role": "user", "text": "hi"}] * 10_001)
    assert memory.chats(user="ann") == []


# -- keys -----------------------------------------------------------------------------------------------


def test_the_same_key_records_once(stored: Memory) -> None:
    """A call that is repeated with its key returns the same messages and stores nothing, on both databases."""
    chat = stored.chat("c", user="ann")
    first = chat.add(user="I am allergic to nuts.", assistant="Noted.", key="k1")
    again = chat.add(user="I am allergic to nuts.", assistant="Noted.", key="k1")
    assert (first.repeated, again.repeated) == (False, True)
    assert again.messages == first.messages
    assert again.to_dict() == first.to_dict()
    assert len(chat.messages()) == 2
    assert list(again.pins) == chat.pins() == list(first.pins)
    assert len(first.pins) == 1
    check_chat(chat)


def test_a_key_stands_for_one_request(memory: Memory, chat: Chat) -> None:
    """Another body, another chat, another model under the same key is a conflict, and nothing is stored."""
    chat.add(user="First.", assistant="One.", key="k1")
    for other in (
        lambda: chat.add(user="Second.", assistant="One.", key="k1"),
        lambda: chat.add(user="First.", assistant="One.", model_id="m", key="k1"),
        lambda: memory.chat("other", user="ann").add(user="First.", assistant="One.", key="k1"),
    ):
        with pytest.raises(Conflict):
            other()
    assert len(chat.messages()) == 2
    assert [item.chat_id for item in memory.chats(user="ann")] == ["garden"]
    assert memory.chat("garden", user="bob").add(user="Second.", key="k1").repeated is False


def test_who_speaks_is_kept_and_belongs_to_the_request(stored: Memory) -> None:
    """A name comes back as it was given, on both databases, and another name under the same key is a conflict."""
    chat = stored.chat("c", user="ann")
    said = [{"role": "user", "text": "Hello.", "name": "Zoë Lee"}, {"role": "user", "text": "Hi."}]
    recorded = chat.record(said, key="k1")
    assert [message.name for message in recorded.messages] == ["Zoë Lee", None]
    assert chat.messages() == list(recorded.messages)
    assert chat.record(said, key="k1").repeated
    for name in ("Zoë", None):
        with pytest.raises(Conflict):
            chat.record([{**said[0], "name": name}, said[1]], key="k1")
    assert chat.edit(recorded.messages[0].message_id, "Good day.").message.name == "Zoë Lee"
    assert chat.message(recorded.messages[0].message_id).to_dict()["name"] == "Zoë Lee"
    assert "name" not in chat.message(recorded.messages[1].message_id).to_dict()


def test_a_key_of_an_earlier_version_is_known(chat: Chat, memory: Memory) -> None:
    """A call without names has the hash that it had before there were any: a retry across an upgrade is no conflict."""
    chat.add(user="First.", key="k1")
    load = partial(idempotency_keys.find, user_id="ann", key="k1", since=datetime(2026, 1, 1, tzinfo=UTC))
    found = memory._thread.run(parts_of(memory).database.read("ann", load))
    values = ["garden", [["user", "First.", None, None, None, None]]]
    assert found is not None and found[0] == hashlib.sha256(json.dumps(values).encode()).hexdigest()


@pytest.mark.parametrize("key", ["http k", "said http k", "said k"])
def test_keys_do_not_meet_those_of_requests(chat: Chat, memory: Memory, key: str) -> None:
    """Whatever key a caller chooses, a request of another kind under the same words is another one."""
    chat.add(user="First.", key=key)
    assert memory._thread.run(begin(parts_of(memory), "ann", "k", "another request")) is None
    assert chat.add(user="First.", key=key).repeated is True
    assert chat.add(user="Second.", key="k").repeated is False


def test_a_key_is_free_again_after_a_day(chat: Chat, clock: FakeClock) -> None:
    """After 24 hours the same key may stand for another request."""
    chat.add(user="First.", key="k1")
    clock.move(hours=24)
    assert chat.add(user="First.", key="k1").repeated is True
    clock.move(milliseconds=1)
    assert chat.add(user="Second.", key="k1").repeated is False
    assert [item.text for item in chat.messages()] == ["First.", "Second."]


# -- counters, sessions, state --------------------------------------------------------------------------


def test_a_chat_keeps_its_persona(memory: Memory) -> None:
    """A chat belongs to the persona that began it; another one is refused, and nobody in particular may go on."""
    memory.chat("c", user="ann", persona="Coach").add(user="Hello.")
    with pytest.raises(Conflict, match="'Coach'"):
        memory.chat("c", user="ann", persona="Chef").add(user="Hello.")
    with pytest.raises(Conflict, match="'Coach'"):
        memory.chat("c", user="ann", persona="Chef").pin("A fact")
    memory.chat("c", user="ann").add(user="Me again.")
    assert memory.state(user="ann", persona="Coach").state.message_count == 2
    assert memory.state(user="ann").state.message_count == 0


def test_only_the_users_messages_count(memory: Memory, chat: Chat) -> None:
    """messageCount and turnCount count what the user said, however many replies there are."""
    chat.add(user="One.", assistant=["a", "b"], tool="t")
    chat.add(assistant="c")
    chat.add(user="Two.")
    (session,) = memory.sessions(user="ann")
    assert session.session.turn_count == 2
    state = memory.state(user="ann").state
    assert (state.message_count, state.last_user_message) == (2, "Two.")


def test_a_batch_from_the_past_opens_its_own_sessions(memory: Memory, chat: Chat, clock: FakeClock) -> None:
    """Messages with times of their own fall into sessions by those times, also inside one call."""
    start = clock.now - timedelta(days=3)
    times = [0, 10, 44, 80, 200]
    chat.record(
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


def test_personas_have_sessions_and_states_of_their_own(memory: Memory) -> None:
    """What is said to one persona neither continues the other's session nor counts in its state."""
    for persona in ("Coach", "Chef", None):
        memory.chat(f"c {persona}", user="ann", persona=persona).add(user=f"Hello {persona}.")
    assert len(memory.sessions(user="ann")) == 3
    assert [past.session.persona_id for past in memory.sessions(user="ann", persona="Chef")] == ["Chef"]
    assert memory.state(user="ann", persona="Coach").state.last_user_message == "Hello Coach."


def test_the_last_words_are_shortened(memory: Memory, chat: Chat) -> None:
    """The state shows the beginning of what the user said last, 200 characters of it."""
    chat.add(user="word " * 100, assistant="ok")
    assert memory.state(user="ann").to_dict()["state"]["lastUserMessage"] == ("word " * 40)


# -- pins and importance --------------------------------------------------------------------------------


def test_an_allergy_is_pinned_at_once(memory: Memory, chat: Chat) -> None:
    """S0: the allergy becomes an automatic pin of importance 10 that names its message, in the same call."""
    recorded = chat.add(user="My dad is allergic to Penicillin", assistant="I will remember that.")
    (pin,) = recorded.pins
    assert (pin.importance_score, pin.pin_type, pin.source_message_id) == (
        10.0,
        "auto",
        recorded.messages[0].message_id,
    )
    assert "penicillin" in pin.content.lower()
    assert chat.pins() == [pin]
    assert recorded.messages[0].importance_score == 10.0


def test_pins_are_sparing(chat: Chat) -> None:
    """S0: tiredness, the weather, greetings, replies and the same fact again bring no pin."""
    for text in ("Patient felt tired today", "It's sunny outside", "Hello!", "What a day."):
        assert chat.add(user=text, assistant="You are allergic to dust, the AI said.").pins == ()
    assert len(chat.add(user="I am allergic to penicillin.").pins) == 1
    assert chat.add(user="I'm allergic to penicillin!").pins == ()
    assert len(chat.pins()) == 1


def test_a_newer_dose_replaces_the_older(chat: Chat) -> None:
    """However often a dose is told, in one call or in many, one pin tells the last one; a pin by hand stays beside it."""
    by_hand = chat.pin("Dad takes metformin 1 mg")
    chat.record([{"role": "user", "text": f"My dad takes metformin {dose} mg"} for dose in range(100, 150)])
    for dose in (500, 850):
        recorded = chat.add(user=f"My dad takes metformin {dose} mg")
        assert [pin.content for pin in recorded.pins] == [f"User's dad takes metformin {dose} mg"]
        assert {pin.pin_id for pin in chat.pins()} == {by_hand.pin_id, recorded.pins[0].pin_id}


def test_what_was_said_earlier_replaces_nothing(chat: Chat, clock: FakeClock) -> None:
    """A message that is recorded late, with the time at which it was said, does not outdo a newer one."""
    chat.add(user="I take warfarin 5 mg")
    said = [{"role": "user", "text": "I take warfarin 3 mg", "created_at": clock() - timedelta(days=1)}]
    assert chat.record(said).pins == ()
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
        memory.chat("c", user=name).record(said[:4])
    for item in said[4:]:
        memory.chat("c", user="one by one").record([item])
    memory.chat("c", user="at once").record(said[4:])
    single, batch = (
        [
            (past.session.started_at, past.session.last_activity_at, past.session.turn_count)
            for past in memory.sessions(user=name)
        ]
        for name in ("one by one", "at once")
    )
    assert batch == single
    assert len(batch) > 3

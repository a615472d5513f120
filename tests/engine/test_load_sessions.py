"""Sessions, states, rolling summaries, spines and the seed in an export: added where unknown, never taken back."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect import Memory
from recollect.admin import Admin
from recollect.store import users

from .conversing import parts_of, spines_of
from .fakes import FakeClock
from .test_export_load import json_values
from .test_past import _Open, quick

Document = dict[str, Any]


def _session(**values: object) -> Document:
    made = {
        "id": "s1",
        "persona_id": None,
        "startedAt": "2026-01-01T10:00:00.000Z",
        "lastActivityAt": "2026-01-01T10:20:00.000Z",
        "endedAt": "2026-01-01T10:50:00.000Z",
        "turnCount": 2,
        "summaries": [_told(1)],
    }
    return {**made, **values}


def _told(revision: int, **values: object) -> Document:
    made = {
        "revision": revision,
        "summary": {
            "one_liner": f"About bees, {revision}",
            "what_mattered": ["Honey"],
            "open_loops": [],
            "commitments": [],
            "people": [],
            "tone": "calm",
        },
        "written_by": "offline",
        "created_at": "2026-01-01T11:00:00.000Z",
    }
    return {**made, **values}


def _state(**values: object) -> Document:
    made = {
        "messageCount": 30,
        "lastInteraction": "2026-01-01T10:20:00.000Z",
        "lastUserMessage": "Words of a file",
        "lastUserMessageId": "m1",
        "curator": {"lastRunAt": None, "lastMemoryCountAtRun": 0},
        "lastRollingAttemptAt": "2026-01-01T10:21:00.000Z",
        "lastRollingSuccessAt": None,
        "lastRollingError": {"reason": "model_failed", "detail": "gone"},
    }
    return {"persona_id": None, "state": {**made, **values}}


def _rolling(revision: int, **values: object) -> Document:
    made = {
        "persona_id": None,
        "revision": revision,
        "summary": f"Talk of bees, {revision}",
        "from_message_at": "2026-01-01T10:00:00.000Z",
        "until_message_at": f"2026-01-01T10:1{revision}:00.000Z",
        "written_by": "offline",
        "created_at": "2026-01-01T10:21:00.000Z",
    }
    return {**made, **values}


def _spine(version: int, **values: object) -> Document:
    made = {
        "version": version,
        "content": {"PROFILE": f"Keeps bees, {version}", "PROJECTS": "", "PEOPLE": "", "OPEN_LOOPS": ""},
        "messageCount": 10,
        "created_at": f"2026-01-0{version}T10:21:00.000Z",
        "written_by": "offline",
    }
    return {**made, **values}


SAID = {"id": "m1", "role": "user", "text": "Bees!", "created_at": "2026-01-01T10:20:00Z", "session": "s1"}
SEED = {"facts": [{"content": "User keeps bees", "tags": ["a"]}], "notes": "Likes honey."}


def _document(**values: object) -> Document:
    made: Document = {
        "recollect": 1,
        "memories": [],
        "sessions": [_session()],
        "chats": [{"chat_id": "c", "messages": [dict(SAID)]}],
        "states": [_state()],
        "rolling_summaries": [_rolling(1), _rolling(2)],
        "spines": [_spine(1), _spine(2)],
        "seed": SEED,
    }
    return {**made, **values}


def _count(memory: Memory) -> int:
    read = parts_of(memory).database.read("local", lambda tx: users.message_count(tx, "local"))
    return memory._thread.run(read)


def test_everything_is_read_back(memory: Memory) -> None:
    """What a file says of sessions, states, rolling summaries, spines and the seed is what an export then says."""
    document = _document()
    assert memory.load(document).to_dict() == {"imported": 1, "duplicates": 0, "skipped": []}
    exported = memory.export()
    for name in ("sessions", "rolling_summaries", "spines", "seed"):
        assert exported[name] == document[name], name
    assert exported["states"] == [_state(lastUserMessage="Bees!")], "the words are those of the message"
    assert memory.state().rolling_summary == "Talk of bees, 2"
    assert memory.drain()
    assert Admin(memory).jobs(user="local") == []


def test_the_user_has_said_what_all_personas_heard(memory: Memory) -> None:
    """The user's counter follows the states', also where messages were deleted before the export."""
    memory.load(_document(states=[_state(), {**_state(messageCount=12), "persona_id": "coach"}]))
    assert _count(memory) == 42


def test_counters_do_not_go_down(memory: Memory) -> None:
    """An older file changes neither counters nor last words nor how the last attempt went."""
    memory.load(_document())
    memory.chat("c").add(user="Something later")
    before = memory.state()
    assert before.state.message_count == 31
    memory.load(_document(states=[_state(messageCount=7, lastInteraction="2026-01-01T10:00:00Z")]))
    assert memory.state() == before
    assert _count(memory) == 31


def test_words_that_were_edited_do_not_come_back(memory: Memory) -> None:
    """The last words of a state follow the stored message, whatever the file says."""
    memory.load(_document())
    memory.edit("m1", "Wasps!")
    memory.load(_document())
    assert memory.state().state.last_user_message == "Wasps!"


def test_a_session_that_went_on(memory: Memory) -> None:
    """A known session takes over later activity and later summaries, and never goes back."""
    memory.load(_document())
    later = _session(
        lastActivityAt="2026-01-01T10:40:00.000Z",
        endedAt="2026-01-01T11:10:00.000Z",
        turnCount=5,
        summaries=[_told(1), _told(2)],
    )
    memory.load(_document(sessions=[later]))
    assert memory.export()["sessions"] == [later]
    memory.load(_document())
    assert memory.export()["sessions"] == [later]


def test_a_session_with_more_turns(memory: Memory) -> None:
    """Turns that a file knows of and the store does not are counted, also when the last activity is the same."""
    memory.load(_document())
    memory.load(_document(sessions=[_session(turnCount=6)]))
    assert memory.export()["sessions"] == [_session(turnCount=6)]


def test_another_session_of_the_same_id_is_left_alone(memory: Memory) -> None:
    """A session with another persona or another beginning is not mixed with the known one."""
    memory.load(_document())
    before = memory.export()["sessions"]
    for other in (
        {"persona_id": "coach"},
        {"startedAt": "2026-01-01T09:00:00.000Z"},
    ):
        memory.load(_document(sessions=[_session(turnCount=9, summaries=[_told(1), _told(2)], **other)]))
        assert memory.export()["sessions"] == before


def test_another_history_is_not_mixed_in(memory: Memory) -> None:
    """Revisions that do not go on from the stored ones are left out: each is written from the one before."""
    memory.load(_document())
    before = memory.export()
    memory.load(
        _document(
            sessions=[_session(summaries=[_told(1, written_by="other"), _told(2)])],
            rolling_summaries=[_rolling(1, summary="Other"), _rolling(2), _rolling(3)],
            spines=[_spine(1, written_by="other"), _spine(2), _spine(3)],
            seed={"facts": [], "notes": "Other notes"},
        )
    )
    after = memory.export()
    for name in ("sessions", "rolling_summaries", "spines", "seed"):
        assert after[name] == before[name], name


def test_a_history_that_goes_on_is_taken_over(memory: Memory) -> None:
    """Revisions that follow the stored ones are added."""
    memory.load(_document())
    memory.load(
        _document(rolling_summaries=[_rolling(n) for n in (1, 2, 3)], spines=[_spine(n) for n in (1, 2, 3)])
    )
    assert memory.state().rolling_summary == "Talk of bees, 3"
    assert [spine.version for spine in spines_of(memory)] == [1, 2, 3]


def test_spines_that_count_too_much_are_left_out(memory: Memory) -> None:
    """Spines that tell of more messages than were said are skipped: the next one would count below nothing."""
    loaded = memory.load(_document(spines=[_spine(1, messageCount=10**8)]))
    assert [reason.split(":")[0] for _, reason in loaded.skipped] == ["spines"]
    assert spines_of(memory) == []


def test_an_open_session_gets_its_end(memory: Memory, clock: FakeClock) -> None:
    """A session without an end is closed, at the time that its last activity sets."""
    memory.load(_document(sessions=[_session(endedAt=None, summaries=[])]))
    assert memory.drain()
    (past,) = memory.sessions()
    assert past.to_dict()["endedAt"] == "2026-01-01T10:50:00.000Z" and past.summary is not None


WRONG: dict[str, tuple[Any, ...]] = {
    "sessions": (
        None,
        5,
        _session(id="has space"),
        _session(id=None),
        _session(persona_id=""),
        _session(startedAt="soon"),
        _session(startedAt="2026-01-01T10:30:00Z"),
        _session(endedAt="2026-01-01T10:10:00Z"),
        _session(lastActivityAt="2026-03-03T00:00:00Z", endedAt=None),
        _session(lastActivityAt="9999-12-31T23:59:59Z", endedAt=None),
        _session(turnCount=-1),
        _session(turnCount=10**12),
        _session(summaries=5),
        _session(summaries=[_told(0)]),
        _session(summaries=[_told(2), _told(1)]),
        _session(summaries=[_told(1, summary={"one_liner": 5})]),
        _session(summaries=[_told(1, summary={"one_liner": "\ud800"})]),
        _session(summaries=[_told(1, summary={"one_liner": "a\x00b"})]),
        _session(summaries=[_told(1, created_at="soon")]),
    ),
    "states": (
        None,
        {},
        {"state": 5},
        {**_state(), "persona_id": 5},
        _state(messageCount=-1),
        _state(messageCount=10**12),
        _state(messageCount="many"),
        _state(lastInteraction=5),
        _state(lastInteraction="2026-03-03T00:00:00Z"),
        _state(lastUserMessageId=[]),
        _state(lastRollingError="gone"),
        _state(lastRollingError={"reason": "a"}),
        _state(curator=5),
    ),
    "rolling_summaries": (
        None,
        _rolling(0),
        _rolling(3, summary="x" * 601),
        _rolling(3, summary=None),
        _rolling(3, summary="a\x00"),
        _rolling(3, from_message_at="soon"),
        _rolling(3, persona_id=[]),
    ),
    "spines": (
        None,
        _spine(0),
        _spine(3, content=None),
        _spine(3, content={"PROFILE": 5}),
        _spine(3, content={"PROFILE": "\ud800"}),
        _spine(3, messageCount=10**12),
        _spine(3, messageCount=None),
        _spine(3, created_at=None),
    ),
}


@pytest.mark.parametrize(
    ("name", "value"),
    [(name, value) for name, values in WRONG.items() for value in values],
    ids=lambda value: repr(value)[-40:],
)
def test_a_wrong_one_is_left_out(memory: Memory, name: str, value: object) -> None:
    """What cannot be read is skipped with its place and reason; the rest of the document is stored."""
    document = _document()
    if name in ("sessions", "states"):
        document[name].insert(0, {**value, "id": "s0"} if _named(value) else value)
        place = 1
    else:
        document[name].append(value)
        place = 3
    loaded = memory.load(document)
    assert loaded.imported == 1
    assert [(line, reason.split(":")[0]) for line, reason in loaded.skipped] == [(place, name)]
    assert len(spines_of(memory)) == 2 and memory.state().rolling_summary == "Talk of bees, 2"
    assert memory.state().state.message_count == 30
    memory.chat("c").context("bees")
    json.dumps(memory.export(), allow_nan=False)


def _named(value: object) -> bool:
    """A session that is spoilt elsewhere than in its id, and must not be the one that the message names."""
    return isinstance(value, dict) and value.get("id") == "s1"


@pytest.mark.parametrize(
    "seed",
    [
        {"facts": 5},
        {"facts": [5]},
        {"facts": [{}]},
        {"facts": [{"content": "\ud800"}]},
        {"facts": [{"content": "a\x00"}]},
        {"facts": [{"content": "a", "importance": float("nan")}]},
        {"facts": [{"content": "a", "importance": 10**400}]},
        {"notes": 5},
        {"notes": "x" * 4001},
        {"facts": [{"content": json.loads("[" * 100 + "]" * 100)}]},
    ],
    ids=lambda value: repr(value)[:40],
)
def test_a_wrong_seed_is_left_out(memory: Memory, seed: Document) -> None:
    """A seed that could not be kept is skipped with a reason."""
    loaded = memory.load(_document(seed=seed))
    assert (loaded.imported, [reason.split(":")[0] for _, reason in loaded.skipped]) == (1, ["seed"])
    assert memory.seed().to_dict() == {"facts": [], "notes": ""}


_PLACES = {
    "sessions": sorted(_session()),
    "states": ["persona_id", "state"],
    "rolling_summaries": sorted(_rolling(1)),
    "spines": sorted(_spine(1)),
}
_CHANGES = st.tuples(
    st.sampled_from([(kind, name) for kind, names in _PLACES.items() for name in names]),
    json_values | st.sampled_from(["s1", "m1", 1, 2, 3, "2026-01-01T10:15:00Z"]),
)


@settings(parent=quick, max_examples=40)
@given(
    st.lists(_CHANGES, min_size=1, max_size=4),
    st.dictionaries(st.sampled_from(["facts", "notes"]), json_values),
)
def test_nothing_but_a_skip_comes_of_any_json(
    changes: list[tuple[tuple[str, str], Any]], seed: Document
) -> None:
    """Whatever JSON stands there, load answers, what was loaded can be used, and twice is once."""
    document = _document(seed=seed)
    for (kind, name), value in changes:
        document[kind][0] = {**document[kind][0], name: value}
    with _Open() as (memory, _):
        assert memory.load(document).imported == 1
        memory.chat("c").context("bees")
        assert memory.drain()
        before = memory.export()
        json.dumps(before, allow_nan=False)
        memory.sessions()
        memory.load(document)
        assert memory.export() == before

"""Recall of past messages: found by words and by meaning, filtered, collapsed, with their neighbours and reasons."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect import Memory, Settings
from recollect.encoder.minilm import MiniLM
from recollect.engine.index_messages import index_messages
from recollect.index.episode.features import FEATURES
from recollect.records.hit import EpisodeHit

from .conftest import Opener
from .conversing import parts_of
from .fakes import FakeClock, FakeEmbedder

#: Nobody indexes but the test.
IDLE = Settings(sqlite_synchronous="normal", worker="off")


@pytest.fixture
def idle(opener: Opener, database_url: str) -> Memory:
    """A memory without a worker, on each of the two databases."""
    return opener(database_url, settings=IDLE)


@pytest.fixture
def walk(idle: Memory, clock: FakeClock) -> Memory:
    """Ann's talk of a walk, a minute apart, in one chat."""
    chat = idle.chat("c", user="ann")
    for question, answer in (
        ("We walked to the old mill today.", "That sounds lovely."),
        ("There was an otter in the pond!", "Otters are shy, well seen."),
        ("Now I am tired.", "Sleep well."),
    ):
        chat.add(user=question)
        clock.move(minutes=1)
        chat.add(assistant=answer)
        clock.move(minutes=1)
    return idle


def index(memory: Memory, user: str = "ann") -> None:
    """Do the job that gives messages their vectors."""
    memory._thread.run(index_messages(parts_of(memory), user))


def hits(memory: Memory, query: str, **options: Any) -> tuple[EpisodeHit, ...]:
    """Ann's past messages that are found."""
    return memory.search(query, **{"user": "ann", **options}).messages


def texts(memory: Memory, query: str, **options: Any) -> list[str]:
    """What those say, best first."""
    return [hit.message.text for hit in hits(memory, query, **options)]


def holding(memory: Memory, word: str, **options: Any) -> set[str]:
    """Which texts with a word are found by it."""
    return {text for text in texts(memory, word, **options) if word in text.lower()}


# -- the answer -----------------------------------------------------------------------------------------


def test_found_by_words_at_once(walk: Memory) -> None:
    """A message is found by its words in the next call, before any job, and says that it has no vector yet."""
    best = hits(walk, "the pond")[0]
    assert best.message.text == "There was an otter in the pond!"
    assert (best.explain.cosine, best.explain.vector_rank, best.explain.text_rank) == (None, None, 1)
    assert best.explain.bm25 > 0


def test_found_by_meaning_after_its_job(opener: Opener, database_url: str, minilm: MiniLM) -> None:
    """When its vector is there a message is found by what it means, without a word in common."""
    memory = opener(database_url, embedder=minilm)
    chat = memory.chat("c", user="ann")
    chat.add(user="Our puppy chewed up my slippers again")
    for number in range(8):
        chat.add(user=f"The train to work was late, platform {number}")
    assert memory.drain(user="ann")
    best = hits(memory, "naughty dog")[0]
    assert best.message.text.startswith("Our puppy")
    assert (best.explain.vector_rank, best.explain.text_rank) == (1, None)
    assert best.explain.cosine is not None and best.explain.cosine > 0


def test_neighbours_and_the_date(walk: Memory, clock: FakeClock) -> None:
    """A hit comes with what was said just before and after it, in order, and when it was said."""
    best = hits(walk, "pond")[0]
    assert [item.text for item in (*best.before, *best.after)] == [
        "That sounds lovely.",
        "Otters are shy, well seen.",
    ]
    assert (clock() - best.message.created_at).total_seconds() == 240
    wide = hits(walk, "pond", neighbours=2)[0]
    assert [item.text for item in wide.before] == ["We walked to the old mill today.", "That sounds lovely."]
    assert [item.text for item in wide.after] == ["Otters are shy, well seen.", "Now I am tired."]
    assert hits(walk, "pond", neighbours=0)[0].before == hits(walk, "pond", neighbours=0)[0].after == ()
    edge = hits(walk, "old mill", neighbours=9)[0]
    assert (edge.before, len(edge.after)) == ((), 5)


def test_how_many(walk: Memory) -> None:
    """No more than asked for, five unless told, none for 0, and an enormous number is no error."""
    assert len(hits(walk, "otter", messages=2)) == 2
    assert len(hits(walk, "otter")) == 5
    assert hits(walk, "otter", messages=0) == ()
    assert len(hits(walk, "otter", messages=10**12, neighbours=10**12)) == 6
    assert [hit.message.message_id for hit in hits(walk, "otter", messages=2)] == [
        hit.message.message_id for hit in hits(walk, "otter")[:2]
    ]


def test_the_reasons_are_complete(walk: Memory) -> None:
    """Every feature has its value and its part of the score; the parts are the score, and scores fall."""
    index(walk)
    found = hits(walk, "what did I see in the pond?")
    assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)
    for hit in found:
        assert tuple(hit.explain.terms) == (*FEATURES, "theme")
        assert tuple(hit.explain.values) == FEATURES
        assert sum(hit.explain.terms.values()) == pytest.approx(hit.score)
        assert 0 <= hit.score <= 1
        assert all(0 <= value <= 1 for value in hit.explain.values.values())
        assert hit.explain.cosine is not None


def test_the_shape_on_the_wire(walk: Memory) -> None:
    """An answer can be written as JSON: text, who, when, score, neighbours and reasons."""
    (said, *_) = walk.search("pond", user="ann").to_dict()["episodes"]
    assert json.loads(json.dumps(said)) == said
    assert (said["text"], said["role"], said["origin"]) == ("There was an otter in the pond!", "user", "user")
    assert said["created_at"].startswith("2026-03-01T12:02")
    assert [item["text"] for item in said["before"]] == ["That sounds lovely."]
    assert set(said["explain"]["terms"]) == {*FEATURES, "theme"}


def test_nobody_said_nothing(idle: Memory) -> None:
    """A user never seen, and one with facts but no message, get no episodes."""
    idle.add("User likes tea", user="ann")
    assert hits(idle, "tea") == hits(idle, "tea", user="nobody") == ()
    assert len(idle.search("tea", user="ann").hits) == 1


# -- who speaks -----------------------------------------------------------------------------------------


def test_who_is_named_is_found_first(idle: Memory, embedder: FakeEmbedder) -> None:
    """A question that names a speaker finds that speaker's words first, and its topic is embedded without the name."""
    said = [
        {"role": "user", "text": f"The race was {how}.", "name": name}
        for name, how in (("Melanie Huber", "long"), ("Caroline", "short"), ("Bert", "wet"))
    ]
    idle.chat("c", user="ann").add(said)
    index(idle)
    for name in ("Melanie", "Caroline", "Bert"):
        best = hits(idle, f"How did {name} like the race?")[0]
        assert best.message.name is not None and best.message.name.startswith(name)
        assert best.explain.values["speaker"] == 1.0
        assert "How did like the race?" in embedder.seen
        embedder.seen.clear()


def test_ones_own_words(walk: Memory) -> None:
    """A question in the first person prefers what the user said; one to the assistant prefers nobody."""
    mine = hits(walk, "what did I see, an otter?")
    assert {hit.explain.values["speaker"] for hit in mine if hit.message.role == "user"} == {1.0}
    assert mine[0].message.role == "user"
    asked = hits(walk, "what did you see, an otter?")
    assert {hit.explain.values["speaker"] for hit in asked} == {0.5}


def test_system_and_tool_messages_are_not_returned(idle: Memory) -> None:
    """Only what people and assistants said is an episode."""
    idle.chat("c", user="ann").add(
        system="Talk of the otter.",
        user="Where is the otter?",
        tool="otter: 3 km",
        assistant="The otter is far.",
    )
    index(idle)
    assert set(texts(idle, "otter")) == {"Where is the otter?", "The otter is far."}


# -- filters --------------------------------------------------------------------------------------------


def test_another_users_words_are_never_found(walk: Memory) -> None:
    """What bob said is found by bob alone, and does not change ann's answers."""
    before = [(hit.message.message_id, hit.score) for hit in hits(walk, "otter")]
    bob = walk.chat("c", user="bob")
    for number in range(10):
        bob.add(user=f"My otter, otter number {number}")
    index(walk, "bob")
    assert [(hit.message.message_id, hit.score) for hit in hits(walk, "otter")] == before
    assert {hit.message.user_id for hit in hits(walk, "otter", user="bob")} == {"bob"}


def test_a_persona_finds_its_own_and_the_shared(idle: Memory) -> None:
    """As for memories: chats of this persona and chats of none; without a persona only the latter."""
    idle.chat("shared", user="ann").add(user="The shared otter")
    idle.chat("coach", user="ann", persona="coach").add(user="The coach's otter")
    idle.chat("chef", user="ann", persona="chef").add(user="The chef's otter")
    for _ in range(2):
        assert holding(idle, "otter") == {"The shared otter"}
        assert holding(idle, "otter", persona="coach") == {"The shared otter", "The coach's otter"}
        assert holding(idle, "otter", persona="gardener") == {"The shared otter"}
        index(idle)


def test_one_chat(walk: Memory) -> None:
    """With a chat only its messages are found; an unknown chat has none, and nor has another user's."""
    walk.chat("d", user="ann").add(user="An otter again")
    walk.chat("e", user="bob").add(user="An otter of bob")
    assert texts(walk, "otter", chat="d") == ["An otter again"]
    assert "An otter again" not in texts(walk, "otter", chat="c")
    assert texts(walk, "otter", chat="e") == texts(walk, "otter", chat="nothing") == []


def test_a_chat_that_is_named_is_searched_whosever_it_is(idle: Memory) -> None:
    """With a chat no persona need be told; another one's chat stays closed to a persona that is."""
    idle.chat("coach", user="ann", persona="coach").add(user="The coach's otter")
    assert holding(idle, "otter", chat="coach") == {"The coach's otter"}
    assert holding(idle, "otter", chat="coach", persona="chef") == set()


def test_since_and_until(walk: Memory, clock: FakeClock) -> None:
    """Only what was said from one moment on, and before another."""
    walk.chat("c", user="ann").add(user="Goodbye, otter", created_at="2026-02-01T08:00:00Z")
    assert texts(walk, "otter", until="2026-02-02") == ["Goodbye, otter"]
    assert "Goodbye, otter" not in texts(walk, "otter", since="2026-02-02")
    assert texts(walk, "otter", since="2026-02-01T08:00:00Z", until="2026-02-01T08:00:00.001Z") == [
        "Goodbye, otter"
    ]
    assert texts(walk, "otter", since="2026-02-01T08:00:00.001Z", until="2026-02-02") == []
    assert texts(walk, "otter", since=clock()) == texts(walk, "otter", until="1970-01-01T00:00:00Z") == []


@pytest.mark.parametrize(
    "only", [{"category": "fact"}, {"type": "project"}, {"tags": ["ui"]}, {"entity": "person:anna"}]
)
def test_memories_of_one_kind_bring_no_messages(walk: Memory, only: dict[str, Any]) -> None:
    """Messages have no category, type, tags or entities, so a question for those brings none."""
    assert hits(walk, "otter", **only) == ()


def test_as_of(walk: Memory) -> None:
    """A question to the past finds what had been said by then, and shows nothing later as a neighbour."""
    then = hits(walk, "pond")[0].message.created_at
    past = hits(walk, "otter in the pond", as_of=then, neighbours=3)
    assert {hit.message.text for hit in past} == {
        "We walked to the old mill today.",
        "That sounds lovely.",
        "There was an otter in the pond!",
    }
    for hit in past:
        assert all(item.created_at <= then for item in (hit.message, *hit.before, *hit.after))
    assert hits(walk, "otter", as_of="2020-01-01") == ()


# -- repeats --------------------------------------------------------------------------------------------


def test_repeats_are_collapsed(idle: Memory) -> None:
    """What was said again in the same words is one hit that names the others, and others come in their place."""
    chat = idle.chat("c", user="ann")
    for _ in range(30):
        chat.add(user="Good morning, otter!")
    for number in range(4):
        chat.add(user=f"The otter swims in lake {number}")
    found = hits(idle, "good morning otter")
    assert [hit.message.text for hit in found if hit.repeats] == ["Good morning, otter!"]
    assert len({hit.message.text for hit in found}) == len(found) == 5
    shown = {message_id for hit in found for message_id in (hit.message.message_id, *hit.repeats)}
    assert len(shown) == 34


# -- strange questions ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def strange(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    """A talk between people with unusual names."""
    memory = Memory(tmp_path_factory.mktemp("strange") / "m.db", embedder=FakeEmbedder(), settings=IDLE)
    names = ("a.*", "(", "Will", "O'Brien [x]", "\\d+", "日本", "me")
    memory.chat("c", user="ann").add(
        [{"role": "user", "text": f"Number {number}?", "name": name} for number, name in enumerate(names)]
    )
    index(memory)
    yield memory
    memory.close()


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.one_of(
        st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=60),
        st.text(st.sampled_from(list("a.*( Will'O[x]日本me\\d+ ?last week before")), min_size=1, max_size=60),
    ).filter(str.strip)
)
def test_any_question_is_only_text(strange: Memory, query: str) -> None:
    """Whatever is asked, every message may be found, with finite scores in order."""
    found = hits(strange, query, messages=10)
    assert len(found) == 7
    scores = [round(hit.score, 6) for hit in found]
    assert scores == sorted(scores, reverse=True)
    assert 0 <= scores[-1] <= scores[0] <= 1

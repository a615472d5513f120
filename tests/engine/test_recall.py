"""Recall: both arms, S4's filters, ranking and cards, and questions that are only strange."""

import asyncio
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect import AsyncMemory, Conflict, InvalidInput, Memory, NewMemory, NotFound, Settings
from recollect.encoder.minilm import MiniLM
from recollect.index.recall import MEANING_SHARE

from .conftest import Opener
from .conversing import flush
from .fakes import FakeClock, FakeEmbedder

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def town(memory: Memory, clock: FakeClock) -> Memory:
    """Facts of several kinds, a day apart."""
    for content, options in (
        ("User's sister Anna lives in Lisbon", {"category": "relationship", "entity_refs": ["person:anna"]}),
        ("User prefers dark mode in every editor", {"category": "preference", "tags": ["ui", "editor"]}),
        (
            "User is building a telescope with Anna",
            {"category": "project", "type": "PROJECT", "entity_refs": ["person:anna"]},
        ),
        ("User met a stranger in a cafe", {"category": "context", "tags": ["ui"]}),
    ):
        memory.add(NewMemory(content, **options))
        clock.move(days=1)
    return memory


def _contents(memory: Memory, query: str, **options: object) -> list[str]:
    return [hit.memory.content for hit in memory.search(query, **options).hits]  # type: ignore[arg-type]


# -- the answer -----------------------------------------------------------------------------------------


def test_nobody_knows_nothing(memory: Memory) -> None:
    """A user never seen before gets an empty answer, not an error."""
    found = memory.search("anything at all", user="nobody")
    assert (found.hits, found.cards) == ((), ())
    assert found.to_dict() == {"memories": [], "cards": [], "episodes": []}


def test_both_arms_bring_candidates(meaning: Memory) -> None:
    """A rare word finds what meaning does not, and meaning what words do not; each says which arm brought it."""
    meaning.add("User's bicycle has the frame number XQ77-PLUTO", category="fact")
    meaning.add("User prefers dark mode", category="preference")
    for number in range(60):
        meaning.add(f"User visited the museum of modern art in town number {number}", category="context")
    by_word = meaning.search("XQ77-PLUTO").hits[0]
    assert "PLUTO" in by_word.memory.content
    assert by_word.explain.text_rank == 1
    by_meaning = meaning.search("Does she like a black interface?").hits[0]
    assert by_meaning.memory.content == "User prefers dark mode"
    assert (by_meaning.explain.vector_rank, by_meaning.explain.text_rank) == (1, None)


def test_a_question_for_one_fact_finds_it_by_its_key(meaning: Memory, clock: FakeClock) -> None:
    """Where the user lives is answered by the fact that says so, however it is worded, and each user by their own."""
    meaning.add("I moved to Berlin")
    meaning.add("My sister Maria lives in Oslo")
    meaning.add("I live in Rome", user="bob")
    for number in range(60):
        meaning.add(f"My neighbour lives in house number {number} of our street", category="context")
    best = meaning.search("Where do I live?").hits[0]
    assert best.memory.content == "User moved to Berlin" and best.explain.asked
    assert meaning.search("Where does Maria live?").hits[0].explain.asked is False
    assert meaning.search("Where do I live?", user="bob").hits[0].memory.content == "User lives in Rome"
    moment = meaning.memories()[0].created_at
    clock.move(days=1)
    meaning.add("I moved to Paris")
    assert meaning.search("Where do I live?").hits[0].memory.content == "User moved to Paris"
    assert meaning.search("Where do I live?", as_of=moment).hits[0].memory.content == "User moved to Berlin"


def test_the_shape_on_the_wire(town: Memory) -> None:
    """A hit is the record with its score and its explanation."""
    hit = town.search("dark mode editor").to_dict()["memories"][0]
    record = town.memories(category="preference")[0].to_dict()
    assert {name: hit[name] for name in record} == record
    assert set(hit["explain"]) >= {"similarity", "recency", "frequency", "vector_rank", "text_rank"}


def test_limit(town: Memory) -> None:
    """No more hits than asked for, five when nothing is asked, and an enormous limit is no error."""
    assert len(town.search("User", limit=2).hits) == 2
    assert len(town.search("User", limit=10**12).hits) == 4


def test_a_limit_above_the_candidates_is_kept(memory: Memory) -> None:
    """Who asks for eighty of a hundred memories gets eighty."""
    for number in range(100):
        memory.add(f"User owns pearl{number} shop{number * 3} lake{number * 7} tower{number * 11}")
    assert len(memory.search("User", limit=80).hits) == 80


# -- S4's ranking ---------------------------------------------------------------------------------------


def test_the_score_is_s4s_blend(memory: Memory, clock: FakeClock) -> None:
    """40 % similarity, 30 % recency with a half-life of 14 days, 30 % frequency of the entity."""
    memory.add(NewMemory("User plays chess with Anna on Mondays", entity_refs=["person:anna"]))
    clock.move(days=14)
    memory.add(NewMemory("User plays chess with Anna and Bob", entity_refs=["person:anna", "person:bob"]))
    clock.move(days=14)
    memory.add("User plays chess alone at home")
    by_content = {hit.memory.content: hit for hit in memory.search("who plays chess").hits}
    expected = {
        "User plays chess with Anna on Mondays": (0.25, 2 / 3),
        "User plays chess with Anna and Bob": (0.5, 2 / 3),
        "User plays chess alone at home": (1.0, 0.0),
    }
    assert by_content.keys() == expected.keys()
    for content, (recency, frequency) in expected.items():
        explain = by_content[content].explain
        meaning, said = min(max(explain.cosine, 0), 1), min(max(explain.bm25, 0), 1)
        similarity = MEANING_SHARE * meaning + (1 - MEANING_SHARE) * said
        assert explain.recency == pytest.approx(recency)
        assert explain.frequency == pytest.approx(frequency)
        assert explain.similarity == pytest.approx(similarity)
        blend = 0.4 * similarity + 0.3 * recency + 0.3 * frequency
        assert by_content[content].score == pytest.approx(explain.plausibility * blend)
        assert explain.plausibility == 1.0
    scores = [hit.score for hit in memory.search("who plays chess").hits]
    assert scores == sorted(scores, reverse=True)


def test_the_weights_are_settings(opener: Opener, clock: FakeClock) -> None:
    """With recency alone the newest comes first, with similarity alone the nearest."""
    newest = opener(settings=Settings(ranking=(0.0, 1.0, 0.0)))
    newest.add("User plays chess on Mondays")
    clock.move(days=30)
    newest.add("User plays chess on Tuesdays and Wednesdays")
    assert _contents(newest, "chess on Mondays")[0].endswith("Wednesdays")
    nearest = opener(settings=Settings(ranking=(1.0, 0.0, 0.0)))
    assert _contents(nearest, "chess on Mondays")[0].endswith("Mondays")


# -- S4's filters ---------------------------------------------------------------------------------------


def test_filters(town: Memory, clock: FakeClock) -> None:
    """Category, type, tags, entity and time each leave only what fits."""
    assert _contents(town, "User", category="preference") == ["User prefers dark mode in every editor"]
    assert _contents(town, "User", type="project") == ["User is building a telescope with Anna"]
    assert len(_contents(town, "User", tags=["ui"])) == 2
    assert _contents(town, "User", tags=["ui", "editor"]) == ["User prefers dark mode in every editor"]
    assert len(_contents(town, "User", entity="person:Anna")) == 2
    assert _contents(town, "User", until=clock() - timedelta(days=3)) == [
        "User's sister Anna lives in Lisbon"
    ]
    assert _contents(town, "User", since=clock() - timedelta(days=1)) == ["User met a stranger in a cafe"]


def test_archived_and_superseded_are_not_recalled(memory: Memory, clock: FakeClock) -> None:
    """Only what is active and still true is returned."""
    memory.add("User lives in Berlin", category="identity")
    clock.move(days=1)
    memory.add("User lives in Paris", category="identity")
    hidden = memory.add("User once lived in a lighthouse").memory
    memory.update(hidden.memory_id, status="ARCHIVED")
    assert _contents(memory, "where does User live") == ["User lives in Paris"]
    memory.update(hidden.memory_id, status="ACTIVE")
    assert "User once lived in a lighthouse" in _contents(memory, "where does User live")


def test_persona_sees_its_own_and_the_shared(memory: Memory) -> None:
    """personaId = X or NULL: another persona's facts stay hidden, in hits and on cards."""
    memory.add(NewMemory("User trains for the marathon with Anna", entity_refs=["person:anna"], importance=9))
    memory.add(
        NewMemory(
            "User told the coach about Anna's knee",
            persona="coach",
            entity_refs=["person:anna"],
            importance=9,
        )
    )
    memory.add(
        NewMemory(
            "User told the chef about Anna's taste", persona="chef", entity_refs=["person:anna"], importance=9
        )
    )
    coach = memory.search("Anna", persona="coach")
    assert {hit.memory.persona_id for hit in coach.hits} == {None, "coach"}
    assert not any("chef" in fact for card in coach.cards for fact in card.facts)
    nobody = memory.search("Anna")
    assert {hit.memory.persona_id for hit in nobody.hits} == {None}
    assert [len(card.facts) for card in nobody.cards] == [1]
    assert {hit.memory.persona_id for hit in memory.search("Anna", persona="gardener").hits} == {None}


# -- S4's cards -----------------------------------------------------------------------------------------


@pytest.fixture
def john(memory: Memory, clock: FakeClock) -> Memory:
    """Six facts about John, of different weight."""
    for content, importance, pinned in (
        ("John likes his coffee black and strong", 5, False),
        ("John once broke his left arm", 4, True),
        ("John handles the backend of the firm", 7, False),
        ("John founded the firm together with User", 9, False),
        ("John moved into the house next door", 7, False),
        ("John owns a small sailing boat", 6.9, False),
    ):
        memory.add(
            NewMemory(
                content,
                entity_refs=["person:john"],
                entity_label="John",
                importance=importance,
                pinned=pinned,
            )
        )
        clock.move(hours=1)
    return memory


def test_a_card_has_the_three_best_facts(john: Memory) -> None:
    """Pinned first, then importance, then newest; below level 2 only what is pinned."""
    (card,) = john.search("coffee").cards
    assert card.facts == (
        "John once broke his left arm",
        "John founded the firm together with User",
        "John moved into the house next door",
    )
    assert (card.entity, card.label) == ("person:john", "John")


def test_the_text_of_a_card(john: Memory) -> None:
    """S4's format: `[person:john]: fact1; fact2; fact3`."""
    (card,) = john.search("coffee").to_dict()["cards"]
    assert card["text"] == (
        "[person:john]: John once broke his left arm; John founded the firm together with User;"
        " John moved into the house next door"
    )


def test_no_card_without_a_fact_of_weight(memory: Memory) -> None:
    """An entity with trifles only has no card."""
    memory.add(NewMemory("Zoe likes her coffee black and strong", entity_refs=["person:zoe"], importance=5))
    assert memory.search("coffee").cards == ()


def test_cards_follow_merges(john: Memory) -> None:
    """Facts under another name of the same person come onto one card."""
    john.add(NewMemory("Johnny was User's best man", entity_refs=["person:johnny"], importance=10))
    john.merge("person:johnny", "person:john")
    (card,) = john.search("coffee").cards
    assert "Johnny was User's best man" in card.facts


# -- strange questions ----------------------------------------------------------------------------------

STRANGE = [
    '" OR 1=1 --',
    "'; DROP TABLE memories; --",
    "SELECT * FROM memories WHERE user_id = 'bob'",
    "NEAR(a b) AND NOT (c OR d*) ^2",
    'content: "unbalanced',
    "a AND AND OR NOT",
    "* ? % _ \\ { } [ ] ( )",
    "&| !<-> :*",
    "🙂🙃 日本語 العربية e\u0301 \u200b",
    "\u202eright to left\u202c",
    "\n\t\r line \u2028 breaks \x0b",
    "x" * 20_000,
    "?",
    "the of and",
]


@pytest.mark.parametrize("query", STRANGE, ids=range(len(STRANGE)))
def test_strange_questions_are_only_text(town: Memory, query: str) -> None:
    """Operators of full-text search and SQL in a question mean nothing; the answer comes and nothing changes."""
    before = town.export()
    assert len(town.search(query).hits) == 4
    assert [record["content"] for record in town.export()["memories"]] == [
        record["content"] for record in before["memories"]
    ]


@pytest.fixture
def hostile(memory: Memory) -> Iterator[Memory]:
    memory.add("User's note says: '; DROP TABLE memories; --")
    yield memory
    assert memory.memories()


def test_hostile_text_is_found_as_it_is(hostile: Memory) -> None:
    """SQL inside a memory is a text like any other."""
    assert "DROP TABLE" in _contents(hostile, "DROP TABLE")[0]


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"query": ""}, "query"),
        ({"query": "  \n "}, "query"),
        ({"query": "x" * 20_001}, "query"),
        ({"query": "a\x00b"}, "query"),
        ({"query": "a\ud800b"}, "query"),
        ({"query": 5}, "query"),
        ({"query": None}, "query"),
        ({"limit": 0}, "limit"),
        ({"limit": -1}, "limit"),
        ({"limit": True}, "limit"),
        ({"category": "nonsense"}, "category"),
        ({"type": "OPEN_LOOP"}, "type"),
        ({"entity": "john"}, "entity_refs"),
        ({"entity": "animal:rex"}, "entity_refs"),
        ({"entity": "person:!!!"}, "entity_refs"),
        ({"since": "yesterday"}, "since"),
        ({"until": "2026-13-01"}, "until"),
        ({"as_of": "soon"}, "as_of"),
        ({"as_of": 5}, "as_of"),
        ({"user": ""}, "user_id"),
        ({"user": "u" * 257}, "user_id"),
        ({"user": "a\x00"}, "user_id"),
        ({"user": 7}, "user_id"),
        ({"tags": "ui"}, "tags"),
        ({"tags": 5}, "tags"),
        ({"tags": [5]}, "tags"),
        ({"category": 5}, "category"),
        ({"type": 5}, "type"),
        ({"persona": 5}, "persona_id"),
    ],
    ids=str,
)
def test_bad_arguments_name_their_field(town: Memory, arguments: dict[str, object], field: str) -> None:
    """A wrong argument is refused with the name of the field."""
    with pytest.raises(InvalidInput) as raised:
        town.search(arguments.pop("query", "fine"), **arguments)  # type: ignore[arg-type]
    assert raised.value.field == field


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"limit": "5"}, "limit"),
        ({"limit": 1.5}, "limit"),
        ({"limit": None}, "limit"),
        ({"entity": 5}, "entity_refs"),
    ],
    ids=str,
)
def test_arguments_of_the_wrong_type_name_their_field(
    town: Memory, arguments: dict[str, object], field: str
) -> None:
    """A value of the wrong type is refused like any other bad value."""
    with pytest.raises(InvalidInput) as raised:
        town.search(arguments.pop("query", "fine"), **arguments)  # type: ignore[arg-type]
    assert raised.value.field == field


# -- in the past ----------------------------------------------------------------------------------------


def test_recall_as_of(meaning: Memory, clock: FakeClock) -> None:
    """A question to the past is answered from what was true then, edited texts included."""
    meaning.add("User lives in Berlin", category="identity")
    edited = meaning.add("User keeps bees behind the house").memory
    spring = clock()
    clock.move(days=30)
    meaning.add("User lives in Paris", category="identity")
    meaning.update(edited.memory_id, content="User keeps goats behind the house")
    assert _contents(meaning, "where does User live", limit=1) == ["User lives in Paris"]
    then = _contents(meaning, "where does User live", as_of=spring)
    assert "User lives in Berlin" in then and "User lives in Paris" not in then
    assert "User keeps bees behind the house" in _contents(meaning, "animals of the house", as_of=spring)
    assert _contents(meaning, "anything", as_of=spring - timedelta(days=1)) == []


def test_the_past_leaves_no_trace(town: Memory, clock: FakeClock) -> None:
    """Looking at the past is not a use of a memory."""
    town.search("User", as_of=clock())
    flush(town)
    assert {record.access_count for record in town.memories()} == {0}


# -- scale ----------------------------------------------------------------------------------------------


def test_the_answer_is_the_same_from_a_grown_and_a_fresh_index(
    opener: Opener, minilm: MiniLM, clock: FakeClock
) -> None:
    """An index that followed edits, archiving and additions answers like one that was read anew."""
    grown = opener(embedder=minilm)
    ids = [
        grown.add(f"User owns the {animal} of the village").memory.memory_id
        for animal in ("dog", "cat", "owl")
    ]
    grown.search("animals")
    grown.update(ids[0], content="User owns the wolf of the village")
    grown.update(ids[1], status="ARCHIVED")
    grown.add("User owns the horse of the village")
    fresh = opener(embedder=minilm)
    for query in ("wolf", "which animals", "cat dog"):
        answers = [
            [(h.memory.memory_id, round(h.score, 6)) for h in m.search(query).hits] for m in (grown, fresh)
        ]
        assert answers[0] == answers[1]


_VERBS = (
    "remember",
    "remember",
    "edit",
    "pin",
    "archive",
    "restore",
    "forget",
    "everything",
    "merge",
    "unmerge",
)
_CHANGES: dict[str, dict[str, Any]] = {
    "pin": {"pinned": True},
    "archive": {"status": "ARCHIVED"},
    "restore": {"status": "ACTIVE"},
}
_PEOPLE = ("anna", "bert", "carl")


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(st.tuples(st.sampled_from(_VERBS), st.integers(0, 20), st.booleans()), min_size=3, max_size=14)
)
def test_two_memories_on_one_file_always_agree(sequence: list[tuple[str, int, bool]]) -> None:
    """Whichever of two memories does what, both give the same answers after every act, as does a third, fresh one."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as opened:
        clock = FakeClock(NOON)

        def open_memory() -> Memory:
            memory = Memory(Path(folder) / "m.db", embedder=FakeEmbedder(), clock=clock)
            opened.callback(memory.close)
            return memory

        pair = (open_memory(), open_memory())
        for verb, number, second in sequence:
            clock.move(seconds=1)
            with suppress(NotFound, Conflict):
                _do(pair[second], verb, number)
            assert _agree(pair[0], pair[1])
        assert _agree(open_memory(), pair[0])


def _do(memory: Memory, verb: str, number: int) -> None:
    known = memory.memories(status=None, past=True)
    chosen = known[number % len(known)].memory_id if known else "nothing"
    person, other = _PEOPLE[number % 3], _PEOPLE[(number + 1 + number // 3 % 2) % 3]
    if verb == "remember":
        memory.add(
            NewMemory(f"User met {person} in town {number}", entity_refs=[f"person:{person}"], importance=8)
        )
    elif verb == "edit":
        memory.update(chosen, content=f"User saw {person} near lake {number}")
    elif verb == "everything":
        memory.forget(everything=True)
    elif verb == "merge":
        memory.merge(f"person:{person}", f"person:{other}")
    elif verb == "unmerge":
        memory.unmerge(f"person:{person}")
    elif verb == "forget":
        memory.forget(chosen)
    else:
        memory.update(chosen, **_CHANGES[verb])


def _answers(memory: Memory) -> list[tuple[dict[str, float], list[str]]]:
    """Which memories are found, with their scores, and the cards."""
    found = [memory.search(query, limit=20) for query in ("User met anna", "lake 3")]
    found += [memory.search("User", entity=f"person:{person}", limit=20) for person in _PEOPLE]
    return [
        ({hit.memory.memory_id: hit.score for hit in answer.hits}, sorted(card.text for card in answer.cards))
        for answer in found
    ]


def _agree(first: Memory, second: Memory) -> bool:
    """Scores may differ in their last bits: they depend on where a vector lies in memory."""
    pairs = zip(_answers(first), _answers(second), strict=True)
    return all(
        hits == pytest.approx(others, abs=1e-4) and cards == more for (hits, cards), (others, more) in pairs
    )


def test_a_fact_is_there_while_it_is_being_replaced(sqlite_path: Path, embedder: FakeEmbedder) -> None:
    """Readers beside a writer always see one value: the old or the new."""

    async def work() -> list[int]:
        async with AsyncMemory(sqlite_path, embedder=embedder) as memory:
            await memory.add("User lives in Aa", category="identity")
            seen: list[int] = []
            writing = True

            async def read() -> None:
                while writing:
                    seen.append(len((await memory.search("where does User live")).hits))

            readers = [asyncio.create_task(read()) for _ in range(6)]
            for number in range(60):
                await memory.add(f"User lives in City{number}", category="identity")
            writing = False
            await asyncio.gather(*readers)
            return seen

    assert set(asyncio.run(work())) == {1}

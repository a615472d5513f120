"""Remember: S2's save-memory tool, keys and conflicts (S4), and the trust that words deserve."""

import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest
from patience import LIMIT, ended, line_of

from recollect import EmbeddingError, InvalidInput, Memory, NotWorthKeeping, Refused, Remembered, Request
from recollect.records.category import Category

from .conftest import Opener
from .fakes import FakeClock, MoodyEmbedder

# -- S2's testing checklist, line by line ---------------------------------------------------------------


def test_remember_that_i_prefer_dark_mode(meaning: Memory) -> None:
    """A request to remember stores the preference itself, weighed up for having been asked for."""
    done = meaning.remember("Remember that I prefer dark mode")
    assert done.memory.content == "User prefers dark mode"
    assert done.memory.category is Category.PREFERENCE
    assert done.memory.importance == 10


def test_my_name_is_john_is_identity(meaning: Memory) -> None:
    """A name is the user's identity, with the highest importance."""
    done = meaning.remember("My name is John")
    assert (done.memory.content, done.memory.category) == ("User's name is John", Category.IDENTITY)
    assert done.memory.importance == 10


def test_i_work_with_sarah_is_a_relationship(meaning: Memory) -> None:
    """A colleague is a relationship, keyed by the colleague."""
    done = meaning.remember("I work with Sarah on the backend")
    assert (done.memory.content, done.memory.category) == (
        "User works with Sarah on the backend",
        Category.RELATIONSHIP,
    )
    assert "person:sarah" in done.memory.entity_refs


def test_save_this_saas_product_is_a_project(meaning: Memory) -> None:
    """What the user builds is a project, without the words that asked to save it."""
    done = meaning.remember("Save this: I'm building a SaaS product")
    assert (done.memory.content, done.memory.category) == (
        "User is building a SaaS product",
        Category.PROJECT,
    )


def test_saving_the_same_fact_twice_is_a_duplicate(meaning: Memory) -> None:
    """The second time nothing is added, the reply names the first one and its mentions grow."""
    first = meaning.remember("I prefer dark mode", category="preference")
    second = meaning.remember("I prefer dark mode.", category="preference")
    assert second.to_dict() == {
        "success": False,
        "duplicate": True,
        "message": "Similar memory already exists",
        "existingContent": "User prefers dark mode",
        "memoryId": first.memory.memory_id,
    }
    assert [record.mention_count for record in meaning.memories()] == [2]


@pytest.mark.parametrize(
    ("said", "stored"),
    [
        ("I am a software engineer", "User is a software engineer"),
        ("My wife is Jane", "User's wife is named Jane"),
        ("I prefer TypeScript", "User prefers TypeScript"),
        ("I'm based in London", "User is based in London"),
    ],
)
def test_third_person(memory: Memory, said: str, stored: str) -> None:
    """S2's table: what the user says in the first person is stored as a statement about User."""
    assert memory.remember(said).memory.content == stored


@pytest.mark.parametrize("content", ["", "   ", "too short", "a" * 9, "  nine char  "[:11]])
def test_too_short(memory: Memory, content: str) -> None:
    """Less than 10 characters is refused in S2's words."""
    with pytest.raises(InvalidInput, match=re.escape("Content too short (minimum 10 characters)")) as raised:
        memory.remember(content, category="fact")
    assert raised.value.field == "content"


def test_too_long(memory: Memory) -> None:
    """More than 500 characters is refused in S2's words; 500 are kept."""
    memory.remember("User has " + "x" * 491, category="fact")
    with pytest.raises(InvalidInput, match=re.escape("Content too long (maximum 500 characters)")):
        memory.remember("User has " + "x" * 492, category="fact")


def test_high_importance_memories_appear_in_the_system_prompt(meaning: Memory) -> None:
    """Identity, preference and relationship are preloaded; an old context is not."""
    meaning.remember("My name is John")
    meaning.remember("I prefer dark mode")
    meaning.remember("My wife is Jane")
    meaning.remember("User discussed the weather with a stranger", category="context")
    block = meaning.memory_block()
    for line in ("User's name is John", "User prefers dark mode", "User's wife is named Jane"):
        assert line in block
    assert "weather" not in block


def test_retrieval_after_saving(meaning: Memory) -> None:
    """What was saved is found by a question in other words."""
    meaning.remember("I prefer dark mode")
    meaning.remember("My sister lives in Lisbon")
    hits = meaning.recall("Which colour theme should the editor have?").hits
    assert hits[0].memory.content == "User prefers dark mode"


# -- S2's shapes, scores and scenarios ------------------------------------------------------------------


def test_success_shape(memory: Memory) -> None:
    """S2's reply to a stored memory has these five fields and no other."""
    done = memory.remember("User prefers TypeScript over JavaScript", category="preference")
    assert done.to_dict() == {
        "success": True,
        "message": "Memory saved successfully",
        "memoryId": done.memory.memory_id,
        "content": "User prefers TypeScript over JavaScript",
        "category": "preference",
    }


def test_error_shape(memory: Memory) -> None:
    """S2's reply to a refused one says why."""
    (refused,) = memory.remember_many([Request(content="short")])
    assert isinstance(refused, Refused)
    assert refused.to_dict() == {"success": False, "error": "Content too short (minimum 10 characters)"}


@pytest.mark.parametrize(
    ("category", "score", "type"),
    [
        ("identity", 10, "PROFILE"),
        ("preference", 9, "PROFILE"),
        ("relationship", 8, "PEOPLE"),
        ("project", 7, "PROJECT"),
        ("skill", 7, "PROFILE"),
        ("fact", 6, "PROFILE"),
        ("context", 5, "PROFILE"),
    ],
)
def test_base_scores(memory: Memory, category: str, score: int, type: str) -> None:
    """A plain statement has the base importance and the type of its category."""
    stored = memory.remember("User keeps bees behind the house", category=category).memory
    assert (stored.importance, stored.type.value) == (score, type)


@pytest.mark.parametrize(
    ("said", "score"),
    [
        ("User keeps bees behind the house", 5),
        ("Remember that User keeps bees behind the house", 7),
        ("It is important that User keeps bees behind the house", 7),
        ("User keeps 12 bees behind the house", 6),
        ("User wants to become a beekeeper one day", 6),
        ("User might keep bees behind the house", 3),
        ("User is tired of nothing right now", 3),
        ("User might be tired right now perhaps", 1),
    ],
)
def test_boosts_and_reductions(memory: Memory, said: str, score: int) -> None:
    """S2: +2 explicit request, +1 details, +1 long-term goal, -2 vague, -2 temporary."""
    assert memory.remember(said, category="context").memory.importance == score


def test_the_scale_ends_at_ten(memory: Memory) -> None:
    """However many boosts, importance stays within 0-10."""
    assert memory.remember("Remember that my name is John Smith", category="identity").memory.importance == 10


def test_scenario_1_clear_preference(meaning: Memory) -> None:
    """S2's first scenario is stored."""
    done = meaning.remember(
        "User prefers using TypeScript for all projects",
        category="preference",
        reasoning="Core tech stack preference that affects future recommendations",
    )
    assert done.to_dict()["success"] is True
    assert done.memory.reasoning == "Core tech stack preference that affects future recommendations"


def test_scenario_2_project_detail(meaning: Memory) -> None:
    """S2's second scenario is stored verbatim, as a project with a name."""
    content = "User is building a chat application named blah.chat using Next.js 15"
    done = meaning.remember(content, category="project", reasoning="Active project with specific details")
    assert done.memory.content == content
    assert done.memory.type.value == "PROJECT"


def test_scenario_3_is_a_duplicate(meaning: Memory) -> None:
    """Liking TypeScript adds nothing to preferring it for all projects, although the words differ."""
    meaning.remember("User prefers using TypeScript for all projects", category="preference")
    done = meaning.remember("User likes TypeScript", category="preference", reasoning="A language preference")
    assert done.to_dict()["duplicate"] is True
    assert done.to_dict()["existingContent"] == "User prefers using TypeScript for all projects"


def test_scenario_4_is_kept_for_a_caller_and_not_for_the_judge(meaning: Memory) -> None:
    """A hedge that a caller saves on purpose is kept with two points less; proposed by the judge it is refused."""
    firm = meaning.remember("I will try Haskell next", category="preference").memory.importance
    vague = meaning.remember("I might try Python someday", category="preference").memory
    assert vague.importance == firm - 2
    (refused,) = meaning.remember_many([Request(content="I might try Erlang someday", by_caller=False)])
    assert isinstance(refused, Refused) and refused.field == "content"


@pytest.mark.parametrize(
    "content",
    ["Can you write a poem about the sea?", "What is the capital of France?", "Thanks a lot, that helps!"],
)
def test_what_is_no_fact_is_refused_with_a_reason(memory: Memory, content: str) -> None:
    """One-off requests, questions and small talk are not stored."""
    with pytest.raises(NotWorthKeeping) as raised:
        memory.remember(content)
    assert raised.value.field == "content"
    assert memory.memories() == []


# -- S4: keys, supersession, pins -----------------------------------------------------------------------


def test_a_known_key_is_superseded_not_overwritten(memory: Memory, clock: FakeClock) -> None:
    """The new value points back at the old one, which keeps its text and gets an end."""
    old = memory.remember("User lives in Berlin", category="identity").memory
    later = clock.move(days=1)
    done = memory.remember("User lives in Paris", category="identity")
    assert done.outcome == "updated"
    assert done.memory.memory_key == old.memory_key is not None
    before = memory.get(old.memory_id)
    assert (before.content, before.valid_to, before.superseded_by) == (
        "User lives in Berlin",
        later,
        done.memory.memory_id,
    )
    assert done.previous == before
    assert (done.memory.supersedes, done.memory.valid_to) == (old.memory_id, None)
    assert [record.content for record in memory.memories()] == ["User lives in Paris"]


def test_s4_key_from_subtype(memory: Memory) -> None:
    """S4's example: John's relationship has the key `people|person|john_doe|relationship`."""
    stored = memory.remember(
        "John is User's cofounder; handles backend",
        category="relationship",
        entity_refs=["person:John Doe"],
        entity_label="John Doe",
        subtype={"entityType": "person", "factType": "relationship"},
    ).memory
    assert stored.memory_key == "people|person|john_doe|relationship"
    assert stored.entity_refs == ("person:john_doe",)
    assert stored.to_dict()["subtype"] == {"entityType": "person", "factType": "relationship"}


def test_preferences_about_different_things_live_side_by_side(memory: Memory) -> None:
    """Dark mode never overwrites TypeScript: the attribute is part of the key."""
    memory.remember("User prefers dark mode", category="preference")
    memory.remember("User prefers TypeScript", category="preference")
    memory.remember("User's favourite editor is Vim", category="preference")
    memory.remember("User's favourite editor is Helix", category="preference")
    assert {record.content for record in memory.memories()} == {
        "User prefers dark mode",
        "User prefers TypeScript",
        "User's favourite editor is Helix",
    }


def test_one_key_in_two_personas_is_two_facts(memory: Memory) -> None:
    """A fact told to one persona does not replace what all personas share."""
    memory.remember("User lives in Berlin", category="identity")
    done = memory.remember("User lives in Paris", category="identity", persona="coach")
    assert done.outcome == "added"
    assert len(memory.memories()) == 2


def test_pin_and_tags_stay_with_the_fact(memory: Memory, clock: FakeClock) -> None:
    """A new value of a pinned fact is pinned, and keeps the tags unless it brings its own."""
    memory.remember("User lives in Berlin", category="identity", pinned=True, tags=["home"])
    clock.move(days=1)
    done = memory.remember("User lives in Paris", category="identity")
    assert done.memory.pinned
    assert done.memory.tags == ("home",)


def test_pinned_is_level_three_and_gives_the_own_importance_back(memory: Memory) -> None:
    """S4 forces level 3 while pinned; the stored importance is not touched."""
    stored = memory.remember("User keeps bees behind the house", category="context").memory
    assert stored.importance_level == 1
    pinned = memory.pin(stored.memory_id)
    assert (pinned.importance_level, pinned.to_dict()["importance_level"]) == (3, 3)
    assert memory.unpin(stored.memory_id).importance_level == 1
    assert memory.get(stored.memory_id).importance == stored.importance


@pytest.mark.parametrize(
    ("importance", "level"), [(0, 0), (2.9, 0), (3, 1), (6.9, 1), (7, 2), (8.9, 2), (9, 3), (10, 3)]
)
def test_importance_levels(memory: Memory, importance: float, level: int) -> None:
    """The scale of 0-10 is shown as S4's levels 0-3 beside it."""
    stored = memory.remember("User keeps bees behind the house", importance=importance).memory
    assert (stored.importance, stored.importance_level) == (importance, level)


# -- many at once ---------------------------------------------------------------------------------------


def test_remember_many_answers_each(memory: Memory) -> None:
    """Good and bad statements are answered in order; those of one batch see each other."""
    results = memory.remember_many(
        [
            Request(content="User lives in Berlin", category="identity"),
            Request(content="bad"),
            Request(content="User lives in Berlin.", category="identity"),
            Request(content="User lives in Paris", category="identity"),
            Request(content="User keeps bees", category="nonsense"),
        ]
    )
    outcomes = [result.outcome if isinstance(result, Remembered) else result.field for result in results]
    assert outcomes == ["added", "content", "duplicate", "updated", "category"]
    assert [record.content for record in memory.memories()] == ["User lives in Paris"]


def test_remember_nothing(memory: Memory) -> None:
    """An empty batch is no error."""
    assert memory.remember_many([]) == []


# -- at once, everywhere --------------------------------------------------------------------------------


def test_visible_at_once(memory: Memory, opener: Opener) -> None:
    """What one memory stores, another on the same file finds in the same instant, again and again."""
    other = opener()
    for number in range(5):
        stored = memory.remember(f"User owns the {number}th telescope of a long row").memory
        for reader in (memory, other):
            found = [hit.memory.memory_id for hit in reader.recall(f"{number}th telescope").hits]
            assert stored.memory_id in found


_RACER = """
import sys, time
from recollect import Memory
with Memory(sys.argv[1]) as memory:
    memory.recall("warm up", user="warm")
    print("ready", flush=True)
    sys.stdin.readline()
    done = memory.remember(sys.argv[2], user="alice", category="identity")
    print(done.outcome, done.memory.memory_id, flush=True)
"""


def _race(url: str, contents: list[str]) -> list[str]:
    """Outcomes of real processes that store at the same instant."""
    pipe = subprocess.PIPE
    with ExitStack() as stack:
        racers = [
            stack.enter_context(
                ended(
                    subprocess.Popen(
                        [sys.executable, "-c", _RACER, url, content],
                        stdin=pipe,
                        stdout=pipe,
                        stderr=pipe,
                        text=True,
                    )
                )
            )
            for content in contents
        ]
        for racer in racers:
            assert line_of(racer) == "ready\n"
        for racer in racers:
            assert racer.stdin is not None
            racer.stdin.write("go\n")
            racer.stdin.flush()
        outcomes: list[str] = []
        for racer in racers:
            out, err = racer.communicate(timeout=LIMIT)
            assert racer.returncode == 0, err
            outcomes.append(out.split()[0])
    return outcomes


@pytest.mark.parametrize(
    ("contents", "second"),
    [
        (["User lives in Berlin", "User lives in Paris"], "updated"),
        (["User lives in Berlin", "User lives in Berlin"], "duplicate"),
    ],
)
def test_the_race_for_a_key(database_url: str, opener: Opener, contents: list[str], second: str) -> None:
    """Two processes store one key at the same instant: both succeed, exactly one memory is active (S4's race)."""
    reader = opener(database_url)
    outcomes = _race(database_url, contents)
    assert sorted(outcomes) == sorted(["added", second])
    active = reader.memories(user="alice")
    assert len(active) == 1
    everything = reader.memories(user="alice", past=True)
    assert len(everything) == (2 if second == "updated" else 1)
    assert active[0].mention_count == (1 if second == "updated" else 2)


def test_many_threads_store_one_key(memory: Memory) -> None:
    """Under eight writers in one process the chain of versions is linear and nothing fails."""
    cities = [f"City{chr(65 + number)}" for number in range(24)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda city: memory.remember(f"User lives in {city}", category="identity"), cities))
    versions = {record.memory_id: record for record in memory.memories(past=True)}
    (newest,) = memory.memories()
    chain = [newest]
    while chain[-1].supersedes is not None:
        chain.append(versions[chain[-1].supersedes])
        assert chain[-1].superseded_by == chain[-2].memory_id
    assert {record.content for record in chain} == {f"User lives in {city}" for city in cities}


# -- a broken model, a killed process -------------------------------------------------------------------


def test_a_failing_embedder_loses_and_invents_nothing(memory: Memory, embedder: MoodyEmbedder) -> None:
    """While the model is away nothing is stored and the error says so; afterwards it works again."""
    memory.remember("User owns a telescope")
    before = memory.export()
    embedder.failing = True
    with pytest.raises(EmbeddingError):
        memory.remember("User owns a bicycle")
    with pytest.raises(EmbeddingError):
        memory.recall("bicycle")
    assert memory.export() == before
    embedder.failing = False
    assert memory.remember("User owns a bicycle").outcome == "added"


_WRITER = """
import sys
from recollect import Memory
memory = Memory(sys.argv[1])
number = 0
while True:
    done = memory.remember(f"User owns the telescope number {number} made of glass {number * 7}", user="alice")
    print(done.memory.memory_id, done.memory.content, sep="\\t", flush=True)
    number += 1
"""


@pytest.mark.parametrize("seconds", [0.15, 0.4])
def test_kill_9_loses_nothing_that_was_reported(sqlite_path: Path, seconds: float) -> None:
    """Whatever was answered as stored before a kill -9 is there afterwards, whole, and can be recalled."""
    command = [sys.executable, "-c", _WRITER, str(sqlite_path)]
    with ended(subprocess.Popen(command, stdout=subprocess.PIPE, text=True)) as writer:
        lines = [line_of(writer)]
        time.sleep(seconds)
        writer.kill()
        assert writer.stdout is not None
        lines += writer.stdout.read().splitlines(keepends=True)
    reported = dict(line.rstrip("\n").split("\t") for line in lines if line.endswith("\n"))
    assert reported
    after = Memory(sqlite_path)
    try:
        for memory_id, content in reported.items():
            assert after.get(memory_id, user="alice").content == content
        last = list(reported.values())[-1]
        hits = after.recall(last, user="alice", limit=3).hits
        assert last in [hit.memory.content for hit in hits]
        assert all(well for _, well, _ in after.checks())
    finally:
        after.close()


def test_the_words_of_a_duplicate_are_kept(memory: Memory) -> None:
    """What counts as said already is not lost: the history keeps how it was said."""
    first = memory.remember("User likes to keep bees").memory
    again = memory.remember("User likes to keep bees!")
    assert again.outcome == "duplicate"
    assert memory.history(first.memory_id)[-1].new["said"] == "User likes to keep bees!"


def test_statements_of_one_call_see_each_other(memory: Memory) -> None:
    """There and back in one call: the last value stands; what is said three times in one call has three mentions."""
    said = ["I live in Graz", "I live in Vienna", "I live in Graz", *["User keeps bees behind the house"] * 3]
    memory.remember_many([Request(content=text) for text in said])
    known = {item.content: item.mention_count for item in memory.memories()}
    assert known == {"User lives in Graz": 1, "User keeps bees behind the house": 3}

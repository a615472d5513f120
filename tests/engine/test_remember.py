"""Remember: S2's save-memory tool, keys and conflicts (S4), and the trust that words deserve."""

import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from recollect import InvalidInput, Memory
from recollect.engine.remember import remember_many
from recollect.rules.draft import Request
from recollect.types import Refused

from .conversing import parts_of

# -- S2's testing checklist, line by line ---------------------------------------------------------------


def test_too_long(memory: Memory) -> None:
    """More than 500 characters is refused in S2's words; 500 are kept."""
    memory.add("User has " + "x" * 491, category="fact")
    with pytest.raises(InvalidInput, match=re.escape("Content too long (maximum 500 characters)")):
        memory.add("User has " + "x" * 492, category="fact")


# -- S2's shapes, scores and scenarios ------------------------------------------------------------------


def test_scenario_4_is_kept_for_a_caller_and_not_for_the_judge(meaning: Memory) -> None:
    """A hedge that a caller saves on purpose is kept with two points less; proposed by the judge it is refused."""
    firm = meaning.add("I will try Haskell next", category="preference").memory.importance
    vague = meaning.add("I might try Python someday", category="preference").memory
    assert vague.importance == firm - 2
    (refused,) = meaning._thread.run(
        remember_many(
            parts_of(meaning),
            "local",
            [Request(content="I might try Erlang someday", by_caller=False)],
            by="judge",
        )
    )
    assert isinstance(refused, Refused) and refused.field == "content"


# -- S4: keys, supersession, pins -----------------------------------------------------------------------


# -- many at once ---------------------------------------------------------------------------------------


# -- at once, everywhere --------------------------------------------------------------------------------


def test_many_threads_store_one_key(memory: Memory) -> None:
    """Under eight writers in one process the chain of versions is linear and nothing fails."""
    cities = [f"City{chr(65 + number)}" for number in range(24)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda city: memory.add(f"User lives in {city}", category="identity"), cities))
    versions = {record.memory_id: record for record in memory.memories(past=True)}
    (newest,) = memory.memories()
    chain = [newest]
    while chain[-1].supersedes is not None:
        chain.append(versions[chain[-1].supersedes])
        assert chain[-1].superseded_by == chain[-2].memory_id
    assert {record.content for record in chain} == {f"User lives in {city}" for city in cities}


# -- a killed process -----------------------------------------------------------------------------------


def test_the_words_of_a_duplicate_are_kept(memory: Memory) -> None:
    """What counts as said already is not lost: the history keeps how it was said."""
    first = memory.add("User likes to keep bees").memory
    again = memory.add("User likes to keep bees!")
    assert again.outcome == "duplicate"
    assert memory.history(first.memory_id)[-1].new["said"] == "User likes to keep bees!"


def test_statements_of_one_call_see_each_other(memory: Memory) -> None:
    """There and back in one call: the last value stands; what is said three times in one call has three mentions."""
    said = ["I live in Graz", "I live in Vienna", "I live in Graz", *["User keeps bees behind the house"] * 3]
    memory.add_many(said)
    known = {item.content: item.mention_count for item in memory.memories()}
    assert known == {"User lives in Graz": 1, "User keeps bees behind the house": 3}

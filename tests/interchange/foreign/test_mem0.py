"""Memories of mem0."""

from typing import Any

import pytest
from foreign_exports import mem0_memory
from hypothesis import given as drawn
from hypothesis import strategies as st

from recollect.errors import InvalidInput
from recollect.interchange.foreign import Format

from .reading import contents, given
from .test_chatgpt import _ANY

TRIP = mem0_memory("User plans a trip to Japan in April", "a1")
FISH = mem0_memory("Is allergic to fish", "b2", categories=None, updated_at=None)


@pytest.mark.parametrize("document", [[TRIP, FISH], {"results": [TRIP, FISH]}, {"memories": [TRIP, FISH]}])
def test_all_forms_are_read(document: object) -> None:
    """A list, and an object with `results` or `memories`, give the same facts, said by an import."""
    found = given(document)
    assert (found.format, found.skipped) == (Format.MEM0, ())
    assert contents(found) == ["User plans a trip to Japan in April", "Is allergic to fish"]
    first, second = found.document["memories"]
    assert (first["origin"], first["source"], first["tags"]) == ("import", "import", ["travel", "food"])
    assert first["created_at"] == "2025-01-14T14:13:13.704Z", "its words are of that day"
    assert second["created_at"] == "2025-01-12T14:13:13.704Z"


def test_relations_are_told() -> None:
    """The graph's relations are not read, and that is said."""
    document = {"results": [TRIP], "relations": [{"source": "ann", "relationship": "likes", "target": "tea"}]}
    (told,) = given(document).skipped
    assert told[1].startswith("relations: 1 of the graph")


def test_first_person_is_rewritten() -> None:
    """What is remembered is about the user, whoever wrote it down."""
    assert contents(given([mem0_memory("I live in Graz")])) == ["User lives in Graz"]


def test_what_changed_is_another_memory() -> None:
    """The same id with other words is another statement; the same words under another id are the same."""
    ids = [
        given([entry]).document["memories"][0]["memory_id"]
        for entry in (TRIP, TRIP, mem0_memory("User plans a trip to Norway in May", "a1"))
    ]
    assert ids[0] == ids[1] != ids[2]
    later = {**TRIP, "id": "other", "updated_at": "2025-02-01"}
    both = given([later, TRIP]).document["memories"]
    assert both[0] == both[1] == given([later]).document["memories"][0], "said twice, it is of the later day"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"memory": "short"}, "Content too short"),
        ({"memory": "x" * 501}, "Content too long"),
        ({"memory": None}, "memory is missing."),
        ({"memory": 5}, "content must be text"),
        ({"memory": "What is the time in Japan?"}, "This is a question"),
        ({"created_at": None, "updated_at": None}, "it has no time."),
        ({"updated_at": "2099-01-01T00:00:00Z"}, "updated_at lies in the future."),
        ({"created_at": "soon", "updated_at": None}, "created_at: 'soon' is not"),
        ({"id": []}, "it has no id."),
        ({"category": "spam"}, "Unknown category"),
    ],
)
def test_a_broken_memory_is_told(change: dict[str, Any], reason: str) -> None:
    """It is left out with its place and a reason; the others are there."""
    found = given([FISH, {**TRIP, **change}, 7])
    assert contents(found) == ["Is allergic to fish"]
    assert [line for line, _ in found.skipped] == [2, 3]
    assert found.skipped[0][1].startswith(reason)


def test_people_are_not_merged() -> None:
    """Of a file of several users only one's own memories are read; whoever is none of them is refused."""
    document = [TRIP, {**FISH, "user_id": "bob"}]
    found = given(document, user_id="bob")
    assert contents(found) == ["Is allergic to fish"]
    assert found.skipped == ((1, "it belongs to user 'ann'."),)
    with pytest.raises(InvalidInput, match="several users \\('ann', 'bob'\\)"):
        given(document, user_id="carla")
    assert len(contents(given([TRIP], user_id="carla"))) == 1, "one person's file is anybody's to read"


@drawn(st.dictionaries(st.sampled_from(sorted(TRIP)), _ANY, max_size=4))
def test_wrong_values_anywhere_break_nothing(change: dict[str, Any]) -> None:
    """Whatever stands wherever: the entry is read or told, and the next one is read."""
    found = given([{**TRIP, **change, "user_id": "ann"}, FISH], Format.MEM0)
    assert contents(found)[-1] == "Is allergic to fish"
    assert len(contents(found)) + len(found.skipped) == 2

"""An export that the first edition made is imported whole by every later schema.

The file is one user with everything in it. It is loaded by the public surface alone and compared with an export of the new
store, whatever the order, over the fields that design and wire name; what else an edition writes is its own business.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

import pytest

from recollect import Memory, Settings

from .description import FIXTURES, Json, read

DOCUMENT: Json = read(FIXTURES / "export-first-edition.json")
USER: str = DOCUMENT["user_id"]

MEMORY = """memory_id content category type importance tags entity_refs entity_label subtype memory_key pinned confidence
    source origin source_context reasoning source_message_ids persona_id status created_at updated_at valid_from valid_to
    last_accessed access_count mention_count supersedes superseded_by folded_into"""
MESSAGE = "id session_id role text model_id model_variant token_usage created_at importance_score position"
PIN = "id session_id content source_message_id importance_score pin_type created_at"
SUMMARY = "id session_id summary message_count start_message_id end_message_id importance_score created_at"
BRIEF = "chat_id revision global_summary last_summarized_message_id updated_at"
SESSION = "id persona_id startedAt lastActivityAt endedAt turnCount summaries"

Rows = list[Json]


def _chats(part: str) -> Callable[[Json], Rows]:
    return lambda document: [item for chat in document["chats"] for item in chat[part]]


#: What is compared: where it stands in the document, and its fields.
PARTS: Mapping[str, tuple[Callable[[Json], Rows], str]] = {
    "memories": (lambda document: document["memories"], MEMORY),
    "chats": (lambda document: document["chats"], "chat_id persona_id title created_at"),
    "messages": (_chats("messages"), MESSAGE),
    "pins": (_chats("pins"), PIN),
    "summaries": (_chats("summaries"), SUMMARY),
    "briefs": (_chats("briefs"), BRIEF),
    "todos": (
        lambda document: document["todos"],
        "id persona_id kind text due_at status source_message_ids created_at",
    ),
    "entities": (lambda document: document["entities"], "key label type last_mentioned"),
    "aliases": (lambda document: [document["aliases"]], " ".join(DOCUMENT["aliases"])),
    "sessions": (lambda document: document["sessions"], SESSION),
    "states": (lambda document: document["states"], "persona_id state"),
    "rolling summaries": (
        lambda document: document["rolling_summaries"],
        "persona_id revision summary created_at",
    ),
    "spines": (lambda document: document["spines"], "version content messageCount created_at"),
    "seed": (lambda document: [document["seed"]], "facts notes"),
}


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    """A new store on the day of the export, so that nothing has aged since; no background work changes it."""
    day = datetime.fromisoformat(DOCUMENT["exported_at"])
    file = tmp_path_factory.mktemp("imported") / "memory.db"
    with Memory(file, settings=Settings(worker="off"), clock=lambda: day) as opened:
        yield opened


@pytest.fixture(scope="module")
def loaded(memory: Memory) -> tuple[Any, Json]:
    """What became of the fixture, and the export right after."""
    done = memory.load(DOCUMENT, user=USER)
    return done, memory.export(user=USER)


def _comparable(rows: Iterable[Json], fields: str) -> list[list[Any]]:
    """The values of these fields, in the order of the first two, which name a record."""
    found = [[row.get(name) for name in fields.split()] for row in rows]
    return sorted(found, key=lambda values: repr(values[:2]))


def test_everything_is_imported(loaded: tuple[Any, Json]) -> None:
    """Nothing is skipped, and everything that counts is new."""
    done, _ = loaded
    counted = ("memories", "messages", "pins", "todos")
    assert (list(done.skipped), done.duplicates) == ([], 0)
    assert done.imported == sum(len(PARTS[name][0](DOCUMENT)) for name in counted)


@pytest.mark.parametrize("part", PARTS)
def test_a_part_comes_back(part: str, loaded: tuple[Any, Json]) -> None:
    """Exported again, it has the same records with the same values."""
    rows, fields = PARTS[part]
    wanted = _comparable(rows(DOCUMENT), fields)
    assert wanted
    assert _comparable(rows(loaded[1]), fields) == wanted


def test_histories_come_back(loaded: tuple[Any, Json]) -> None:
    """Every entry of every memory; the import may add one of its own."""
    fields = "at by change old new reason"
    found = {item["memory_id"]: _comparable(item["history"], fields) for item in loaded[1]["memories"]}
    for item in DOCUMENT["memories"]:
        wanted = _comparable(item["history"], fields)
        assert [entry for entry in wanted if entry not in found[item["memory_id"]]] == []


def test_twice_is_once(memory: Memory, loaded: tuple[Any, Json]) -> None:
    """The second load finds everything known and changes nothing."""
    first, before = loaded
    again = memory.load(DOCUMENT, user=USER)
    assert (again.imported, list(again.skipped), again.duplicates) == (0, [], first.imported)
    assert memory.export(user=USER) == before


def test_the_fixture_has_everything() -> None:
    """All categories, origins, sources, kinds and states stand in it."""

    def seen(part: str, field: str) -> set[Any]:
        return {row[field] for row in PARTS[part][0](DOCUMENT)}

    assert len(seen("memories", "category")) == 7
    assert seen("memories", "origin") == {"user", "assistant", "tool", "system", "import"}
    assert len(seen("memories", "source")) == 6
    assert seen("memories", "status") == {"ACTIVE", "ARCHIVED"}
    assert all(any(seen("memories", field)) for field in ("pinned", "superseded_by", "folded_into"))
    assert seen("messages", "role") == {"user", "assistant", "system", "tool"}
    assert seen("pins", "pin_type") == {"manual", "auto", "code", "concept", "system"}
    assert len({(row["kind"], row["status"]) for row in DOCUMENT["todos"]}) == 12
    assert len(seen("chats", "persona_id")) == 2
    assert max(len(row["summaries"]) for row in DOCUMENT["sessions"]) > 1
    assert max(seen("briefs", "revision")) > 2 and max(seen("spines", "version")) > 1

"""remember, recall, memories, update and stats."""

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from recollect import Memory, Settings
from recollect.api import arguments
from recollect.api.arguments import LOCAL_USER
from recollect.cli import options

from .conftest import Cli, Known


def test_the_default_user_is_the_engines() -> None:
    """The command line has the default user and the limits of a search in text; they are the engine's."""
    assert options.LOCAL_USER == LOCAL_USER
    assert (arguments.MAX_MESSAGES, arguments.MAX_SESSIONS) == (200, 30)


def test_remember_shows_the_stored_sentence(cli: Cli) -> None:
    """A first-person text is shown as it was stored, with its category and id."""
    ran = cli("remember", "My wife is Jane")
    assert ran.code == 0
    assert ran.out.startswith("Remembered: User's wife is named Jane\n")
    assert "relationship · importance 9 · 20" in ran.out
    assert ran.err == ""


def test_remember_answers_in_json_with_every_option(cli: Cli) -> None:
    """Each option of `remember` reaches the stored record."""
    given = [
        "--user",
        "ann",
        "--category",
        "project",
        "--importance",
        "3.5",
        "--tag",
        "work",
        "--tag",
        "q3",
        "--pin",
    ]
    given += ["--persona", "coach", "--json"]
    answer = cli("remember", "Apollo ships to customers in March", *given).json
    assert answer["success"] is True
    assert answer["outcome"] == "added"
    record = answer["memory"]
    assert record["user_id"] == "ann"
    assert record["category"] == "project"
    assert record["importance"] == 3.5
    assert record["tags"] == ["work", "q3"]
    assert record["pinned"] is True
    assert record["persona_id"] == "coach"


def test_remember_recognises_a_duplicate(cli: Cli, filled: Known) -> None:
    """A known fact is no error: it is named, with the reason, and the exit code is 0."""
    ran = cli("remember", "Jane is my wife")
    assert ran.code == 0
    assert ran.out.startswith("Already known: User's wife is named Jane\n")
    assert filled.wife in ran.out
    answer = cli("remember", "My wife is Jane", "--json").json
    assert answer["duplicate"] is True
    assert answer["memoryId"] == filled.wife


def test_remember_says_what_it_replaces(cli: Cli, filled: Known) -> None:
    """A new value of a known fact shows the old one."""
    ran = cli("remember", "I live in Porto")
    assert "Updated: User lives in Porto" in ran.out
    assert "replaces: User lives in Lisbon" in ran.out
    answer = cli("remember", "I live in Rome", "--json").json
    assert answer["outcome"] == "updated"
    assert answer["previous"]["content"] == "User lives in Porto"


def test_remember_reads_standard_input(cli: Cli) -> None:
    """A dash stands for the text on standard input."""
    assert "User prefers tea over coffee" in cli("remember", "-", stdin="I prefer tea over coffee\n").out


def test_recall_shows_score_category_content_and_date_under_the_card(cli: Cli, filled: Known) -> None:
    """The card is on top; each hit has its place, score, content, category, date and id."""
    ran = cli("recall", "What is Jane allergic to?")
    lines = ran.out.splitlines()
    assert ran.code == 0
    assert lines[0].startswith("[person:jane]: ")
    assert lines[2].startswith(" 1. 0.")
    assert lines[2].endswith("User's wife Jane is allergic to peanuts")
    assert lines[3].split(" · ")[0].strip() == "relationship"
    assert f" · {datetime.now(UTC):%Y-}" in lines[3]
    assert lines[3].endswith(f"{filled.allergy} #family #health")
    assert "similarity" not in ran.out


def test_recall_explains_every_term(cli: Cli, filled: Known) -> None:
    """With --explain each term of a score and both ranks are told."""
    ran = cli("recall", "What is Jane allergic to?", "--explain", "--limit", "1")
    for word in (
        "similarity 0.",
        "recency 1.00",
        "frequency ",
        "cosine 0.",
        "bm25 ",
        "1st by meaning",
        "1st by words",
    ):
        assert word in ran.out


@pytest.fixture
def talked(db: Path) -> None:
    """A database in which Caroline and the assistant talked about a cat, and nothing is remembered."""
    with Memory(db, settings=Settings(judge_model="off")) as memory:
        memory.chat("pets").add(
            [
                {
                    "role": "user",
                    "text": "I adopted a cat.",
                    "name": "Caroline",
                    "created_at": "2025-05-01T10:00:00Z",
                },
                {
                    "role": "assistant",
                    "text": "What is the cat called?",
                    "created_at": "2025-05-01T10:01:00Z",
                },
                {"role": "user", "text": "Oscar, like the poet.", "created_at": "2025-06-11T09:00:00Z"},
            ]
        )
        memory.chat("work").add(user="The cat slept on my keyboard.")
        assert memory.drain(user=LOCAL_USER)


def test_recall_shows_what_was_said_below_the_memories(cli: Cli, talked: None) -> None:
    """A past message has its place, score and words; then who said it, when, in which chat, and its id."""
    ran = cli("recall", "Who adopted a cat?")
    lines = ran.out.splitlines()
    assert lines[0] == "Messages"
    assert lines[1].startswith(" 1. 0.") and lines[1].endswith("  I adopted a cat.")
    assert lines[2].strip().startswith("Caroline (user) · 2025-05-01 10:00 · pets · ")
    assert "not found by" not in ran.out
    cli("remember", "My cat is called Oscar")
    both = cli("recall", "Who adopted a cat?").out
    assert both.index("named Oscar" if "named Oscar" in both else "called Oscar") < both.index("Messages")


def test_recall_explains_what_was_said(cli: Cli, talked: None) -> None:
    """With --explain the terms of a message's score stand under it, the largest first, and how it was found."""
    ran = cli("recall", "Who adopted a cat?", "--explain", "--messages", "1")
    terms, found = (line.strip() for line in ran.out.splitlines()[3:])
    values = [float(term.split()[-1]) for term in terms.split(" · ")]
    assert "meaning 0." in terms and values == sorted(values, reverse=True)
    assert found.startswith("cosine 0.") and found.endswith("1st by meaning · 1st by words")


def test_recall_asks_for_fewer_messages_one_chat_or_another_time(cli: Cli, talked: None) -> None:
    """--messages limits them, 0 leaves them out, --chat asks one chat, and --at and --zone say whose "last month"."""
    assert len(cli("recall", "cat", "--messages", "2", "--json").json["episodes"]) == 2
    assert cli("recall", "cat", "--messages", "0").out == "Nothing found.\n"
    (found,) = cli("recall", "cat", "--chat", "work", "--json").json["episodes"]
    assert (found["chat_id"], found["role"]) == ("work", "user")
    asked = ["recall", "What did I tell you last month?", "--at", "2025-07-02", "--zone", "Europe/Vienna"]
    assert cli(*asked, "--json").json["episodes"][0]["text"] == "Oscar, like the poet."
    assert cli("recall", "cat", "--zone", "Nowhere/Here").code == 2


def test_recall_tells_whole_sessions(cli: Cli, talked: None) -> None:
    """--sessions adds the sessions that the question is about, each by its best message and its place."""
    shown = cli("recall", "Who adopted a cat?", "--sessions", "2").out
    lines = shown[shown.index("\nSessions\n") + 1 :].splitlines()
    assert lines[1].endswith("  I adopted a cat.")
    assert lines[2].strip().startswith("2025-05-01 10:00 · pets · ") and lines[2].endswith("theme 0.00")
    assert "\nSessions\n" not in cli("recall", "Who adopted a cat?").out


def test_recall_answers_in_json(cli: Cli, filled: Known) -> None:
    """The JSON has the shape of the wire: memories with score and explain, cards, episodes."""
    answer = cli("recall", "What is Jane allergic to?", "--json", "--limit", "2").json
    assert answer["memories"][0]["memory_id"] == filled.allergy
    assert len(answer["memories"]) == 2
    assert answer["memories"][0]["explain"]["vector_rank"] == 1
    assert answer["cards"][0]["entity"] == "person:jane"
    assert answer["episodes"] == []


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        (["--category", "skill"], {"cello"}),
        (["--tag", "family", "--tag", "health"], {"allergy"}),
        (["--entity", "person:jane"], {"wife", "allergy"}),
        (["--since", "2100-01-01"], set[str]()),
        (["--until", "2000-01-01"], set[str]()),
        (["--as-of", "2000-01-01T00:00:00Z"], set[str]()),
        (["--user", "nobody"], set[str]()),
    ],
)
def test_recall_filters(cli: Cli, filled: Known, filters: list[str], found: set[str]) -> None:
    """Each filter of `recall` narrows what is found."""
    answer = cli("recall", "Jane and music", "--json", *filters).json
    ids = {getattr(filled, name) for name in found}
    assert {memory["memory_id"] for memory in answer["memories"]} == ids


def test_recall_of_the_past(cli: Cli, filled: Known) -> None:
    """--as-of answers with what was true then."""
    then = filled.berlin.partition("#")[0]
    answer = cli("recall", "Where do I live?", "--as-of", then, "--limit", "1", "--json").json
    assert answer["memories"][0]["content"] == "User lives in Berlin"


def test_recall_of_nothing(cli: Cli) -> None:
    """An empty memory is no error."""
    ran = cli("recall", "anything at all")
    assert (ran.code, ran.out) == (0, "Nothing found.\n")


def test_memories_lists_newest_first(cli: Cli, filled: Known) -> None:
    """The list has current memories only, newest first."""
    answer = cli("memories", "--json").json
    ids = [memory["memory_id"] for memory in answer["memories"]]
    assert ids == [filled.cello, filled.lisbon, filled.allergy, filled.wife]
    assert answer["next_cursor"] is None
    assert "User plays the cello on Sundays\nskill · 20" in cli("memories").out


def test_memories_filters_and_pages(cli: Cli, filled: Known) -> None:
    """Filters narrow the list, and the cursor of one page leads to the next."""
    assert len(cli("memories", "--tag", "health", "--json").json["memories"]) == 1
    assert len(cli("memories", "--category", "identity", "--json").json["memories"]) == 1
    assert len(cli("memories", "--entity", "person:jane", "--json").json["memories"]) == 2
    assert len(cli("memories", "--past", "--json").json["memories"]) == 5
    first = cli("memories", "--limit", "3", "--json").json
    rest = cli("memories", "--cursor", first["next_cursor"], "--json").json
    assert [memory["memory_id"] for memory in rest["memories"]] == [filled.wife]
    assert cli("memories", "--limit", "3").out.endswith("There are more: use --limit 6\n")


def test_memories_by_status(cli: Cli, filled: Known) -> None:
    """Archived memories are listed when asked for, alone or with all others."""
    cli("update", filled.cello, "--archive")
    assert [
        memory["memory_id"] for memory in cli("memories", "-s", "archived", "--json").json["memories"]
    ] == [filled.cello]
    assert len(cli("memories", "--status", "all", "--json").json["memories"]) == 4
    assert "skill · archived" in cli("memories", "--status", "all").out
    assert cli("memories", "--status", "lost").code == 2


def test_memories_of_nobody(cli: Cli) -> None:
    """An empty list says so."""
    assert cli("memories", "--user", "nobody").out == "No memories.\n"


def test_a_list_longer_than_the_engines_page(
    cli: Cli, filled: Known, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many are asked for, the pages of the engine are put together."""
    monkeypatch.setattr("recollect.cli.opening._PAGE", 2)
    answer = cli("memories", "--limit", "5000", "--json").json
    assert len(answer["memories"]) == 4
    assert len(cli("memories", "--limit", "3", "--json").json["memories"]) == 3


def test_one_memory_with_its_history(cli: Cli, filled: Known) -> None:
    """One memory is shown as a record, and with every change on request."""
    assert "history" not in cli("memories", filled.berlin, "--json").json
    answer = cli("memories", filled.berlin, "--history", "--json").json
    assert answer["superseded_by"] == filled.lisbon
    assert [entry["change"] for entry in answer["history"]] == ["created", "superseded"]
    ran = cli("memories", filled.berlin, "--history")
    assert "identity · until 20" in ran.out
    assert ["superseded_by", filled.lisbon] in [line.split() for line in ran.out.splitlines()]
    assert "superseded by user (new value of profile|person|user|fact|location)" in ran.out


def test_why_a_memory_is_there(cli: Cli, filled: Known) -> None:
    """--why shows the messages that a memory comes from, if there are any."""
    assert "None of its source messages is stored" in cli("memories", filled.wife, "--why").out
    cli("chats", "oslo", "--record", "My sister Ida lives in Oslo.")
    assert cli("worker", "--once").code == 0
    found = cli("recall", "Where does Ida live?", "--json").json["memories"][0]["memory_id"]
    assert "user: My sister Ida lives in Oslo.\n" in cli("memories", found, "--why").out
    (message,) = cli("memories", found, "--why", "--json").json["messages"]
    assert message["text"] == "My sister Ida lives in Oslo."


# -- update ---------------------------------------------------------------------------------------------


def test_update_changes_what_is_named(cli: Cli, filled: Known) -> None:
    """Each option of `update` changes its field, and the reason is kept in the history."""
    given = ["I play the viola on Sundays", "--importance", "4", "--category", "preference"]
    record = cli(
        "update", filled.cello, *given, "--tag", "music", "--reason", "I mixed them up", "--json"
    ).json
    assert record["content"] == "User plays the viola on Sundays"
    assert (record["importance"], record["category"], record["tags"]) == (4, "preference", ["music"])
    shown = cli("memories", filled.cello, "--history")
    assert "edited by user (I mixed them up)" in shown.out
    assert "content: User plays the cello on Sundays → User plays the viola on Sundays" in shown.out


def test_update_takes_tags_away(cli: Cli, filled: Known) -> None:
    """--no-tags leaves the memory without tags; without it they stay."""
    assert cli("update", filled.wife, "--importance", "8", "--json").json["tags"] == ["family"]
    assert cli("update", filled.wife, "--no-tags", "--json").json["tags"] == []


def test_update_of_nothing(cli: Cli, filled: Known) -> None:
    """An update that names no change is bad input."""
    ran = cli("update", filled.cello)
    assert ran.code == 2
    assert "Nothing to change: give a new TEXT" in ran.err


def test_update_of_a_replaced_memory(cli: Cli, filled: Known) -> None:
    """A replaced memory cannot be changed: a conflict, with the id of the memory to change instead."""
    ran = cli("update", filled.berlin, "--importance", "4")
    assert ran.code == 5
    assert filled.lisbon in ran.err


@pytest.mark.parametrize(
    ("option", "field", "value"),
    [
        ("--pin", "pinned", True),
        ("--unpin", "pinned", False),
        ("--archive", "status", "ARCHIVED"),
        ("--restore", "status", "ACTIVE"),
    ],
)
def test_pinning_and_archiving(cli: Cli, filled: Known, option: str, field: str, value: object) -> None:
    """Pinning, archiving and their opposites change one field and show the memory."""
    opposite = {"--unpin": "--pin", "--restore": "--archive"}.get(option)
    if opposite:
        cli("update", filled.cello, opposite)
    assert cli("update", filled.cello, option, "--json").json[field] == value
    ran = cli("update", filled.cello, option)
    assert ran.code == 0
    assert ran.out.startswith("Updated: User plays the cello on Sundays\n")


@pytest.mark.parametrize("command", ["memories", "update", "forget"])
def test_an_unknown_id(cli: Cli, filled: Known, command: str) -> None:
    """Every command that takes an id says that there is no such memory, and another user's is none."""
    extra = ["--importance", "1"] if command == "update" else []
    ran = cli(command, "2026-01-01T00:00:00.000Z#00000000", *extra)
    assert (ran.code, ran.out) == (4, "")
    assert ran.err == "recollect: There is no memory '2026-01-01T00:00:00.000Z#00000000'.\n"
    other = cli(command, filled.cello, *extra, "--user", "mallory", "--json")
    assert other.code == 4
    assert other.json == {"error": f"There is no memory '{filled.cello}'."}


# -- stats ----------------------------------------------------------------------------------------------


def test_stats(cli: Cli, filled: Known) -> None:
    """The numbers, for a person and as JSON."""
    assert cli("stats", "--json").json["total"] == 4
    ran = cli("stats")
    assert ran.out.startswith("4 memories of local\n")
    assert "category    identity 1 · relationship 2 · skill 1" in ran.out
    assert re.search(r"growth      week of \d{4}-\d\d-\d\d: 4\n", ran.out)
    assert cli("stats", "--user", "nobody").out == "0 memories of nobody\n"


def test_stats_of_conversations(cli: Cli) -> None:
    """What was said counts, too, even where nothing is remembered."""
    cli("chats", "dad", "--record", "How is he today?")
    waiting = "not indexed yet, found by words only: 1 message"
    assert cli("stats").out == f"0 memories, 1 message in 1 chat of local\n  {waiting}\n"
    assert cli("worker", "--once", "--seconds", "20").code == 0
    assert cli("stats").out == "0 memories, 1 message in 1 chat of local\n"
    cli("chats", "mum", "--record", "And how is she?")
    told = cli("stats", "--json").json
    assert (told["total"], told["chats"], told["messages"], told["messages_waiting"]) == (0, 2, 2, 1)
    assert "local: 0 memories, 2 messages in 2 chats\n" in cli("doctor").out


# -- a user whom nobody knows -----------------------------------------------------------------------------

UNKNOWN = "There is no user 'nobody'. To list users, run `recollect db info`.\n"
_ASKING = (
    ("recall", "Where do I live?"),
    ("memories",),
    ("export",),
    ("stats",),
    ("forget", "--everything", "--yes"),
)


@pytest.mark.parametrize("command", _ASKING, ids=lambda command: command[0])
def test_a_misspelt_user_is_reported(cli: Cli, filled: Known, command: tuple[str, ...]) -> None:
    """The note is on standard error, for people and programs alike; the exit code and the answer stay."""
    ran = cli(*command, "--user", "nobody")
    assert (ran.code, ran.err) == (0, UNKNOWN)
    found = cli(*command, "--user", "nobody", "--json")
    assert (found.code, found.err) == (0, UNKNOWN)
    assert isinstance(found.json, dict)


@pytest.mark.parametrize("command", _ASKING, ids=lambda command: command[0])
def test_a_known_user_is_not_doubted(cli: Cli, command: tuple[str, ...]) -> None:
    """A known user without memories, and the default user on an empty database, cause no note."""
    assert cli(*command).err == ""
    cli("remember", "I live in Lisbon", "--user", "ann")
    assert cli(*command, "--user", "ann").err == ""


def test_nothing_to_forget(cli: Cli, filled: Known) -> None:
    """Forgetting somebody unknown erases nothing."""
    ran = cli("forget", "--everything", "--yes", "--user", "nobody")
    assert ran.out == "There was nothing to forget.\n"
    assert cli("stats", "--json").json["total"] == 4

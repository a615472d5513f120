"""What grows out of facts: entities, todos, seed, tidying, decisions, tools, contexts, export. In process and over HTTP."""

import json
from typing import Any

import pytest

from recollect import InvalidInput, NewMemory, NotFound, storage
from recollect.errors import Conflict

from .conftest import As, somebody, walked

BEES = "User keeps bees behind the house"

# -- entities -----------------------------------------------------------------------------------------------


def _people(ann: As) -> None:
    for content, refs, importance in (
        ("Bob is User's old friend from school", ["person:bob"], 8),
        ("Robert works at Acme as a pilot", ["person:Robert", "org:ACME"], 8),
        ("Roberto sings in the choir", ["person:roberto"], 5),
    ):
        ann.add(NewMemory(content, entity_refs=refs, importance=importance))


@pytest.mark.postgres
def test_a_merge_joins_and_an_unmerge_parts(ann: As) -> None:
    """Under either name all facts are found, chains included; taken back, each name has its own, and nothing is rewritten."""
    _people(ann)
    before = ann.memories()
    ann.merge("person:robert", "person:bob")
    ann.merge("person:bob", "person:roberto")
    shown = ann.entity("person:Robert")
    assert (shown.entity.key, shown.entity.fact_count) == ("person:roberto", 3)
    assert set(shown.entity.aliases) == {"person:bob", "person:robert"}
    assert dict(shown.neighbours) == {"org:acme": 1}
    assert len(ann.memories(entity="person:bob")) == len(ann.search("User", entity="person:robert").hits) == 3
    with pytest.raises(Conflict):
        ann.merge("person:robert", "person:roberto")
    ann.unmerge("person:bob")
    assert ann.entity("person:bob").entity.fact_count == 2
    with pytest.raises(NotFound):
        ann.unmerge("person:robert", of="person:roberto")
    ann.unmerge("person:robert", of="person:bob")
    people = {item.key.partition(":")[2]: item.fact_count for item in ann.entities(type="person")}
    assert people == {"roberto": 1, "robert": 1, "bob": 1}
    assert list(people) == ["roberto", "robert", "bob"], "last mentioned first"
    assert len(walked(ann.entities, limit=1)) == len(ann.entities()) == 4
    assert ann.memories() == before
    assert ann.entity("person:bob").card.facts == ("Bob is User's old friend from school",)
    with pytest.raises(Conflict):
        ann.merge("person:bob", "org:acme")


# -- todos and seed -----------------------------------------------------------------------------------------


@pytest.mark.postgres
def test_the_life_of_a_todo(ann: As) -> None:
    """Noted, dated, changed by keywords, done, forgotten; listed by status, kind, date, persona and page."""
    due = "2026-01-29T18:00:00+01:00"
    said = ["m1"]
    todo = ann.add_todo("Call Jane", kind="commitment", persona="coach", due_at=due, source_message_ids=said)
    shown = todo.to_dict()
    expected = {
        "text": "Call Jane", "kind": "commitment", "persona_id": "coach", "due_at": "2026-01-29T17:00:00.000Z",
        "status": "open", "source_message_ids": said,
    }  # fmt: skip
    assert {name: shown[name] for name in expected} == expected
    plain = ann.add_todo("Walk daily")
    assert (plain.kind, plain.status, plain.persona_id, plain.due_at) == ("thread", "open", None, None)
    habit = ann.add_todo("Stretch", kind="habit", persona="chef")

    def listed(**filters: Any) -> list[str]:
        return [item.text for item in ann.todos(**filters)]

    assert listed() == ["Stretch", "Walk daily", "Call Jane"]
    assert [item.text for item in walked(ann.todos, limit=1)] == listed()
    assert listed(persona="coach") == ["Walk daily", "Call Jane"]
    assert (listed(kind="habit"), listed(due_before="2026-02-01")) == (["Stretch"], ["Call Jane"])
    changed = ann.update_todo(todo.todo_id, text="Call Jane at home", due_at=None)
    assert (changed.text, changed.due_at, changed.kind) == ("Call Jane at home", None, "commitment")
    assert ann.update_todo(habit.todo_id, status="done").status == "done"
    assert listed() == ["Walk daily", "Call Jane at home"]
    assert (listed(status="done"), len(listed(status=None))) == (["Stretch"], 3)
    assert ann.forget(todo=plain.todo_id).counts["todos"] == 1
    with pytest.raises(NotFound):
        ann.update_todo(plain.todo_id, status="done")


def test_a_promise_to_one_persona_is_not_told_by_another(ann: As) -> None:
    """S4: a todo is in the contexts of its persona, a shared one in all; the same holds for facts."""
    ann.add_todo("Walk tomorrow", persona="coach")
    ann.add_todo("Renew the passport")
    ann.add("User told the coach about a weak knee", category="identity", persona="coach")
    chats = [ann.chat("new", persona=name) for name in ("coach", "chef")]
    coach, chef = (str(chat.context("What is open?")) for chat in chats)
    for own in ("Walk tomorrow", "weak knee"):
        assert own in coach and own not in chef
    assert "Renew the passport" in coach and "Renew the passport" in chef


@pytest.mark.postgres
def test_a_seed_is_planted_and_outranked(ann: As) -> None:
    """Its facts are memories, its notes are shown; planted again it replaces itself and undoes nothing of the user's."""
    facts = [{"content": "User's name is Alice", "category": "identity"}, {"content": "I live in Graz"}]
    ann.set_seed(facts, notes="Speaks German.")
    assert ann.seed().to_dict() == {"facts": facts, "notes": "Speaks German."}
    assert {(record.content, record.source) for record in ann.memories()} == {
        ("User's name is Alice", "seeded_profile"), ("User lives in Graz", "seeded_profile"),
    }  # fmt: skip
    assert "Speaks German." in ann.context("Who am I?").to_text()
    ann.add("I live in Vienna")
    ann.set_seed(facts)
    assert set(ann.known()) == {"User's name is Alice", "User lives in Vienna"}
    ann.set_seed([])
    assert (ann.known(), ann.seed().to_dict()) == (["User lives in Vienna"], {"facts": [], "notes": ""})
    with pytest.raises(InvalidInput, match="number 2"):
        ann.set_seed([{"content": "I live in Rome"}, {"content": "x"}])
    assert ann.known() == ["User lives in Vienna"]


# -- tidying and deciding -----------------------------------------------------------------------------------

VAGUE, SPECIFIC = "User drinks strong coffee", "User drinks strong coffee daily"


@pytest.mark.postgres
def test_near_duplicates_become_one(ann: As) -> None:
    """A dry run changes nothing; the fold keeps the most specific words and what its originals had; those can come back."""
    vague = ann.add(NewMemory(VAGUE, source_message_ids=["m1"], tags=["drink"], importance=7)).memory
    exact = ann.add(NewMemory(SPECIFIC, source_message_ids=["m2"])).memory
    trial = ann.consolidate(dry_run=True)
    assert trial.dry_run and trial.folds[0].into.content == SPECIFIC
    assert ann.known() == [SPECIFIC, VAGUE]
    done = ann.consolidate()
    (fold,) = ann.memories()
    assert (fold.content, fold.source) == (SPECIFIC, "curated_fold")
    assert (fold.tags, fold.importance) == (("drink",), 7)
    assert set(fold.source_message_ids) == {"m1", "m2"}
    assert [item.into.memory_id for item in done.folds] == [fold.memory_id]
    for original in (vague, exact):
        known = ann.get(original.memory_id)
        assert (known.status, known.folded_into) == ("ARCHIVED", fold.memory_id)
    ann.update(vague.memory_id, status="ACTIVE")
    assert ann.get(vague.memory_id).current


def test_variants_of_a_name_are_proposed_and_decided(ann: As) -> None:
    """S4: accepted the names are one, rejected it is not proposed again; deciding twice is once."""
    for one, other in (("makesh", "mukesh"), ("katarina", "catarina")):
        for name, did in ((one, "handles the backend of the app"), (other, f"chose a database in {one}")):
            ann.add(NewMemory(f"{name.title()} {did}", entity_refs=[f"person:{name}"]))
    ann.consolidate()
    waiting = {frozenset(item.entity_keys): item for item in ann.proposals(kind="merge")}
    accepted = waiting[frozenset({"person:makesh", "person:mukesh"})]
    for _ in range(2):
        assert ann.resolve(accepted.proposal_id, accept=True).status == "accepted"
    assert ann.entity("person:makesh").entity.fact_count == 2
    for proposal in ann.proposals():
        assert ann.resolve(proposal.proposal_id, accept=False).status == "rejected"
        with pytest.raises(Conflict):
            ann.resolve(proposal.proposal_id, accept=True)
    ann.consolidate()
    assert ann.proposals() == []
    assert len(walked(ann.proposals, status=None, limit=1)) == len(waiting)
    with pytest.raises(NotFound):
        ann.resolve("nothing", accept=True)


# -- tools --------------------------------------------------------------------------------------------------

PYTHON = {"content": "User prefers Python 3.12+", "category": "preference", "importance": 8, "tags": ["py"]}
SAVE = {
    "content": "User prefers using TypeScript", "category": "preference",
    "reasoning": "Core tech stack preference that affects future recommendations",
}  # fmt: skip


@pytest.mark.postgres
def test_s3s_five_tools(ann: As) -> None:
    """Each answers in S3's words, to the letter."""
    stored = ann.call("store_memory", PYTHON)
    memory_id = stored.result["memory_id"]
    assert stored.text == f"✓ Memory stored (ID: {memory_id})"
    assert (ann.get(memory_id).source, ann.get(memory_id).tags) == ("tool", ("py",))
    line = f"User prefers Python 3.12+ (Importance: 8, ID: {memory_id})"
    found = ann.call("search_memories", {"query": "python", "limit": 1})
    assert found.text == f"Found 1 memory:\n\n- [preference] {line}"
    assert set(found.result["memories"][0]) == {
        "user_id", "memory_id", "content", "category", "importance", "tags", "created_at", "last_accessed", "access_count",
    }  # fmt: skip
    assert ann.call("list_memories").text == f"Your memories (1 total):\n\n[PREFERENCE]\n  - {line}"
    assert ann.call("list_memories", {"category": "skill"}).text == "You have no skill memories yet."
    nothing = ann.call("search_memories", {"query": "python", "category": "skill"})
    assert (nothing.text, nothing.is_error) == ('No memories found for "python".', False)
    change = {"memory_id": memory_id, "new_content": "User prefers Python 3.13 now", "importance": 9}
    assert ann.call("update_memory", change).text == "✓ Memory updated"
    assert (ann.get(memory_id).content, ann.get(memory_id).importance) == ("User prefers Python 3.13 now", 9)
    assert ann.call("delete_memory", {"memory_id": memory_id}).text == "✓ Memory deleted"
    again = ann.call("delete_memory", {"memory_id": memory_id})
    assert again.is_error and again.text.startswith(f"There is no memory {memory_id!r}.")
    assert ann.call("list_memories").text == "You have no memories yet."


def test_s2s_tool(ann: As) -> None:
    """Success, duplicate and error have S2's shapes; arguments may be an object or its text."""
    first = ann.call("saveMemory", json.dumps(SAVE))
    memory_id = first.result["memoryId"]
    assert first.result == {
        "success": True, "message": "Memory saved successfully", "memoryId": memory_id, "content": SAVE["content"],
        "category": "preference",
    }  # fmt: skip
    second = ann.call("saveMemory", SAVE)
    assert second.text == f"Similar memory already exists: {SAVE['content']}"
    assert second.result == {
        "success": False, "duplicate": True, "message": "Similar memory already exists",
        "existingContent": SAVE["content"], "memoryId": memory_id,
    }  # fmt: skip
    for change, error in (
        ({"content": "Tea"}, "Content too short (minimum 10 characters)"),
        ({"content": "x" * 501}, "Content too long (maximum 500 characters)"),
        ({"category": "mood"}, "Unknown category 'mood'"),
        ({"reasoning": "short"}, "reasoning must have 10-200 characters"),
        ({"user": "ann"}, "'user' is not an argument of saveMemory"),
    ):
        refused = ann.call("saveMemory", {**SAVE, **change})
        assert refused.is_error and error in refused.text
        assert refused.result == {"success": False, "error": refused.text}
    assert len(ann.known()) == 1


def test_a_tool_knows_its_persona_its_chat_and_nobody_else(ann: As, bob: As) -> None:
    """A fact comes from the user's last words in the chat, and goes with it."""
    own = ann.call("store_memory", {**PYTHON, "content": "User trains for a marathon"}, persona="coach")
    assert ann.call("list_memories", persona="chef").result["total"] == 0
    memory_id = own.result["memory_id"]
    for other in (lambda: ann.call("delete_memory", {"memory_id": memory_id}, persona="chef"),
                  lambda: bob.call("delete_memory", {"memory_id": memory_id})):  # fmt: skip
        assert other().is_error
    said = ann.chat("c").add(user="I like oat milk a lot", assistant="I see.").messages[0]
    milk = ann.call("store_memory", {**PYTHON, "content": "User likes oat milk in coffee"}, chat="c")
    assert ann.get(milk.result["memory_id"]).source_message_ids == (said.message_id,)
    ann.forget(chat="c")
    assert ann.known(persona="coach") == ["User trains for a marathon"]
    with pytest.raises(NotFound):
        ann.call("fly", {})


def test_the_schemas_in_each_format(memory: Any) -> None:
    names = {"store_memory", "search_memories", "list_memories", "update_memory", "delete_memory"}
    openai = {tool["function"]["name"]: tool["function"]["parameters"] for tool in memory.tools.schemas()}
    anthropic = {tool["name"]: tool["input_schema"] for tool in memory.tools.schemas("anthropic")}
    gemini = {tool["name"]: tool["parameters"]["type"] for tool in memory.tools.schemas("gemini")}
    assert names <= set(openai) and openai == anthropic and set(gemini) == set(openai)
    assert set(gemini.values()) == {"OBJECT"}
    with pytest.raises(InvalidInput, match="openai, anthropic, gemini"):
        memory.tools.schemas("cohere")


@pytest.mark.in_process
def test_s3s_five_functions(ann: As) -> None:
    """The code of S3's reference runs as it is written there, with its return values."""
    storage.use(ann.memory)
    content, user = "User prefers Python 3.12 with type hints", ann.user
    saved = storage.save_memory(
        user_id=user, content=content, category="preference", importance=8, tags=["python", "typing"]
    )
    assert saved["success"] is True
    one = saved["memory_id"]
    (record,) = storage.get_memories(user_id=user, category="preference", limit=20)
    assert record == {
        "user_id": user, "memory_id": one, "content": content, "category": "preference", "importance": 8,
        "tags": ["python", "typing"], "created_at": record["created_at"], "last_accessed": None, "access_count": 0,
    }  # fmt: skip
    (found,) = storage.search_memories(user_id=user, query="python", limit=5)
    assert found["content"] == content
    updated = storage.update_memory(
        user_id=user, memory_id=one, new_content="Updated information", importance=9
    )
    assert updated["success"] is True
    assert storage.update_memory(user, one, "short")["error"].startswith("Content too short")
    assert storage.save_memory(user, "short", "fact")["success"] is False
    assert storage.delete_memory(user_id="other", memory_id=one) is False
    assert [storage.delete_memory(user_id=user, memory_id=one) for _ in range(2)] == [True, False]


# -- what a model sees, the whole, and out again ---------------------------------------------------------------


def test_s3s_block(ann: As) -> None:
    """Opening, groups by category with the importance of each line, closing: to the letter."""
    for content, category, importance in (
        ("User prefers Python 3.12+", "preference", 9), ("Uses VS Code editor", "preference", 7),
        ("Expert in Python web development", "skill", 8), ("Senior backend engineer at fintech startup", "context", 9),
    ):  # fmt: skip
        ann.add(content, category=category, importance=importance)
    ann.add("User discussed the weather with a stranger", category="context", importance=5)
    assert ann.context().memory_block() == (
        "=== LONG-TERM MEMORY ===\nYou have the following information about this user:\n\n"
        "[PREFERENCE]\n- User prefers Python 3.12+ (Importance: 9)\n- Uses VS Code editor (Importance: 7)\n\n"
        "[SKILL]\n- Expert in Python web development (Importance: 8)\n\n"
        "[CONTEXT]\n- Senior backend engineer at fintech startup (Importance: 9)\n\n=== END MEMORY ==="
    )


def test_a_context_has_many_forms(ann: As) -> None:
    """S0's example; the caller's instructions come first in either form, and text, lines and reasons agree."""
    chat = ann.chat("c")
    said = chat.add(user="My dad is allergic to Penicillin", assistant="I'll remember that.").messages
    context = chat.context("What antibiotics are safe?", tokens=8000)
    openai = context.to_openai(system="Be brief.")
    assert openai[0]["role"] == "system" and openai[0]["content"].startswith("Be brief.")
    assert openai[-1] == {"role": "user", "content": "What antibiotics are safe?"}
    anthropic = context.to_anthropic(system="Be brief.")
    assert anthropic["system"][0]["text"].startswith("Be brief.")
    text = str(context)
    assert "allergic to Penicillin" in text and "What antibiotics are safe?" in text
    shown = context.to_dict()
    assert [item["id"] for item in shown["recentMessages"]] == [message.message_id for message in said]
    assert shown["semanticPins"] and 0 < shown["totalTokens"] <= 8000
    for section in context.sections:
        for line in section.lines:
            assert line.why and line.tokens > 0 and line.text in context.explain()
    elsewhere = ann.context("Is dad allergic to anything?")
    assert "Penicillin" in str(elsewhere) and elsewhere.to_dict()["recentMessages"] == []


def test_words_of_time_are_relative_to_the_question(ann: As) -> None:
    for text, day in (("The roses bloom already", 1), ("The tulips are over", 20)):
        ann.chat("garden").add(user=text, created_at=f"2026-05-{day:02}T12:00:00Z")
    asked: dict[str, Any] = {"at": "2026-05-02T09:00:00Z", "zone": "Europe/Berlin"}
    assert "The roses bloom already" in str(ann.context("What did I say yesterday?", **asked))
    (first, *_) = ann.search("What did I say yesterday?", **asked).messages
    assert first.message.text == "The roses bloom already"


def test_stats_count(ann: As) -> None:
    ann.add_many([NewMemory(BEES, category="fact", importance=6), NewMemory("My wife is Jane", importance=8)])
    ann.chat("c").add(user="Hello.", assistant="Hi.")
    shown = ann.stats().to_dict()
    assert (shown["total"], shown["by_category"]) == (2, {"fact": 1, "relationship": 1})
    assert (shown["by_type"], shown["by_status"]) == ({"PROFILE": 1, "PEOPLE": 1}, {"ACTIVE": 2})
    assert (shown["by_source"], shown["average_importance"]) == ({"manual": 2}, 7)
    assert (sum(week["count"] for week in shown["growth"]), shown["most_used"]) == (2, [])


@pytest.mark.postgres
def test_an_export_comes_back_whole_and_twice_is_once(ann: As) -> None:
    """Everything of a user, loaded for another, is the same; again it changes nothing."""
    _people(ann)
    ann.merge("person:robert", "person:bob")
    ann.add("User lives in Berlin", category="identity")
    moved = ann.add("User lives in Paris", category="identity", pinned=True, tags=['quo"te']).memory
    ann.update(moved.memory_id, content="User lives in Lyon", reason="moved")
    ann.add_todo("Water the roses", kind="habit")
    ann.set_seed([{"content": "User was born in Graz"}], notes="a note")
    chat = ann.chat("garden", persona="coach")
    chat.add(user="I am allergic to penicillin.", assistant="Noted.")
    chat.pin("The gate is green")
    ann.settle()
    document = json.loads(json.dumps(ann.export()))
    assert (document["recollect"], document["user_id"]) == (1, ann.user)
    other = As(ann.memory, somebody())
    loaded = other.load(document)
    assert (loaded.duplicates, loaded.skipped) == (0, ())
    copied = other.export()
    for part in ("memories", "chats", "todos", "aliases", "seed"):
        assert _stable(copied[part], other.user) == _stable(document[part], ann.user), part
    again = other.load(json.dumps(document))
    assert (again.imported, again.duplicates, again.skipped) == (0, loaded.imported, ())
    assert {**other.export(), "exported_at": ""} == {**copied, "exported_at": ""}
    assert ann.export(include=["todos"])["memories"] == []


def _stable(part: Any, user: str) -> Any:
    """A part of an export without what a round trip must change: whose it is, and that it was imported."""

    def cleaned(item: dict[str, Any]) -> dict[str, Any]:
        if "history" in item:
            item["history"] = [entry for entry in item["history"] if entry["change"] != "imported"]
        return {name: value for name, value in item.items() if value != user}

    return json.loads(json.dumps(part), object_hook=cleaned)


def test_what_cannot_be_read_is_listed(ann: As) -> None:
    """The rest is imported; what is no export at all is refused, and nothing is stored."""
    good = {"memory_id": "2026-01-28T10:30:45.123Z#a1b2c3d4", **PYTHON, "created_at": "2026-01-28T10:30:45Z"}
    with pytest.raises(InvalidInput):
        ann.load({"recollect": 99, "memories": [good]})
    given = [5, good, {**good, "memory_id": "b", "importance": 99}, {"content": "x"}]
    loaded = ann.load({"recollect": 1, "memories": given})
    assert loaded.imported == 1
    assert [line for line, reason in loaded.skipped if reason] == [1, 3, 4]
    assert [(record.memory_id, record.origin) for record in ann.memories()] == [(good["memory_id"], "import")]

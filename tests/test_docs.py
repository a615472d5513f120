"""The documentation cannot rot: generated pages are current, examples run, links resolve, nothing public is missing."""

import ast
import inspect
import io
import os
import re
import subprocess
import sys
from contextlib import redirect_stdout
from pathlib import Path

import pytest
from patience import LIMIT

from recollect import AsyncChat, AsyncMemory, Context, Memory, Settings, errors
from recollect.api.asked_episodes import MAX_EPISODES, MAX_NEIGHBOURS
from recollect.api.facts import MAX_HITS, MAX_PAGE
from recollect.cli import exit_codes
from recollect.encoder import minilm
from recollect.engine import assemble, close_session
from recollect.engine.recall import MAX_QUERY
from recollect.index import postings, recall
from recollect.index.episode import parts_of_text
from recollect.index.episode.features import FEATURES
from recollect.language import pinning
from recollect.records import card, chat, job, memory, message, pin, seed, session, session_state, spine, todo
from recollect.records.category import TRAITS, Category
from recollect.rules import budget, fold, judging_time, message_importance

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")])
CONCEPTS = (
    "memory", "category", "importance", "phrasing", "worth", "duplicate", "memory_key", "entity", "card", "recall",
    "history", "trust", "profile", "link", "message", "turn", "chat", "fold", "pin", "context", "session", "todo", "seed",
    "job", "episode", "curator", "judge",
)  # fmt: skip
WITH_EXAMPLES = [ROOT / "README.md", DOCS / "tutorial.md", *sorted((DOCS / "concepts").glob("*.md"))]
HOWTOS = sorted((DOCS / "howto").glob("*.md"))

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_EXPECTED = re.compile(r"^\s*# →(?: (.*))?$", re.MULTILINE)
_LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#{1,6} +(.+)$", re.MULTILINE)
_PROOF = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")
_EVENT = re.compile(r'\blog\.\w+\(\s*"([\w.%]+) ?([^"]*)"')


def _name(page: Path) -> str:
    return str(page.relative_to(ROOT))


def _blocks(page: Path, language: str) -> list[str]:
    return [code for kind, code in _FENCE.findall(page.read_text("utf-8")) if kind == language]


def _anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    text = _FENCE.sub("", page.read_text("utf-8"))
    return {
        re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")
        for heading in _HEADING.findall(text)
    }


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to be in, and an environment without settings."""
    for variable in list(os.environ):
        if variable.startswith(("RECOLLECT_", "OPENAI_", "MEMORY_", "PROMPT_")):
            monkeypatch.delenv(variable)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=_name)
def test_examples_run(page: Path, elsewhere: Path) -> None:
    """Every Python block of a page runs, in order, and prints what its `# →` lines say."""
    blocks = _blocks(page, "python")
    namespace: dict[str, object] = {"__name__": "example"}
    printed = io.StringIO()
    with redirect_stdout(printed):
        for number, code in enumerate(blocks, 1):
            exec(compile(code, f"{_name(page)} block {number}", "exec"), namespace)
    for value in namespace.values():
        if isinstance(value, Memory):
            value.close()
    expected = [line.rstrip() for code in blocks for line in _EXPECTED.findall(code)]
    if expected:
        assert [line.rstrip() for line in printed.getvalue().splitlines()] == expected


@pytest.mark.parametrize("page", HOWTOS, ids=_name)
def test_howtos_can_be_compiled(page: Path) -> None:
    """The Python of a how-to, which needs keys and servers to run, is at least Python."""
    for number, code in enumerate(_blocks(page, "python"), 1):
        compile(code, f"{_name(page)} block {number}", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)


def test_shell_examples_run(elsewhere: Path) -> None:
    """Every `sh` block of the tutorial runs without an error."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    script = "\n".join(_blocks(DOCS / "tutorial.md", "sh"))
    done = subprocess.run(
        ["sh", "-e"],
        input=script,
        env={**os.environ, "PATH": path},
        text=True,
        capture_output=True,
        timeout=LIMIT,
    )
    assert done.returncode == 0, done.stderr


def test_generated_pages_are_current() -> None:
    """The pages about settings and schema are what tools/generate_reference.py would write now."""
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "generate_reference.py", "--check"],
        text=True,
        capture_output=True,
        timeout=LIMIT,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_links_resolve(page: Path) -> None:
    """Every relative link leads to a file, and every anchor to a heading."""
    broken: list[str] = []
    for target in _LINK.findall(_FENCE.sub("", page.read_text("utf-8"))):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        if not file.exists() or (anchor and file.suffix == ".md" and anchor not in _anchors(file)):
            broken.append(target)
    assert not broken


def test_every_public_method_is_documented() -> None:
    """Each public method of AsyncMemory, AsyncChat and Context stands in the Python reference."""
    text = (DOCS / "reference" / "python.md").read_text("utf-8")
    public = [
        name
        for kind in (AsyncMemory, AsyncChat, Context)
        for name, _ in inspect.getmembers(kind, inspect.isfunction)
        if not name.startswith("_")
    ]
    assert [name for name in public if f"`{name}(" not in text] == []


@pytest.mark.parametrize("concept", CONCEPTS)
def test_every_concept_has_a_page(concept: str) -> None:
    """Each concept of the domain has a page of its name, which the index lists."""
    domain = ROOT / "src" / "recollect" / "domain"
    assert (domain / f"{concept}.py").exists() or (domain / concept).is_dir()
    assert (DOCS / "concepts" / f"{concept}.md").exists()
    assert f"({concept}.md)" in (DOCS / "concepts" / "index.md").read_text("utf-8")


def _conversation_numbers(settings: Settings) -> dict[str, tuple[str, ...]]:
    """What the pages about conversations say of numbers."""
    waits = int(job.FIRST_WAIT.total_seconds() * 2 ** (job.MAX_ATTEMPTS - 2))
    return {
        "concepts/message.md": (
            f"5; +{message_importance.DOMAIN_TERMS:g} for a term",
            f"−{-message_importance.SHORT:g} under {message_importance.SHORT_BELOW} characters",
            f"up to {message.MAX_BATCH:,} messages",
            f"Messages of {assemble.IMPORTANT:g} or more",
        ),
        "concepts/turn.md": (
            f"the last {settings.raw_turns} turns",
            f"up to {assemble.MAX_RECENT} messages",
            f"within {settings.prompt_token_budget:,} tokens",
        ),
        "concepts/fold.md": (
            f"more than {settings.fold_threshold_tokens:,} tokens",
            f"or {fold.MAX_UNFOLDED} messages",
            f"at most {settings.summary_token_cap} tokens",
        ),
        "concepts/pin.md": (
            f"At most {pinning.MOST} pins a message",
            f"({pinning.LONGEST} characters)",
            f"| {pin.DEFAULT_IMPORTANCE:g} unless you say otherwise |",
        ),
        "concepts/context.md": (
            f"of the [seed](seed.md) | {budget.PROFILE_SHARE:.0%}".replace("%", " %"),
            f"open [todos](todo.md) | {budget.SPINE_SHARE:.0%}".replace("%", " %"),
            f"importance {assemble.IMPORTANT:g} or more, the newest {assemble.MAX_IMPORTANT}",
            f"down to {budget.RECALL_SHARE:.0%} of".replace("%", " %"),
            f"{budget.DEFAULT_BUDGET:,} tokens unless you say otherwise; {budget.MIN_BUDGET} at least",
            f"one for every {assemble.TOKENS_AN_EPISODE} tokens of the budget, at most {assemble.MAX_EPISODES}",
        ),
        "concepts/episode.md": (
            f"(5; 0 none; at most {MAX_EPISODES})",
            f"(1; at most {MAX_NEIGHBOURS})",
            f"at most {parts_of_text.LONGEST:,} characters, for {parts_of_text.MOST} parts at most",
            *(f"`{feature}`" for feature in FEATURES),
        ),
        "concepts/session.md": (
            f"{session.IDLE.total_seconds() / 60:g} idle minutes",
            f"within {session.GRACE.total_seconds() / 60:g} minutes",
            f"at most {session_state.MAX_ROLLING} characters",
            f"every {session_state.ROLLING_EVERY} messages",
            f"{spine.EVERY} messages of the user",
            f"the last {close_session.MAX_TOKENS:,} tokens",
        ),
        "concepts/judge.md": (
            f"waits {judging_time.WAIT.total_seconds():g} seconds for more, or until {judging_time.ENOUGH_TOKENS:,} tokens",
            f"{judging_time.ENOUGH_MESSAGES} messages have come together",
        ),
        "concepts/job.md": (
            f"for {job.LEASE.total_seconds():g} seconds",
            f"1, 2, 4 … {waits} seconds",
            f"After {job.MAX_ATTEMPTS} tries",
        ),
    }


def test_numbers_are_those_of_the_code() -> None:
    """Where a page gives a number that a rule turns on, it is the rule's own."""
    settings = Settings()
    said = {
        "concepts/recall.md": (
            f"similarity = {recall.MEANING_SHARE:g} · cosine + {1 - recall.MEANING_SHARE:g} · bm25",
            f"{settings.weight_similarity:g} · similarity + {settings.weight_recency:g} · recency"
            f" + {settings.weight_frequency:g} · frequency",
            f"halves every {settings.recency_half_life_days:g} days",
            f"k1 {postings.K1:g}, b {postings.B:g}",
        ),
        "concepts/duplicate.md": (f"Cosine above {settings.duplicate_cosine:g}",),
        "concepts/card.md": (
            f"At most {card.FACTS_PER_CARD} facts",
            f"importance of {card.MIN_IMPORTANCE:g}",
        ),
        "concepts/tokens-and-embeddings.md": (
            f"windows of {minilm.WINDOW} word pieces that overlap by {minilm.OVERLAP}",
        ),
        **_conversation_numbers(settings),
        "limits.md": (
            f"| `content` | {memory.MIN_CONTENT}-{memory.MAX_CONTENT} characters",
            f"| `reasoning` | {memory.MIN_REASONING}-{memory.MAX_REASONING} characters",
            f"| `source_context` | {memory.MAX_SOURCE_CONTEXT:,} characters",
            f"| `tags` | {memory.MAX_TAGS}, each 1-{memory.MAX_TAG} characters",
            f"| `entity_refs` | {memory.MAX_ENTITY_REFS} |",
            f"| `user_id` | 1-{memory.MAX_USER_ID} characters",
            f"| `query` | 1-{MAX_QUERY:,} characters",
            f"`limit` is cut to {MAX_HITS:,}",
            f"| memories of one page | `limit` is cut to {MAX_PAGE:,} |",
            f"| text of a message | 1-{message.MAX_TEXT:,} characters",
            f"| messages of one call | {message.MAX_BATCH:,} |",
            f"| title of a chat | at most {chat.MAX_TITLE} characters",
            f"| content of a pin | 1-{pin.MAX_CONTENT:,} characters",
            f"| text of a todo | 1-{todo.MAX_TEXT:,} characters",
            f"| facts of a seed, its notes | {seed.MAX_FACTS}, {seed.MAX_NOTES:,} characters",
            f"| `budget` | {budget.MIN_BUDGET:,}-{budget.MAX_BUDGET:,} tokens",
        ),
    }
    missing = [
        (page, text)
        for page, texts in said.items()
        for text in texts
        if text not in (DOCS / page).read_text("utf-8")
    ]
    assert missing == []


@pytest.mark.parametrize("category", Category)
def test_the_table_of_categories(category: Category) -> None:
    """The page about categories gives each its base importance, type, place in the profile and half-life."""
    traits = TRAITS[category]
    kept = "always" if traits.preloaded else "on demand"
    half_life = f"{traits.half_life_days:g} days" if traits.half_life_days else "none"
    row = f"| `{category}` | {traits.base_importance:g} | {traits.type} | {kept} | {half_life} |"
    assert row in (DOCS / "concepts" / "category.md").read_text("utf-8")


def test_every_proof_exists() -> None:
    """Each test that the guarantees name is there."""
    named = _PROOF.findall((DOCS / "guarantees.md").read_text("utf-8"))
    assert named
    missing = [
        f"{file}::{test}"
        for file, test in named
        if not (ROOT / file).exists() or f"def {test}(" not in (ROOT / file).read_text("utf-8")
    ]
    assert missing == []


def test_every_error_is_documented() -> None:
    """Each class of the error tree stands in the page about errors."""
    text = (DOCS / "reference" / "errors.md").read_text("utf-8")
    tree = [name for name, _ in inspect.getmembers(errors, inspect.isclass)]
    assert [name for name in tree if f"`{name}`" not in text] == []


def test_every_exit_code_is_documented() -> None:
    """The page about errors says of each exit code what the command line says."""
    text = (DOCS / "reference" / "errors.md").read_text("utf-8")
    missing = [code for code, meaning in exit_codes.MEANINGS.items() if f"| {code} | {meaning} |" not in text]
    assert missing == []


def test_every_event_is_documented() -> None:
    """Each event that the package logs stands in the page about events, with its fields."""
    text = (DOCS / "reference" / "events.md").read_text("utf-8")
    missing: list[str] = []
    for file in (ROOT / "src").rglob("*.py"):
        for event, fields in _EVENT.findall(file.read_text("utf-8")):
            names = ["memory.added", "memory.updated", "memory.duplicate"] if "%" in event else [event]
            shown = ", ".join(f"`{field}`" for field in re.findall(r"(\w+)=%", fields))
            missing += [name for name in names if f"| `{name}` | {shown} |" not in text]
    assert missing == []


def test_logging_is_silent_by_default() -> None:
    """The package sets up no handler of its own when it is imported as a library."""
    code = "import logging, recollect; print(logging.getLogger('recollect').handlers)"
    done = subprocess.run(
        [sys.executable, "-c", code], text=True, capture_output=True, check=True, timeout=LIMIT
    )
    assert done.stdout.strip() == "[]"

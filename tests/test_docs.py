"""The documentation cannot rot: generated pages are current, examples run, links resolve, nothing public is missing."""

import inspect
import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, redirect_stdout
from pathlib import Path

import pytest
from patience import LIMIT
from scripted_model import ScriptedModel
from serving import serving

from recollect import AsyncChat, AsyncMemory, Context, Memory, Settings, errors
from recollect.api.arguments import MAX_HITS
from recollect.cli.output import MEANINGS
from recollect.engine import assemble, close_session
from recollect.engine.recall import MAX_QUERY
from recollect.index import recall
from recollect.records import chat, entity, job, memory, message, pin, seed, session, spine, todo
from recollect.records.category import TRAITS, Category
from recollect.records.cursor import MAX_PAGE
from recollect.rules import budget, duplicate, fold, follow_up, importance

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")])
WITH_PYTHON = [page for page in PAGES if "```python" in page.read_text("utf-8")]
WITH_SHELL = [page for page in PAGES if "```sh" in page.read_text("utf-8")]

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_EXPECTED = re.compile(r"^\s*# →(?: (.*))?$", re.MULTILINE)
_LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#{1,6} +(.+)$", re.MULTILINE)
_PROOF = re.compile(r"`(tests/[\w/.]+)`")
_EVENT = re.compile(r'\blog\.\w+\(\s*"([\w.%]+) ?([^"]*)"')
#: Where pages say that the service and a model's server are.
_SERVICE, _MODEL = "http://127.0.0.1:8765", "http://localhost:8080/v1"


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


@pytest.fixture
def addresses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    """The addresses in pages, each with that of a real server; the model is scripted."""
    with ExitStack() as stack:
        model = stack.enter_context(ScriptedModel())
        model.script("Noted.")
        settings = Settings(sqlite_synchronous="normal", judge_model="off", openai_base_url=model.url)
        service = stack.enter_context(serving(tmp_path / "served.db", settings=settings, local=True))
        yield {_SERVICE: service.url, _MODEL: model.url}


@pytest.mark.parametrize("page", WITH_PYTHON, ids=_name)
def test_python_examples_run(page: Path, elsewhere: Path, addresses: dict[str, str]) -> None:
    """Every Python block of a page runs, in order, and prints what its `# →` lines say."""
    blocks = _blocks(page, "python")
    namespace: dict[str, object] = {"__name__": "example"}
    printed = io.StringIO()
    with redirect_stdout(printed):
        for number, block in enumerate(blocks, 1):
            code = block
            for written, real in addresses.items():
                code = code.replace(written, real)
            exec(compile(code, f"{_name(page)} block {number}", "exec"), namespace)
    for value in namespace.values():
        if isinstance(value, Memory):
            value.close()
    expected = [line.rstrip() for code in blocks for line in _EXPECTED.findall(code)]
    if expected:
        assert [line.rstrip() for line in printed.getvalue().splitlines()] == expected


@pytest.mark.parametrize("page", WITH_SHELL, ids=_name)
def test_shell_examples_run(page: Path, elsewhere: Path) -> None:
    """Every `sh` block of a page runs without an error."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["sh", "-e"],
        input="\n".join(_blocks(page, "sh")),
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


def test_every_concept_page_is_listed() -> None:
    """The index lists every concept page."""
    listed = (DOCS / "concepts" / "index.md").read_text("utf-8")
    pages = sorted(page.name for page in (DOCS / "concepts").glob("*.md") if page.name != "index.md")
    assert [page for page in pages if f"({page})" not in listed] == []


def _concept_numbers(settings: Settings) -> dict[str, tuple[str, ...]]:
    """The numbers that the concept pages give."""
    waits = int(job.FIRST_WAIT.total_seconds() * 2 ** (job.MAX_ATTEMPTS - 2))
    return {
        "concepts/memory.md": (f"Cosine above {duplicate.SAME:g}",),
        "concepts/search.md": (
            f"similarity = {recall.MEANING_SHARE:g} · cosine + {1 - recall.MEANING_SHARE:g} · bm25",
            f"{settings.ranking[0]:g} · similarity + {settings.ranking[1]:g} · recency + {settings.ranking[2]:g} · frequency",
            f"halves every {recall.Weights().half_life_days:g} days",
            f"At most {entity.FACTS_PER_CARD} facts",
            f"importance of {entity.MIN_IMPORTANCE:g}",
        ),
        "concepts/forming-memories.md": (
            f"waits {follow_up.WAIT.total_seconds():g} seconds for more, or until {follow_up.ENOUGH_TOKENS:,} tokens"
            f" or {follow_up.ENOUGH_MESSAGES} messages",
            f"({memory.MIN_CONTENT}–{memory.MAX_CONTENT} characters)",
        ),
        "concepts/conversations.md": (
            f"is 5; +{importance.DOMAIN_TERMS:g} for a domain term",
            f"−{-importance.SHORT:g} under {importance.SHORT_BELOW} characters",
            f"up to {message.MAX_BATCH:,} messages",
            f"Messages of {assemble.IMPORTANT:g} or more",
            f"the last {settings.raw_turns} turns",
            f"up to {assemble.MAX_RECENT} messages in all",
            f"exceed {settings.fold_threshold_tokens:,} tokens",
            f"or {fold.MAX_UNFOLDED} messages",
            f"at most {settings.summary_token_cap} tokens",
            f"| {pin.DEFAULT_IMPORTANCE:g} by default |",
        ),
        "concepts/context.md": (
            f"of the [seed](forming-memories.md#seed) | {budget.PROFILE_SHARE:.0%}".replace("%", " %"),
            f"open [todos](todos.md) | {budget.SPINE_SHARE:.0%}".replace("%", " %"),
            f"with the tail, {settings.prompt_token_budget:,} tokens",
            f"importance {assemble.IMPORTANT:g} or more, the newest {assemble.MAX_IMPORTANT}",
            f"The default is {budget.DEFAULT_BUDGET:,} tokens, the minimum {budget.MIN_BUDGET}",
            f"one for every {assemble.TOKENS_AN_EPISODE} tokens of the budget, at most {assemble.MAX_EPISODES}",
        ),
        "concepts/sessions.md": (
            f"{session.IDLE.total_seconds() / 60:g} idle minutes",
            f"within {session.GRACE.total_seconds() / 60:g} minutes",
            f"at most {session.MAX_ROLLING} characters",
            f"every {session.ROLLING_EVERY} messages",
            f"every {spine.EVERY} messages of the user",
            f"the last {close_session.MAX_TOKENS:,} tokens",
        ),
        "concepts/jobs.md": (
            f"for {job.LEASE.total_seconds():g} seconds",
            f"1, 2, 4 … {waits} seconds",
            f"After {job.MAX_ATTEMPTS} failures",
        ),
    }


def test_numbers_are_those_of_the_code() -> None:
    """Where a page gives a number that a rule turns on, it is the rule's own."""
    settings = Settings()
    said = {
        **_concept_numbers(settings),
        "limits.md": (
            f"| `content` | {memory.MIN_CONTENT}-{memory.MAX_CONTENT} characters",
            f"| `reason` (HTTP: `reasoning`) | {memory.MIN_REASONING}-{memory.MAX_REASONING} characters",
            f"| `source_context` | {memory.MAX_SOURCE_CONTEXT:,} characters",
            f"| `tags` | {memory.MAX_TAGS}, each 1-{memory.MAX_TAG} characters",
            f"| `entity_refs` | {memory.MAX_ENTITY_REFS} |",
            f"| `user_id` | 1-{memory.MAX_USER_ID} characters",
            f"| `query` | 1-{MAX_QUERY:,} characters",
            f"`limit` is cut to {MAX_HITS:,}",
            f"| hits, memories, other rows per page | `limit` is cut to {MAX_PAGE:,} |",
            f"| text of a message | 1-{message.MAX_TEXT:,} characters",
            f"| messages per call | {message.MAX_BATCH:,} |",
            f"| title of a chat | at most {chat.MAX_TITLE} characters",
            f"| content of a pin | 1-{pin.MAX_CONTENT:,} characters",
            f"| text of a todo | 1-{todo.MAX_TEXT:,} characters",
            f"| facts of a seed, its notes | {seed.MAX_FACTS}, {seed.MAX_NOTES:,} characters",
            f"| `tokens` of a context | {budget.MIN_BUDGET:,}-{budget.MAX_BUDGET:,} tokens",
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
    assert row in (DOCS / "concepts" / "memory.md").read_text("utf-8")


def test_every_proof_exists() -> None:
    """Each test file that the guarantees name is there."""
    named = _PROOF.findall((DOCS / "guarantees.md").read_text("utf-8"))
    assert named
    assert [file for file in named if not (ROOT / file).exists()] == []


def test_docs_stay_short() -> None:
    """README has at most 800 words and docs at most 25,000: readers look things up."""
    assert len((ROOT / "README.md").read_text("utf-8").split()) <= 800
    assert sum(len(page.read_text("utf-8").split()) for page in DOCS.rglob("*.md")) <= 25_000


def test_every_error_is_documented() -> None:
    """Each class of the error tree stands in the page about errors."""
    text = (DOCS / "reference" / "errors.md").read_text("utf-8")
    tree = [name for name, _ in inspect.getmembers(errors, inspect.isclass)]
    assert [name for name in tree if f"`{name}`" not in text] == []


def test_every_exit_code_is_documented() -> None:
    """The page about errors says of each exit code what the command line says."""
    text = (DOCS / "reference" / "errors.md").read_text("utf-8")
    missing = [code for code, meaning in MEANINGS.items() if f"| {code} | {meaning} |" not in text]
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

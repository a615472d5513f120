"""The architecture: what no reader should have to check by eye."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

from patience import LIMIT

from recollect import errors
from recollect.settings import documented

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "recollect"
MODULES = sorted(SOURCE.rglob("*.py"))
REFERENCE = ROOT / "docs" / "reference"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]

#: A statement, not a sentence that happens to hold one of the words.
_SQL = re.compile(
    r"\bSELECT\b.+\bFROM\b|\bINSERT\s+INTO\b|\bUPDATE\b.+\bSET\b|\bDELETE\s+FROM\b|\b(?:CREATE|DROP|ALTER)\s+TABLE\b",
    re.DOTALL,
)


def _name(module: Path) -> str:
    return str(module.relative_to(SOURCE))


def _found(modules: list[Path], look: Callable[[Path], Iterable[object]]) -> dict[str, list[object]]:
    """What a look finds, by module; modules without a finding are left out."""
    return {_name(module): found for module in modules if (found := list(look(module)))}


@cache
def _tree(module: Path) -> ast.Module:
    return ast.parse(module.read_text("utf-8"))


def _strings(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


def _reference() -> str:
    return "\n".join(page.read_text("utf-8") for page in sorted(REFERENCE.glob("*.md")))


# -- imports and layers ---------------------------------------------------------------------------------


def test_the_contracts_of_the_import_linter_hold() -> None:
    """Imports point one way, the client does not need the server, values and rules know nothing of the world."""
    linter = Path(sys.executable).parent / "lint-imports"
    done = subprocess.run([linter, "--no-cache"], cwd=ROOT, capture_output=True, text=True, timeout=LIMIT)
    assert done.returncode == 0, done.stdout + done.stderr


def test_sql_is_in_the_store_alone() -> None:
    """No text outside `store/` is an SQL statement."""
    found = [
        f"{_name(module)}:{line}"
        for module in MODULES
        if module.parent != SOURCE / "store"
        for line, text in _strings(_tree(module))
        if _SQL.search(text)
    ]
    assert found == []


def test_the_search_for_sql_finds_sql() -> None:
    """The pattern above would notice a statement, and not a sentence."""
    for text in (
        "SELECT 1 FROM users",
        "DELETE FROM memories",
        "INSERT INTO a VALUES (1)",
        "UPDATE users\nSET a = 1",
    ):
        assert _SQL.search(text)
    assert not _SQL.search("Select a memory from the list and update it.")


def _unexplained_imports(module: Path) -> list[int]:
    lines = module.read_text("utf-8").splitlines()
    functions = [
        node for node in ast.walk(_tree(module)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    inner = {
        node.lineno
        for function in functions
        for node in ast.walk(function)
        if isinstance(node, ast.Import | ast.ImportFrom)
    }
    return [
        line
        for line in sorted(inner)
        if not re.search(r"#.*(?:deferred|heavy)", "\n".join(lines[max(0, line - 4) : line]), re.I)
    ]


def test_imports_inside_functions_are_deferred_for_a_reason() -> None:
    """An import inside a function defers something heavy or optional, and a comment right above says so."""
    assert _found(MODULES, _unexplained_imports) == {}


# -- every module ---------------------------------------------------------------------------------------


def _said(pattern: str) -> Callable[[Path], list[object]]:
    return lambda module: re.findall(pattern, module.read_text("utf-8"))


def test_every_module_says_what_it_is() -> None:
    """A docstring opens every module."""
    assert [_name(module) for module in MODULES if not (ast.get_docstring(_tree(module)) or "").strip()] == []


def test_nothing_is_left_to_do() -> None:
    """No note to self, no stub."""
    assert _found(MODULES, _said(r"\b(?:TODO|FIXME|XXX|HACK|NotImplementedError)\b")) == {}


def test_no_word_of_a_machine() -> None:
    """No path of somebody's computer is in the source."""
    assert _found(MODULES, _said(r"[\"' ](?:/root/|/home/|/Users/|/tmp/)\S*")) == {}


def test_no_name_that_says_nothing() -> None:
    """One concept, one word: no module of leftovers."""
    empty = {
        "utils",
        "util",
        "helpers",
        "helper",
        "common",
        "base",
        "core",
        "manager",
        "service",
        "handler",
        "factory",
        "misc",
    }
    found = [_name(module) for module in MODULES if empty & set(re.split(r"[_.]", module.stem))]
    assert found == []


# -- the pure rooms ---------------------------------------------------------------------------------------

PURE = sorted(
    module for room in ("records", "rules", "language", "context") for module in (SOURCE / room).rglob("*.py")
)
_CHANGING = {
    "append",
    "extend",
    "insert",
    "pop",
    "popitem",
    "remove",
    "clear",
    "update",
    "setdefault",
    "add",
    "discard",
}


def _changed_names(module: Path) -> list[str]:
    tree = _tree(module)
    names = {
        target.id
        for node in tree.body
        for target in (
            node.targets
            if isinstance(node, ast.Assign)
            else [node.target]
            if isinstance(node, ast.AnnAssign)
            else []
        )
        if isinstance(target, ast.Name)
    }
    changed: list[str] = []
    for function in (
        node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ):
        own = {argument.arg for argument in ast.walk(function) if isinstance(argument, ast.arg)}
        own |= {
            node.id
            for node in ast.walk(function)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }
        for node in ast.walk(function):
            if isinstance(node, ast.Global):
                changed += node.names
            held = None
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr in _CHANGING
            ):
                held = node.func.value
            elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store | ast.Del):
                held = node.value
            if isinstance(held, ast.Name) and held.id in names - own:
                changed.append(f"{held.id}, line {node.lineno}")
    return changed


def test_pure_rooms_hold_no_state() -> None:
    """No function of a pure room changes a name of its module: the same question always has the same answer."""
    assert _found(PURE, _changed_names) == {}


def _clocks(module: Path) -> set[str]:
    calls = {
        f"{node.func.value.id}.{node.func.attr}"
        for node in ast.walk(_tree(module))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
    }
    return calls & {"datetime.now", "datetime.utcnow", "datetime.today", "date.today", "time.time"}


def test_pure_rooms_read_no_clock() -> None:
    """`now` is always passed in."""
    assert _found(PURE, _clocks) == {}


# -- what is written about ------------------------------------------------------------------------------


def test_every_setting_is_in_the_reference() -> None:
    """A setting that nobody can find does not exist."""
    text = _reference()
    assert [name for name, _, _ in documented() if name not in text] == []


def test_every_error_is_in_the_reference() -> None:
    """Each error class is explained."""
    kinds = [
        name for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, Exception)
    ]
    text = _reference()
    assert [name for name in kinds if name not in text] == []


def _events() -> set[str]:
    """The names of all log events; `memory.%s` stands for its outcomes."""
    found: set[str] = set()
    for module in MODULES:
        for node in ast.walk(_tree(module)):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr in ("debug", "info", "warning", "error", "exception", "critical", "log")
                and isinstance(node.func.value, ast.Name)
                and node.func.value.id in ("log", "logger")
            ):
                texts = [
                    part.value
                    for part in node.args
                    if isinstance(part, ast.Constant) and isinstance(part.value, str)
                ]
                assert texts, f"{_name(module)}:{node.lineno}: an event's name must be readable in the source"
                found.add(texts[0].split(" ")[0])
    if "memory.%s" in found:
        found = found - {"memory.%s"} | {"memory.added", "memory.updated", "memory.duplicate"}
    return found


def test_events_have_names() -> None:
    """Every log line starts with `thing.happened`."""
    assert "memory.forgotten" in _events()
    assert [event for event in _events() if not re.fullmatch(r"[a-z_]+(?:\.[a-z_]+)+", event)] == []


def test_every_event_is_in_the_reference() -> None:
    """Whoever reads a log finds each event explained."""
    text = _reference()
    assert sorted(event for event in _events() if event not in text) == []


def test_no_event_tells_what_was_said() -> None:
    """Logs hold ids and counts; the content of a memory is never logged."""
    found: list[str] = []
    for module in MODULES:
        for node in ast.walk(_tree(module)):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and isinstance(node.func.value, ast.Name)
                and node.func.value.id == "log"
            ):
                names = {
                    part.attr
                    for argument in node.args
                    for part in ast.walk(argument)
                    if isinstance(part, ast.Attribute)
                }
                if names & {"content", "text", "source_context", "reasoning", "query"}:
                    found.append(f"{_name(module)}:{node.lineno}")
    assert found == []


# -- how much there is ----------------------------------------------------------------------------------


def test_few_settings() -> None:
    """At most forty."""
    assert len(documented()) <= 40


def test_few_dependencies() -> None:
    """The core needs at most twelve packages, and none of the heavy ones."""
    names = [re.split(r"[\[<>=!~; ]", requirement)[0].lower() for requirement in PROJECT["dependencies"]]
    assert len(names) <= 12
    assert not {"torch", "tensorflow", "transformers", "sentence-transformers", "langchain"} & set(names)

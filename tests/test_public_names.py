"""The public names: what `import recollect` promises."""

import ast
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest
from patience import LIMIT

import recollect
from recollect import AsyncChat, AsyncMemory, Chat, Memory, types
from recollect.admin import Admin, AsyncAdmin
from recollect.types import AsyncTools, Tools

ROOT = Path(__file__).parents[1]


def test_all_is_sorted_unique_and_there() -> None:
    """`__all__` lists existing names, in order, and every name that type checkers see in the module."""
    assert sorted(set(recollect.__all__)) == sorted(recollect.__all__)
    missing = [name for name in recollect.__all__ if not hasattr(recollect, name)]
    assert missing == []
    tree = ast.parse((ROOT / "src" / "recollect" / "__init__.py").read_text("utf-8"))
    imported = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("recollect.")
        for alias in node.names
    }
    assert imported | {"__version__"} == set(recollect.__all__)


@pytest.mark.parametrize("name", [name for name in recollect.__all__ if name != "__version__"])
def test_every_name_has_a_docstring(name: str) -> None:
    """What users import says what it is."""
    assert (getattr(recollect, name).__doc__ or "").strip()


def test_the_names_of_the_design() -> None:
    """Twenty-two names and no more; every other record is in `recollect.types`, every error in `recollect.errors`."""
    assert set(recollect.__all__) == set(
        "Memory AsyncMemory Chat AsyncChat Client AsyncClient Settings NewMemory Context SearchResult MemoryRecord Message Pin"
        " Todo Receipt RecollectError InvalidInput NotFound Conflict ModelError StoreError __version__".split()
    )


METHODS = {
    Memory: "add add_many search get memories update history forget chat chats message context edit update_pin unpin"
    " entities entity merge unmerge todos add_todo update_todo sessions state spine seed set_seed consolidate proposals"
    " resolve export load stats drain close tools",
    Chat: "add context messages pin pins brief summaries summarise stats rename chat_id user_id persona_id",
    Tools: "schemas call",
    Admin: "users info migrate reembed checks jobs revive judge metrics create_token tokens revoke_token check_token",
}


@pytest.mark.parametrize("kind", METHODS)
def test_the_methods_of_the_design(kind: type) -> None:
    """Each class has these methods and no other (design 7.1), each with a docstring."""
    found = {name for name, _ in inspect.getmembers(kind) if not name.startswith("_")}
    assert found == set(METHODS[kind].split())
    attributes = {"chat_id", "user_id", "persona_id"}
    assert [
        name for name in found - attributes if not (inspect.getdoc(getattr(kind, name)) or "").strip()
    ] == []


def test_only_the_asynchronous_form_talks() -> None:
    """Beyond the methods of `Memory`, which waits for whole answers."""
    found = {name for name, _ in inspect.getmembers(AsyncMemory) if not name.startswith("_")}
    assert found - set(METHODS[Memory].split()) == {"talk"}


@pytest.mark.parametrize("kind", [AsyncMemory, AsyncChat, AsyncTools, AsyncAdmin])
def test_arguments_have_one_order(kind: type) -> None:
    """The thing first and by its place; then user, chat, persona; filters; limit and cursor last."""
    for name, method in inspect.getmembers(kind, inspect.isfunction):
        if name.startswith("_") or name == "summarise":
            continue
        given = list(inspect.signature(method).parameters.values())[1:]
        named = [item.name for item in given if item.kind is item.KEYWORD_ONLY]
        if kind is AsyncMemory and "user" in named:
            assert named[0] == "user", name
        paging = [item for item in named if item in ("limit", "cursor")]
        assert paging == named[len(named) - len(paging) :], name
        assert paging in ([], ["limit"], ["limit", "cursor"]), name


def test_what_methods_return_is_public() -> None:
    """A type of ours that a public method takes or returns can be imported, so that callers can name it."""
    ours: set[str] = set()
    for kind in METHODS:
        for _, method in inspect.getmembers(kind, inspect.isfunction):
            if not method.__name__.startswith("_"):
                signature = inspect.signature(method)
                for annotation in (
                    *(item.annotation for item in signature.parameters.values()),
                    signature.return_annotation,
                ):
                    ours |= set(re.findall(r"recollect\.[\w.]+?\.([A-Z]\w*)", str(annotation)))
    assert ours <= set(recollect.__all__) | set(types.__all__)


def test_types_are_sorted_and_there() -> None:
    """`recollect.types` lists existing names, in order, none of them at the top as well."""
    assert sorted(set(types.__all__)) == list(types.__all__)
    assert [name for name in types.__all__ if not hasattr(types, name)] == []
    assert set(types.__all__) & set(recollect.__all__) == set()


def test_the_version_is_one_number() -> None:
    """The package knows its version, in the form that tools compare."""
    assert re.fullmatch(r"\d+\.\d+\.\d+(?:[a-z]\w*)?", recollect.__version__)


def test_importing_is_cheap() -> None:
    """Importing the package loads no model runtime and no vocabulary; they come with the first use."""
    code = (
        "import sys, recollect; print([name for name in ('onnxruntime', 'tiktoken', 'psycopg', 'torch', 'httpx2')"
        " if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=LIMIT
    )
    loaded = ast.literal_eval(done.stdout)
    assert not {"onnxruntime", "tiktoken", "psycopg", "torch"} & set(loaded)

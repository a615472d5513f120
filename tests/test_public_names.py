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
from recollect import AsyncMemory, Memory

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


def test_every_error_can_be_imported_from_the_top() -> None:
    """Callers catch errors by names from the package itself."""
    from recollect import errors

    kinds = {
        name
        for name, kind in inspect.getmembers(errors, inspect.isclass)
        if kind.__module__ == errors.__name__
    }
    assert kinds <= set(recollect.__all__)


@pytest.mark.parametrize("face", [Memory, AsyncMemory])
@pytest.mark.parametrize(
    "verb",
    [
        "remember", "recall", "pin", "forget", "memories", "entities", "stats", "export", "load", "as_of",
        "save_memory", "search_memories", "get_memories", "update_memory", "delete_memory",
    ],
)  # fmt: skip
def test_the_verbs_of_the_design(face: type, verb: str) -> None:
    """Both faces have the verbs of memories (design 7.1) and S3's five functions, each with a docstring."""
    assert (getattr(face, verb).__doc__ or "").strip()


def test_what_methods_return_is_public() -> None:
    """A type of ours that a public method takes or returns can be imported from the top, so that callers can name it."""
    ours: set[str] = set()
    for _, method in inspect.getmembers(Memory, inspect.isfunction):
        if method.__name__.startswith("_"):
            continue
        annotations = [parameter.annotation for parameter in inspect.signature(method).parameters.values()]
        for annotation in (*annotations, inspect.signature(method).return_annotation):
            ours |= set(re.findall(r"recollect\.[\w.]+?\.([A-Z]\w*)", str(annotation)))
    assert ours <= set(recollect.__all__)


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

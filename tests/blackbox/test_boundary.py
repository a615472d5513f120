"""These suites survive the rewrite of what they test: their own imports show that they see it from outside only."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

_FILES = sorted(Path(__file__).parent.glob("*.py"))
#: What the package shows.
_PUBLIC = {"recollect", "recollect.admin", "recollect.errors", "recollect.storage", "recollect.types"}
#: What may be used of the other tests.
_HELPERS = {"patience", "scripted_model"}
#: Also in programs that are kept as text.
_IMPORTS = re.compile(r"^\s*(?:from|import) ([\w.]+)", re.MULTILINE)


def _reached(tree: ast.AST) -> Iterator[str]:
    """Names of somebody else's that begin with an underscore."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr.startswith("_") and not node.attr.startswith("__"):
            owner = node.value
            if not (isinstance(owner, ast.Name) and owner.id in ("self", "service")):
                yield f"{ast.unparse(owner)}.{node.attr}"


@pytest.mark.parametrize("file", _FILES, ids=lambda file: file.name)
def test_only_what_is_public_is_used(file: Path) -> None:
    """No module of the inside, no private name, and no other helper that may know it."""
    source = file.read_text("utf-8")
    ours = {path.stem for path in file.parents[1].glob("*.py")} | {
        path.name for path in file.parents[1].iterdir() if path.is_dir()
    }
    for name in _IMPORTS.findall(source):
        if name.partition(".")[0] == "recollect":
            assert name in _PUBLIC, name
        elif not name.startswith("."):
            assert name.partition(".")[0] not in ours - _HELPERS, name
    assert list(_reached(ast.parse(source))) == []

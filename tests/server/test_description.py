"""The description is complete: whoever reads `/openapi.json` or `/docs` finds for each route what it takes and gives.

Also each route is asked by a test of its own: a file that spells its path. Fuzzing and the hostile requests do not count,
they know of every route without knowing what it is for.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from recollect import AsyncMemory, Settings
from recollect.server.app import create_app

_TESTS = Path(__file__).parent.parent
#: Files that name every path there is.
_NOT_TESTS = ("test_description.py", "test_fuzz.py", "test_hostile.py", "test_isolation.py")


def _found() -> Iterator[tuple[str, str, dict[str, Any]]]:
    app = create_app(AsyncMemory(":memory:"), Settings(), local=False)
    for path, operations in app.openapi()["paths"].items():
        for method, operation in operations.items():
            yield method.upper(), path, operation


_FOUND = list(_found())
OPERATIONS = [pytest.param(path, operation, id=f"{method} {path}") for method, path, operation in _FOUND]
PATHS = sorted({path for _, path, _ in _FOUND})


@pytest.mark.parametrize(("path", "operation"), OPERATIONS)
def test_a_route_says_what_it_does(path: str, operation: dict[str, Any]) -> None:
    """Each route has a summary, a sentence and a tag under which it is found."""
    assert operation["summary"]
    assert operation["description"].endswith((".", "…"))
    assert len(operation["tags"]) == 1


@pytest.mark.parametrize(("path", "operation"), OPERATIONS)
def test_a_route_shows_its_answer(path: str, operation: dict[str, Any]) -> None:
    """Each good answer in JSON has an example, and so has each kind of stream."""
    good = [answer for status, answer in operation["responses"].items() if status.startswith("2")]
    assert good
    for answer in good:
        for kind, content in answer.get("content", {}).items():
            assert {"example", "examples"} & content.keys(), kind


@pytest.mark.parametrize(("path", "operation"), OPERATIONS)
def test_a_route_describes_what_it_takes(path: str, operation: dict[str, Any]) -> None:
    """Each parameter says what it means, and each variable of a path is one."""
    parameters = operation.get("parameters", [])
    assert [item["name"] for item in parameters if not item.get("description")] == []
    named = {item["name"] for item in parameters if item["in"] == "path"}
    assert named == set(re.findall(r"{(\w+)", path))


@pytest.mark.parametrize(("path", "operation"), OPERATIONS)
def test_a_route_describes_its_errors(path: str, operation: dict[str, Any]) -> None:
    """Each error that any request may meet is described, in JSON, and 422 is not: it is never answered."""
    answers = operation["responses"]
    assert {"400", "401", "403", "413", "429", "500", "503"} <= answers.keys()
    assert "422" not in answers
    for status, answer in answers.items():
        if status >= "400":
            assert list(answer["content"]) == ["application/json"]


@cache
def _tests() -> list[str]:
    """What the test files say, with their own names for paths (`ROUTE = "/memories"`) written out."""
    texts: list[str] = []
    for file in _TESTS.rglob("test_*.py"):
        if file.name not in _NOT_TESTS:
            text = file.read_text("utf-8")
            known = dict(re.findall(r'^(\w+)(?:: \w+)? = "(/[^"]*)"$', text, re.MULTILINE))
            texts.append(re.sub(r"{(\w+)}", lambda found, known=known: known.get(found[1], found[0]), text))
    return texts


@pytest.mark.parametrize("path", PATHS)
def test_a_route_is_tested(path: str) -> None:
    """A test file spells the path, with something in the place of each variable."""
    parts = re.split(r"({[^}]+})", path)
    spelled = re.compile(
        "".join(r"(?:\{[^}]*\}|[^/?\s\"'])+" if part.startswith("{") else re.escape(part) for part in parts)
        + r"(?=[\"'`?#\s])"
    )
    assert any(spelled.search(text) for text in _tests())

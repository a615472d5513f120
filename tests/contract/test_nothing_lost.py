"""Nothing in the first edition's public interface is lost unless drops.json says why.

The first edition's OpenAPI description and the names of its log events, metrics and spans are frozen in `fixtures/`. What
is missing today must be listed in drops.json with a reason, and what is listed must be missing. An entry for a route covers
its parameters and fields; an entry for a field covers the fields inside.
"""

import re

import pytest

from .description import FIXTURES, ROOT, Json, documented, fields, operations, parameters, read

KINDS = ("routes", "parameters", "fields", "events", "metrics", "spans")
DROPS: dict[str, dict[str, str]] = read(FIXTURES.parent / "drops.json")


def _served(api: Json) -> dict[str, set[str]]:
    """Everything in a description."""
    found = list(operations(api))
    return {
        "routes": {name for name, _ in found},
        "parameters": {each for name, said in found for each in parameters(name, said)},
        "fields": {each for name, said in found for each in fields(name, said, api)},
    }


def _observed() -> dict[str, set[str]]:
    """The names of today: of events those that the code logs too, for a row of the page may outlive its event.

    Spans are on no page; their names and attributes are looked for in the code.
    """
    code = "\n".join(file.read_text("utf-8") for file in (ROOT / "src").rglob("*.py"))

    def logged(event: str) -> bool:
        return f'"{event}' in code or f'"{event.partition(".")[0]}.%s' in code

    events = {name: listed for name, listed in documented("events.md").items() if logged(name)}
    spans = {
        name: [each for each in attributes if f'"{each}"' in code]
        for name, attributes in FROZEN_NAMES["spans"].items()
        if f'"{name}"' in code
    }
    return {
        "events": _flat(events),
        "metrics": _flat(documented("metrics.md")),
        "spans": _flat(spans),
    }


def _flat(names: dict[str, list[str]]) -> set[str]:
    """`name`, and `name field` for each of its fields or labels."""
    return {*names, *(f"{name} {each}" for name, listed in names.items() for each in listed)}


FROZEN_NAMES = read(FIXTURES / "names-first-edition.json")
FROZEN = _served(read(FIXTURES / "openapi-first-edition.json")) | {
    kind: _flat(names) for kind, names in FROZEN_NAMES.items()
}


@pytest.fixture(scope="module")
def lost() -> dict[str, set[str]]:
    """What is missing, by kind; without the children of something that is missing itself."""
    today = _served(read(ROOT / "docs" / "reference" / "openapi.json")) | _observed()
    missing = {kind: FROZEN[kind] - today[kind] for kind in KINDS}
    every = set().union(*missing.values())
    return {
        kind: {name for name in names if not any(before in every for before in _above(name))}
        for kind, names in missing.items()
    }


def _above(name: str) -> list[str]:
    """The parents of a name: the enclosing field, the route, the event."""
    return [name[: found.start()] for found in re.finditer(r"(?<=\S)[ .]|\[\]", name)]


def _dropped(kind: str) -> set[str]:
    return {re.sub(r"{[^}]*}", "{}", name) for name in DROPS[kind]}


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_lost_without_a_reason(kind: str, lost: dict[str, set[str]]) -> None:
    """Everything is there or listed in drops.json."""
    unexplained = sorted(lost[kind] - _dropped(kind))
    assert not unexplained, "lost, and not in drops.json:\n" + "\n".join(unexplained)


@pytest.mark.parametrize("kind", KINDS)
def test_every_drop_is_missing(kind: str, lost: dict[str, set[str]]) -> None:
    """An entry for something that still exists, or never did, is an error."""
    wrong = sorted(_dropped(kind) - lost[kind])
    assert not wrong, "in drops.json, and still there:\n" + "\n".join(wrong)


def test_every_drop_has_a_reason() -> None:
    """A few words at least."""
    assert DROPS.keys() == set(KINDS)
    assert [name for drops in DROPS.values() for name, reason in drops.items() if len(reason) < 15] == []


def test_the_fixtures_are_whole() -> None:
    """An emptied fixture would let everything pass."""
    counts = {kind: len(names) for kind, names in FROZEN.items()}
    assert counts["routes"] == 85
    assert all(count > 0 for count in counts.values())

"""The page docs/reference/wire.md agrees with the service's own description and with the pages on commands and settings.

That a service behaves as the page says is the subject of test_wire.py and test_wire_local.py.
"""

import re

from .description import REFERENCE, Json, fields, operations, parameters, read
from .wire_page import PAGE, WRITTEN, keys

API: Json = read(REFERENCE / "openapi.json")
OPERATIONS = dict(operations(API))
FIELDS = {name: set(fields(name, said, API)) for name, said in OPERATIONS.items()}
COMPLETIONS = "POST /v1/chat/completions"


def test_the_page_is_read() -> None:
    """Fewer routes than this, and the reader of the page is broken."""
    assert len({said.route for said in WRITTEN}) >= 52
    assert sum(said.answer is not None for said in WRITTEN) >= 25


def test_every_route_is_described() -> None:
    """Methods and paths."""
    assert sorted({said.route for said in WRITTEN} - OPERATIONS.keys()) == []


def test_every_parameter_is_described() -> None:
    """In the query, with the default that the page gives."""
    for said in WRITTEN:
        given = OPERATIONS[said.route].get("parameters", [])
        known = {each["name"]: each["schema"] for each in given if each["in"] == "query"}
        assert sorted(said.parameters.keys() - known.keys()) == [], said.route
        for name, value in said.parameters.items():
            if value.isdigit():
                assert known[name].get("default") == int(value), (said.route, name)


def test_every_field_is_described() -> None:
    """In requests and in answers; what the description leaves open is seen when it is asked."""
    for said in WRITTEN:
        good = {name.split(".")[0].split("[")[0] for name in FIELDS[said.route] if " 2" in name}
        parts = [(said.request, {f"{said.route} request"}), (said.answer, good)]
        for named, places in parts:
            for key in keys(named):
                assert any(_described(said.route, place, key) for place in places), (said.route, key)


def _described(route: str, place: str, key: str) -> bool:
    outer = place + key.rpartition(".")[0]
    is_open = outer != place and not any(name.startswith(f"{outer}.") for name in FIELDS[route])
    return f"{place}{key}" in FIELDS[route] or is_open


def test_every_header_is_described() -> None:
    """Those of the completions, and the key of every write but those of sessions and of OpenAI's protocol."""
    (line,) = [line for line in PAGE.splitlines() if line.startswith(f"- `{COMPLETIONS}`")]
    named = {name.lower() for name in re.findall(r"`(X-[\w-]+)", line)} - {"x-user-id"}
    known = set(parameters(COMPLETIONS, OPERATIONS[COMPLETIONS]))
    assert len(named) == 5 and {f"{COMPLETIONS} header {name}" for name in named} <= known
    for said in WRITTEN:
        elsewhere = "/auth/" in said.route or said.route == COMPLETIONS
        if not said.route.startswith("GET") and not elsewhere:
            known = set(parameters(said.route, OPERATIONS[said.route]))
            assert f"{said.route} header idempotency-key" in known


def test_commands_and_settings_are_documented() -> None:
    """Each command with its options, and each variable."""
    everywhere, _, commands = (REFERENCE / "cli.md").read_text("utf-8").partition("\n## ")
    sections = {text.partition("\n")[0]: text for text in commands.split("\n## ")}
    usages = re.findall(r"[`\n](recollect [a-z][^`\n]*)", PAGE)
    assert len(usages) >= 10
    for usage in usages:
        words = re.match(r"recollect((?: [a-z]+(?:\|[a-z]+)*)+)(?= |$)", usage)
        assert words, usage
        *first, last = words[0].split(" ")
        for name in last.split("|"):
            section = everywhere + sections[" ".join([*first, name]).removeprefix("recollect ").strip()]
            options = re.findall(r"(?<![\w-])--?[a-z][\w-]*", usage)
            assert [option for option in options if not re.search(rf"[` ]{option}\b", section)] == [], usage
    settings = (REFERENCE / "settings.md").read_text("utf-8")
    variables = set(re.findall(r"`((?:RECOLLECT|OPENAI|MEMORY)_[A-Z_]+)`", PAGE))
    assert len(variables) > 5 and [name for name in variables if f"`{name}`" not in settings] == []

"""Write docs/reference/settings.md, schema.md and python.md from the code that they describe.

    python tools/generate_reference.py            write the pages
    python tools/generate_reference.py --check    fail if one of them is not up to date

Settings come from `recollect.settings.documented()`, the schema from the text of the migrations, methods from their
signatures and docstrings: a page written by hand would be wrong after the first change. The CLI's page has its own maker.
"""

import ast
import inspect
import re
import sys
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path

from recollect import AsyncChat, AsyncMemory, Context, SearchResult, storage
from recollect.admin import AsyncAdmin
from recollect.api.tools import AsyncTools
from recollect.settings import Settings, documented

ROOT = Path(__file__).resolve().parent.parent
STORE = ROOT / "src" / "recollect" / "store"
REFERENCE = ROOT / "docs" / "reference"
MADE = "<!-- Made by tools/generate_reference.py; do not edit. -->"

_TABLE = re.compile(r"((?:^--[^\n]*\n)*)^CREATE TABLE (\w+) \(\n(.*?)\n\)[^;]*;", re.MULTILINE | re.DOTALL)
_INDEX = re.compile(
    r"((?:^--[^\n]*\n)*)^CREATE (UNIQUE )?INDEX (\w+) ON (\w+) (\(.*?\))\s*(WHERE [^;]*)?;",
    re.MULTILINE | re.DOTALL,
)
_COLUMN = re.compile(r"\s+(\w+) ([A-Z{][\w{} ]*?)( NOT NULL)?,?\s*(?:--\s*(.*))?$")
_KEY = re.compile(r"\s+PRIMARY KEY (\(.*\))")


def settings_page() -> str:
    """Every variable with its default and its meaning."""
    lines = [
        MADE,
        "",
        "# Settings",
        "",
        "`Settings.from_env()` reads these variables once. An empty variable counts as not set. An invalid value raises `InvalidInput`,",
        "which names the variable. In Python, pass `Settings(...)` instead, using the names in the second column.",
        "",
        "| variable | field | default | meaning |",
        "|---|---|---|---|",
    ]
    for (name, default, meaning), item in zip(documented(), fields(Settings), strict=True):
        shown = f"`{default}`" if default != "" else "empty"
        lines.append(f"| `{name}` | `{item.name}` | {shown} | {_cell(meaning)} |")
    return "\n".join(lines) + "\n"


_PYTHON = """\
# Python

`Memory` and `AsyncMemory` have the same methods. With `AsyncMemory`, await all of them except `chat()` and `tools`. `Client` and
`AsyncClient` offer the same methods over HTTP. Pass a method's main argument by position and all others by name. `user` is
`"local"` by default. An incorrect call raises `InvalidInput`, which says how to correct it.

```text
Memory(database=None, *, settings=None, embedder=None, clock=None)
Client(base_url="http://127.0.0.1:8765", *, token=None, service_key=None, timeout_seconds=30.0, retry_waits=…)
```

`database` is a file path or `postgresql://…`; the default is `RECOLLECT_DATABASE_URL`, or `recollect.db` in the user's data
directory. One `Memory` serves any number of users and threads. A list is a `Page`; to get the next one, pass its `next_cursor` as
`cursor=`. For records, see `recollect.types`; see also [errors](errors.md) and [settings](settings.md)."""
_CLASSES = (
    ("Memory", AsyncMemory, "Only `AsyncMemory` and `AsyncClient` have `talk`."),
    ("memory.tools", AsyncTools, "Tools that a model can call."),
    (
        "Chat",
        AsyncChat,
        "Get it with `memory.chat(chat_id)`. It also has `chat_id`, `user_id` and `persona_id`.",
    ),
    ("Context", Context, "Returned by `context()`; `str(context)` is the text that a model would see."),
    (
        "SearchResult",
        SearchResult,
        "Returned by `search()`. Iterate or index it to get its `hits`; it also has `cards`, `messages` and `sessions`.",
    ),
    (
        "recollect.admin.Admin",
        AsyncAdmin,
        "Operator tasks: `Admin(memory)` or `Admin(client)`. Await the methods of `AsyncAdmin`.",
    ),
    (
        "recollect.storage",
        storage,
        "S3's functions, on the default database or the one given to `use(memory)`.",
    ),
)


def python_page() -> str:
    """Every public method with its arguments and the first paragraph of its docstring."""
    lines = [MADE, "", *_PYTHON.splitlines()]
    for name, owner, about in _CLASSES:
        lines += ["", f"## {name}", "", about, "", "| method | |", "|---|---|"]
        for method, function in inspect.getmembers(owner, inspect.isfunction):
            if not method.startswith("_") and getattr(function, "__module__", "").startswith("recollect."):
                lines.append(f"| `{method}({_arguments(function)})` | {_cell(_first(function))} |")
    return "\n".join(lines) + "\n"


def _arguments(function: object) -> str:
    """Names as a caller gives them, with `=` where one is given by name."""
    shown: list[str] = []
    for item in inspect.signature(function).parameters.values():  # type: ignore[arg-type]
        if item.name != "self":
            shown.append(f"{item.name}=" if item.kind is item.KEYWORD_ONLY else item.name)
    return ", ".join(shown)


def _first(function: object) -> str:
    paragraph = (inspect.getdoc(function) or "").split("\n\n")[0]
    return " ".join(paragraph.split())


def schema_page() -> str:
    """Every table, column and key of the migrations."""
    texts = {file.name: file.read_text("utf-8") for file in sorted((STORE / "migrations").glob("*.sql"))}
    lines = [MADE, "", "# Schema", "", *_introduction(list(texts))]
    for text in texts.values():
        for comment, table, body in _TABLE.findall(text):
            lines += ["", f"## {table}", "", *_prose(comment), *_columns(body), *_indexes(text, table)]
    lines += ["", "## Row-level security (PostgreSQL)", "", *_policies(texts)]
    return "\n".join(lines) + "\n"


def _introduction(names: list[str]) -> list[str]:
    sqlite, postgres = _words("sqlite.py"), _words("postgres.py")
    return [
        f"From {', '.join(f'`{name}`' for name in names)} in `src/recollect/store/migrations/`. One text serves both databases;",
        "words in braces differ. Every key starts with `user_id`. Times are ISO-8601 UTC text with milliseconds. JSON is text. A column",
        "with a question mark may be null; types and notes are in the SQL.",
        "",
        "| word | SQLite | PostgreSQL |",
        "|---|---|---|",
        *(f"| `{{{word}}}` | `{sqlite[word]}` | {_code(postgres[word])} |" for word in sqlite),
    ]


def _words(file: str) -> Mapping[str, str]:
    """The dialect's words, read without importing a driver."""
    found = re.search(r"^WORDS = (\{.*\})$", (STORE / file).read_text("utf-8"), re.MULTILINE)
    assert found is not None
    return ast.literal_eval(found[1])


def _columns(body: str) -> list[str]:
    """One line of columns; a question mark says that a column may be null."""
    names: list[str] = []
    key = ""
    for line in body.splitlines():
        if found := _KEY.match(line):
            key = found[1]
        elif found := _COLUMN.match(line):
            names.append(f"{found[1]}{'' if found[3] else '?'}")
        else:
            raise SystemExit(f"A line of a migration cannot be read: {line!r}")
    return [f"Columns: {', '.join(names)}. Key: `{key}`."]


def _indexes(text: str, table: str) -> list[str]:
    lines: list[str] = []
    for _, unique, name, on, columns, where in _INDEX.findall(text):
        if on == table:
            what = " ".join(f"{columns} {where}".split())
            lines.append(f"- {'unique ' if unique else ''}`{name}`: `{what}`")
    return ["", *lines] if lines else []


def _policies(texts: Mapping[str, str]) -> list[str]:
    text = "\n".join(text for name, text in texts.items() if name.endswith(".postgres.sql"))
    tables = re.findall(r"^CREATE POLICY \w+ ON (\w+)", text, re.MULTILINE)
    rules = {" ".join(rule.split()) for rule in re.findall(r"USING \((.*?)\)\n", text)}
    head = text[: text.index("\n\n")]
    return [
        *_prose(head),
        f"Enabled and forced on {len(tables)} tables, with one rule:",
        "",
        *(f"`{rule}`" for rule in sorted(rules)),
    ]


def _prose(comment: str) -> list[str]:
    words = " ".join(line.removeprefix("--").strip() for line in comment.splitlines())
    return [words, ""] if words else []


def _cell(text: str) -> str:
    return text.strip().replace("|", "\\|")


def _code(text: str) -> str:
    return f"`{text}`" if text else "(nothing)"


PAGES = {
    REFERENCE / "settings.md": settings_page,
    REFERENCE / "schema.md": schema_page,
    REFERENCE / "python.md": python_page,
}


def main() -> int:
    """Write the pages, or say which of them is out of date."""
    stale = [page for page, make in PAGES.items() if not page.exists() or page.read_text("utf-8") != make()]
    if "--check" in sys.argv[1:]:
        for page in stale:
            print(f"{page.relative_to(ROOT)} is not up to date: run python tools/generate_reference.py")
        return 1 if stale else 0
    for page in stale:
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(PAGES[page](), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

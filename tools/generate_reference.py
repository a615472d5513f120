"""Write docs/reference/settings.md and docs/reference/schema.md from the code that they describe.

    python tools/generate_reference.py            write both pages
    python tools/generate_reference.py --check    fail if one of them is not up to date

Settings come from `recollect.settings.documented()`, the schema from the text of the migrations: a page written by hand
would be wrong after the first change. The CLI's page has a maker of its own.
"""

import ast
import re
import sys
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path

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
_WRITTEN = re.compile(r"INSERT INTO (\w+)")


def settings_page() -> str:
    """Every variable with its default and its meaning."""
    lines = [
        MADE,
        "",
        "# Settings",
        "",
        "Read once, from the environment, by `Settings.from_env()`. An empty variable counts as not set. A value that cannot be",
        "used raises `InvalidInput` and names its variable. In Python, pass `Settings(...)` instead; the field is the second column.",
        "",
        "| variable | field | default | meaning |",
        "|---|---|---|---|",
    ]
    for (name, default, meaning), item in zip(documented(), fields(Settings), strict=True):
        shown = f"`{default}`" if default != "" else "empty"
        lines.append(f"| `{name}` | `{item.name}` | {shown} | {_cell(meaning)} |")
    return "\n".join(lines) + "\n"


def schema_page() -> str:
    """Every table, column and key of the migrations."""
    texts = {file.name: file.read_text("utf-8") for file in sorted((STORE / "migrations").glob("*.sql"))}
    written = {table for file in STORE.glob("*.py") for table in _WRITTEN.findall(file.read_text("utf-8"))}
    lines = [MADE, "", "# Schema", "", *_introduction(list(texts))]
    for text in texts.values():
        for comment, table, body in _TABLE.findall(text):
            lines += ["", f"## {table}", ""]
            if table not in written:
                lines += ["Nothing writes to this table yet.", ""]
            lines += [*_prose(comment), *_columns(body), *_indexes(text, table)]
    lines += ["", "## Row-level security (PostgreSQL)", "", *_policies(texts)]
    return "\n".join(lines) + "\n"


def _introduction(names: list[str]) -> list[str]:
    sqlite, postgres = _words("sqlite.py"), _words("postgres.py")
    return [
        f"From {', '.join(f'`{name}`' for name in names)} in `src/recollect/store/migrations/`. One text serves both databases;",
        "words in braces differ. Every key starts with `user_id`. Times are ISO-8601 UTC text with milliseconds. JSON is text.",
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
    lines = ["| column | type | null | note |", "|---|---|---|---|"]
    key = ""
    for line in body.splitlines():
        if found := _KEY.match(line):
            key = found[1]
        elif found := _COLUMN.match(line):
            name, kind, required, note = found.groups()
            lines.append(f"| `{name}` | `{kind}` | {'no' if required else 'yes'} | {_cell(note or '')} |")
        else:
            raise SystemExit(f"A line of a migration cannot be read: {line!r}")
    return [*lines, "", f"Primary key: `{key}`."]


def _indexes(text: str, table: str) -> list[str]:
    lines: list[str] = []
    for comment, unique, name, on, columns, where in _INDEX.findall(text):
        if on == table:
            what = " ".join(f"{columns} {where}".split())
            lines.append(
                f"{'Unique index' if unique else 'Index'} `{name}`: `{what}`. {' '.join(_prose(comment))}".rstrip()
            )
    return ["", *(f"- {line}" for line in lines)] if lines else []


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


PAGES = {REFERENCE / "settings.md": settings_page, REFERENCE / "schema.md": schema_page}


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

"""Phrases that do not come back: habits of the first edition, in docs, docstrings, help and errors."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
#: Pages that quote other people's words to the letter.
QUOTED = {"docs/reference/wire.md", "CONTRIBUTING.md"}
PAGES = [
    path
    for path in sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "console").glob("*.md")])
    if str(path.relative_to(ROOT)) not in QUOTED
]
MODULES = sorted((ROOT / "src" / "recollect").rglob("*.py"))

#: Each with what to write instead.
BANNED = {
    r"[Ww]hoever": "who: users, callers, clients",
    r"\bso-manieth\b": "nth",
    r"\bnone of ours\b": "invalid",
    r"\bis on no index\b": "is not on PyPI",
    r"\bround in a circle\b": "in a loop",
    r"\bstands there twice\b": "is a duplicate",
    r"\bno safe\b": "not stored",
    r"\bfor the rest of the dice\b|\bthe dice\b": "random source",
    r"\bforms? behind\b|\bruns? behind\b|\bworks? behind\b|\bwork behind\b": "in the background",
    r"\binstead of behind\b": "not in the background",
    r"\btold that\b|\bunless told\b|\bis told from\b": "by default; is distinguished from",
    r"\bhow many went\b": "return how many",
    r"\bthat told of\b|\btells? of\b": "derived from; describes",
    r"\bbrought back unasked\b": "no unsolicited recall",
    r"\bnobody mixed up\b": "no leaks",
    r"\ba life (?:may hang|hangs)\b|\bwhat a life\b": "safety-critical",
    r"\bthe face\b": "the API",
    r"\blaid away\b|\blaid_away\b": "archived",
    r"\btaken apart\b": "split",
    r"\bone a (?:chat|user|day|file|noun|turn)\b|\ba file a\b|\ba (?:row|line) a\b": "one per",
    r"\bleave no gap and no\b": "are contiguous",
    r"\bpeople who come back\b": "returning users",
    r"\bMissed targets are said\b": "Missed targets are marked",
    r"\bSwitchboard\b": "Router",
    r"\bbundle of services\b": "services",
    r"\bas if by itself\b": "automatically",
}
_BANNED = re.compile("|".join(f"(?:{pattern})" for pattern in BANNED))


def _hits(text: str) -> Iterator[str]:
    for number, line in enumerate(text.splitlines(), 1):
        for found in _BANNED.finditer(line):
            yield f"{number}: {found.group()}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_pages_are_in_plain_english(page: Path) -> None:
    """No page uses a banned phrase outside its code."""
    text = re.sub(
        r"```.*?```", lambda block: "\n" * block.group().count("\n"), page.read_text("utf-8"), flags=re.S
    )
    assert list(_hits(text)) == []


def _prose(module: Path) -> Iterator[tuple[int, str]]:
    """Docstrings, and texts with a blank in them: what somebody may read."""
    for node in ast.walk(ast.parse(module.read_text("utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield node.lineno, node.value


def test_code_is_in_plain_english() -> None:
    """No docstring, help text or error in the code that stays uses a banned phrase."""
    # Rooms whose files are about to be replaced are measured when they are rewritten, not edited before.
    leaving = ("language", "index/episode")
    found = [
        f"{module.relative_to(ROOT)}:{line} {hit}"
        for module in MODULES
        if not str(module.relative_to(ROOT / "src" / "recollect")).startswith(leaving)
        for line, text in _prose(module)
        for hit in _hits(text)
    ]
    assert found == []

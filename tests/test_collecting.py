"""The order of a run: what it names is there, and long files come before short ones."""

from pathlib import Path

import collecting

TESTS = Path(__file__).parent


def test_what_the_order_names_is_there() -> None:
    """A file or folder that was renamed does not quietly lose its place."""
    assert (TESTS / collecting._FIRST).is_file()
    assert all((TESTS / folder).is_dir() for folder in (*collecting._LONG, *collecting._SHORT))


def test_long_files_come_first() -> None:
    """Whoever seeds the console begins, processes and browsers follow, and the rules are last."""
    files = [
        TESTS / "language" / "test_word.py",
        TESTS / "store" / "test_sqlite.py",
        TESTS / "test_docs.py",
        TESTS / "console" / "test_shell.py",
        TESTS / "server" / "test_serve.py",
        TESTS / collecting._FIRST,
    ]
    assert sorted(files, key=collecting._rank) == files[::-1]

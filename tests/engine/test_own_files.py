"""Files of a deployment's own: read whole, or refused with the variable, the file, the reason and what is wanted."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from recollect.engine import own_files
from recollect.errors import InvalidInput


def _read(name: str, parse: Callable[[str], str] = str.strip, max_bytes: int = 10) -> str:
    return own_files.read(name, parse, variable="SOME_FILE", wanted="a file of words", max_bytes=max_bytes)


def test_a_file_is_read_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the file holds is parsed once, up to its largest size, and a home may be written as a tilde."""
    path = tmp_path / "own"
    path.write_text(" é = 1\n", "utf-8")
    assert _read(str(path)) == "é = 1"
    monkeypatch.setenv("HOME", str(tmp_path))
    assert _read("~/own") == "é = 1"
    path.write_bytes(b"x" * 10)
    assert _read(str(path)) == "x" * 10


@pytest.mark.parametrize(
    ("held", "why"),
    [
        (None, "No such file"),
        (b"x" * 11, "more than 10 bytes"),
        (b"\xff\xfe", "UTF-8"),
    ],
)
def test_why_a_file_is_refused(tmp_path: Path, held: bytes | None, why: str) -> None:
    """An error says which variable, which file, why, and what to do instead."""
    path = tmp_path / "own"
    if held is not None:
        path.write_bytes(held)
    with pytest.raises(InvalidInput, match=why) as raised:
        _read(str(path))
    message = str(raised.value)
    assert message.startswith("SOME_FILE: ") and "a file of words" in message and repr(str(path)) in message
    assert raised.value.field == "SOME_FILE"


def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    """A folder, a pipe that nobody writes to and a name with a NUL are refused at once."""
    os.mkfifo(tmp_path / "pipe")
    for name in (str(tmp_path), str(tmp_path / "pipe"), "nul\0byte"):
        with pytest.raises(InvalidInput) as raised:
            _read(name)
        assert raised.value.field == "SOME_FILE"


def test_the_parsers_reason_is_told(tmp_path: Path) -> None:
    """What a parser finds wrong is part of the error, and its cause is kept."""
    (tmp_path / "own").write_text("a", "utf-8")

    def refuse(text: str) -> str:
        raise InvalidInput(f"{text!r} is no word", field="words")

    with pytest.raises(InvalidInput, match="cannot be used: 'a' is no word") as raised:
        _read(str(tmp_path / "own"), refuse)
    assert isinstance(raised.value.__cause__, InvalidInput)

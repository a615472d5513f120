"""Output: text is data, JSON is JSON, and codes for terminals go to terminals only."""

import io
import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.cli.output import Output, shown, to_json


class _Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    encoding = "utf-8"  # type: ignore[assignment]

    def isatty(self) -> bool:
        return True


@given(st.text())
def test_no_control_character_survives(text: str) -> None:
    """Whatever the text, nothing that a terminal would act on is left in it."""
    for char in shown(text):
        assert unicodedata.category(char) not in ("Cc", "Cs", "Zl", "Zp")


@given(st.text(alphabet=st.characters(exclude_categories=("Cc", "Cs", "Cf", "Zl", "Zp"))))
def test_ordinary_text_is_shown_as_it_is(text: str) -> None:
    """Text without control characters is unchanged."""
    assert shown(text) == text


@given(
    st.recursive(
        st.none() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_json_is_faithful_and_safe(value: object) -> None:
    """JSON reads back as what it was made from, without a character that a terminal would act on."""
    text = to_json(value)
    assert json.loads(text) == value
    assert all(unicodedata.category(char) not in ("Cc", "Cs") or char == "\n" for char in text)


def test_markup_in_data_is_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """What looks like Rich's markup, an emoji code or a link is printed letter by letter, in lines and tables."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    for stream in (io.StringIO(), _Terminal()):
        out = Output(stream=stream)
        out.line("[bold]x[/bold] :smile: https://example.com")
        out.table([("[red]a[/red]", ("[link=x]b[/link]", "bold"))])
        written = stream.getvalue()
        assert "[bold]x[/bold] :smile: https://example.com" in written
        assert "[red]a[/red]" in written
        assert "[link=x]b[/link]" in written


def test_colours_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Styles become codes on a terminal, and vanish in a pipe, under NO_COLOR and on a dumb terminal."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")

    def written(stream: io.StringIO) -> str:
        out = Output(stream=stream)
        out.line(("word", "bold green"))
        out.table([(("cell", "bold"),)])
        return stream.getvalue()

    assert "\x1b[" in written(_Terminal())
    assert written(io.StringIO()) == "word\ncell\n"
    monkeypatch.setenv("NO_COLOR", "1")
    assert written(_Terminal()) == "word\ncell\n"
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "dumb")
    assert written(_Terminal()) == "word\ncell\n"


def test_long_lines_go_on_under_their_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal wraps with the indent kept; a pipe gets the line whole."""
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("NO_COLOR", "1")
    text = "a fact that needs more room than there is on this terminal"
    terminal, pipe = _Terminal(), io.StringIO()
    Output(stream=terminal).line(text, indent=4)
    Output(stream=pipe).line(text, indent=4)
    lines = terminal.getvalue().splitlines()
    assert len(lines) == 2
    assert all(line.startswith("    ") and len(line) <= 40 for line in lines)
    assert pipe.getvalue() == f"    {text}\n"


def test_a_document_on_a_terminal_is_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    """A document keeps its lines; a terminal sees its escape codes, a file gets it as it is."""
    terminal, pipe = _Terminal(), io.StringIO()
    Output(stream=terminal).document("# Title\n\n- \x1b[31mred\n")
    Output(stream=pipe).document("# Title\n\n- \x1b[31mred\n")
    assert terminal.getvalue() == "# Title\n\n- \\x1b[31mred\n"
    assert pipe.getvalue() == "# Title\n\n- \x1b[31mred\n"


def test_json_for_an_ascii_stream() -> None:
    """Where only ASCII arrives, JSON is ASCII and still valid."""
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="ascii")
    Output(stream=stream).json({"name": "Zoë ☕"})
    assert json.loads(raw.getvalue().decode("ascii")) == {"name": "Zoë ☕"}

"""Pattern: a regular expression of a rule, compiled when a text is first held against it.

The rules of memory are some two hundred long expressions. Compiling them takes as long as importing numpy, and a process
that only reads, or asks for help, needs none of them. It offers what the rules use of `re.Pattern` and knows no rule.
A cached function a pattern was rejected: each use would have to call it, and rules that come in tables would be tables of
functions. Two threads may compile one at the same time; both get the same.
"""

import re
from collections.abc import Callable, Iterator


class Pattern:
    """A regular expression with the methods of a compiled one."""

    __slots__ = ("_compiled", "_flags", "_text")

    def __init__(self, text: str, flags: int = 0) -> None:
        self._text = text
        self._flags = flags
        self._compiled: re.Pattern[str] | None = None

    def __repr__(self) -> str:
        return f"Pattern({self._text!r})"

    @property
    def pattern(self) -> str:
        """The expression as it is written."""
        return self._text

    @property
    def flags(self) -> int:
        """How it is to be read, as `re` numbers it."""
        return self._flags

    @property
    def is_compiled(self) -> bool:
        """Whether a text was held against it already."""
        return self._compiled is not None

    def compiled(self) -> re.Pattern[str]:
        """The expression itself, from the first call on."""
        if self._compiled is None:
            self._compiled = re.compile(self._text, self._flags)
        return self._compiled

    def search(self, text: str, start: int = 0) -> re.Match[str] | None:
        """Its first place in a text, from a position on."""
        return (self._compiled or self.compiled()).search(text, start)

    def match(self, text: str) -> re.Match[str] | None:
        """Its place at the beginning of a text."""
        return (self._compiled or self.compiled()).match(text)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """A match of the whole text."""
        return (self._compiled or self.compiled()).fullmatch(text)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """All its places."""
        return (self._compiled or self.compiled()).finditer(text)

    def sub(self, replacement: str | Callable[[re.Match[str]], str], text: str, count: int = 0) -> str:
        """The text with something else in its places."""
        return (self._compiled or self.compiled()).sub(replacement, text, count)

"""The formats that an import reads, by name.

A name is what a caller may say when recognising is not wanted; how a document of each looks is told in its own file.
"""

from enum import StrEnum

from recollect.errors import InvalidInput

#: Let the content say which format it is.
AUTO = "auto"


class Format(StrEnum):
    """Whose export it is."""

    RECOLLECT = "recollect"
    CHATGPT = "chatgpt"
    CLAUDE = "claude"
    MEM0 = "mem0"
    JSONL = "jsonl"

    @property
    def described(self) -> str:
        """What people call it."""
        return _DESCRIBED[self]


_DESCRIBED = {
    Format.RECOLLECT: "an export of Recollect",
    Format.CHATGPT: "conversations of ChatGPT",
    Format.CLAUDE: "conversations of Claude",
    Format.MEM0: "memories of mem0",
    Format.JSONL: "messages and memories, one an entry",
}


def check_format(value: object) -> Format | None:
    """The format that a caller names; None: the content says."""
    if value == AUTO:
        return None
    try:
        return Format(value)  # type: ignore[arg-type]
    except ValueError:
        allowed = ", ".join((AUTO, *Format))
        raise InvalidInput(
            f"Unknown format {str(value)[:40]!r}. Allowed: {allowed}.", field="format"
        ) from None

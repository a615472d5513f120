"""Reads `conversations.json` from the zip archives that ChatGPT and Claude export.

Members are read in memory and never written to disk, so their names cannot escape a folder. A member's stated size is not
trusted: reading stops at the limit. Large exports come in parts (`conversations-000.json` and so on, or one folder each),
which are read as one list.
"""

import os
import re
import zipfile
import zlib
from dataclasses import dataclass
from typing import IO, Any, Final

from recollect.errors import InvalidInput
from recollect.interchange.foreign import parsed

#: Maximum bytes read from one archive. Once parsed, a member of this size takes about ten times as much memory.
MAX_BYTES: Final = 2**30
#: Maximum ratio of a large member's unpacked to packed size; it is 5 to 20 for conversations.
MAX_RATIO: Final = 200
_LARGE: Final = 2**24
#: Maximum members per archive; years of pictures and files add up to thousands.
MAX_MEMBERS: Final = 200_000
#: Maximum ignored members to name.
_NAMED: Final = 6
_CONVERSATIONS: Final = re.compile(r"(?:[^/\\]+/){0,2}conversations(?:[-_]\d+)?\.json")
#: Compression methods that can be stopped midway; others unpack an unlimited amount at once.
_METHODS: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_BROKEN: Final = (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, ValueError)


@dataclass(frozen=True, slots=True, kw_only=True)
class Archive:
    """An archive's conversations, and the names of its other members."""

    document: list[Any]
    left_out: tuple[str, ...]

    @property
    def ignored(self) -> str:
        """A short list of the other members; empty if there are none."""
        more = len(self.left_out) - _NAMED
        return ", ".join(self.left_out[:_NAMED]) + (f" and {more} more files" if more > 0 else "")


def is_archive(start: bytes) -> bool:
    """Whether a file that starts with these bytes is a zip archive."""
    return start.startswith((b"PK\x03\x04", b"PK\x05\x06"))


def read_archive(file: IO[bytes], name: str) -> Archive:
    """The conversations of an archive, as one list."""
    try:
        size = file.seek(0, os.SEEK_END)
        with zipfile.ZipFile(file) as opened:
            members = [member for member in opened.infolist() if not member.is_dir()]
            if len(members) > MAX_MEMBERS:
                raise InvalidInput(f"{name} has more than {MAX_MEMBERS:,} files.", field="file")
            wanted = sorted(
                (member for member in members if _CONVERSATIONS.fullmatch(member.filename)),
                key=lambda member: member.filename,
            )
            document = _conversations(opened, wanted, size, name)
    except _BROKEN as error:
        raise InvalidInput(f"{name} cannot be unpacked: {error}.", field="file") from error
    # JSON files first, because there may be thousands of others.
    rest = [member.filename for member in members if not _CONVERSATIONS.fullmatch(member.filename)]
    return Archive(
        document=document, left_out=tuple(sorted(rest, key=lambda item: (not _is_json(item), item)))
    )


def _conversations(opened: zipfile.ZipFile, wanted: list[zipfile.ZipInfo], size: int, name: str) -> list[Any]:
    if not wanted:
        raise InvalidInput(
            f"{name} contains no conversations.json, so it is not an export from ChatGPT or Claude.",
            field="file",
        )
    document: list[Any] = []
    room = MAX_BYTES
    for member in wanted:
        data = _unpacked(opened, member, room, size, name)
        room -= len(data)
        where = f"{member.filename} in {name}"
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise InvalidInput(f"{where} is not valid UTF-8 (byte {error.start}).", field="file") from error
        found = parsed(text, name=where)
        if not isinstance(found, list):
            raise InvalidInput(f"{where} is not a list of conversations.", field="file")
        document += found
    return document


def _unpacked(opened: zipfile.ZipFile, member: zipfile.ZipInfo, room: int, size: int, name: str) -> bytes:
    """A member's bytes. A member that expands more than text does is refused before it is fully read."""
    if member.compress_type not in _METHODS:
        raise InvalidInput(
            f"{member.filename} in {name} uses an unsupported compression method.", field="file"
        )
    # It cannot be larger than the archive, whatever its header says.
    grown = max(_LARGE, MAX_RATIO * min(member.compress_size, size))
    with opened.open(member) as stream:
        data = stream.read(min(room, grown) + 1)
    if len(data) > grown:
        raise InvalidInput(
            f"{member.filename} in {name} unpacks to more than {MAX_RATIO} times its size and was refused.",
            field="file",
        )
    if len(data) > room:
        raise InvalidInput(
            f"{name} contains more than {MAX_BYTES // 2**20:,} MB of conversations. Unpack it and import the files one by one.",
            field="file",
        )
    return data


def _is_json(name: str) -> bool:
    return name.lower().endswith(".json")

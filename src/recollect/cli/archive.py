"""The archives that ChatGPT and Claude send: a zip in which `conversations.json` is what can be read.

Members are read in memory and by their names only; nothing is written to the disk, so that no name can lead anywhere. What
a member says of its size is not believed: reading stops at the limit. Large exports come in parts (`conversations-000.json`
and so on, or one folder each), which are read as one list. It does not know what a conversation is.
"""

import os
import re
import zipfile
import zlib
from dataclasses import dataclass
from typing import IO, Any, Final

from recollect.errors import InvalidInput
from recollect.interchange.foreign import parsed

#: Bytes of all that is read of an archive. A member of this size takes some ten times as much memory when it is parsed.
MAX_BYTES: Final = 2**30
#: Times that a member may grow when it is unpacked, once it is large: texts of conversations grow 5 to 20 times.
MAX_RATIO: Final = 200
_LARGE: Final = 2**24
#: Members of one archive: pictures and files of years are thousands.
MAX_MEMBERS: Final = 200_000
#: Names that are told of what was left out.
_NAMED: Final = 6
_CONVERSATIONS: Final = re.compile(r"(?:[^/\\]+/){0,2}conversations(?:[-_]\d+)?\.json")
#: Those that can be stopped in the middle; what others unpack at once has no bound.
_METHODS: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_BROKEN: Final = (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, ValueError)


@dataclass(frozen=True, slots=True, kw_only=True)
class Archive:
    """What was read, and the names of what was not."""

    document: list[Any]
    left_out: tuple[str, ...]

    @property
    def told(self) -> str:
        """What was left out, in a few words; empty when nothing was."""
        more = len(self.left_out) - _NAMED
        return ", ".join(self.left_out[:_NAMED]) + (f" and {more} more files" if more > 0 else "")


def is_archive(start: bytes) -> bool:
    """Whether a file that begins so is a zip."""
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
    # JSON is named first: of everything else there may be thousands.
    rest = [member.filename for member in members if not _CONVERSATIONS.fullmatch(member.filename)]
    return Archive(
        document=document, left_out=tuple(sorted(rest, key=lambda item: (not _is_json(item), item)))
    )


def _conversations(opened: zipfile.ZipFile, wanted: list[zipfile.ZipInfo], size: int, name: str) -> list[Any]:
    if not wanted:
        raise InvalidInput(
            f"{name} has no conversations.json: it is no archive of ChatGPT or Claude.", field="file"
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
            raise InvalidInput(f"{where} is not UTF-8 text (byte {error.start}).", field="file") from error
        found = parsed(text, name=where)
        if not isinstance(found, list):
            raise InvalidInput(f"{where} is no list of conversations.", field="file")
        document += found
    return document


def _unpacked(opened: zipfile.ZipFile, member: zipfile.ZipInfo, room: int, size: int, name: str) -> bytes:
    """The bytes of a member; one that grows beyond what texts do is refused before it is read to its end."""
    if member.compress_type not in _METHODS:
        raise InvalidInput(f"{member.filename} in {name} is packed in a way that is not read.", field="file")
    # It cannot be larger than the archive, whatever it says.
    grown = max(_LARGE, MAX_RATIO * min(member.compress_size, size))
    with opened.open(member) as stream:
        data = stream.read(min(room, grown) + 1)
    if len(data) > grown:
        raise InvalidInput(
            f"{member.filename} in {name} grows more than {MAX_RATIO} times when it is unpacked: it is not read.",
            field="file",
        )
    if len(data) > room:
        raise InvalidInput(
            f"{name} holds more than {MAX_BYTES // 2**20:,} MB of conversations. Unpack it, and import the files one by one.",
            field="file",
        )
    return data


def _is_json(name: str) -> bool:
    return name.lower().endswith(".json")

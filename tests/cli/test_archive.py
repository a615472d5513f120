"""Archives of ChatGPT and Claude: what is read of them, and what is refused."""

import io
import json
import struct
import zipfile
from pathlib import Path

import pytest
from foreign_exports import chatgpt_conversation, claude_conversation, zipped

from recollect.cli import archive as archives
from recollect.cli.archive import is_archive, read_archive
from recollect.errors import InvalidInput

from .conftest import Cli

CLAUDE = json.dumps([claude_conversation()])


def _read(data: bytes) -> archives.Archive:
    return read_archive(io.BytesIO(data), "export.zip")


def test_the_conversations_are_read_and_the_rest_is_named() -> None:
    """JSON that is left out is named first; of pictures there may be thousands."""
    members = {"conversations.json": CLAUDE, "users.json": "[]", "projects.json": "[]"}
    pictures = {f"a/{number}.png": b"x" for number in range(9)}
    found = _read(zipped({**pictures, **members}))
    assert found.document == [claude_conversation()]
    assert found.ignored == "projects.json, users.json, a/0.png, a/1.png, a/2.png, a/3.png and 5 more files"
    assert _read(zipped({"conversations.json": CLAUDE})).ignored == ""


@pytest.mark.parametrize(
    "names",
    [
        ("conversations-000.json", "conversations-001.json"),
        ("batch-0000/conversations.json", "batch-0001/conversations.json"),
    ],
)
def test_parts_are_one_list(names: tuple[str, str]) -> None:
    """A large export comes in parts, which are read in the order of their names."""
    members = {
        name: json.dumps([chatgpt_conversation(name=str(number))]) for number, name in enumerate(names)
    }
    found = _read(zipped(dict(reversed(members.items()))))
    assert [item["id"] for item in found.document] == ["0", "1"]


@pytest.mark.parametrize(
    ("members", "reason"),
    [
        ({"chat.html": "<p>"}, "contains no conversations.json"),
        ({}, "contains no conversations.json"),
        ({"a/b/c/d/conversations.json": "[]"}, "contains no conversations.json"),
        ({"my-conversations.json": "[]"}, "contains no conversations.json"),
        ({"conversations.json": "{}"}, "is not a list of conversations"),
        ({"conversations.json": "[{]"}, "conversations.json in export.zip is not JSON"),
        ({"conversations.json": b"\xff\xfe"}, "is not valid UTF-8 (byte 0)"),
        ({"conversations.json": "[" * 200_000}, "nested too deeply"),
    ],
)
def test_other_archives_are_refused(members: dict[str, bytes | str], reason: str) -> None:
    """The sentence says what is wrong and where."""
    with pytest.raises(InvalidInput) as refused:
        _read(zipped(members))
    assert reason in refused.value.message


def test_a_bomb_is_not_unpacked() -> None:
    """A member that grows beyond what texts do is refused before it is read to its end."""
    held = io.BytesIO()
    with (
        zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("conversations.json", "w", force_zip64=True) as member,
    ):
        for _ in range(64):
            member.write(b" " * 2**20)
    data = bytearray(held.getvalue())
    assert len(data) < 2**17
    # Also when it says of itself that it hardly grows.
    for claimed in (None, 2**31):
        if claimed:
            struct.pack_into("<I", data, data.index(b"PK\x01\x02") + 20, claimed)
        with pytest.raises(InvalidInput, match="more than 200 times its size"):
            _read(bytes(data))


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_what_cannot_be_stopped_half_way_is_not_begun(method: int) -> None:
    """Ways of packing whose single step may have any size are refused."""
    with pytest.raises(InvalidInput, match="unsupported compression method"):
        _read(zipped({"conversations.json": CLAUDE}, method))


def test_all_parts_together_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many members within their limits do not add up to one beyond it."""
    monkeypatch.setattr(archives, "MAX_BYTES", len(CLAUDE) * 2 + 1)
    two = {f"conversations-{number}.json": CLAUDE for number in range(2)}
    assert len(_read(zipped(two)).document) == 2
    with pytest.raises(InvalidInput, match=r"of conversations\. Unpack it"):
        _read(zipped({**two, "conversations.json": CLAUDE}))


def test_many_members_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """An archive with a table without end is not gone through."""
    monkeypatch.setattr(archives, "MAX_MEMBERS", 2)
    with pytest.raises(InvalidInput, match="more than 2 files"):
        _read(zipped({f"{number}.png": b"x" for number in range(3)}))


def test_a_lie_about_the_size_is_found() -> None:
    """A member that says less than it holds is broken, one that says more is what it holds."""
    data = bytearray(zipped({"conversations.json": CLAUDE}))
    table = data.index(b"PK\x01\x02")
    struct.pack_into("<I", data, table + 24, 2**31)
    assert len(_read(bytes(data)).document) == 1
    struct.pack_into("<I", data, table + 24, 10)
    with pytest.raises(InvalidInput):
        _read(bytes(data))


def test_a_locked_or_broken_archive_is_refused() -> None:
    """A password, a cut end and wrong bytes are a sentence, not a crash."""
    whole = zipped({"conversations.json": CLAUDE})
    locked = bytearray(whole)
    locked[whole.index(b"PK\x01\x02") + 8] |= 1
    locked[6] |= 1
    for data in (
        bytes(locked),
        whole[:-30],
        b"PK\x03\x04" + b"\x00" * 50,
        whole.replace(b"\x00\x08\x00", b"\xff\x08\xff"),
    ):
        with pytest.raises(InvalidInput):
            _read(data)


def test_archives_are_known_by_their_beginning() -> None:
    """Neither JSON nor a text that mentions one is an archive; an empty one is."""
    assert is_archive(zipped({"a": "b"})[:4])
    assert is_archive(zipped({})[:4])
    assert not any(is_archive(data) for data in (b"", b"PK", b'{"PK', b"[{}]"))


def test_names_lead_nowhere(cli: Cli, tmp_path: Path) -> None:
    """Nothing is written, whatever members are called, and control characters reach no terminal."""
    evil = {"../conversations.json": "[]", "/conversations.json": "[]", "\x1b[31m.json": "x"}
    file = tmp_path / "export.zip"
    file.write_bytes(zipped({**evil, "conversations.json": CLAUDE}))
    before = sorted(tmp_path.parent.rglob("conversations.json"))
    ran = cli("import", str(file))
    assert ran.code == 0
    assert "\x1b" not in ran.err and "\\x1b[31m.json" in ran.err
    assert sorted(tmp_path.parent.rglob("conversations.json")) == before

"""Commands that carry memories out and in: export and import.

An export to a file is written beside it first and then renamed, so that the file is always a whole export: the old one
or the new one. An import may be repeated: twice is the same as once. Whose export a file is, its content says.
"""

import os
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import IO, Annotated, Any

import typer

from recollect.cli import exit_codes, options, rendering
from recollect.cli.archive import is_archive, read_archive
from recollect.cli.opening import opened
from recollect.cli.output import Output, shown, to_json
from recollect.cli.progress import bar
from recollect.cli.whose import note_unknown
from recollect.errors import InvalidInput, RecollectError
from recollect.interchange.foreign import AUTO, Format, check_format, parsed, recognise
from recollect.interchange.portable_markdown import as_markdown

#: Skipped entries that are told one by one; `--json` has all.
_TOLD = 20


def export(
    format: Annotated[
        str,
        typer.Option(
            "--format", "-f", metavar="FORMAT", help="json (import reads it again) or markdown (for people)."
        ),
    ] = "json",
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="Where to; - is standard output.")
    ] = "-",
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Write everything of a user to a file or to standard output."""
    if format not in ("json", "markdown"):
        raise InvalidInput(f"Unknown format {format!r}. Allowed: json, markdown.", field="format")
    out = Output(as_json=as_json)
    with opened(db, reading=True) as memory:
        document = memory.export(user=user)
        if not document["memories"] and not document["chats"]:
            note_unknown(memory, user)
    text = as_markdown(document) if format == "markdown" else to_json(document) + "\n"
    if output != "-":
        write_whole(Path(output), text)
        counts = _counts(document, format)
        if out.as_json:
            out.json({"file": output, "format": format, **counts})
        else:
            told = [rendering.counted(count, kind) for kind, count in counts.items() if count]
            out.line(("Exported", "green"), f" {', '.join(told) or '0 memories'} to {output}")
    elif out.as_json and format == "markdown":
        out.json({"format": format, "text": text})
    elif format == "json":
        out.json(document)
    else:
        out.document(text)


def _counts(document: dict[str, Any], format: str) -> dict[str, int]:
    """How much of what is in the file; Markdown tells of chats, but not word by word."""
    chats = document["chats"]
    counts = {
        "memories": len(document["memories"]),
        "chats": len(chats),
        "messages": sum(len(chat["messages"]) for chat in chats),
        "pins": sum(len(chat["pins"]) for chat in chats),
        "todos": len(document["todos"]),
        "sessions": len(document["sessions"]),
    }
    return (
        counts
        if format == "json"
        else {kind: counts[kind] for kind in ("memories", "chats", "pins", "todos")}
    )


def write_whole(path: Path, text: str) -> None:
    """All of the text or nothing; the file is readable by its owner only, as memories are private."""
    try:
        target = path.resolve()
        if target.exists() and not target.is_file():
            # A device or a pipe: a rename would put a file in its place.
            target.write_text(text, "utf-8")
            return
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", dir=target.parent, prefix=f".{target.name}.", delete=False
        ) as file:
            try:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
                Path(file.name).replace(target)
            except BaseException:
                Path(file.name).unlink(missing_ok=True)
                raise
    except OSError as error:
        raise RecollectError(f"{path} cannot be written: {error.strerror or error}.") from error


def load(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="An export of Recollect, ChatGPT, Claude (the archive, too) or mem0, or JSON lines; - reads standard input.",
        ),
    ],
    format: Annotated[
        str,
        typer.Option(
            "--format", "-f", metavar="FORMAT", help=f"{AUTO} (the content says), {', '.join(Format)}."
        ),
    ] = AUTO,
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Read an export; twice is the same as once."""
    out = Output(as_json=as_json)
    document, found = _recognised(file, check_format(format))
    with opened(db) as memory:
        try:
            with bar("Importing", quiet=as_json) as progress:
                loaded = memory.load(document, user=user, format=found, progress=progress)
        except KeyboardInterrupt:
            sys.stderr.write("Stopped. What was read is kept; run the same command again to go on.\n")
            raise
    if out.as_json:
        out.json(loaded.to_dict())
    else:
        out.line(
            ("Imported", "green"),
            f" {loaded.imported}, known already {loaded.duplicates}, skipped {len(loaded.skipped)}",
        )
        for line, reason in loaded.skipped[:_TOLD]:
            out.line((f"entry {line}: ", "yellow"), reason, indent=2)
        if len(loaded.skipped) > _TOLD:
            out.line((f"… and {len(loaded.skipped) - _TOLD} more; --json lists all", "dim"), indent=2)
    if loaded.skipped:
        raise typer.Exit(exit_codes.SKIPPED)


def _recognised(file: str, wanted: Format | None) -> tuple[Any, Format]:
    """What a file holds, and whose export it is; that is said on standard error, unless it is our own."""
    left_out = ""
    with _opened_file(file) as stream:
        start = stream.read(4)
        stream.seek(0)
        if is_archive(start):
            archive = read_archive(stream, _called(file))
            document, left_out = archive.document, archive.told
        else:
            document = _parsed(stream.read(), file, lines=wanted is Format.JSONL)
    found = wanted or recognise(document)
    if found is not Format.RECOLLECT:
        sys.stderr.write(f"Reading {found.described}.\n")
    if left_out:
        sys.stderr.write(f"Left out of the archive: {shown(left_out)}.\n")
    return document, found


def read_json(file: str) -> Any:
    """What a file, or standard input for -, holds."""
    with _opened_file(file) as stream:
        return _parsed(stream.read(), file)


@contextmanager
def _opened_file(file: str) -> Generator[IO[bytes]]:
    """A file that can be gone to and fro in; what comes through a pipe is read first."""
    try:
        if file == "-":
            yield BytesIO(sys.stdin.buffer.read())
            return
        with Path(file).open("rb") as stream:
            yield stream if stream.seekable() else BytesIO(stream.read())
    except OSError as error:
        raise InvalidInput(f"{file} cannot be read: {error.strerror or error}.", field="file") from error


def _called(file: str) -> str:
    return "Standard input" if file == "-" else file


def _parsed(data: bytes, file: str, *, lines: bool = False) -> Any:
    name = _called(file)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{name} is not UTF-8 text (byte {error.start}).", field="file") from error
    return parsed(text, name=name, lines=lines)

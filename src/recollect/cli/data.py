"""The commands export, import and seed.

An export is first written to a temporary file in the same folder and then renamed, so the target is always a complete
export, old or new. Repeating an import has no further effect. The product a file comes from is detected from its content.
"""

import os
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import IO, Annotated, Any, cast

import typer

from recollect.cli import options, rendering
from recollect.cli.archive import is_archive, read_archive
from recollect.cli.opening import note_unknown, opened
from recollect.cli.output import SKIPPED, Output, bar, note, to_json
from recollect.errors import InvalidInput, RecollectError
from recollect.interchange.foreign import AUTO, Format, check_format, parsed, recognise
from recollect.interchange.portable_markdown import as_markdown

#: Maximum skipped entries to list; `--json` lists all.
_LISTED = 20


def export(
    format: Annotated[
        str,
        typer.Option(
            "--format", "-f", metavar="FORMAT", help="json (can be imported) or markdown (for reading)."
        ),
    ] = "json",
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="Target file, or - for standard output.")
    ] = "-",
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Export all of a user's data to a file or standard output."""
    if format not in ("json", "markdown"):
        raise InvalidInput(f"--format must be json or markdown, not {format!r}.", field="format")
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
            what = [rendering.counted(count, kind) for kind, count in counts.items() if count]
            out.line(("Exported", "green"), f" {', '.join(what) or '0 memories'} to {output}")
    elif out.as_json and format == "markdown":
        out.json({"format": format, "text": text})
    elif format == "json":
        out.json(document)
    else:
        out.document(text)


def _counts(document: dict[str, Any], format: str) -> dict[str, int]:
    """What the file contains, in numbers; Markdown omits messages and sessions."""
    chats = document["chats"]
    counts = {
        "memories": len(document["memories"]),
        "chats": len(chats),
        "messages": sum(len(chat["messages"]) for chat in chats),
        "pins": sum(len(chat["pins"]) for chat in chats),
        "todos": len(document["todos"]),
        "sessions": len(document["sessions"]),
    }
    if format == "json":
        return counts
    return {kind: count for kind, count in counts.items() if kind not in ("messages", "sessions")}


def write_whole(path: Path, text: str) -> None:
    """Write the whole text or nothing. Only the owner can read the file, because memories are private."""
    try:
        target = path.resolve()
        if target.exists() and not target.is_file():
            # A device or pipe, which a rename would replace with a file.
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
            help="An export from Recollect, ChatGPT, Claude (or a zip) or mem0, or JSON lines; - reads standard input.",
        ),
    ],
    format: Annotated[
        str,
        typer.Option("--format", "-f", metavar="FORMAT", help=f"{AUTO} (by content), {', '.join(Format)}."),
    ] = AUTO,
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Import a file. Importing it again has no further effect."""
    out = Output(as_json=as_json)
    document, found = _recognised(file, check_format(format))
    with opened(db) as memory:
        try:
            with bar("Importing", quiet=as_json) as progress:
                loaded = memory.load(document, user=user, format=found, progress=progress)
        except KeyboardInterrupt:
            note("Stopped. Entries already read are kept. To continue, run the same command again.")
            raise
    if out.as_json:
        out.json(loaded.to_dict())
    else:
        out.line(
            ("Imported", "green"),
            f" {loaded.imported}, known already {loaded.duplicates}, skipped {len(loaded.skipped)}",
        )
        for line, reason in loaded.skipped[:_LISTED]:
            out.line((f"entry {line}: ", "yellow"), reason, indent=2)
        if len(loaded.skipped) > _LISTED:
            out.line((f"… and {len(loaded.skipped) - _LISTED} more; --json lists all", "dim"), indent=2)
    if loaded.skipped:
        raise typer.Exit(SKIPPED)


def _recognised(file: str, wanted: Format | None) -> tuple[Any, Format]:
    """A file's content and its product, which is reported unless it is Recollect."""
    ignored = ""
    with _opened_file(file) as stream:
        start = stream.read(4)
        stream.seek(0)
        if is_archive(start):
            archive = read_archive(stream, _called(file))
            document, ignored = archive.document, archive.ignored
        else:
            document = _parsed(stream.read(), file, lines=wanted is Format.JSONL)
    found = wanted or recognise(document)
    if found is not Format.RECOLLECT:
        note(f"Reading {found.described}.")
    if ignored:
        note(f"Not imported from the archive: {ignored}.")
    return document, found


@contextmanager
def _opened_file(file: str) -> Generator[IO[bytes]]:
    """A seekable file; a pipe is read completely first."""
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
        raise InvalidInput(f"{name} is not valid UTF-8 (byte {error.start}).", field="file") from error
    return parsed(text, name=name, lines=lines)


# -- seed ---------------------------------------------------------------------------------------------------


def seed(
    file: Annotated[
        str | None,
        typer.Option(
            "--file",
            metavar="FILE",
            help='Set the seed from JSON: {"facts": [{"content": "…", "category": "…"}], "notes": "…"}; - reads standard '
            "input.",
        ),
    ] = None,
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Show or set what is known about a user in advance. Facts become memories."""
    out = Output(as_json=as_json)
    given = None if file is None else _read_seed(file)
    with opened(db, reading=given is None) as memory:
        if given is None:
            found = memory.seed(user=user)
        else:
            found = memory.set_seed(given.get("facts", []), user=user, notes=given.get("notes", ""))
    if out.as_json:
        out.json(found.to_dict())
        return
    for fact in found.facts:
        rest = " · ".join(f"{name} {value}" for name, value in fact.items() if name != "content")
        out.line("- ", (str(fact["content"]), "bold"), (f"  {rest}" if rest else "", "dim"))
    if found.notes:
        out.line(("Notes", "cyan"))
        for text in found.notes.splitlines():
            out.line(text, indent=2)
    if not found.facts and not found.notes:
        out.line(("No seed.", "dim"))


def _read_seed(file: str) -> dict[str, Any]:
    with _opened_file(file) as stream:
        values = _parsed(stream.read(), file)
    if not isinstance(values, dict):
        raise InvalidInput('A seed must be an object: {"facts": […], "notes": "…"}.', field="file")
    known = cast("dict[str, Any]", values)
    unknown = sorted(set(known) - {"facts", "notes"})
    if unknown:
        raise InvalidInput(f"A seed can contain only facts and notes, not {unknown[0]!r}.", field=unknown[0])
    return known

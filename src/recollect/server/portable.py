"""Export and import: `POST /memories/export` and `POST /memories/import`.

An export is read and compressed completely before the first piece is sent, so that it is a consistent snapshot and errors can
still be reported. Its text is never in memory as a whole (`interchange/export.py`), except as Markdown, which omits the
messages. Repeating an import has no effect. Other products' exports are accepted too. JSON lines are read as text, because
one line may be broken while the others are valid.
"""

from collections.abc import Iterator
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi import Body as JsonBody
from pydantic import BaseModel, Field
from starlette.responses import StreamingResponse

from recollect.errors import InvalidInput
from recollect.interchange.export import Part
from recollect.interchange.foreign import AUTO, Format
from recollect.interchange.portable_markdown import as_markdown
from recollect.server.caller import Reader, TheMemory, TheService, Writer
from recollect.server.wire import Body, Json, example, problems

router = APIRouter(tags=["memories"])

_KINDS = {"json": ("application/json", "json"), "markdown": ("text/markdown; charset=utf-8", "md")}


class ExportWanted(Body):
    """An export's format and parts."""

    format: str = Field(default="json", description="json (can be imported again) or markdown (for people).")
    include: list[str] | None = Field(
        default=None, description=f"Export only these parts: {', '.join(Part)}. The others are empty."
    )


class SkippedShape(BaseModel):
    """An entry that could not be read: its number in the list, from 1, and the reason."""

    line: int
    reason: str


class LoadedShape(BaseModel):
    """The result of an import."""

    imported: int
    duplicates: int
    skipped: list[SkippedShape]


_EXPORT: dict[str, Any] = {
    "recollect": 1,
    "user_id": "user@example.com",
    "exported_at": "2026-01-28T10:30:45.123Z",
    "memories": [],
    "chats": [],
    "todos": [],
    "entities": [],
    "seed": {},
}
_FILE: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The file.",
        "content": {
            "application/json": {"schema": {"type": "object"}, "example": _EXPORT},
            "text/markdown": {
                "schema": {"type": "string"},
                "example": "# What is remembered of user@example.com\n",
            },
        },
    }
}


_LINES: dict[str, Any] = {
    "application/x-ndjson": {
        "schema": {"type": "string", "description": "Messages and memories, one per line."},
        "example": '{"role": "user", "text": "I live in Graz", "chat_id": "hills"}\n{"content": "User keeps bees"}\n',
    }
}


@router.post("/memories/export", response_class=StreamingResponse, responses=problems() | _FILE)
async def export(
    caller: Reader, memory: TheMemory, service: TheService, body: ExportWanted | None = None
) -> StreamingResponse:
    """Export all of a user's data as a file: JSON that can be imported again, or Markdown for people."""
    wanted = body or ExportWanted()
    if wanted.format not in _KINDS:
        raise InvalidInput(
            f"Unknown format {wanted.format[:40]!r}. Allowed: {', '.join(_KINDS)}.", field="format"
        )
    if wanted.format == "json":
        packed = await service.export(caller.user, wanted.include)
        return _file(packed.pieces(), "json", packed.exported_at)
    document = await memory.export(user=caller.user, include=wanted.include)
    return _file(_markdown(document), "markdown", document["exported_at"])


def _file(pieces: Iterator[bytes], format: str, exported_at: str) -> StreamingResponse:
    media_type, ending = _KINDS[format]
    name = f"recollect-{exported_at[:10]}.{ending}"
    return StreamingResponse(
        pieces, media_type=media_type, headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )


def _markdown(document: dict[str, Any]) -> Iterator[bytes]:
    """Create one piece in the thread that sends it, so that no other request waits."""
    yield as_markdown(document).encode()


@router.post(
    "/memories/import",
    response_model=LoadedShape,
    openapi_extra={"requestBody": {"content": _LINES}},
    responses=problems(502, 504)
    | example({"imported": 41, "duplicates": 1, "skipped": [{"line": 7, "reason": "content is missing."}]}),
)
async def load(
    document: Annotated[
        Any,
        JsonBody(
            description="An export from Recollect, ChatGPT, Claude or mem0, or a list of messages and memories.",
            examples=[_EXPORT],
        ),
    ],
    request: Request,
    caller: Writer,
    memory: TheMemory,
    format: Annotated[
        str, Query(description=f"{AUTO} (detected from the content), {', '.join(Format)}.")
    ] = AUTO,
) -> Json:
    """Import an export from Recollect or another product; importing it again changes nothing."""
    if isinstance(document, bytes):
        # The body is not JSON, so FastAPI leaves it unchanged.
        document = _text(document, request.headers.get("content-type", ""))
    elif isinstance(document, str):
        # A JSON string is an entry that cannot be read.
        document = [document]
    return Json((await memory.load(document, user=caller.user, format=format)).to_dict())


def _text(body: bytes, media_type: str) -> str:
    """JSON lines, if the content type says so; any web page could send a form or plain text without permission."""
    if media_type.partition(";")[0].strip().lower() not in _LINES:
        raise InvalidInput(f"The body must be application/json or {', '.join(_LINES)}.", field="document")
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"The body is not valid UTF-8 (byte {error.start}).", field="document") from error

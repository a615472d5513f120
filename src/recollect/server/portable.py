"""Export and import: `POST /memories/export` and `POST /memories/import`.

An export is read and compressed in one go before its first piece is sent, so that it shows one moment and an error is still
an answer; its text is never in memory as a whole (`interchange/export.py`), except as Markdown, which leaves out the
messages. An import may be repeated without effect. It takes other products' exports, too; JSON lines come as text, because
one of them may be broken and the others not.
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
    """The form and the parts of an export."""

    format: str = Field(default="json", description="json (import reads it again) or markdown (for people).")
    include: list[str] | None = Field(
        default=None, description=f"Only these parts: {', '.join(Part)}. The others are empty."
    )


class SkippedShape(BaseModel):
    """An entry that could not be read: its place in its list, from 1, and why."""

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
    """Export everything of a user as a file: JSON that import reads again, or Markdown for people."""
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
    """One piece, made in the thread that sends it, so that nobody else waits."""
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
            description="An export of Recollect, ChatGPT, Claude or mem0, or a list of messages and memories.",
            examples=[_EXPORT],
        ),
    ],
    request: Request,
    caller: Writer,
    memory: TheMemory,
    format: Annotated[str, Query(description=f"{AUTO} (the content says), {', '.join(Format)}.")] = AUTO,
) -> Json:
    """Import an export, Recollect's own or another product's; importing it again changes nothing."""
    if isinstance(document, bytes):
        # Not JSON: FastAPI leaves the body as it is.
        document = _text(document, request.headers.get("content-type", ""))
    elif isinstance(document, str):
        # A JSON string is an entry that cannot be read.
        document = [document]
    return Json((await memory.load(document, user=caller.user, format=format)).to_dict())


def _text(body: bytes, media_type: str) -> str:
    """JSON lines, if they say so: a form or a plain text may be any page's, sent without asking."""
    if media_type.partition(";")[0].strip().lower() not in _LINES:
        raise InvalidInput(f"The body must be application/json or {', '.join(_LINES)}.", field="document")
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"The body is not UTF-8 text (byte {error.start}).", field="document") from error

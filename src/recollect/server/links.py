"""Links: how one memory relates to another."""

from typing import Annotated

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, Field

from recollect.server.answer import DoneShape, Json, example, problems
from recollect.server.body import Body
from recollect.server.caller import Reader, Writer
from recollect.server.memories import MemoryId
from recollect.server.served import TheMemory

router = APIRouter(tags=["memories"])

_KINDS = "related, supports, contradicts, part_of or caused_by."


class NewLink(Body):
    """To which memory, and how."""

    to: str = Field(description="The id of the other memory.")
    kind: str = Field(default="related", description=f"What this memory is to the other: {_KINDS}")


class LinkShape(BaseModel):
    """One memory's relation to another."""

    from_: str = Field(alias="from")
    to: str
    kind: str
    created_at: str


class LinksShape(BaseModel):
    """Every link that starts or ends at a memory."""

    links: list[LinkShape]


_LINK = {
    "from": "2026-01-28T10:30:45.123Z#a1b2c3d4",
    "to": "2026-01-27T09:12:01.456Z#9f8e7d6c",
    "kind": "supports",
    "created_at": "2026-01-28T10:31:00.000Z",
}


@router.get(
    "/memories/{memory_id}/links",
    response_model=LinksShape,
    responses=problems(404) | example({"links": [_LINK]}),
)
async def list_links(memory_id: MemoryId, caller: Reader, memory: TheMemory) -> Json:
    """List the relations of a memory."""
    return Json({"links": [link.to_dict() for link in await memory.links(memory_id, user=caller.user)]})


@router.post(
    "/memories/{memory_id}/links",
    status_code=201,
    response_model=LinkShape,
    responses=problems(404) | example(_LINK, 201),
)
async def link(memory_id: MemoryId, body: NewLink, caller: Writer, memory: TheMemory) -> Json:
    """Relate two memories; doing it twice changes nothing."""
    made = await memory.link(memory_id, body.to, user=caller.user, kind=body.kind)
    return Json(made.to_dict(), 201)


@router.delete(
    "/memories/{memory_id}/links/{to_id}",
    response_model=DoneShape,
    responses=problems(404) | example({"success": True}),
)
async def unlink(
    memory_id: MemoryId,
    to_id: Annotated[str, Path(description="The memory at the other end.")],
    caller: Writer,
    memory: TheMemory,
    kind: Annotated[str, Query(description=f"Which relation: {_KINDS}")] = "related",
) -> Json:
    """Take a relation back; says whether there was one."""
    await memory.get(memory_id, user=caller.user)
    return Json({"success": await memory.unlink(memory_id, to_id, user=caller.user, kind=kind)})

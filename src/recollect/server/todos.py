"""Todos: commitments, habits, threads and frictions between a user and a persona (S4)."""

from typing import Annotated

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, ConfigDict, Field

from recollect.records.todo import TodoKind, TodoStatus
from recollect.server.caller import Reader, TheMemory, Writer
from recollect.server.wire import Body, Cursor, DoneShape, Json, Limit, example, page, problems

router = APIRouter(tags=["todos"])

TodoId = Annotated[str, Path(description="The todo's ID.")]


class TodoShape(BaseModel):
    """A commitment, habit, thread or friction."""

    id: str
    persona_id: str | None
    kind: str
    text: str
    due_at: str | None
    status: str
    source_message_ids: list[str]
    created_at: str
    updated_at: str


class TodosShape(BaseModel):
    """Todos, newest first."""

    todos: list[TodoShape]
    next_cursor: str | None


class NewTodo(Body):
    """A todo to add."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "text": "Go for a walk tomorrow",
                    "kind": "commitment",
                    "persona_id": "coach",
                    "due_at": "2025-10-29T18:00:00Z",
                }
            ]
        }
    )

    text: str
    #: commitment, habit, thread or friction.
    kind: str = TodoKind.THREAD.value
    #: Null means shared by all personas.
    persona_id: str | None = None
    due_at: str | None = None
    #: open, done or dropped.
    status: str = TodoStatus.OPEN.value
    source_message_ids: list[str] = Field(default_factory=list[str])


class TodoChange(Body):
    """Changes to a todo; omitted fields stay as they are, and null in `due_at` removes the date."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"status": "done"}]})

    text: str | None = None
    kind: str | None = None
    status: str | None = None
    due_at: str | None = None

    def changes(self) -> dict[str, str | None]:
        """The given fields."""
        given: dict[str, str | None] = self.model_dump(exclude_unset=True)
        return {name: value for name, value in given.items() if value is not None or name == "due_at"}


_TODO = {
    "id": "1761647445123-0f0f1e2d",
    "persona_id": "coach",
    "kind": "commitment",
    "text": "Go for a walk tomorrow",
    "due_at": "2025-10-29T18:00:00.000Z",
    "status": "open",
    "source_message_ids": ["1761647445123-3f9a2c41"],
    "created_at": "2025-10-28T10:30:45.123Z",
    "updated_at": "2025-10-28T10:30:45.123Z",
}


@router.get(
    "/v1/todos",
    response_model=TodosShape,
    responses=problems() | example({"todos": [_TODO], "next_cursor": None}),
)
async def list_todos(
    caller: Reader,
    memory: TheMemory,
    status: Annotated[
        str | None, Query(description="Only todos with this status: open, done or dropped; default: any.")
    ] = None,
    kind: Annotated[str | None, Query(description="Only todos of this kind.")] = None,
    persona: Annotated[
        str | None,
        Query(alias="persona_id", description="Only todos that this persona sees: its own and shared ones."),
    ] = None,
    due_before: Annotated[str | None, Query(description="Only todos due before this time.")] = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Json:
    """List todos, newest first."""
    rows = await memory.todos(
        user=caller.user,
        persona=persona,
        status=status,
        kind=kind,
        due_before=due_before,
        limit=limit,
        cursor=cursor,
    )
    return page("todos", rows)


@router.post(
    "/v1/todos", status_code=201, response_model=TodoShape, responses=problems() | example(_TODO, 201)
)
async def add_todo(body: NewTodo, caller: Writer, memory: TheMemory) -> Json:
    """Add a commitment, habit, thread or friction."""
    todo = await memory.add_todo(
        body.text,
        user=caller.user,
        kind=body.kind,
        status=body.status,
        persona=body.persona_id,
        due_at=body.due_at,
        source_message_ids=body.source_message_ids,
    )
    return Json(todo.to_dict(), 201)


@router.patch("/v1/todos/{todo_id}", response_model=TodoShape, responses=problems(404) | example(_TODO))
async def update_todo(todo_id: TodoId, body: TodoChange, caller: Writer, memory: TheMemory) -> Json:
    """Change a todo's text, kind, due date or status."""
    return Json((await memory.update_todo(todo_id, user=caller.user, **body.changes())).to_dict())


@router.delete(
    "/v1/todos/{todo_id}", response_model=DoneShape, responses=problems(404) | example({"success": True})
)
async def delete_todo(todo_id: TodoId, caller: Writer, memory: TheMemory) -> Json:
    """Delete a todo."""
    await memory.forget(todo=todo_id, user=caller.user)
    return Json({"success": True})

"""Our tools offered to a client's model: we run them, and the client never sees them.

This module identifies the model's calls to our tools, runs them and removes them from the client's response. If the client
has a tool with the same name, ours is not offered. If a model calls both kinds at once, ours are run and the client's are
passed on; the model gets our results only if it asks again.
"""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from recollect.errors import RecollectError
from recollect.models.heard import Call, Heard, calls_in, first_choice, place_of
from recollect.records.tool_reply import ToolReply

#: How often a model may call tools before it must answer.
MAX_ROUNDS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedTools:
    """The tools that a model may call, and the function that runs them."""

    #: In OpenAI's form.
    schemas: Sequence[Mapping[str, Any]]
    #: Takes a name, and arguments as JSON text.
    call: Callable[[str, str], Awaitable[ToolReply]]

    def beside(self, body: Mapping[str, Any]) -> "OfferedTools":
        """The tools whose names the client does not use itself."""
        taken = {_name(tool) for tool in _tools(body)}
        kept = [schema for schema in self.schemas if _name(schema) not in taken]
        return OfferedTools(schemas=kept, call=self.call)

    @property
    def names(self) -> frozenset[str]:
        return frozenset(_name(schema) for schema in self.schemas)

    def added(self, body: Mapping[str, Any], *, last: bool) -> dict[str, Any]:
        """The request with our tools added to the client's; `last` forbids further calls."""
        tools = [*_tools(body), *self.schemas]
        return {**body, "tools": tools, **({"tool_choice": "none"} if last else {})}

    def ours(self, heard: Heard) -> list[Call]:
        """The calls that we run."""
        return [call for call in heard.calls.values() if call.name in self.names]

    def theirs(self, heard: Heard) -> list[Call]:
        """The calls that the client runs."""
        return [call for call in heard.calls.values() if call.name not in self.names]

    async def carried_out(self, heard: Heard, round_number: int) -> list[dict[str, Any]]:
        """Run our calls; return the messages with their results for the model."""
        calls = self.ours(heard)
        for number, call in enumerate(calls):
            call.call_id = call.call_id or f"call_{round_number}_{number}"
        said = {"role": "assistant", "content": heard.text or None}
        results = [
            {"role": "tool", "tool_call_id": call.call_id, "content": await self._result(call)}
            for call in calls
        ]
        return [{**said, "tool_calls": [call.to_dict() for call in calls]}, *results]

    async def _result(self, call: Call) -> str:
        try:
            reply = await self.call(call.name, call.arguments or "{}")
        except RecollectError as error:
            return error.public_message
        # S2's tool returns an object, S3's returns text.
        return json.dumps(reply.result, ensure_ascii=False) if call.name == "saveMemory" else reply.text


@dataclass(slots=True, kw_only=True)
class Sieve:
    """Removes our calls from a stream; returns the rest of each event, or None if nothing is left."""

    names: frozenset[str]
    #: Maps the position of each client call in the answer to its new position.
    _places: dict[int, int] = field(default_factory=dict[int, int])
    _ours: set[int] = field(default_factory=set[int])

    @property
    def only_ours(self) -> bool:
        """Whether the model has called only our tools, so that its answer is still to come."""
        return bool(self._ours) and not self._places

    def sifted(self, event: dict[str, Any]) -> dict[str, Any] | None:
        """The event as the client sees it; the same object if nothing changed."""
        choice = first_choice(event)
        if not choice:
            # The usage of an answer that will continue; the client gets the final usage.
            return None if self.only_ours else event
        delta = cast("dict[str, Any]", choice.get("delta") or {})
        calls = calls_in(delta)
        kept = [
            {**entry, "index": self._places[place_of(entry)]} for entry in calls if self._is_theirs(entry)
        ]
        if self.only_ours and choice.get("finish_reason"):
            choice = {**choice, "finish_reason": None}
        elif kept == calls:
            return event
        rest = {name: value for name, value in delta.items() if name != "tool_calls"}
        if kept:
            rest["tool_calls"] = kept
        if not any(rest.values()):
            return None
        return {**event, "choices": [{**choice, "delta": rest}]}

    def _is_theirs(self, entry: Mapping[str, Any]) -> bool:
        place = place_of(entry)
        if place not in self._ours and place not in self._places:
            if _name(entry) in self.names:
                self._ours.add(place)
            else:
                self._places[place] = len(self._places)
        return place in self._places


def without_ours(answer: Mapping[str, Any], names: frozenset[str]) -> dict[str, Any]:
    """A non-streamed answer with only the client's calls in its first choice."""
    choice = first_choice(answer)
    message = cast("dict[str, Any]", choice["message"])
    calls = [entry for entry in calls_in(message) if _name(entry) not in names]
    shown = {**choice, "message": {**message, "tool_calls": calls}}
    choices = cast("list[object]", answer["choices"])
    return {**answer, "choices": [shown if item is choice else item for item in choices]}


def _tools(body: Mapping[str, Any]) -> list[object]:
    """The client's own tools."""
    given = body.get("tools")
    return cast("list[object]", given) if isinstance(given, list) else []


def _name(tool: object) -> str:
    """The name of a tool or a tool call."""
    function = cast("dict[str, Any]", tool).get("function") if isinstance(tool, dict) else None
    name = cast("dict[str, Any]", function).get("name") if isinstance(function, dict) else None
    return name if isinstance(name, str) else ""

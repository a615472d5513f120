"""The client for models: tools and their calls, and a message answered word by word."""

import json
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Mapping
from typing import Any, cast

from recollect.api.opened import LOCAL_USER
from recollect.client.connected import Connected
from recollect.client.reading import read
from recollect.client.spelling import body_of, given, json_value, segment
from recollect.client.transport import NOBODY, Asked
from recollect.errors import InvalidInput
from recollect.records.message import check_name
from recollect.records.talk import TalkEvent, TalkEventKind
from recollect.records.tool_reply import ToolReply, refusal
from recollect.rules.budget import DEFAULT_BUDGET


class Talking(Connected):
    """What a model is offered, and what it answers."""

    async def tools(self, format: str = "openai") -> list[dict[str, Any]]:
        """The schemas of all tools as a provider takes them: openai, anthropic or gemini."""
        return (await self._transport.get("/v1/tools", user=NOBODY, format=format))["tools"]

    async def call_tool(
        self,
        name: str,
        arguments: Mapping[str, Any] | str | None = None,
        *,
        user: str = LOCAL_USER,
        persona: str | None = None,
        chat: str | None = None,
    ) -> ToolReply:
        """Carry out what a model asks for; `is_error` says that the tool refused, and `text` why.

        `arguments` is an object, or its JSON text as OpenAI hands it out. With `persona` the tool knows what that persona
        knows. With `chat` a stored fact is linked to what the user said last in that chat, and is forgotten with it.
        """
        try:
            given_arguments = json_value(_object(name, arguments), "arguments")
        except InvalidInput as error:
            return refusal(error.message)
        body = {
            "arguments": given_arguments,
            **given(
                persona_id=None if persona is None else check_name(persona, field="persona_id"),
                chat_id=None if chat is None else check_name(chat, field="chat_id"),
            ),
        }
        found = await self._transport.send("POST", f"/v1/tools/{segment(name, 'name')}", body, user=user)
        return read(ToolReply, found, user=user)

    async def talk(
        self,
        text: str,
        *,
        user: str = LOCAL_USER,
        chat_id: str | None = None,
        persona: str | None = None,
        model: str | None = None,
        instructions: str | None = None,
        sources: Iterable[str | Mapping[str, Any]] = (),
        budget: int = DEFAULT_BUDGET,
        key: str | None = None,
    ) -> AsyncGenerator[TalkEvent, None]:
        """Say something and be answered by a model, word by word; both are recorded, also when the listener leaves.

        Without `chat_id` a new chat begins. `model` is another than the settings', `instructions` stand before everything,
        `sources` (texts, or objects with title and text) right before what is recalled and the question; neither counts
        against the `budget`. The same `key` with the same words within a day records them once.
        """
        body = {
            **body_of(text=text, sources=sources, budget=budget),
            **given(chat_id=chat_id, persona_id=persona, model=model, instructions=instructions),
        }
        asked = Asked(
            method="POST",
            path="/v1/message/first" if chat_id is None else "/v1/message",
            user=user,
            body=body,
            key=key,
            headers={"Accept": "text/event-stream"},
        )
        async with self._transport.stream(asked) as response:
            async for event in _events(response.aiter_lines()):
                yield event


async def _events(lines: AsyncIterator[str]) -> AsyncGenerator[TalkEvent, None]:
    """Server-sent events, as the service writes them: a name, one line of data, an empty line."""
    kind = ""
    async for line in lines:
        name, _, value = line.partition(": ")
        if name == "event":
            kind = value
        elif name == "data":
            yield TalkEvent(kind=TalkEventKind(kind), data=json.loads(value))


def _object(tool: str, arguments: object) -> Mapping[str, Any]:
    """The arguments as an object, for that is what the service takes."""
    found: object = arguments
    if isinstance(arguments, str):
        try:
            found = json.loads(arguments) if arguments.strip() else {}
        except (ValueError, RecursionError):
            raise InvalidInput(
                f"The arguments of {tool} are not valid JSON. Send one JSON object.", field="arguments"
            ) from None
    if found is not None and not isinstance(found, Mapping):
        raise InvalidInput(f"The arguments of {tool} must be one JSON object.", field="arguments")
    return cast("Mapping[str, Any]", found or {})

"""The face for talking: a message answered by a model as it speaks, and requests of OpenAI clients with memory added.

The methods translate arguments and hand over to the verbs of the engine; no rule lives here. Both give what comes as it
comes, so that the synchronous face has no twin of them.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping
from contextlib import aclosing
from typing import Any

from recollect.api.opened import LOCAL_USER
from recollect.api.tools import Tools
from recollect.engine import accompany, talk
from recollect.engine.accompany import Accompanied, Answered
from recollect.engine.offered_tools import OfferedTools
from recollect.engine.parts import Parts
from recollect.errors import InvalidInput
from recollect.records.memory import check_text, check_user_id
from recollect.records.message import MAX_TEXT, check_name
from recollect.records.passage import parse_passages
from recollect.records.talk import TalkEvent
from recollect.records.tool_reply import ToolReply
from recollect.rules.budget import DEFAULT_BUDGET, check_budget
from recollect.rules.completion import chat_of


class Talking(Tools):
    """Answers, while somebody waits."""

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
        asked = talk.Asked(
            text=text,
            chat_id=_named(chat_id, "chat_id"),
            persona_id=_named(persona, "persona_id"),
            model=_named(model, "model"),
            instructions=_instructions(instructions),
            sources=parse_passages(sources),
            budget=check_budget(budget),
            key=_named(key, "key"),
        )
        user_id = check_user_id(user)
        async with aclosing(talk.talk(await self._working(), user_id, asked)) as events:
            async for event in events:
                yield event

    @property
    def completions(self) -> "Completions":
        """What a service asks for clients of OpenAI's protocol."""
        return Completions(self._working, self)


class Completions:
    """Chat completions with memory."""

    def __init__(self, working: Callable[[], Awaitable[Parts]], tools: Tools) -> None:
        self._working = working
        self._tools = tools

    async def answer(
        self,
        content: bytes,
        *,
        user: str,
        chat_id: str | None = None,
        persona: str | None = None,
        budget: int | None = None,
        memory: bool = True,
        tools: bool = False,
    ) -> Answered:
        """Pass a request on to the model with memory added, and record the turn.

        `content` is the request as it came. `memory` and `tools` say whether memory is added and our tools are offered;
        without a `budget` the one of the settings counts.
        """
        request = accompany.read(content)
        user_id = check_user_id(user)
        chat, persona_id = _named(chat_id, "chat_id"), _named(persona, "persona_id")
        parts = await self._working()
        allowed = check_budget(parts.settings.proxy_budget if budget is None else budget)
        named = chat or chat_of(request)

        async def call(name: str, arguments: str) -> ToolReply:
            return await self._tools.call_tool(name, arguments, user=user_id, persona=persona_id, chat=named)

        asked = Accompanied(
            request=request,
            content=content,
            chat_id=named,
            persona_id=persona_id,
            budget=allowed if memory else None,
            tools=OfferedTools(schemas=await self._tools.tools("openai"), call=call) if tools else None,
        )
        return await accompany.accompany(parts, user_id, asked)

    async def models(self) -> Answered:
        """Which models there are."""
        return await accompany.models(await self._working())

    async def model(self, name: str) -> Answered:
        """One of the models."""
        return await accompany.model(await self._working(), name)

    async def embeddings(self, content: bytes) -> Answered:
        """Pass a request for embeddings on to the model's server."""
        return await accompany.embeddings(await self._working(), content)


def _named(value: str | None, field: str) -> str | None:
    return None if value is None else check_name(value, field=field)


def _instructions(value: str | None) -> str:
    text = "" if value is None else check_text(value, field="instructions").strip()
    if len(text) > MAX_TEXT:
        raise InvalidInput(
            f"instructions have {len(text)} characters (maximum {MAX_TEXT}).", field="instructions"
        )
    return text

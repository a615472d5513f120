"""`recollect chat`: chat with the model in the settings, with memory, or see what a model would get.

Each line is recorded first, so that nothing is lost if the model fails or the user leaves. The memory and the background
worker run in their own thread; each model call runs here, in its own event loop.
"""

import asyncio
import io
import secrets
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing, suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any, TypeVar
from urllib.parse import urlsplit

import typer

from recollect.cli import context, options, rendering
from recollect.cli.opening import opened, settings_for
from recollect.cli.output import Output, complain, exit_code, is_terminal, note, typed_line
from recollect.errors import InvalidInput, ModelError, RecollectError
from recollect.rules.budget import DEFAULT_BUDGET
from recollect.settings import Settings

if TYPE_CHECKING:
    from recollect import Chat, Context, Memory
    from recollect.models.openai import OpenAI

T = TypeVar("T")

#: Seconds to wait for open work on exit: rules take milliseconds, and a model continues next time.
_DRAIN_SECONDS = 3.0
_LEAVING = ("/quit", "/q", "/exit")
_WITHOUT_MODEL = (
    "Your messages are saved, and you see what a model would get. To get answers, set RECOLLECT_CHAT_MODEL"
    " and either OPENAI_API_KEY or OPENAI_BASE_URL."
)
#: Commands, and what they do.
HELP = (
    ("any text", "talk to the model"),
    ("/context", "show what the model got for the last line, and why"),
    ("/pins", "list this chat's pins"),
    ("/pin TEXT", "pin a fact, so that the model always sees it"),
    ("/todos", "list open todos"),
    ("/brief", "show the summary of older messages"),
    ("/help", "show this list"),
    ("/quit", "leave (or press Ctrl-D)"),
)


def chat(
    chat_id: Annotated[
        str | None, options.an_id("--chat", metavar="CHAT", help="Continue this chat. Default: a new chat.")
    ] = None,
    persona: options.Persona = None,
    budget: options.Budget = DEFAULT_BUDGET,
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Chat with memory. Facts and todos are extracted automatically."""
    out = Output(as_json=as_json)
    settings = settings_for(db)
    typing = is_terminal(sys.stdin) and out.terminal and not as_json
    with opened(db, settings, working=True) as memory:
        thread = memory.chat(_new_id() if chat_id is None else chat_id, user=user, persona=persona)
        talk = Talk(memory, thread, Output(stream=io.StringIO()) if as_json else out, settings, budget)
        if typing:
            _in_terminal(talk, thread, out, settings.chat_model)
        else:
            _piped(talk, settings.chat_model)
        if settings.worker == "on" and talk.turns:
            _finish(memory, user)
    kept = f"Saved. To continue, run `recollect chat --chat {thread.chat_id}`."
    if out.as_json:
        out.json({"chat_id": thread.chat_id, "turns": talk.turns})
    elif talk.kept and typing:
        out.line((kept, "dim"))
    elif talk.kept and chat_id is None:
        # On standard error, to keep standard output clean.
        note(kept)
    if talk.failure is not None and not typing:
        raise typer.Exit(exit_code(talk.failure))


def _new_id() -> str:
    return f"chat-{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(2)}"


class Talk:
    """One user in one chat, line by line."""

    def __init__(self, memory: "Memory", chat: "Chat", out: Output, settings: Settings, budget: int) -> None:
        self._memory = memory
        self._chat = chat
        self._out = out
        self._settings = settings
        self._budget = budget
        self._given: Context | None = None
        #: The turns, for JSON output.
        self.turns: list[dict[str, Any]] = []
        #: Whether the chat contains anything from this talk.
        self.kept = False
        #: The last error.
        self.failure: RecollectError | None = None

    def hear(self, line: str) -> bool:
        """Handle one line; return False if the user leaves. Errors are reported, and the chat continues."""
        word, _, rest = line.strip().partition(" ")
        if word.lower() in _LEAVING:
            return False
        try:
            if word.startswith("/"):
                self._command(word.lower(), rest.strip())
            elif word:
                self._turn(line.strip())
        except RecollectError as error:
            self.failure = error
            complain(error.message, as_json=False)
        return True

    def _turn(self, line: str) -> None:
        recorded = self._chat.add(user=line)
        turn: dict[str, Any] = {**recorded.to_dict(), "context": None, "error": None}
        self.turns.append(turn)
        self.kept = True
        rendering.recorded_pins(self._out, recorded)
        try:
            given = self._given = self._chat.context(tokens=self._budget)
            turn["context"] = context.to_json(given)
            if not self._settings.chat_model:
                if len(self.turns) > 1 and not self._out.terminal:
                    self._out.line()
                context.context_lines(self._out, given, explain=False)
            else:
                model = self._settings.chat_model
                answered = self._chat.add(assistant=self._answer(given), model_id=model)
                turn["messages"] += answered.to_dict()["messages"]
        except RecollectError as error:
            turn["error"] = error.message
            raise

    def _answer(self, given: "Context") -> str:
        """The model's answer, shown as it arrives."""
        begun = False

        def show(piece: str) -> None:
            nonlocal begun
            begun = True
            self._out.document(piece)

        try:
            return spoken(self._settings, given.to_openai(), show)
        finally:
            if begun:
                self._out.line()

    def _command(self, word: str, rest: str) -> None:
        match word:
            case "/context":
                given = self._given or self._chat.context(tokens=self._budget)
                context.context_lines(self._out, given, explain=True)
            case "/pins":
                rendering.pins_lines(self._out, self._chat.pins())
            case "/pin":
                if not rest:
                    raise InvalidInput("Pin what? Example: /pin My sister's name is Ann")
                rendering.pin_lines(self._out, self._chat.pin(rest), "Pinned: ")
                self.kept = True
            case "/todos":
                found = self._memory.todos(user=self._chat.user_id, persona=self._chat.persona_id)
                rendering.todos_lines(self._out, found)
            case "/brief":
                rendering.brief_lines(self._out, self._chat.brief())
            case "/help" | "/h" | "/?":
                self._out.table([((name, "cyan"), meaning) for name, meaning in HELP], indent=2)
            case _:
                raise InvalidInput(f"There is no command {word}. To list commands, type /help.")


def _in_terminal(talk: Talk, thread: "Chat", out: Output, model: str) -> None:
    out.line((thread.chat_id, "bold green"), f" · {f'answered by {model}' if model else 'without a model'}")
    if not model:
        out.line((_WITHOUT_MODEL, "dim"))
    out.line(("To list commands, type /help. To leave, press Ctrl-D.", "dim"))
    # At the prompt, Ctrl-C and Ctrl-D both mean "leave".
    with suppress(EOFError, KeyboardInterrupt):
        going_on = True
        while going_on:
            line = typed_line(out, "you> ")
            try:
                going_on = talk.hear(line)
            except KeyboardInterrupt:
                out.line(("Stopped. Your message is saved, but not the answer.", "yellow"))
    out.line()


def _piped(talk: Talk, model: str) -> None:
    """One turn per line."""
    if not model:
        note(_WITHOUT_MODEL)
    try:
        for line in sys.stdin:
            if not talk.hear(line):
                return
    except UnicodeDecodeError as error:
        raise InvalidInput("Standard input is not valid UTF-8.") from error


def _finish(memory: "Memory", user: str) -> None:
    """Give open work a moment to finish; the rest is done next time."""
    with suppress(KeyboardInterrupt):
        if not memory.drain(user=user, timeout=_DRAIN_SECONDS):
            note("Some background work is left. The next chat does it, or run `recollect worker --once`.")


# -- models -------------------------------------------------------------------------------------------------

#: The default host of OPENAI_BASE_URL, which requires a key.
_OPENAI = "api.openai.com"
#: For checking whether a model answers: the timeout in seconds, the question, and the maximum tokens.
_PATIENCE = 15.0
_HELLO = "Reply with the word OK."
_WORD = 16


def spoken(settings: Settings, messages: Sequence[Mapping[str, Any]], show: Callable[[str], None]) -> str:
    """The chat model's whole answer; each piece is shown as it arrives."""

    async def listen(server: "OpenAI") -> str:
        pieces: list[str] = []
        async with aclosing(server.stream(messages, model=settings.chat_model)) as words:
            async for piece in words:
                pieces.append(piece)
                show(piece)
        return "".join(pieces)

    # A person waits: one more try, then an error.
    return _asked(settings, listen, seconds=settings.model_timeout_seconds, retries=1)


def reach_model(settings: Settings, model: str) -> None:
    """Raise an error if the model does not answer."""
    messages = [{"role": "user", "content": _HELLO}]
    _asked(settings, lambda server: server.complete(messages, model=model, max_tokens=_WORD))


def reach_prompt(settings: Settings) -> None:
    """Raise an error if the hosted prompt does not answer."""
    prompt, version = settings.summary_prompt_id, settings.summary_prompt_version
    _asked(settings, lambda server: server.responses(prompt, version, _HELLO))


def _asked(
    settings: Settings,
    ask: Callable[["OpenAI"], Awaitable[T]],
    *,
    seconds: float = _PATIENCE,
    retries: int = 0,
) -> T:
    from recollect.models.openai import OpenAI  # Deferred: httpx2.

    if not settings.openai_api_key and urlsplit(settings.openai_base_url).hostname == _OPENAI:
        raise ModelError(
            f"OPENAI_API_KEY is not set, and {_OPENAI} requires it. Set it, or set OPENAI_BASE_URL to your own server."
        )

    async def once() -> T:
        server = OpenAI(
            base_url=settings.openai_base_url,
            api_key=settings.openai_api_key,
            timeout_seconds=min(settings.model_timeout_seconds, seconds),
            max_retries=retries,
        )
        try:
            return await ask(server)
        finally:
            await server.aclose()

    return asyncio.run(once())

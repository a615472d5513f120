"""`recollect chat`: talk, with everything remembered, to the model that the settings name; or see what it would be given.

Each line is recorded before anything else happens, so that a model which fails, or a person who leaves, loses nothing.
The memory runs in a thread of its own, with the background worker; the model is asked from here.
"""

import io
import secrets
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from recollect.cli import chats, context, exit_codes, options, pins, todos
from recollect.cli.conversation import typed_line
from recollect.cli.opening import opened, settings_for
from recollect.cli.output import Output, complain, is_terminal, note
from recollect.errors import InvalidInput, RecollectError
from recollect.rules.budget import DEFAULT_BUDGET, check_budget
from recollect.settings import Settings

if TYPE_CHECKING:
    from recollect.api.blocking import Chat, Memory
    from recollect.context import Context

#: Seconds that a leaving person waits for open work: rules take milliseconds, a model goes on next time.
_DRAIN_SECONDS = 3.0
_LEAVING = ("/quit", "/q", "/exit")
#: What one can type, and what it does.
HELP = (
    ("any text", "is said to the model"),
    ("/context", "what the model was given for the last line, and why"),
    ("/pins", "what is pinned in this chat"),
    ("/pin TEXT", "pin a fact: the model sees it on every turn"),
    ("/todos", "what is open"),
    ("/brief", "the summary of everything before the last messages"),
    ("/help", "this"),
    ("/quit", "leave; so does Ctrl-D"),
)

#: Hands each piece of an answer on as it comes; the whole answer.
Speak = Callable[[Sequence[Mapping[str, Any]], Callable[[str], None]], str]


def chat(
    chat_id: Annotated[
        str | None,
        typer.Option(
            "--chat",
            metavar="CHAT",
            help="Go on with this chat; without it a new one.",
            callback=options.named,
        ),
    ] = None,
    persona: options.Persona = None,
    budget: options.Budget = DEFAULT_BUDGET,
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Talk to your model, with memory. Facts and todos form of what you say. Without a model, see what one would be given."""
    out = Output(as_json=as_json)
    settings = settings_for(db)
    check_budget(budget)
    typing = is_terminal(sys.stdin) and out.terminal and not as_json
    with opened(db, settings, working=True) as memory:
        thread = memory.chat(_new_id() if chat_id is None else chat_id, user=user, persona=persona)
        talk = Talk(
            memory,
            thread,
            Output(stream=io.StringIO()) if as_json else out,
            model=settings.chat_model,
            speak=_speaker(settings) if settings.chat_model else None,
            budget=budget,
        )
        if typing:
            _in_terminal(talk, thread, out, settings.chat_model)
        else:
            _piped(talk, settings.chat_model)
        if settings.worker == "on" and talk.turns:
            _finish(memory, user)
    _take_leave(talk, thread, out, typing=typing, new=chat_id is None)


def _take_leave(talk: "Talk", thread: "Chat", out: Output, *, typing: bool, new: bool) -> None:
    """Say where the chat is; nobody reads a pipe's errors line by line, so that they are the exit code, too."""
    kept = f"Kept. Go on with `recollect chat --chat {thread.chat_id}`."
    if out.as_json:
        out.json({"chat_id": thread.chat_id, "turns": talk.turns})
    elif talk.kept and typing:
        out.line((kept, "dim"))
    elif talk.kept and new:
        # On standard error: the answers on standard output stay clean.
        note(kept)
    if talk.failure is not None and not typing:
        raise typer.Exit(exit_codes.of(talk.failure))


def _new_id() -> str:
    return f"chat-{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(2)}"


class Talk:
    """One person in one chat, a line at a time."""

    def __init__(
        self, memory: "Memory", chat: "Chat", out: Output, *, model: str, speak: Speak | None, budget: int
    ) -> None:
        self._memory = memory
        self._chat = chat
        self._out = out
        self._model = model
        self._speak = speak
        self._budget = budget
        self._given: Context | None = None
        #: What was said, for JSON.
        self.turns: list[dict[str, Any]] = []
        #: Whether the chat holds anything of this talk.
        self.kept = False
        #: The last thing that failed.
        self.failure: RecollectError | None = None

    def hear(self, line: str) -> bool:
        """Take one line; False when the person leaves. An error is told, and the talk goes on."""
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
        turn: dict[str, Any] = {**chats.recorded_json(recorded), "context": None, "error": None}
        self.turns.append(turn)
        self.kept = True
        chats.pinned_lines(self._out, recorded)
        try:
            given = self._given = self._chat.context(budget=self._budget)
            turn["context"] = context.to_json(given)
            if self._speak is None:
                if len(self.turns) > 1 and not self._out.terminal:
                    self._out.line()
                context.context_lines(self._out, given, explain=False)
            else:
                answered = self._chat.add(assistant=self._answer(given, self._speak), model_id=self._model)
                turn["messages"] += chats.recorded_json(answered)["messages"]
        except RecollectError as error:
            turn["error"] = error.message
            raise

    def _answer(self, given: "Context", speak: Speak) -> str:
        """The model's answer, shown while it comes."""
        begun = False

        def show(piece: str) -> None:
            nonlocal begun
            begun = True
            self._out.document(piece)

        try:
            return speak(given.to_openai(), show)
        finally:
            if begun:
                self._out.line()

    def _command(self, word: str, rest: str) -> None:
        match word:
            case "/context":
                given = self._given or self._chat.context(budget=self._budget)
                context.context_lines(self._out, given, explain=True)
            case "/pins":
                pins.pins_lines(self._out, self._chat.pins())
            case "/pin":
                if not rest:
                    raise InvalidInput("Pin what? /pin My sister's name is Ann")
                pins.pin_lines(self._out, self._chat.pin(rest), "Pinned: ")
                self.kept = True
            case "/todos":
                found = self._memory.todos(user=self._chat.user_id, persona=self._chat.persona_id)
                todos.todos_lines(self._out, found)
            case "/brief":
                chats.brief_lines(self._out, self._chat.brief())
            case "/help" | "/h" | "/?":
                help_lines(self._out)
            case _:
                raise InvalidInput(f"There is no {word}; /help shows what there is.")


def help_lines(out: Output) -> None:
    """What one can type."""
    out.table([((name, "cyan"), meaning) for name, meaning in HELP], indent=2)


# -- who types, and who answers ---------------------------------------------------------------------------


def _in_terminal(talk: Talk, thread: "Chat", out: Output, model: str) -> None:
    out.line((thread.chat_id, "bold green"), f" · {f'answered by {model}' if model else 'without a model'}")
    if not model:
        out.line((_WITHOUT_MODEL, "dim"))
    out.line(("/help shows what you can type; Ctrl-D leaves.", "dim"))
    # At the prompt Ctrl-C and Ctrl-D both mean "enough".
    with suppress(EOFError, KeyboardInterrupt):
        going_on = True
        while going_on:
            line = typed_line(out, "you> ")
            try:
                going_on = talk.hear(line)
            except KeyboardInterrupt:
                out.line(("Stopped. What you said is kept, the answer is not.", "yellow"))
    out.line()


_WITHOUT_MODEL = (
    "Your words are kept, and you see what a model would be given. To be answered, set RECOLLECT_CHAT_MODEL,"
    " and OPENAI_API_KEY or OPENAI_BASE_URL."
)


def _piped(talk: Talk, model: str) -> None:
    """One line a turn."""
    if not model:
        note(_WITHOUT_MODEL)
    try:
        for line in sys.stdin:
            if not talk.hear(line):
                return
    except UnicodeDecodeError as error:
        raise InvalidInput("Standard input is not UTF-8 text.") from error


def _finish(memory: "Memory", user: str) -> None:
    """Give open work a moment; what is left is kept, and done next time."""
    with suppress(KeyboardInterrupt):
        if not memory.drain(user=user, seconds=_DRAIN_SECONDS):
            note("Some background work is left; the next chat or `recollect drain` does it.")


def _speaker(settings: Settings) -> Speak:
    """The model of the settings."""
    from recollect.cli.asking import spoken  # Deferred: the client of models.

    return partial(spoken, settings)

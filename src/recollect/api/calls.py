"""Explains incorrect calls of public methods: which argument is missing, unknown or extra, and what to write instead.

A correct call costs only one more function call; the signature is inspected only after a `TypeError`.
"""

import difflib
import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from recollect.errors import InvalidInput

#: Names that other memory libraries use for our arguments; the first one that the method has is suggested.
_OTHER_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "user_id": ("user",),
    "username": ("user",),
    "peer": ("user",),
    "peer_id": ("user",),
    "agent_id": ("persona",),
    "persona_id": ("persona",),
    "app_id": ("persona",),
    "chat_id": ("chat", "chat_id"),
    "session_id": ("chat", "session"),
    "session": ("chat",),
    "run_id": ("chat",),
    "thread_id": ("chat",),
    "conversation_id": ("chat",),
    "message_id": ("message",),
    "memory_id": ("memory", "memory_id"),
    "entity_key": ("entity",),
    "all": ("everything",),
    "top_k": ("limit",),
    "k": ("limit",),
    "n": ("limit",),
    "size": ("limit",),
    "page_size": ("limit",),
    "max_results": ("limit",),
    "page": ("cursor",),
    "offset": ("cursor",),
    "after": ("cursor",),
    "before": ("cursor",),
    "budget": ("tokens",),
    "max_tokens": ("tokens",),
    "token_budget": ("tokens",),
    "episodes": ("messages",),
    "metadata": ("tags",),
    "labels": ("tags",),
    "reasoning": ("reason",),
    "key": ("idempotency_key",),
    "seconds": ("timeout",),
    "data": ("content", "text", "messages", "document"),
    "text": ("content", "text", "query"),
    "memory": ("content", "memory"),
    "messages": ("content",),
    "content": ("text", "content"),
    "new_content": ("content",),
    "question": ("query",),
    "q": ("query",),
    "path": ("database",),
    "db": ("database",),
    "db_path": ("database",),
    "api_key": ("service_key",),
    "host": ("base_url",),
    "url": ("base_url",),
}
#: A description and an example of each argument.
_MEANT: Final[Mapping[str, tuple[str, str]]] = {
    "content": ("the text to remember", '"I\'m vegan"'),
    "items": ("a list of texts", '["I\'m vegan", "I live in Oslo"]'),
    "query": ("the question", '"What does she eat?"'),
    "text": ("the text", '"I\'m vegan"'),
    "memory_id": ("the id of a memory", "memory_id"),
    "message_id": ("the id of a message", "message_id"),
    "chat_id": ("the id of a chat", '"dads-health"'),
    "pin_id": ("the id of a pin", "pin_id"),
    "todo_id": ("the id of a todo", "todo_id"),
    "proposal_id": ("the id of a proposal", "proposal_id"),
    "job_id": ("the id of a job", "job_id"),
    "token_id": ("the id of a token", "token_id"),
    "key": ("the key of an entity", '"person:jane"'),
    "alias": ("the name to replace", '"person:bob"'),
    "into": ("the name to keep", '"person:robert"'),
    "facts": ("a list of facts", '[{"content": "I live in Oslo"}]'),
    "document": ("an export", "document"),
    "messages": ("a list of messages", '[{"role": "user", "text": "Hello"}]'),
    "title": ("a title", '"Dad\'s health"'),
    "name": ("the name of a tool", '"store_memory"'),
    "accept": ("accept=True or accept=False", "accept=True"),
}
#: Names that other memory libraries use for our methods.
_OTHER_METHODS: Final[Mapping[str, str]] = {
    "get_all": "memories",
    "list": "memories",
    "delete": "forget",
    "delete_all": "forget(everything=True)",
    "reset": "forget(everything=True)",
    "remember": "add",
    "store": "add",
    "save": "add",
    "recall": "search",
    "query": "search",
    "get_context": "context",
    "session": "chat",
    "record": "add",
    "add_message": "add",
    "add_messages": "add",
}


class Explained:
    """Makes the public methods and the constructors of its subclasses explain what is wrong with a call."""

    #: The variable name for an object of the class in examples.
    _written = "memory"

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        for name, member in list(vars(cls).items()):
            if inspect.isfunction(member) and (name == "__init__" or not name.startswith("_")):
                setattr(cls, name, _explained(member))

    if not TYPE_CHECKING:  # Type checkers must still report names that do not exist.

        def __getattr__(self, name: str) -> Any:
            kind = type(self)
            other = _OTHER_METHODS.get(name, "")
            hint = f"; did you mean {other!r}?" if other and hasattr(kind, other.partition("(")[0]) else ""
            raise AttributeError(f"{kind.__name__!r} has no method {name!r}{hint}", name=name, obj=self)


def _explained(method: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(method)
    def call(*args: Any, **named: Any) -> Any:
        try:
            return method(*args, **named)
        except TypeError:
            wrong = _wrong(method, args, named)
            if wrong is None:
                raise
        raise wrong

    return call


def _wrong(method: Callable[..., Any], args: Sequence[Any], named: Mapping[str, Any]) -> InvalidInput | None:
    """What is wrong with these arguments; None if they fit and the type error has another cause."""
    signature = inspect.signature(method)
    try:
        signature.bind(*args, **named)
    except TypeError:
        pass
    else:
        return None
    parameters = list(signature.parameters.values())[1:]
    call = _Call(method.__name__, args[0], parameters)
    unknown = [name for name in named if not any(_takes(item, name) for item in parameters)]
    if unknown:
        return call.unknown(unknown[0])
    placed = [item for item in parameters if item.kind is not item.KEYWORD_ONLY]
    if len(args) - 1 > len(placed):
        return call.surplus()
    missing = [
        item
        for place, item in enumerate(parameters)
        if item.default is item.empty and item.name not in named and place >= len(args) - 1
    ]
    return call.missing(missing[0]) if missing else call.twice(set(named))


def _takes(item: inspect.Parameter, name: str) -> bool:
    return item.name == name and item.kind is not item.POSITIONAL_ONLY


class _Call:
    """An incorrect call, and how to correct it."""

    def __init__(self, name: str, called: object, parameters: Sequence[inspect.Parameter]) -> None:
        kind = type(called)
        self._name = kind.__name__ if name == "__init__" else name
        self._written = (
            kind.__name__ if name == "__init__" else f"{getattr(kind, '_written', 'memory')}.{name}"
        )
        self._parameters = parameters
        self._placed = [item.name for item in parameters if item.kind is item.POSITIONAL_ONLY]
        self._named = [item.name for item in parameters if item.kind is not item.POSITIONAL_ONLY]

    def unknown(self, name: str) -> InvalidInput:
        others = [name, *_OTHER_NAMES.get(name, ())]
        known = next((other for other in others if other in self._placed or other in self._named), None)
        if known in self._placed:
            first = "first" if self._placed[0] == known else "by position"
            what = _MEANT.get(known, (known, ""))[0]
            return self._error(
                f"has no keyword argument {name!r}; pass {what} {first}, without a name", name, self._call()
            )
        close = [known] if known else difflib.get_close_matches(name, self._named, n=1, cutoff=0.6)
        if close:
            return self._error(f"has no argument {name!r}; did you mean {close[0]!r}?", name)
        return self._error(f"has no argument {name!r}; it takes {', '.join(self._named) or 'none'}.", name)

    def missing(self, item: inspect.Parameter) -> InvalidInput:
        what = _MEANT.get(item.name, (item.name, ""))[0]
        return self._error(f"needs {what}", item.name, self._call())

    def surplus(self) -> InvalidInput:
        """More positional arguments than the method takes."""
        if not self._named:
            return self._error(f"takes {', '.join(self._placed) or 'no arguments'} and nothing more.", "")
        much = (
            f"takes only {', '.join(self._placed)} by position"
            if self._placed
            else "takes no positional arguments"
        )
        shown = {"content": 'content="…"', "user": 'user="alice"'}
        last = next((shown[name] for name in shown if name in self._named), f"{self._named[0]}=…")
        return self._error(f"{much}; pass the rest by name: {self._call(last)}.", "")

    def twice(self, named: set[str]) -> InvalidInput:
        name = next((item.name for item in self._parameters if item.name in named), "")
        return self._error(f"was given {name!r} twice, by position and by name.", name)

    def _call(self, *more: str) -> str:
        needed = [item for item in self._parameters if item.default is item.empty]
        shown = [item.name for item in needed] or self._placed[:1]
        shown = [_MEANT.get(name, ("", name))[1] for name in shown]
        return f"{self._written}({', '.join([*shown, *more])})"

    def _error(self, wrong: str, field: str, example: str = "") -> InvalidInput:
        return InvalidInput(f"{self._name}() {wrong}{f': {example}.' if example else ''}", field=field)

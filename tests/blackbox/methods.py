"""Every public method of a memory and of a chat, found by looking, and how each is called: a new one is tried, too."""

import inspect
from collections.abc import Iterator
from typing import Any

from recollect import Chat, Memory

FACT = "User keeps a blue kettle in the old shop in Porto"
#: What stands for an argument that a method cannot do without; `$x` is the thing of that name.
NEEDED: dict[str, Any] = {
    "content": FACT, "items": [FACT], "query": "What is in the garden?", "memory_id": "$memory", "chat_id": "$chat",
    "message_id": "$message", "text": "Some new words", "pin_id": "$pin", "todo_id": "$todo", "proposal_id": "$proposal",
    "key": "$entity", "alias": "$alias", "into": "$entity", "facts": [{"content": FACT}], "accept": False, "title": "Walks",
    "document": {"recollect": 1, "memories": []}, "start_message_id": "$start", "end_message_id": "$end", "message_count": 2,
}  # fmt: skip
#: What a method is given besides, so that it has something to do.
BESIDES: dict[str, dict[str, Any]] = {
    "Memory.update": {"content": "User was here before you"}, "Memory.update_pin": {"content": "Ha!"},
    "Memory.update_todo": {"status": "done"}, "Chat.add": {"user": "Hello.", "assistant": "Hi."},
}  # fmt: skip
Method = tuple[str, list[inspect.Parameter]]


def methods(kind: type[Memory] | type[Chat]) -> Iterator[Method]:
    """Names with their parameters."""
    for name, method in inspect.getmembers(kind, inspect.isfunction):
        if not name.startswith("_") and name != "close":
            parameters = list(inspect.signature(method).parameters.values())[1:]
            yield f"{kind.__name__}.{name}", parameters


def call(target: Any, method: Method, things: dict[str, Any], /, **given: Any) -> Any:
    """Call a method of somebody's memory or chat with what it needs, and with what is given."""
    name, parameters = method
    placed: list[Any] = []
    named: dict[str, Any] = dict(given)
    for item in parameters:
        value = NEEDED[item.name] if item.default is item.empty else item.default
        value = given.get(item.name, value)
        if isinstance(value, str) and value.startswith("$"):
            value = things[value[1:]]
        if item.kind is item.POSITIONAL_ONLY:
            placed.append(value)
            named.pop(item.name, None)
        elif item.default is item.empty or item.name in given:
            named[item.name] = value
    return getattr(target, name.partition(".")[2])(*placed, **{**BESIDES.get(name, {}), **named})

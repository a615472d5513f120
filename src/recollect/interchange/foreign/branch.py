"""The branch of a conversation that its user saw last.

Products keep what was edited away or generated anew: a conversation is a tree, in which each message names the one before
it. The branch is the way from the end back to the beginning. It does not know messages, only their names.
"""

from collections.abc import Mapping

from recollect.errors import InvalidInput


def branch(parents: Mapping[str, str | None], end: str) -> tuple[list[str], str | None]:
    """The names from the beginning to the end; and the one that is not there, if the way breaks off at it."""
    way: list[str] = []
    seen: set[str] = set()
    name: str | None = end
    while name is not None and name in parents:
        if name in seen:
            raise InvalidInput("its messages go round in a circle.")
        seen.add(name)
        way.append(name)
        name = parents[name]
    way.reverse()
    return way, name


def last_leaf(parents: Mapping[str, str | None]) -> str | None:
    """The last name, in the order given, that nobody comes after."""
    inner = set(parents.values())
    return next((name for name in reversed(list(parents)) if name not in inner), None)

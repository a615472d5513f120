"""A group of commands that does something by its name alone: what its first command does.

`recollect chats` lists chats, `recollect pins CHAT` lists pins, `recollect pins add CHAT TEXT` adds one. It only puts the
first command's name where the person left it out; commands and their help stay those of Typer. A callback of the group
with options of its own was rejected: `recollect todos --user ann add …` would add to somebody else's list.
"""

from typing import Any

from typer.core import TyperGroup

_HELP = ("-h", "--help")


class FirstByDefault(TyperGroup):
    """Without a command, the first one is meant."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Add the name of the first command where none was given."""
        first, command = next(iter(self.commands.items()))
        word = args[0] if args else ""
        takes_words = any(item.param_type_name == "argument" for item in command.params)
        if word not in self.commands and word not in _HELP and (takes_words or word[:1] in ("", "-")):
            args = [first, *args]
        return super().parse_args(ctx, args)

"""A command whose usage line shows its arguments as they are declared.

Typer puts braces or brackets around every name, so that `QUERY` becomes `{QUERY}` and `[ID]` becomes `[[ID]]`: nobody types
those, and our names say by themselves what may be left out.
"""

from typing import Any

from typer.core import TyperCommand


class Command(TyperCommand):
    """A command of ours."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """`[OPTIONS] QUERY`, or `[OPTIONS] [ID]`."""
        words = (item.metavar for item in self.get_params(ctx) if item.param_type_name == "argument")
        return [word for word in (self.options_metavar, *words) if word]

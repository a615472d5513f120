"""`recollect context`: what a model would be given for a question, as it is sent or line by line with the reasons.

The forms are the engine's own; only the view with reasons is arranged here, for this command and for `recollect chat`.
"""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from recollect.cli import options, rendering
from recollect.cli.opening import opened
from recollect.cli.output import Output
from recollect.errors import InvalidInput
from recollect.rules.budget import DEFAULT_BUDGET

if TYPE_CHECKING:
    from recollect.context import Context

_FORMATS = ("text", "openai", "anthropic", "memory")
#: What a person calls each section.
_TITLES = {
    "pins": "Pinned facts",
    "profile": "Who the user is",
    "spine": "The long view, the last session, open todos",
    "brief": "Earlier in this chat",
    "important": "Important earlier messages",
    "tail": "The last messages",
    "recall": "What may matter for the question",
    "query": "The question",
}


def context(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="What the user asks.")],
    chat: Annotated[
        str | None,
        typer.Option(
            "--chat",
            metavar="CHAT",
            help="In this chat; without it across all chats.",
            callback=options.named,
        ),
    ] = None,
    persona: options.Persona = None,
    budget: options.Budget = DEFAULT_BUDGET,
    at: options.At = None,
    zone: options.Zone = "UTC",
    format: Annotated[
        str,
        typer.Option(
            "--format",
            "-f",
            metavar="FORMAT",
            help="text; openai or anthropic (what their APIs take); memory (messages, pins and summaries as records).",
        ),
    ] = "text",
    explain: Annotated[
        bool,
        typer.Option("--explain", help="Why each line is there, from where, its cost; what was dropped."),
    ] = False,
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Show what a model would be given for a question."""
    if format not in _FORMATS:
        raise InvalidInput(f"Unknown format {format!r}. Allowed: {', '.join(_FORMATS)}.", field="format")
    out = Output(as_json=as_json)
    with opened(db, reading=True) as memory:
        if chat is None:
            built = memory.context(query, user=user, persona=persona, budget=budget, at=at, zone=zone)
        else:
            thread = memory.chat(chat, user=user, persona=persona)
            # A mistyped id is an error, not an empty chat.
            thread.info()
            built = thread.context(query, budget=budget, at=at, zone=zone)
    if format != "text":
        forms = {
            "openai": built.to_openai,
            "anthropic": built.to_anthropic,
            "memory": built.to_memory_context,
        }
        out.json(forms[format]())
    elif out.as_json:
        out.json(to_json(built))
    elif explain:
        context_lines(out, built, explain=True)
    else:
        out.document(built.to_text() + "\n")


def to_json(built: "Context") -> dict[str, Any]:
    """Everything about a context, its size first."""
    return {"tokens": built.tokens, "budget": built.budget, **built.to_dict()}


def context_lines(out: Output, built: "Context", *, explain: bool) -> None:
    """Section by section with their costs; with the reasons too, and what was left out, if they are wanted."""
    out.line((f"{built.tokens} of {built.budget} tokens", "bold"))
    apart = sum(section.tokens for section in built.sections)
    if apart != built.tokens:
        # Joined, line ends melt into their neighbours' tokens, and messages have a frame that is no section's.
        out.line((f"as it is sent; its parts, each counted by itself, add up to {apart}", "dim"))
    for section in built.sections:
        out.line()
        out.line((_TITLES[section.name], "cyan"), (f"  {section.tokens} tokens", "dim"))
        for line in section.lines:
            for text in line.text.splitlines():
                out.line(text, indent=2)
            if explain:
                out.line((_reason(line.why, line.tokens, line.sources), "dim"), indent=6)
    if not built.dropped:
        return
    out.line()
    missing = sum(item.tokens for item in built.dropped)
    out.line(("Left out", "yellow"), (f"  {missing} tokens", "dim"))
    if not explain:
        out.line((f"{rendering.counted(len(built.dropped), 'lines')}, whole or in part", "dim"), indent=2)
        return
    for item in built.dropped:
        out.line(item.text, indent=2)
        where = _TITLES[item.section].lower()
        out.line((f"{where}: {_reason(item.why, item.tokens, item.sources)}", "dim"), indent=6)


def _reason(why: str, tokens: int, sources: tuple[str, ...]) -> str:
    return f"{why} · {tokens} tokens" + (f" · from {', '.join(sources)}" if sources else "")

"""`recollect context`: what a model would see for a question, as sent, or line by line with reasons."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from recollect.cli import options, rendering
from recollect.cli.chats import check_known
from recollect.cli.opening import opened
from recollect.cli.output import Output
from recollect.errors import InvalidInput
from recollect.rules.budget import DEFAULT_BUDGET

if TYPE_CHECKING:
    from recollect.context import Context

_FORMATS = ("text", "openai", "anthropic", "memory")
#: Readable section names.
_TITLES = {
    "pins": "Pinned facts",
    "profile": "Who the user is",
    "spine": "Long-term profile, last session, open todos",
    "brief": "Earlier in this chat",
    "important": "Important earlier messages",
    "tail": "Latest messages",
    "recall": "Relevant to the question",
    "query": "The question",
}


def context(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="What the user asks.")],
    chat: Annotated[
        str | None,
        options.an_id("--chat", metavar="CHAT", help="Use this chat's context. Default: across all chats."),
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
            help="text, openai or anthropic (for their APIs), or memory (messages, pins and summaries as JSON records).",
        ),
    ] = "text",
    explain: Annotated[
        bool,
        typer.Option("--explain", help="Show each line's reason, source and cost, and what was trimmed."),
    ] = False,
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Show the context that a model would get for a question."""
    if format not in _FORMATS:
        raise InvalidInput(f"--format must be one of {', '.join(_FORMATS)}, not {format!r}.", field="format")
    out = Output(as_json=as_json)
    with opened(db, reading=True) as memory:
        if chat is None:
            built = memory.context(query, user=user, persona=persona, tokens=budget, at=at, zone=zone)
        else:
            check_known(memory, chat, user)
            thread = memory.chat(chat, user=user, persona=persona)
            built = thread.context(query, tokens=budget, at=at, zone=zone)
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
    """A context as JSON values, with its size first."""
    return {"tokens": built.tokens, "budget": built.budget, **built.to_dict()}


def context_lines(out: Output, built: "Context", *, explain: bool) -> None:
    """Write each section with its cost; `explain` adds the reasons and what was trimmed."""
    out.line((f"{built.tokens} of {built.budget} tokens", "bold"))
    apart = sum(section.tokens for section in built.sections)
    if apart != built.tokens:
        # Joining saves tokens at line ends, and message framing belongs to no section.
        out.line((f"as sent; the sections counted one by one add up to {apart}", "dim"))
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
    out.line(("Trimmed", "yellow"), (f"  {missing} tokens", "dim"))
    if not explain:
        out.line((f"{rendering.counted(len(built.dropped), 'lines')}, whole or in part", "dim"), indent=2)
        return
    for item in built.dropped:
        out.line(item.text, indent=2)
        where = _TITLES[item.section].lower()
        out.line((f"{where}: {_reason(item.why, item.tokens, item.sources)}", "dim"), indent=6)


def _reason(why: str, tokens: int, sources: tuple[str, ...]) -> str:
    return f"{why} · {tokens} tokens" + (f" · from {', '.join(sources)}" if sources else "")

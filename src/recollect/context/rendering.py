"""The forms of a context: what exactly is sent, for each kind of API.

A view is the text before the conversation, the conversation itself, the text after it and the question. In chat form
messages are verbatim, as messages of their own; in text form they are escaped like everything remembered. Costs are
counted here, on the rendered forms. Nothing is selected here. Provider SDK types were rejected: plain JSON values serve all.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from recollect.context.line import Line, Section, SectionName, runs
from recollect.context.wording import NAME_TOKENS, NOTICE, name_sent, spoken
from recollect.records.message import SPEAKERS, Message, Role, turns_of
from recollect.records.safe_text import as_lines
from recollect.rules import profile
from recollect.rules.budget import MESSAGE_TOKENS, Count

#: Sections that rarely change, placed first so that a provider's cache can reuse them.
STABLE = (
    SectionName.PINS,
    SectionName.PROFILE,
    SectionName.SPINE,
    SectionName.BRIEF,
    SectionName.IMPORTANT,
)
#: Replaces the missing first message of the user, with which Anthropic's conversations begin.
OPENING = "[The conversation continues.]"

_CACHED = {"type": "ephemeral"}


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """The input for all forms."""

    prefix: str
    tail: tuple[Message, ...]
    suffix: str
    question: str


def view_of(sections: Sequence[Section], tail: tuple[Message, ...], question: str) -> View:
    """Sections as text around the conversation."""
    return View(
        prefix="\n\n".join(_section_text(section) for section in sections if section.name in STABLE),
        tail=tail,
        suffix="\n\n".join(
            _section_text(section) for section in sections if section.name is SectionName.RECALL
        ),
        question=question,
    )


def memory_block(sections: Sequence[Section], *, notice: str = "") -> str:
    """S3's block; empty between its delimiters if nothing is known."""
    lines = next((section.lines for section in sections if section.name is SectionName.PROFILE), ())
    return profile.block(_groups(lines), notice=notice)


def openai(view: View, *, system: str = "", sources: str = "") -> list[dict[str, Any]]:
    """Messages of a chat-completions API, in S1's order: background, history, sources, what is recalled, the question."""
    before = "\n\n".join(part for part in (system, view.prefix) if part)
    after = "\n\n".join(part for part in (sources, view.suffix) if part)
    messages = [{"role": "system", "content": before}] if before else []
    messages += [_sent(message) for message in view.tail]
    if after:
        messages.append({"role": "system", "content": after})
    if view.question:
        messages.append({"role": "user", "content": view.question})
    return messages


def _sent(message: Message) -> dict[str, Any]:
    if message.role is Role.TOOL:
        return {"role": "assistant", "content": f"[tool] {message.text}"}
    name = name_sent(message)
    return {
        "role": message.role.value,
        **({"name": name} if name else {}),
        "content": message.text,
    }


def anthropic(view: View, *, system: str = "") -> dict[str, Any]:
    """System blocks and messages, with cache breakpoints after the prefix and after the conversation."""
    spoken_blocks = [_block(message) for message in view.tail if message.text.strip()]
    if spoken_blocks:
        role, block = spoken_blocks[-1]
        spoken_blocks[-1] = (role, {**block, "cache_control": _CACHED})
    blocks = [
        *spoken_blocks,
        *(("user", _text(text)) for text in (view.suffix, view.question) if text.strip()),
    ]
    if blocks and blocks[0][0] != "user":
        blocks.insert(0, ("user", _text(OPENING)))
    before = [_text(text) for text in (system, view.prefix) if text]
    if before:
        before[-1]["cache_control"] = _CACHED
    return {
        "system": before,
        "messages": [
            {"role": role, "content": [block for _, block in members]}
            for role, members in groupby(blocks, key=lambda item: item[0])
        ],
    }


def text(view: View) -> str:
    """S1's memory text: sections and turns, with blank lines between them, the question last."""
    turns = ["\n".join(spoken(message) for message in turn.messages) for turn in turns_of(view.tail)]
    question = f"{SPEAKERS[Role.USER]}: {as_lines(view.question)}" if view.question else ""
    return "\n\n".join(part for part in (view.prefix, *turns, view.suffix, question) if part)


def cost(view: View, count: Count) -> int:
    """The tokens of the most expensive form; stored counts are used for verbatim texts."""
    known = {message.text: message.tokens for message in view.tail}

    def tokens(part: str) -> int:
        if part not in known:
            known[part] = count(part)
        return known[part]

    system_and_messages = anthropic(view)
    return max(
        sum(
            tokens(message["content"])
            + MESSAGE_TOKENS
            + (tokens(message["name"]) + NAME_TOKENS if "name" in message else 0)
            for message in openai(view)
        ),
        sum(tokens(block["text"]) for block in system_and_messages["system"])
        + sum(
            sum(tokens(block["text"]) for block in message["content"]) + MESSAGE_TOKENS
            for message in system_and_messages["messages"]
        ),
        tokens(text(view)),
    )


def _section_text(section: Section) -> str:
    if section.name is SectionName.PROFILE:
        return memory_block([section], notice=NOTICE)
    return "\n\n".join("\n".join([heading, *lines]) for heading, lines in _groups(section.lines))


def _groups(lines: Sequence[Line]) -> list[tuple[str, list[str]]]:
    """Headings with their lines, in order."""
    return [
        (heading, _texts(list(members))) for heading, members in groupby(lines, key=lambda line: line.group)
    ]


def _texts(lines: Sequence[Line]) -> list[str]:
    """The lines; those of one chat and day follow a line with the day."""
    texts: list[str] = []
    for day, together in runs(lines):
        texts += [f"{day}:"] if day else []
        texts += [line.undated.text if day and line.undated else line.text for line in together]
    return texts


def _block(message: Message) -> tuple[str, dict[str, Any]]:
    """A message as a block; system and tool messages become marked parts of the user's."""
    if message.role in (Role.USER, Role.ASSISTANT):
        return message.role.value, _text(message.text)
    return Role.USER.value, _text(f"[{message.role.value}] {message.text}")


def _text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}

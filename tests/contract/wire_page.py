"""The page docs/reference/wire.md, read: its routes with their parameters, bodies and answers.

Shapes are abbreviated JSON: `{"id", "tags": [], "summary": …|null, "title"?}`. They are parsed into dictionaries (the keys that
are named), lists (of at most one shape, that of an item) and None (anything).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from .description import REFERENCE, route

PAGE = (REFERENCE / "wire.md").read_text("utf-8")

_METHODS = "(?:GET|POST|PUT|PATCH|DELETE)"
#: Code spans, and the arrows between request and answer with the status if there is one.
_TOKEN = re.compile(r"`([^`]+)`|→(?: (\d{3}))?")
_ROUTE = re.compile(rf"({_METHODS}(?: {_METHODS})*)(?: (/[^\s?]*)(?:\?(\S+))?)?")
_LISTED = re.compile(r"[^(]*\(((?:`\w+(?:=<\w+>)?`(?:, )?)+)\)")
_LEXEME = re.compile(r'"[^"]*"|[{}\[\],:|]|[^"{}\[\],:|]+')

Shape = Any


@dataclass
class Written:
    """One mention of a route."""

    route: str
    #: Each with the text after its `=`, usually its default.
    parameters: dict[str, str] = field(default_factory=dict[str, str])
    request: Shape = None
    answer: Shape = None
    status: int | None = None


def paragraphs() -> Iterator[str]:
    """Bullets and paragraphs outside of code blocks, each on one line."""
    text = re.sub(r"^```.*?^```", "", PAGE, flags=re.MULTILINE | re.DOTALL)
    for block in re.split(r"\n\s*\n|\n(?=- )", text):
        yield " ".join(block.split())


def said_of(method: str, path: str) -> tuple[str, list[Written]]:
    """The route that serves a request and its mentions on the page; fixed paths come before those with variables."""
    sent = path.partition("?")[0].split("/")
    for said in sorted(WRITTEN, key=lambda each: each.route.count("{")):
        known, _, pattern = said.route.partition(" ")
        parts = pattern.split("/")
        fits = len(parts) == len(sent) and all(a in (b, "{}") for a, b in zip(parts, sent, strict=True))
        if known == method and fits:
            return said.route, [each for each in WRITTEN if each.route == said.route]
    return f"{method} {path}", []


def _mentions(paragraph: str) -> list[Written]:
    found: list[Written] = []
    #: Routes named since the last answer: several may share one answer.
    waiting: list[Written] = []
    path, end, answering, apart = "", 0, False, False
    tokens = list(_TOKEN.finditer(paragraph))
    for place, token in enumerate(tokens):
        code, status = token.groups()
        between, end = paragraph[end : token.start()], token.end()
        # A shape after a colon or a semicolon is another answer, or a record.
        apart = apart or bool(re.search("[;:]", between))
        if code is None:
            answering, apart = True, False
            for each in waiting:
                each.status = int(status) if status and status < "300" else None
        elif said := _ROUTE.fullmatch(code):
            if answering or apart or ". " in between:
                waiting, answering, apart = [], False, False
            methods, given, query = said.groups()
            path = given or _path_after(tokens, place, paragraph) or path
            listed = _LISTED.match(paragraph, end) if not given else None
            names = query.split("&") if query else re.findall(r"`(\w+)", listed[1]) if listed else []
            new = [Written(route(method, path), dict(map(_parameter, names))) for method in methods.split()]
            found += new
            waiting += new
        elif code.startswith("?") and found:
            found[-1].parameters |= [_parameter(code[1:])]
        elif code.startswith("{") and waiting and not apart:
            _note(waiting, parse(code), answering)
    return found


def _note(waiting: list[Written], shape: Shape, answering: bool) -> None:
    """After an arrow a shape is the answer of every waiting route; before it, the request of the last one."""
    if answering:
        for each in waiting:
            each.answer = shape
        waiting.clear()
    elif waiting[-1].route.startswith("GET"):
        waiting[-1].answer = shape
    else:
        waiting[-1].request = shape


def _parameter(text: str) -> tuple[str, str]:
    name, _, value = text.partition("=")
    return name, value


def _path_after(tokens: list[re.Match[str]], place: int, paragraph: str) -> str | None:
    """The path of the next route if only a comma separates them: "`PATCH`, `DELETE /a/{id}`"."""
    if place + 1 == len(tokens) or paragraph[tokens[place].end() : tokens[place + 1].start()] != ", ":
        return None
    said = _ROUTE.fullmatch(tokens[place + 1][1] or "")
    return said[2] if said else None


def shape(snippet: str) -> Shape:
    """The shape of the first code span that holds a snippet, from its first bracket on."""
    spans = (code for paragraph in paragraphs() for code in re.findall(r"`([^`]+)`", paragraph))
    code = next(code for code in spans if snippet in code)
    return parse(code[re.search(r"[{\[]", code).start() :])


def parse(text: str) -> Shape:
    """A shape as the page writes it."""
    lexemes = [each.strip() for each in _LEXEME.findall(text) if each.strip()]
    shape, rest = _value(lexemes)
    assert rest == [], text
    return shape


def _value(lexemes: list[str]) -> tuple[Shape, list[str]]:
    """The first alternative that names keys, or else anything."""
    shape: Shape = None
    while True:
        first, *rest = lexemes
        if first == "{":
            shape, lexemes = _members(rest)
        elif first == "[":
            shape, lexemes = _items(rest)
        else:
            lexemes = rest
        if lexemes[:1] != ["|"]:
            return shape, lexemes
        lexemes = lexemes[1:]


def _items(lexemes: list[str]) -> tuple[Shape, list[str]]:
    items: list[Shape] = []
    while lexemes[0] != "]":
        if lexemes[0] == ",":
            lexemes = lexemes[1:]
            continue
        shape, lexemes = _value(lexemes)
        items += [shape] if shape is not None else []
    return items[:1], lexemes[1:]


def _members(lexemes: list[str]) -> tuple[Shape, list[str]]:
    shape: dict[str, Shape] = {}
    while lexemes[0] != "}":
        name, *lexemes = lexemes
        if name in (",", "|", "?"):
            continue
        value: Shape = None
        if lexemes[0] == ":":
            value, lexemes = _value(lexemes[1:])
        if not name.startswith("…"):
            shape[name.strip('"?')] = value
    return shape, lexemes[1:]


def keys(shape: Shape, path: str = "") -> Iterator[str]:
    """Every key of a shape, as `description.fields` writes it."""
    if isinstance(shape, dict):
        for name, value in shape.items():
            yield f"{path}.{name}"
            yield from keys(value, f"{path}.{name}")
    elif isinstance(shape, list) and shape:
        yield from keys(shape[0], f"{path}[]")


def missing(shape: Shape, value: Any, path: str = "") -> list[str]:
    """The keys of a shape that a value lacks."""
    if isinstance(shape, dict):
        if not isinstance(value, dict):
            return [f"{path or 'the body'} is no object: {value!r:.80}"]
        absent = [f"{path}.{name}" for name in shape if name not in value]
        return absent + [
            each
            for name, part in shape.items()
            if name in value
            for each in missing(part, value[name], f"{path}.{name}")
        ]
    if isinstance(shape, list):
        if not isinstance(value, list):
            return [f"{path or 'the body'} is no list: {value!r:.80}"]
        return [each for item in value for part in shape for each in missing(part, item, f"{path}[]")]
    return []


#: Every mention of a route, in the order of the page.
WRITTEN = [each for paragraph in paragraphs() for each in _mentions(paragraph)]

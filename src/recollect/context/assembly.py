"""Assembles a context: choose by shares, then trim until every form keeps to the budget.

The same parts give the same context. Near the budget, the rendered forms are counted rather than estimated, because joined
texts do not have the sum of their parts' tokens.
"""

from recollect.context import wording
from recollect.context.draft import Draft
from recollect.context.line import Section
from recollect.context.parts import ContextParts
from recollect.context.pinned import admit, by_importance, not_shown, put_back
from recollect.context.rendering import cost, view_of
from recollect.context.sacrifice import sacrifice
from recollect.context.selection import select
from recollect.context.value import Context
from recollect.rules.budget import TRUSTED_SHARE, Count, Limits, check_budget

#: Tokens up to which a context is counted exactly; the count of a larger one is accurate to a few percent.
_COUNTED = 2000


def assemble(parts: ContextParts, *, budget: int, limits: Limits, count: Count) -> Context:
    """The context in at most `budget` tokens, in every form."""
    check_budget(budget)
    pins = admit(parts.pins, budget=budget, count=count)
    draft = select(parts, pins, budget=budget, limits=limits, count=count)
    sections, tokens = _fit(draft, budget)
    if len(draft.pins) < len(pins):
        # Pins were dropped last, when everything else was trimmed. Now the others may fit into the room that a large pin left.
        room = budget - tokens - (0 if draft.pins else draft.heading(wording.PINS))
        pins = put_back(parts.pins, draft.pins, room=room, count=count)
        draft = select(parts, pins, budget=budget, limits=limits, count=count)
        sections, tokens = _fit(draft, budget)
    draft.report_cuts()
    return Context(
        chat_id=parts.chat_id,
        budget=budget,
        tokens=tokens,
        sections=sections,
        dropped=(*draft.dropped, *not_shown(parts.pins, draft.pins)),
        tail=draft.tail,
        question=draft.question,
        asked=draft.asked,
        pins=tuple(by_importance(parts.pins)),
        summaries=parts.summaries,
    )


def _fit(draft: Draft, budget: int) -> tuple[tuple[Section, ...], int]:
    """Trim until the sections fit; return them with their tokens."""
    sections = draft.sections()
    tokens = draft.estimate(sections)
    if tokens <= TRUSTED_SHARE * budget:
        if tokens <= _COUNTED:
            tokens = cost(view_of(sections, draft.tail, draft.question), draft.count)
        return sections, tokens
    while True:
        tokens = cost(view_of(sections, draft.tail, draft.question), draft.count)
        if tokens <= budget or not sacrifice(draft, tokens - budget, budget=budget):
            return sections, tokens
        sections = draft.sections()

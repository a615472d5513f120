"""The assembly of a context: choose by shares, and give up what must go until every form keeps to the budget.

Pure: the same parts give the same context. It makes no promise by estimate: near the budget the rendered forms are
counted, because tokens of joined texts are not the sum of their parts.
"""

from recollect.domain.budget import TRUSTED_SHARE, Count, Limits, check_budget
from recollect.domain.context.draft import Draft
from recollect.domain.context.line import Section
from recollect.domain.context.parts import ContextParts
from recollect.domain.context.rendering import cost, view_of
from recollect.domain.context.sacrifice import sacrifice
from recollect.domain.context.selection import by_importance, select
from recollect.domain.context.value import Context


def assemble(parts: ContextParts, *, budget: int, limits: Limits, count: Count) -> Context:
    """What a model will see, in no more than `budget` tokens, whichever form is sent."""
    check_budget(budget)
    draft = select(parts, budget=budget, limits=limits, count=count)
    sections, tokens = _fit(draft, budget)
    draft.report_cuts()
    return Context(
        chat_id=parts.chat_id,
        budget=budget,
        tokens=tokens,
        sections=sections,
        dropped=tuple(draft.dropped),
        tail=draft.tail,
        question=draft.question,
        asked=draft.asked,
        pins=tuple(by_importance(parts.pins)),
        summaries=parts.summaries,
    )


def _fit(draft: Draft, budget: int) -> tuple[tuple[Section, ...], int]:
    """Give up what must go; what is left, and its tokens."""
    sections = draft.sections()
    tokens = draft.estimate(sections)
    if tokens <= TRUSTED_SHARE * budget:
        return sections, tokens
    while True:
        tokens = cost(view_of(sections, draft.tail, draft.question), draft.count)
        if tokens <= budget or not sacrifice(draft, tokens - budget, budget=budget):
            return sections, tokens
        sections = draft.sections()

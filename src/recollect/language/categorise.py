"""Which category a sentence belongs to, when the caller does not say.

Rules over third-person text, tried in order; the first that fits decides, and `fact` is what is left. A wrong guess
costs a base importance, not a fact, so the rules stay few. A caller's own category is never second-guessed.
"""

import re

from recollect.language.pattern import Pattern
from recollect.records.category import Category

_PERSON = (
    r"(?:wife|husband|spouse|partner|girlfriend|boyfriend|fianc[eé]e?|mother|mom|mum|father|dad|parents?|brother|sister"
    r"|son|daughter|child|children|kids?|baby|aunt|uncle|cousin|nephew|niece|grand\w+|boss|manager|colleague|co-?worker"
    r"|teammate|co-?founder|friend|room-?mate|flatmate|neighbou?r|mentor|therapist|doctor|dentist|landlord|in-laws?)"
)
_RULES = tuple(
    (category, Pattern(pattern, re.IGNORECASE))
    for category, pattern in (
        (
            Category.PREFERENCE,
            r"\b(?:prefers?|likes?|loves?|enjoys?|hates?|dislikes?|can(?:'t|not) stand|favou?rites?|preferred|always|never"
            r"|would rather|avoids?|is (?:not )?(?:a fan of|into|fond of)|(?:does not|doesn't) (?:like|want|eat|drink|enjoy))\b",
        ),
        (
            Category.RELATIONSHIP,
            rf"\bUser's (?:\w+[- ]){{0,2}}{_PERSON}\b|\bworks with [A-Z]|\bis (?:married|engaged) to\b",
        ),
        (Category.RELATIONSHIP, rf"^(?:Mom|Mum|Dad|Mother|Father|Grandma|Grandpa)\b|\b{_PERSON} of User\b"),
        (
            Category.PROJECT,
            r"\bUser(?: and \w+)? (?:is|are) (?:\w+ )?(?:building|developing|working on|writing|launching|creating|designing|planning"
            r"|organi[sz]ing|renovating|migrating)\b|\b(?:deadline|roadmap|milestone|launch(?:es)? (?:on|in|next))\b|\bUser's project\b",
        ),
        (
            Category.SKILL,
            r"\b(?:expert|proficient|fluent|experienced|skilled|certified|native speaker)\b|\bspeaks\b|\bknows how to\b"
            r"|\bplays the\b|\byears of experience\b|\bis learning\b",
        ),
        (
            Category.IDENTITY,
            r"\bUser's (?:(?:first|last|full|middle|nick)[- ]?)?(?:name|birthday|age|pronouns|e-?mail|phone|address|nationality)\b"
            r"|\bUser is (?:named|called)\b|\bUser is (?:\d{1,3}\b|an? [\w .+#-]{2,60}$|an? [\w -]+? (?:at|from|in|with)\b)"
            r"|\b(?:lives|is based|resides|was born|works (?:at|as|for)|moved to|comes from|is from)\b",
        ),
        (
            Category.CONTEXT,
            r"\b(?:today|tonight|tomorrow|this (?:week|morning|afternoon|evening)|right now|at the moment)\b",
        ),
    )
)


def categorise(content: str) -> Category:
    """The category of a third-person sentence."""
    for category, pattern in _RULES:
        if pattern.search(content):
            return category
    return Category.FACT

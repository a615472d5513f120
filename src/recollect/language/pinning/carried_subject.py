"""Carried subject: who a clause is about that leaves its subject to the one before.

"I'm 71, have atrial fibrillation and take apixaban" and "My father (82) has dementia" name their subject once, and a rule
for a clause needs it. It is carried over within a sentence, from a clause that begins with the speaker or with somebody
close, to a verb that fits. Where the clause before states a fact itself, the rest is a part of that fact and stays one. It
does not resolve pronouns (`whom`). Carrying it over sentences was rejected: "My son called. Has asthma." may be a title.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from recollect.language import health_statement
from recollect.language.clause import Clause, Mood, is_hedged_but_for_an_end, without_lead
from recollect.language.pattern import Pattern
from recollect.language.subject_words import CLOSE

_SUBJECT = Pattern(
    rf"(?P<who>{CLOSE})(?=\W*$|'(?:m|s|re|ve)\b|\s+(?:am|is|are|was|were|have|has|lives?|works?|turned|who)\b)",
    re.IGNORECASE,
)
_OPENING = re.compile(r"(?:and |also |but )*", re.IGNORECASE)
#: What follows a subject, by whether it is the speaker.
_FIRST = re.compile(
    r"(?:have|take|am|was|are|were|use|inject|carry|suffer|live with|need)\b(?! to\b)", re.IGNORECASE
)
_THIRD = re.compile(
    r"(?:has|takes|is|was|are|were|have|take|uses|injects|carries|suffers|lives with|needs)\b(?! to\b)",
    re.IGNORECASE,
)
_SPEAKERS = frozenset(("i", "we"))


def with_subjects(said: Sequence[Clause]) -> list[Clause]:
    """The clauses, each with a subject of its own where one can be carried over."""
    found: list[Clause] = []
    asking = {clause.sentence for clause in said if "?" in clause.text}
    who, sentence = "", -1
    for clause in said:
        if clause.sentence != sentence:
            who, sentence = "", clause.sentence
        own = without_lead(clause.text)
        if subject := _SUBJECT.match(own):
            # Once a fact is stated, what goes on with it is read with it.
            who = "" if health_statement.stated(own) else subject["who"].strip(" ,")
        elif who and (carried := _carried(who, clause)) is not None:
            # "Have a nut allergy" alone looks like a question.
            told = (
                clause.mood is Mood.ASKED
                and sentence not in asking
                and not is_hedged_but_for_an_end(clause.text)
            )
            clause, who = replace(carried, mood=Mood.STATED if told else carried.mood), ""
        found.append(clause)
    return found


def _carried(who: str, clause: Clause) -> Clause | None:
    opening = _OPENING.match(clause.text)
    start = opening.end() if opening else 0
    fits = _FIRST if who.lower() in _SPEAKERS else _THIRD
    if not fits.match(clause.text[start:]):
        return None
    text = f"{who} {clause.text[start:]}"
    if health_statement.stated(text) is None:
        return None
    return replace(clause, text=text, extended=f"{who} {clause.extended[start:]}")

"""How important a message is, 0-10 (S0's calculateImportance): a sum of plain signs, or a life at stake.

5, +2 for a domain term, +1 for a question mark, +1 for the user, -1 under 20 characters. What a life may
hang on (`danger`) is 10: an allergy, an emergency contact, an overdose, thoughts of suicide, a
do-not-resuscitate order. It must be stated, by the user or the operator: "What is anaphylaxis?" asks, and
an assistant only repeats. A doubt counts here, other than for pins: "I think I took too many pills" must
not wait for certainty. The sum knows nothing of chats or memories (`importance`); a model's opinion was
rejected, because a write calls no model.
"""

import re
from typing import TYPE_CHECKING

from recollect.language import danger
from recollect.records.message import Role
from recollect.rules.trust import Origin, may_pin
from recollect.rules.vocabulary import Vocabulary

if TYPE_CHECKING:
    from recollect.language.clause import Clause

LOWEST, HIGHEST = 0.0, 10.0
BASE = 5.0
DOMAIN_TERMS = 2.0
QUESTION = 1.0
FROM_USER = 1.0
SHORT = -1.0
#: Characters; S0.
SHORT_BELOW = 20
#: Characters at either end that are read for a life at stake; between them is what somebody pasted.
READ = 10_000


def score(text: str, role: Role, vocabulary: Vocabulary) -> float:
    """Weigh one message."""
    if is_life_critical(text, role):
        return HIGHEST
    value = BASE
    if vocabulary.occurs_in(text):
        value += DOMAIN_TERMS
    if "?" in text or "\uff1f" in text:
        value += QUESTION
    if role is Role.USER:
        value += FROM_USER
    if len(text) < SHORT_BELOW:
        value += SHORT
    return min(max(value, LOWEST), HIGHEST)


#: Whose words can state it.
_STATING = frozenset(role for role in Role if may_pin(Origin(role.value)))
#: Sentences of a prompt, as against a notice.
_PROMPT = re.compile(
    r"\b(?:you|your|the user|users|if|when|must|should|never|always|do not|don't|respond|provide|escalate"
    r"|topics?)\b",
    re.IGNORECASE,
)


def is_life_critical(text: str, role: Role) -> bool:
    """Whether somebody states what a life may hang on; doubts count, questions and stories do not."""
    if role not in _STATING or (role is Role.SYSTEM and _PROMPT.search(text)):
        return False
    if not danger.may_be_dangerous(text):
        return False
    if len(text) > 2 * READ:
        text = f"{text[:READ]}\n{text[-READ:]}"
    # Deferred: compiling their patterns is heavy, and few messages get here.
    from recollect.language.clause import clauses
    from recollect.language.health_statement import closed_up
    from recollect.language.pinning.carried_subject import with_subjects

    return any(_is_threat(clause) for clause in with_subjects(clauses(closed_up(text))))


def _is_threat(clause: "Clause") -> bool:
    # Deferred, as above: heavy.
    from recollect.language import health_statement
    from recollect.language.clause import Mood, without_lead

    if clause.mood is Mood.SUPPOSED:
        return False
    own = without_lead(clause.text)
    if clause.mood is Mood.ASKED:
        return health_statement.implied(own) is not None
    fact = health_statement.stated(own)
    if fact is not None and fact.importance >= health_statement.LIFE_THREATENING:
        return True
    return danger.states_danger(own)

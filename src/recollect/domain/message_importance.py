"""How important a message is, 0-10 (S0's calculateImportance): a sum of plain signs, or a life at stake.

5, +2 for a domain term, +1 for a question mark, +1 for the user, -1 under 20 characters. What a life may
hang on is 10: an allergy, an emergency contact, an overdose, thoughts of suicide, a do-not-resuscitate
order. It must be stated, by the user or the operator: "What is anaphylaxis?" asks, and an assistant only
repeats. A doubt counts here, other than for pins: "I think I took too many pills" must not wait for
certainty. The sum knows nothing of chats or memories (`importance`); a model's opinion was rejected,
because a write calls no model.
"""

import re

from recollect.domain import health_statement
from recollect.domain.assertion import Clause, Mood, clauses, without_lead
from recollect.domain.message import Role
from recollect.domain.trust import Origin, may_pin
from recollect.domain.vocabulary import Vocabulary

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


# A part of each pattern below: most texts have none, and plain searches cost a twentieth of the clauses.
_HINTS = (
    *(
        "allerg",
        "anaphyla",
        "epipen",
        "epi-pen",
        "emergency",
        "overdos",
        "pills",
        "tablets",
        "suicid",
        "kill",
        "end my life",
        "end it all",
    ),
    *(
        "die",
        "live",
        "living",
        "hurt",
        "harm",
        "cut",
        "resuscitat",
        "dnr",
        "cpr",
        "breath",
        "unconscious",
        "unresponsive",
        "heart attack",
        "stroke",
    ),
    *(
        "seizure",
        "bleach",
        "poison",
        "collapsed",
        "chest",
        "pulse",
        "alive",
        "be here",
        "passed out",
        "choking",
    ),
)
_PEOPLE = r"(?:i|we|he|she|they|someone|(?:my|our|the) (?:[\w-]+ ){0,2}[\w-]+|(?-i:[A-Z][a-z]+))"
_THREATS = re.compile(
    # Poisoning.
    rf"\b{_PEOPLE}(?:'ve| has| have| just| also| may have| might have| must have| already)* (?:overdosed"
    rf"|od'd|took an? (?:\w+ )?overdose|taken an? (?:\w+ )?overdose"
    r"|(?:took|taken|swallowed|swallow) (?:\w+ ){0,2}?(?:too many|too much|a whole bottle|the whole bottle"
    r"|all (?:of )?(?:my|the|his|her)|a (?:lot|bunch|handful) of|\d{2,}) (?:\w+ ){0,3}?(?:pills?|tablets?"
    r"|meds|medication|medicine|insulin|tylenol|paracetamol|ibuprofen|aspirin|xanax|sleeping)"
    r"|(?:drank|drunk|swallowed|ate|ingested) (?:\w+ ){0,2}?(?:bleach|antifreeze|poison|drain cleaner"
    r"|detergent|rat poison|batter(?:y|ies)))"
    # Wanting to die.
    r"|\b(?:i|i'm|i am|he|he's|she|she's|my \w+ (?:is|feels|says?)|feel(?:s|ing)?|been(?: feeling)?|am"
    r"|is)(?: (?:feel(?:s|ing)?|so|very|really|having|have|has|been|a bit|still|now|had"
    r"|get(?:ting)?))* suicidal\b"
    r"|\bsuicidal (?:thoughts|ideation|feelings)\b|\b(?:tried|trying|attempted|attempting|want(?:s|ed)?"
    r"|going|planning|plan|plans|threatened|threatening|thinking about|thinking of"
    r"|thought about) (?:to )?(?:commit(?:ting)? )?suicide\b|\bsuicide attempt\b"
    r"|\b(?:kill(?:ing)? (?:my|him|her|them)self|end(?:ing)? (?:my|his|her|their) (?:own )?life|tak(?:e"
    r"|ing) my (?:own )?life|end it all)\b"
    r"|\b(?:i|he|she)(?: just| really| only)? (?:want(?:s)?|wish(?:es)?)(?: i| to| he"
    r"| she)? (?:to )?(?:die|was dead|were dead|be dead|disappear forever|not (?:be alive|wake up))\b"
    r"|\b(?:don't|do not|doesn't|no longer) (?:want|wants)? ?to (?:live|be alive|be here"
    r"|exist)(?: (?:any ?more|any longer))?\s*(?:$|[.!,])|\b(?:no|any) (?:reason|point) (?:to|in) (?:live"
    r"|living|go(?:ing)? on)\b|\bbetter off (?:dead|without me)\b"
    # Self-harm.
    r"|\b(?:hurt(?:ing)?|cut(?:ting)?|harm(?:ing)?|burn(?:ing)?) (?:my|him|her|them)self(?: (?:on purpose"
    r"|again|intentionally|deliberately|to|because)|\W*$)|\b(?:i|he|she|my \w+|been|started"
    r"|history of)(?: have| has| been| started| still)* self-?harm(?:s|ed|ing)?\b"
    # Wishes for the end of life.
    r"|\b(?:dnr|do[- ]not[- ]resuscitate)\b|\bno cpr\b"
    # Now.
    rf"|\b(?:not breathing|stopped breathing|can't breathe|cannot breathe|trouble breathing"
    rf"|struggling to breathe|is unconscious|is unresponsive|passed out and|(?:is|i'm|am) choking"
    rf"|no pulse)\b"
    r"|\b(?:having|had|has had|suffered|suffering) (?:a |an )?(?:\w+ )?(?:heart attack|stroke|seizure"
    r"|anaphyla\w+)\b|\b(?:crushing|severe|bad|sudden) chest pains?\b|\banaphyla(?:xis|ctic)\b"
    r"|\banaphylactic shock\b",
    re.IGNORECASE,
)
_ALLERGY = re.compile(
    rf"\b(?:{_PEOPLE}|i'm|im|he's|she's|they're|patient)(?:'m|'s| am| is| are| was| were| has been"
    rf"| have been| may be| might be| could be| think i'm"
    rf"| think i am)?(?: [\w-]+){{0,2}} allergic to (?!\w*(?:nothing|none|any|mondays?|work|you"
    rf"|people)\b)\w",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"\b(?:not|isn't|aren't|wasn't|never|no|without|neither|nobody|none|denies|denied|doesn't have"
    r"|don't have|didn't|haven't|hasn't)\b",
    re.IGNORECASE,
)
# "I don't want to live" is no denial.
_TURNED = re.compile(
    r"\b(?:not breathing|do(?:es)?(?: not|n't) want(?:s)? to (?:live|be)|no (?:pulse|cpr|reason|point)"
    r"|do not resuscitate|not wake|no longer|can't|cannot|never told)",
    re.IGNORECASE,
)
_GENERAL = re.compile(
    r"\b(?:people|patients|children|users|rates?|prevention|awareness|statistics|hotline|article|study"
    r"|studies|squad|risk|documentary|symptoms? (?:of|include)|causes?|film|movie|song|news|laugh(?:ing)?"
    r"|funny|joke"
    r"|career|political|of genius|algorithm|process(?:es)?|thread|server|battery)\b",
    re.IGNORECASE,
)
#: Sentences of a prompt, as against a notice.
_PROMPT = re.compile(
    r"\b(?:you|your|the user|users|if|when|must|should|never|always|do not|don't|respond|provide|escalate"
    r"|topics?)\b",
    re.IGNORECASE,
)


def is_life_critical(text: str, role: Role) -> bool:
    """Whether somebody states what a life may hang on; doubts count, questions and stories do not."""
    if not may_pin(Origin(role.value)) or (role is Role.SYSTEM and _PROMPT.search(text)):
        return False
    folded = text.lower()
    if not any(hint in folded for hint in _HINTS):
        return False
    if len(text) > 2 * READ:
        text = f"{text[:READ]}\n{text[-READ:]}"
    return any(_is_threat(clause) for clause in clauses(text))


def _is_threat(clause: Clause) -> bool:
    if clause.mood is Mood.SUPPOSED:
        return False
    own = without_lead(clause.text)
    if clause.mood is Mood.ASKED:
        return health_statement.implied(own) is not None
    fact = health_statement.stated(own)
    if fact is not None and fact.importance >= health_statement.LIFE_THREATENING:
        return True
    found = _THREATS.search(own) or _ALLERGY.search(own)
    if found is None or _GENERAL.search(own):
        return False
    before = own[: found.start()]
    return not _DENIED.search(before + found.group()) or _TURNED.search(own) is not None

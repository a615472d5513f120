"""Danger: what a life may hang on. The one list of its words, for whoever weighs, keeps or scores a text.

`is_dangerous` is wide: the words are there, stated, asked, feared or denied. It guards what may not get lost, so a line
too many is cheap: a summary keeps it first (`gist`), and a memory of it is kept even in doubt (`worth`). `states_danger`
is narrow: the clause says that it befalls somebody; it makes a message a 10 (`message_importance`), and a 10 for every
mention would be worth nothing. Whatever is narrow is also wide, so that the two cannot contradict each other. It knows
no moods (`clause`) and no facts that hold for long (`health_statement`). Asking a model was rejected: a write and a
fold by rules call none.
"""

import re

from recollect.language.pattern import Pattern
from recollect.language.sign import any_of, plain, signs


def is_dangerous(text: str) -> bool:
    """Whether a life may depend on someone knowing this, whoever says it and in whatever sense."""
    if not may_be_dangerous(text):
        return False
    text = text.replace("\u2019", "'")
    return _WORDS.search(text) is not None or _BEFALLS.search(text) is not None


def may_be_dangerous(text: str) -> bool:
    """Whether a text has a piece of such a word; where it has none, neither test of this module can succeed."""
    return _SIGN.search(plain(text)) is not None


def states_danger(clause: str) -> bool:
    """Whether a clause says that somebody is in danger; denials, idioms and news do not."""
    found = _BEFALLS.search(clause) or _ALLERGY.search(clause)
    if found is None or _GENERAL.search(clause):
        return False
    before = clause[: found.start()]
    return not _DENIED.search(before + found.group()) or _TURNED.search(clause) is not None


#: At least one of these is in whatever a pattern below fits; the tests hold them against the patterns.
_SIGNS = signs(
    "allerg|anaphyla|anafil|epipen|epi-pen|hives|rash|epilep|overdos|od'd|pill|tablet|meds|medication|medicine|insulin|tylenol"
    "|paracetamol|ibuprofen|aspirin|xanax|sleeping|bleach|antifreeze|poison|cleaner|detergent|batter|suicid|harm"
    "|kill|hurt|cut|burn|my life|his life|her life|their life|own life|life-threat|end it all"
    "|die|dead|disappear forever|wake up|alive|to live|in live|living|be here|to exist|go on|going on|without me"
    "|resuscitat|dnr|no cpr|breath|unconscious|unresponsive|passed out|choking|no pulse|heart attack|stroke|seizure"
    "|chest pain|emergency|blood thinner|warfarin|pacemaker|fatal|type 1 diabet|badly to|severely to|reaction"
    # "Must not take", "can never eat".
    "|t take |t eat |t drink |t be given |r take |r eat |r drink |r be given "
    "|alergi|alergic|al\u00e9rgic|notfallkontakt|selbstmord|suizid|herzschrittmacher|marcapasos|anticoagul|blutverd"
    "|\u30a2\u30ec\u30eb\u30ae\u30fc|\u8fc7\u654f|\u904e\u654f|\u7dca\u6025|\uc54c\ub808\ub974\uae30|\u81ea\u6bba"
    "|\u81ea\u6740"
)
_SIGN = any_of(_SIGNS)
#: "Allergic" to these is a figure of speech.
_FIGURE = (
    r"(?:mondays?|mornings?|work|you|people|bullshit|nonsense|drama|stupidity|idiots|exercise|housework|homework|meetings?|small talk"
    r"|bureaucracy|criticism|commitment|advice)\b"
)
_WORDS = Pattern(
    rf"\ballerg(?!ic to {_FIGURE})|anaphyla|\bepi-?pens?\b|\boverdos|suicid|self-?harm"
    r"|\bkill(?:ing)? (?:my|him|her|them)sel|\bend (?:my|his|her|their) life\b|\bseizures?\b|\bepilep"
    r"|\bemergency (?:contact|room|surgery|number|department|services|treatment)|\b(?:medical|an) emergency\b(?! (?:fund|meeting|exit))"
    r"|\bin (?:case of|an|any) emergency\b|\bblood thinners?\b|\bwarfarin\b|\bpacemaker\b|\bresuscitat|\bdnr\b"
    r"|\blife-threatening\b|\bfatal(?!(?:ly)? (?:errors?|exceptions?|flaw))|\bheart attack\b"
    r"|\bhad a stroke\b(?! of)|\btype 1 diabet"
    r"|\breact(?:s|ed)? (?:very |really )?(?:badly|severely) to\b"
    r"|\b(?:bad|severe|serious|terrible) reactions? to\b|\b(?:gives?|gave|gets?|out in) (?:\w+ ){0,3}?hives\b"
    r"|\b(?:must|should|can)(?: never| ?not|n't) (?:take|eat|drink|be given) "
    # The same in the next most common languages, by stem.
    r"|\balergi|\bal[e\u00e9]rgic|anafil|\bnotfallkontakt|\bselbstmord|\bsuizid|\bherzschrittmacher"
    r"|\bmarcapasos|\banticoagul|\bblutverd\u00fcnn|\u30a2\u30ec\u30eb\u30ae\u30fc|\u8fc7\u654f|\u904e\u654f"
    r"|\u7dca\u6025\u9023\u7d61|\uc54c\ub808\ub974\uae30|\u81ea\u6bba|\u81ea\u6740",
    re.IGNORECASE,
)

# "User" is whom the engine's own lines are about.
_PEOPLE = r"(?:i|we|he|she|they|someone|(?:my|our|the|user's) (?:[\w-]+ ){0,2}[\w-]+|(?-i:[A-Z][a-z]+))"
_BEFALLS = Pattern(
    # Poisoning.
    rf"\b{_PEOPLE}(?:'ve| has| have| just| also| may have| might have| must have| already)* (?:overdosed"
    rf"|od'd|took an? (?:\w+ )?overdose|taken an? (?:\w+ )?overdose"
    r"|(?:took|taken|swallowed|swallow) (?:\w+ ){0,2}?(?:too many|too much|a whole bottle|the whole bottle"
    r"|all (?:of )?(?:my|the|his|her)|a (?:lot|bunch|handful) of|\d{2,}) (?:\w+ ){0,3}?(?:pills?|tablets?"
    r"|meds|medication|medicine|insulin|tylenol|paracetamol|ibuprofen|aspirin|xanax|sleeping)"
    r"|(?:drank|drunk|swallowed|ate|ingested) (?:\w+ ){0,2}?(?:bleach|antifreeze|poison|drain cleaner"
    r"|detergent|rat poison|batter(?:y|ies)))"
    # Wanting to die.
    r"|\b(?:i|i'm|i am|he|he's|she|she's|user|my \w+ (?:is|feels|says?)|feel(?:s|ing)?|been(?: feeling)?|am"
    r"|is)(?: (?:feel(?:s|ing)?|so|very|really|having|have|has|been|a bit|still|now|had"
    r"|get(?:ting)?))* suicidal\b"
    r"|\bsuicidal (?:thoughts|ideation|feelings)\b|\b(?:tried|trying|attempted|attempting|want(?:s|ed)?"
    r"|going|planning|plan|plans|threatened|threatening|thinking about|thinking of"
    r"|thought about) (?:to )?(?:commit(?:ting)? )?suicide\b|\bsuicide attempt\b"
    r"|\b(?:kill(?:ing)? (?:my|him|her|them)self|end(?:ing)? (?:my|his|her|their) (?:own )?life|tak(?:e"
    r"|ing) my (?:own )?life|end it all)\b"
    r"|\b(?:i|he|she|user)(?: just| really| only)? (?:want(?:s)?|wish(?:es)?)(?: i| to| he"
    r"| she)? (?:to )?(?:die|was dead|were dead|be dead|disappear forever|not (?:be alive|wake up))\b"
    r"|\b(?:don't|do not|doesn't|does not|no longer) (?:want|wants)? ?to (?:live|be alive|be here"
    r"|exist)(?: (?:any ?more|any longer))?\s*(?:$|[.!,])|\b(?:no|any) (?:reason|point) (?:to|in) (?:live"
    r"|living|go(?:ing)? on)\b|\bbetter off (?:dead|without me)\b"
    # Self-harm.
    r"|\b(?:hurt(?:ing)?|cut(?:ting)?|harm(?:ing)?|burn(?:ing)?) (?:my|him|her|them)self(?: (?:on purpose"
    r"|again|intentionally|deliberately|to|because)|\W*$)|\b(?:i|he|she|user|my \w+|been|started"
    r"|history of)(?: have| has| been| started| still)* self-?harm(?:s|ed|ing)?\b"
    # Wishes for the end of life.
    r"|\b(?:dnr|do[- ]not[- ]resuscitate)\b|\bno cpr\b"
    # Now.
    r"|\b(?:not breathing|stopped breathing|can't breathe|cannot breathe|trouble breathing"
    r"|struggling to breathe|is unconscious|is unresponsive|passed out and|(?:is|i'm|am) choking"
    r"|no pulse)\b"
    r"|\b(?:having|had|has had|suffered|suffering) (?:a |an )?(?:\w+ )?(?:heart attack|stroke(?! of)|seizure"
    r"|anaphyla\w+)\b|\b(?:crushing|severe|bad|sudden) chest pains?\b|\banaphyla(?:xis|ctic)\b",
    re.IGNORECASE,
)
_ALLERGY = Pattern(
    rf"\b(?:{_PEOPLE}|i'm|im|he's|she's|they're|patient)(?:'m|'s| am| is| are| was| were| has been"
    rf"| have been| may be| might be| could be| think i'm"
    rf"| think i am)?(?: [\w-]+){{0,2}} allergic to (?!{_FIGURE})(?!\w*(?:nothing|none|any)\b)\w",
    re.IGNORECASE,
)
_DENIED = Pattern(
    r"\b(?:not|isn't|aren't|wasn't|never|no|without|neither|nobody|none|denies|denied|doesn't have"
    r"|don't have|didn't|haven't|hasn't)\b",
    re.IGNORECASE,
)
# "I don't want to live" is no denial.
_TURNED = Pattern(
    r"\b(?:not breathing|do(?:es)?(?: not|n't) want(?:s)? to (?:live|be)|no (?:pulse|cpr|reason|point)"
    r"|do not resuscitate|not wake|no longer|can't|cannot|never told)",
    re.IGNORECASE,
)
_GENERAL = Pattern(
    r"\b(?:people|patients|children|users|rates?|prevention|awareness|statistics|hotline|article|study"
    r"|studies|squad|risk|documentary|symptoms? (?:of|include)|causes?|film|movie|song|news|laugh(?:ing)?"
    r"|funny|joke"
    r"|career|political|of genius|algorithm|process(?:es)?|thread|server|battery)\b",
    re.IGNORECASE,
)

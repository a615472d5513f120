"""The weight of a sentence when a summary has room for few of them.

Words decide: what could cost a life first, then health, decisions, goals, constraints, people and identity, then names
and numbers. Sentences of a summary have no record behind them, so the same words must weigh the same whether they come
from a message or from the summary of last month; what a message's own score adds is small. Outside English only
numbers, names and the words of `danger` are known. It picks nothing: that is `summary`'s business. Counting how often
a word occurs in the conversation was rejected: an allergy is mentioned once.
"""

import re

from recollect.language.danger import is_dangerous
from recollect.language.sign import any_of, plain, signs
from recollect.language.terms import terms
from recollect.rules.importance import is_temporary, is_vague

_BASE = 3.0
#: What the words of danger add, whoever says them.
_DANGER = 3.0
#: Each further signal counts less: a sentence with five of them is no five times as important.
_DIMINISHING = 0.7

#: What a summary must keep, by signal: what it adds and the words that give it away, in any of their forms.
_SIGNALS: tuple[tuple[str, float, str], ...] = (
    (
        "health",
        2.5,
        """diagnosis diagnosed diagnose medication medicine mg mcg ml dose dosage prescribe prescription surgery operation
        insulin blood a1c glucose cancer tumor tumour stroke asthma asthmatic diabetes diabetic dementia alzheimer chronic
        symptom hospital therapy therapist injury injured pain painful migraine depression depressed anxiety panic pregnant
        pregnancy miscarriage died dies dying death dead funeral grief tendonitis tendinitis infection intolerant hurt fever
        vaccine physiotherapy sober relapse""",
    ),
    (
        "decision",
        2.2,
        """decide decided decision chose chosen choose picked opted switched cancel cancelled canceled booked
        signed accepted rejected confirmed approved scheduled rescheduled postponed hired resigned quit bought sold moved
        moving promised adopted enrolled lost fired laid graduated engaged opened opening founded won accident promoted job""",
    ),
    (
        "goal",
        2.0,
        """goal want wants plan plans planning planned hope hopes hoping aim aiming trying preparing prepare training dream
        saving objective building build writing learning wedding recital audition exam launch project deadline interview""",
    ),
    (
        "constraint",
        1.8,
        """must mustn't cannot can't budget deadline due never always limit limited require required requires without need
        needs avoid vegan vegetarian gluten halal kosher lactose allowed forbidden maximum minimum""",
    ),
    (
        "identity",
        2.0,
        """name named live lives born married divorced widowed retired phone address email nationality birthday
        engineer nurse teacher developer student widow""",
    ),
    (
        "people",
        1.5,
        """wife husband spouse partner girlfriend boyfriend fiance fiancee mother mom mum father dad parents brother sister
        son daughter child children kids kid baby aunt uncle cousin nephew niece grandmother grandfather grandma grandpa
        grandson granddaughter boss manager colleague cofounder friend neighbour neighbor""",
    ),
    ("preference", 1.2, "prefer preferred like love hate favorite favourite dislike enjoy rather"),
    (
        "issue",
        1.2,
        """problem issue error fail failed failure bug broken struggle struggling stuck crash trouble difficult afraid scared
        worried shaky shaking shake tension tense outage leak""",
    ),
    ("request", 2.0, "memorise memorize"),
)
_WORTH = {name: worth for name, worth, _ in _SIGNALS}
_SIGNAL_OF = {term: name for name, _, words in reversed(_SIGNALS) for term in terms(words)}
_PHRASE = re.compile(
    r"\b(?:(?P<decision>settled on|agreed (?:to|on|that)|(?:going|went) with|changed to|got (?:the|an?) (?:job|offer|dog|cat|puppy|place))"
    r"|(?P<goal>work(?:s|ing)? (?:on|towards?)|would like to|(?:user|i) (?:will|is going to|am going to))"
    r"|(?P<constraint>ha(?:ve|s) to|no more than|at (?:most|least)|by (?:[a-z]{3,6}day|the end|next)|only)"
    r"|(?P<identity>years? old|work(?:s|ed) (?:at|as|for|in)|(?:user|i) (?:is|am) an?)"
    r"|(?P<health>passed away)|(?P<issue>keeps? [a-z]{2,20}ing|every time)|(?P<request>from now on|keep in mind|remember that|(?:don't|do not|never) forget|important (?:to (?:know|note)|that|:)))\b",
    re.IGNORECASE,
)
#: Endings of the names of common drugs.
_DRUGS = ("formin", "cillin", "statin", "sartan", "prazol", "dipin", "olol", "opril")

#: Wishes to be told something: over when they are fulfilled.
_CURIOUS = re.compile(
    r"\b(?:(?:like|love|want|wants|need|needs) to (?:know|learn|hear|understand) (?:more|about|how|what|if|whether)"
    r"|(?:interested in|curious about) (?:learning|knowing|hearing|how|what|the)|looking for (?:\w+ )?(?:\w+ )?(?:recommendations?"
    r"|suggestions?|ideas|tips|advice)|wonder(?:s|ing)?|let's|let us|agree with you|totally agrees?)\b",
    re.IGNORECASE,
)
_CURIOUS_SIGNS = signs(
    "to know|to learn|to hear|to understand|interested in|curious about|looking for|wonder|let's|let us|agree"
)
_CURIOUS_SIGN = any_of(_CURIOUS_SIGNS)
#: Talk to the assistant, or text pasted from somewhere: nothing about the user.
_ADDRESSING = re.compile(r"\byou(?:'(?:re|ve|ll|d)|r|rself)?\b", re.IGNORECASE)
#: Characters a line may have before its length counts against it, and what each further one costs.
_SPARE = 140
_PER_CHARACTER = 0.006

#: How lines begin that are quoted because the rules cannot read them, and the benefit of the doubt they get.
_VERBATIM = 'User said: "'
_UNREAD = 0.8

_NUMBER = re.compile(r"\d")
_NAME = re.compile(r"(?<=[a-z,;:)\u00df-\u00ff] )(?!User\b|I\b|I')[A-Z\u00c0-\u00de][\w-]+")
_WIDE = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_REACTION = re.compile(
    r"(?:(?:yes|yeah|oh|wow|ok|okay|great|thanks|well|and|but|also|that|it|this)\b[,!' ]*)*(?:'?s |is |was |sounds? |looks? "
    r"|makes? |will |really |so |very )*(?:good|great|helpful|nice|awesome|interesting|perfect|sense|amazing|cool|wonderful"
    r"|lovely|right|true|exactly|funny|sweet)\b",
    re.IGNORECASE,
)
#: True for an hour: weather, moods, thanks and what is done meanwhile.
_OF_THE_HOUR = re.compile(
    r"\b(?:rain(?:s|ing|y)?|snow(?:s|ing)|sunn?y?|weather|cloudy|windy|bored|small talk|brb|right now|at the moment|(?:is|am) (?:tired|hungry|back|here|ready|sleepy)"
    r"|maybe later|never mind|whatever|no idea|(?:do|does)(?:n't| not) know|hello|nothing (?:much|new)|thanks|thank you|keep (?:\w+ ){1,3}in mind)\b"
    # A question that lost its mark.
    r"|^(?:what|how|which|why|who)\b",
    re.IGNORECASE,
)


def is_of_the_hour(text: str) -> bool:
    """Whether nobody will ask for it tomorrow."""
    return _OF_THE_HOUR.search(text.replace("\u2019", "'")) is not None or _CURIOUS.search(text) is not None


def weigh(text: str) -> float:
    """The weight of a sentence, about 0 to 12."""
    text = text.replace("\u2019", "'")
    found = terms(text)
    signals = {_SIGNAL_OF[term] for term in found if term in _SIGNAL_OF}
    signals |= {match.lastgroup for match in _PHRASE.finditer(text) if match.lastgroup}
    if any(term.endswith(_DRUGS) for term in found):
        signals.add("health")
    worths = sorted((_WORTH[name] for name in signals), reverse=True)
    weight = _BASE + sum(worth * _DIMINISHING**place for place, worth in enumerate(worths))
    numbered = _NUMBER.search(text) is not None
    named = _NAME.search(text) is not None
    weight += 1.6 * numbered + 1.2 * named
    words = len(text.split()) + len(_WIDE.findall(text)) // 2
    if words < 4 and not numbered:
        weight -= 2.0 if signals else 3.0
    elif words < 6 and not (numbered or named or signals):
        weight -= 1.0
    if text.startswith(_VERBATIM):
        weight += _UNREAD
    if not signals and _REACTION.match(text):
        weight -= 2.5
    low = plain(text)
    if _CURIOUS_SIGN.search(low) and _CURIOUS.search(text):
        weight -= 2.5
    if "you" in low and not text.startswith("A") and _ADDRESSING.search(text):
        weight -= 1.0 if "User" in text else 3.0
    weight -= _PER_CHARACTER * max(0, len(text) - _SPARE)
    if is_vague(text):
        weight -= 1.0
    if is_temporary(text) and "decision" not in signals:
        weight -= 0.8
    return weight + _DANGER * is_dangerous(text)

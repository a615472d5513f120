"""Who said a thing, and what that permits.

A memory keeps the origin of its words, and what is derived keeps the lowest trust of its sources. Only
the user, or the operator speaking through the system role, can put a fact into the profile or pin it:
what merely an assistant, a tool or an import said could have been planted. `instructs_model` recognises
text that addresses the model instead of stating a fact. It does not decide what happens then; such text
is kept, flagged and shown as a quotation. A classifier model was rejected: the check must work offline,
on every line, at once. Its patterns therefore prefer missing a sly sentence to flagging an ordinary one.
"""

import unicodedata
from collections.abc import Iterable
from enum import StrEnum
from functools import lru_cache

from recollect.domain.pattern import Pattern
from recollect.domain.sign import any_of, signs


class Origin(StrEnum):
    """Who said the words a memory was made from."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    SYSTEM = "system"
    IMPORT = "import"


class Source(StrEnum):
    """By which way a memory came into the store."""

    TOOL = "tool"
    SHADOW_EXTRACTION = "shadow_extraction"
    SEEDED_PROFILE = "seeded_profile"
    CURATED_FOLD = "curated_fold"
    IMPORT = "import"
    MANUAL = "manual"


# Highest trust first. The user knows themself; the operator wrote the system prompt; a tool reports what
# it fetched; an import claims what somebody else recorded; an assistant may have made it up.
_ORDER = (Origin.USER, Origin.SYSTEM, Origin.TOOL, Origin.IMPORT, Origin.ASSISTANT)
_RANK = {origin: rank for rank, origin in enumerate(_ORDER)}
_VOUCHED = frozenset({Origin.USER, Origin.SYSTEM})


def lowest(origins: Iterable[Origin]) -> Origin:
    """The origin that a thing derived from these inherits; words from nowhere are trusted least."""
    return max(origins, key=_RANK.__getitem__, default=_ORDER[-1])


def outranks(first: Origin, second: Origin) -> bool:
    """Whether the first origin is trusted more than the second."""
    return _RANK[first] < _RANK[second]


def may_be_profile(origin: Origin) -> bool:
    """Whether words of this origin can become part of the profile without the user confirming them."""
    return origin in _VOUCHED


def may_pin(origin: Origin) -> bool:
    """Whether words of this origin can be pinned without the user confirming them."""
    return origin in _VOUCHED


_INVISIBLE = "\u200b\u2060\u2061\u2062\u2063\u2064\ufeff\u180e"
_BIDI_OVERRIDES = "\u202d\u202e"
# A hidden alphabet: invisible twins of ASCII. Flags of regions use it too, after a black flag.
_TAG_TEXT = Pattern("(?<!\U0001f3f4)(?<![\U000e0020-\U000e007f])[\U000e0020-\U000e007e]")
# One stray zero-width space comes from copying a web page; a run of them or several are put there.
_HIDDEN = Pattern(f"[{_BIDI_OVERRIDES}]|[{_INVISIBLE}]{{2}}")
_MANY_INVISIBLE = 4
_REMOVED = dict.fromkeys(map(ord, _INVISIBLE + "\u200c\u200d\u00ad"), None)

# Where an order can begin: a new sentence, clause or line, or after words that introduce an order.
_ORDER_START = (
    r"(?:^|[.!?:;,\n\"'(\[*>-][ \t]*|\b(?:please|now|and|then|so|just|first|instead|you|must|should|shall"
    r"|to the "
    r"(?:ai|assistant|model)|kindly)\s+)"
)
_RULES = (
    r"(?:instructions?|prompts?|rules|guidelines|directives?|directions|guardrails|constraints|orders"
    r"|training)"
)
_EARLIER = (
    r"(?:previous|prior|preceding|earlier|above|foregoing|existing|original|initial|system|developer|safety)"
)
_SECRETS = (
    r"(?:passwords?|passphrases?|credentials?|logins?|api keys?|access keys?|tokens?|secrets|card numbers?|bank details"
    r"|(?:chat|conversation) (?:logs?|histor(?:y|ies))|conversations|(?:user|personal|private) data|memories)"
)
_ADDRESS = r"(?:\S{1,60}@\S|https?:|www\.)"
_ADVERTISE = r"(?:recommend|promote|advertise|endorse|praise)"
_ALL_ANSWERS = r"(?:every|each|all|any)\s+(?:of\s+)?(?:your\s+|my\s+)?(?:answers?|repl(?:y|ies)|responses?|messages?|conversations?|outputs?)\b"
_EVERY_ANSWER = rf"(?:in|with|to|at the end of)\s+{_ALL_ANSWERS}"

_PATTERNS = (
    # Setting the rules aside.
    rf"{_ORDER_START}(?:ignore|disregard|forget|override|bypass|discard)\s+(?:(?:all|any|every|each|of|the"
    rf"|your|my|"
    rf"our|these|those|this|other|and|or|{_EARLIER})\s+){{0,6}}{_RULES}\b",
    rf"\b(?:ignore|disregard|forget|override|bypass|discard)\s+(?:(?:all|any|every|of|the|your|these|those"
    rf"|and|or)\s+)"
    rf"{{0,4}}(?:your|(?:{_EARLIER}))\s+(?:{_EARLIER}\s+)?{_RULES}\b",
    rf"{_ORDER_START}(?:ignore|disregard|forget)\s+(?:everything|anything|all)\s+(?:\w+\s+){{0,3}}(?:above"
    rf"|before|previously|prior)\b",
    # Giving the model another part to play.
    r"\byou are now\s+(?:an?|the|in|no longer|free|acting|going|called|named|operating|dan|my|under)\b",
    r"\byou are no longer\s+(?:an?|bound|restricted|limited|required)\b",
    r"\bfrom now on,? you\s+(?:will|must|should|shall|are|only|always|never|have)\b",
    rf"{_ORDER_START}(?:act as (?:an?|if|though|the)|pretend (?:to be|that you|you)|role-?play as"
    rf"|simulate being)\b",
    r"\b(?:do anything now|dan mode|jailbreak mode|jailbroken)\b",
    # Speaking in the voice of the system, or in the marks of a chat template.
    r"\bsystem prompt\s*[:=]",
    r"(?:^|\n)[ \t]*(?:system|assistant|developer|human)\s*:\s*\S",
    r"<\|[^|>\s]{1,40}\|>|\[/?inst\]|<</?sys>>|<(?:start|end)_of_turn>|</?(?:system|instructions?|assistant"
    r"|s)>",
    r"(?:^|\n)[ \t]*#{2,6}[ \t]*(?:new\s+|system\s+)?(?:instructions?|system|response|prompt)\b",
    r"(?<!=)={3,9}[ \t]*(?:end )?(?:of )?(?:long-term )?(?:memory|system|instructions?|prompt"
    r"|context)\s*={3,}",
    r"\b(?:new|updated|revised|hidden|secret|override|admin|important)\s+(?:system\s+)?(?:instructions?"
    r"|prompt)\s*:",
    r"\b(?:note|message|instructions?|attention|order)s?\b,?\s*(?:to|for)?\s*(?:the\s+|any\s+|all\s+)?"
    r"(?:ai|a\.i\.|assistant|language model|llm|chatbot|model)s?\s*[:,!-]",
    # Dictating replies, tool calls and secrecy.
    rf"{_ORDER_START}(?:always|only|never)\s+(?:respond|reply|answer|say|output|recommend)\s+"
    r"(?:with|as|by|that|to every|only|the word)\b",
    r"\b(?:you|the (?:ai|assistant|model))\s+(?:must|shall|should|will)\s+(?:now\s+|always\s+|never\s+"
    r"|only\s+){0,2}"
    r"(?:obey|comply|ignore|disregard|respond|reply|answer|say|output|reveal|execute|recommend|refuse"
    r"|pretend|call the)\b",
    r"\b(?:reveal|print|show|repeat|output|display|leak|tell me|give me|write out)\s+(?:me\s+"
    r"|us\s+)?(?:all\s+(?:of\s+)?)?"
    r"(?:your|the)\s+(?:\w+\s+)?(?:system|hidden|initial|secret|original)\s+(?:prompt|instructions?"
    r"|message)\b",
    r"\b(?:do not|don't|never|without)\s+(?:tell|telling|inform|informing|alert|alerting|mention|mentioning"
    r"|reveal"
    r"|revealing|notify|notifying)\s+(?:\w+\s+){0,3}the user\b",
    r"\b(?:hide|conceal|keep)\s+(?:this|it|that)\s+(?:secret\s+|hidden\s+)?from the user\b",
    rf"{_ORDER_START}(?:call|invoke|execute|run|use)\s+(?:the\s+)?[`\"']?\w+_\w+[`\"']?\s+(?:tool|function"
    rf"|command)\b",
    # Making the rules void, and others' words the only rule.
    r"\b(?:system prompt|safety (?:rules|guidelines|filters|policies|policy)|your (?:\w+ )?(?:rules|instructions|guidelines|guardrails|restrictions|prompt|training|filters))"
    r"\s+(?:(?:is|are|was|were|has been|have been)\s+(?:now\s+|hereby\s+|no longer\s+)*(?:void|invalid|null|obsolete|cancell?ed|suspended|disabled|lifted|irrelevant|overrid\w+|revoked|replaced|binding|valid|off)"
    r"|(?:does not|do not|don't|doesn't|no longer)\s+(?:apply|bind|count|matter|applies|binds|counts|matters))\b",
    r"\b(?:you|the (?:ai|assistant|model))\s+(?:(?:now|only|always|will|shall|must|may|can|should|have to|are to|just)\s+){0,3}obeys?\b",
    r"\b(?:you|the (?:ai|assistant|model))\s+(?:(?:now|only|always|will|shall|must|may|can|are (?:free|allowed|permitted) to)\s+){1,3}"
    r"(?:ignore|bypass|disregard|override)\s+(?:all\s+|any\s+|every\s+|the\s+)*(?:your|safety|system)\b",
    rf"\b(?:my|our|these|his|her|\w+'s)\s+(?:orders?|instructions?|commands?|words?|wishes|requests?|rules)\s+(?:(?:always|now|will|shall|must)\s+){{0,2}}"
    rf"(?:overrides?|overrules?|supersedes?|outranks?|trumps?|takes? precedence over)\s+(?:(?:all|any|the|every|your|of)\s+){{0,3}}"
    rf"(?:safety|system (?:prompt|message|rules|instructions)|guardrails|developers?|content polic\w+|(?:{_EARLIER}\s+){_RULES}|(?<=your ){_RULES})\b",
    # Giving secrets away, and advertising whatever is asked.
    rf"\b{_SECRETS}\b[^.!?\n]{{0,40}}?\b(?:must|should|shall|will|have to|need to|has to|are to|is to)\s+(?:always\s+|now\s+|also\s+)*be\s+"
    rf"(?:sent|forwarded|e-?mailed|mailed|uploaded|posted|copied|leaked|disclosed|submitted|given)\s+(?:to|with|at)\s+{_ADDRESS}",
    rf"(?:^|[.!?:;\n][ \t]*|\b(?:please|always|from now on,?|you)\s+)(?:send|forward|e-?mail|mail|upload|post|copy|leak|disclose|submit|exfiltrate)\s+"
    rf"(?:(?:all|any|every|each|the|your|my|his|her|their|user's|of)\s+){{0,4}}{_SECRETS}\b[^.!?\n]{{0,40}}?\b(?:to|at)\s+{_ADDRESS}",
    rf"\b{_ADVERTISE}\b[^.!?\n]{{1,60}}?\b{_EVERY_ANSWER}|\b{_EVERY_ANSWER},?\s+(?:you\s+)?(?:must\s+|should\s+|always\s+|please\s+)*{_ADVERTISE}\b",
    # The same first sentence in four other languages.
    r"\bignor(?:a|ez|iere|iert)\b.{0,30}\b(?:instrucciones|instru[cç][oõ]es|instructions|anweisungen"
    r"|istruzioni)\b",
    r"\bignore\b.{0,30}\b(?:instructions pr[eé]c[eé]dentes|instru[cç][oõ]es anteriores)\b",
    r"\b(?:vergiss|oublie[z]?|olvida|dimentica)\b.{0,30}\b(?:anweisungen|instructions|instrucciones"
    r"|istruzioni)\b",
)
_INSTRUCTION = Pattern("|".join(f"(?:{pattern})" for pattern in _PATTERNS))
#: Without one of these no pattern fires, and nearly every text has none.
_SIGNS = signs(
    "ignor|disregard|forget|override|bypass|discard|you are n|from now on|act as|pretend|role|simulate|anything now"
    "|dan mode|jailbr|system|assistant|developer|human|<|[|##|===|instruction|prompt|a.i.|model|llm|chatbot"
    "|obey|comply|execute|refuse|reveal|call the|hidden|secret|initial|original|the user|tool|function"
    "|command|overrul|supersede|outrank|trump|precedence|safety|rules|guideline|guardrail|restriction|training|filters|@|http|www.|vergiss|oublie|olvida|dimentica"
)
_SIGN = any_of(_SIGNS)
_ADDRESSED = Pattern(
    r"ais?\b|you\s+(?:must|shall|should|will)\b|(?:always|only|never)\s+(?:respond|reply|answer|say|output|recommend)\b"
)
#: Characters of texts whose answers are kept.
_SHORT = 1000
#: People recommend things all day; it is an order where every answer is meant.
_ADVERTISING = signs("recommend|promote|advertise|endorse|praise")
_MEANS_ALL = Pattern(_ALL_ANSWERS)


def instructs_model(text: str) -> bool:
    """Whether the text addresses the model with orders, or hides something from the reader's eye."""
    return _instructs_again(text) if len(text) <= _SHORT else _instructs(text)


@lru_cache(maxsize=8192)
def _instructs_again(text: str) -> bool:
    """The same lines are asked about turn after turn."""
    return _instructs(text)


def _instructs(text: str) -> bool:
    if hides_text(text):
        return True
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text.translate(_REMOVED)).replace("\u2019", "'")
    plain = text.lower()
    return _may_instruct(plain) and _INSTRUCTION.search(plain) is not None


def _may_instruct(plain: str) -> bool:
    if _SIGN.search(plain) is not None or _ADDRESSED.search(plain) is not None:
        return True
    return any(word in plain for word in _ADVERTISING) and _MEANS_ALL.search(plain) is not None


def hides_text(text: str) -> bool:
    """Whether a text hides something from the reader's eye: invisible letters, or many gaps without a width."""
    if text.isascii():
        return False
    if _TAG_TEXT.search(text) or _HIDDEN.search(text):
        return True
    # A byte order mark at the very start is an editor's habit, not a trick.
    return sum(text.count(char, 1) for char in _INVISIBLE) >= _MANY_INVISIBLE

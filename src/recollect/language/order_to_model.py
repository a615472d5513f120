"""Orders to the model: the ways in which a text addresses the reader of a memory instead of stating a fact.

Each way is a pattern with the words that it cannot do without. Nearly every text lacks those of all patterns, and most
others have those of one or two, so that long patterns are held against few texts. It reads plain text only (small letters,
nothing invisible) and does not decide what becomes of such a text: that is `trust`'s business. One pattern of all of them
was rejected: it took seven times as long on ordinary talk, where every third message holds one of all those words.
"""

from dataclasses import dataclass

from recollect.language.pattern import Pattern
from recollect.language.sign import any_of, signs

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


@dataclass(frozen=True, slots=True)
class Order:
    """A way to order a model about."""

    pattern: Pattern
    #: Without one piece of each of these lists the pattern cannot match; the rarest list first.
    needs: tuple[tuple[str, ...], ...]

    def is_in(self, plain: str) -> bool:
        """Whether a plain text holds it."""
        for pieces in self.needs:
            for piece in pieces:
                if piece in plain:
                    break
            else:
                return False
        return self.pattern.search(plain) is not None


def _order(pattern: str, *needs: str) -> Order:
    return Order(Pattern(pattern), tuple(signs(need) for need in needs))


_RULES_NEEDED = "instruction|prompt|rules|guideline|directive|directions|guardrail|constraint|orders|training"
_ANSWER_NEEDED = "obey|comply|ignore|disregard|respond|reply|answer|say|output|reveal|execute|recommend|refuse|pretend|call the"
_FOREIGN_RULES_NEEDED = "instru|anweisung|istruzioni"

ORDERS = (
    # Setting the rules aside.
    _order(
        rf"{_ORDER_START}(?:ignore|disregard|forget|override|bypass|discard)\s+(?:(?:all|any|every|each|of|the"
        rf"|your|my|"
        rf"our|these|those|this|other|and|or|{_EARLIER})\s+){{0,6}}{_RULES}\b",
        "ignore|disregard|forget|override|bypass|discard",
        _RULES_NEEDED,
    ),
    _order(
        rf"\b(?:ignore|disregard|forget|override|bypass|discard)\s+(?:(?:all|any|every|of|the|your|these|those"
        rf"|and|or)\s+)"
        rf"{{0,4}}(?:your|(?:{_EARLIER}))\s+(?:{_EARLIER}\s+)?{_RULES}\b",
        "ignore|disregard|forget|override|bypass|discard",
        _RULES_NEEDED,
    ),
    _order(
        rf"{_ORDER_START}(?:ignore|disregard|forget)\s+(?:everything|anything|all)\s+(?:\w+\s+){{0,3}}(?:above"
        rf"|before|previously|prior)\b",
        "ignore|disregard|forget",
        "above|before|previously|prior",
    ),
    # Giving the model another part to play.
    _order(
        r"\byou are now\s+(?:an?|the|in|no longer|free|acting|going|called|named|operating|dan|my|under)\b",
        "you are now",
    ),
    _order(r"\byou are no longer\s+(?:an?|bound|restricted|limited|required)\b", "you are no longer"),
    _order(r"\bfrom now on,? you\s+(?:will|must|should|shall|are|only|always|never|have)\b", "from now on"),
    _order(
        rf"{_ORDER_START}(?:act as (?:an?|if|though|the)|pretend (?:to be|that you|you)|role-?play as"
        rf"|simulate being)\b",
        "act as |pretend |role-play as|roleplay as|simulate being",
    ),
    _order(
        r"\b(?:do anything now|dan mode|jailbreak mode|jailbroken)\b",
        "do anything now|dan mode|jailbreak mode|jailbroken",
    ),
    # Speaking in the voice of the system, or in the marks of a chat template.
    _order(r"\bsystem prompt\s*[:=]", "system prompt"),
    _order(
        r"(?:^|\n)[ \t]*(?:system|assistant|developer|human)\s*:\s*\S",
        "system|assistant|developer|human",
        ":",
    ),
    _order(
        r"<\|[^|>\s]{1,40}\|>|\[/?inst\]|<</?sys>>|<(?:start|end)_of_turn>|</?(?:system|instructions?|assistant"
        r"|s)>",
        "<|[",
    ),
    _order(
        r"(?:^|\n)[ \t]*#{2,6}[ \t]*(?:new\s+|system\s+)?(?:instructions?|system|response|prompt)\b", "##"
    ),
    _order(
        r"(?<!=)={3,9}[ \t]*(?:end )?(?:of )?(?:long-term )?(?:memory|system|instructions?|prompt"
        r"|context)\s*={3,}",
        "===",
    ),
    _order(
        r"\b(?:new|updated|revised|hidden|secret|override|admin|important)\s+(?:system\s+)?(?:instructions?"
        r"|prompt)\s*:",
        "instruction|prompt",
        ":",
    ),
    _order(
        r"\b(?:note|message|instructions?|attention|order)s?\b,?\s*(?:to|for)?\s*(?:the\s+|any\s+|all\s+)?"
        r"(?:ai|a\.i\.|assistant|language model|llm|chatbot|model)s?\s*[:,!-]",
        "note|message|instruction|attention|order",
        "ai|a.i.|assistant|language model|llm|chatbot|model",
    ),
    # Dictating replies, tool calls and secrecy.
    _order(
        rf"{_ORDER_START}(?:always|only|never)\s+(?:respond|reply|answer|say|output|recommend)\s+"
        r"(?:with|as|by|that|to every|only|the word)\b",
        "respond|reply|answer|say|output|recommend",
        "always|only|never",
    ),
    _order(
        r"\b(?:you|the (?:ai|assistant|model))\s+(?:must|shall|should|will)\s+(?:now\s+|always\s+|never\s+"
        r"|only\s+){0,2}"
        r"(?:obey|comply|ignore|disregard|respond|reply|answer|say|output|reveal|execute|recommend|refuse"
        r"|pretend|call the)\b",
        _ANSWER_NEEDED,
        "must|shall|should|will",
        "you|the ai|the assistant|the model",
    ),
    _order(
        r"\b(?:reveal|print|show|repeat|output|display|leak|tell me|give me|write out)\s+(?:me\s+"
        r"|us\s+)?(?:all\s+(?:of\s+)?)?"
        r"(?:your|the)\s+(?:\w+\s+)?(?:system|hidden|initial|secret|original)\s+(?:prompt|instructions?"
        r"|message)\b",
        "prompt|instruction|message",
        "system|hidden|initial|secret|original",
    ),
    _order(
        r"\b(?:do not|don't|never|without)\s+(?:tell|telling|inform|informing|alert|alerting|mention|mentioning"
        r"|reveal"
        r"|revealing|notify|notifying)\s+(?:\w+\s+){0,3}the user\b",
        "the user",
    ),
    _order(
        r"\b(?:hide|conceal|keep)\s+(?:this|it|that)\s+(?:secret\s+|hidden\s+)?from the user\b",
        "from the user",
    ),
    _order(
        rf"{_ORDER_START}(?:call|invoke|execute|run|use)\s+(?:the\s+)?[`\"']?\w+_\w+[`\"']?\s+(?:tool|function"
        rf"|command)\b",
        "_",
        "tool|function|command",
    ),
    # Making the rules void, and others' words the only rule.
    _order(
        r"\b(?:system prompt|safety (?:rules|guidelines|filters|policies|policy)|your (?:\w+ )?(?:rules|instructions|guidelines|guardrails|restrictions|prompt|training|filters))"
        r"\s+(?:(?:is|are|was|were|has been|have been)\s+(?:now\s+|hereby\s+|no longer\s+)*(?:void|invalid|null|obsolete|cancell?ed|suspended|disabled|lifted|irrelevant|overrid\w+|revoked|replaced|binding|valid|off)"
        r"|(?:does not|do not|don't|doesn't|no longer)\s+(?:apply|bind|count|matter|applies|binds|counts|matters))\b",
        "rules|instructions|guideline|guardrails|restrictions|prompt|training|filters|polic",
        "system prompt|safety |your ",
    ),
    _order(
        r"\b(?:you|the (?:ai|assistant|model))\s+(?:(?:now|only|always|will|shall|must|may|can|should|have to|are to|just)\s+){0,3}obeys?\b",
        "obey",
    ),
    _order(
        r"\b(?:you|the (?:ai|assistant|model))\s+(?:(?:now|only|always|will|shall|must|may|can|are (?:free|allowed|permitted) to)\s+){1,3}"
        r"(?:ignore|bypass|disregard|override)\s+(?:all\s+|any\s+|every\s+|the\s+)*(?:your|safety|system)\b",
        "ignore|bypass|disregard|override",
        "your|safety|system",
    ),
    _order(
        rf"\b(?:my|our|these|his|her|\w+'s)\s+(?:orders?|instructions?|commands?|words?|wishes|requests?|rules)\s+(?:(?:always|now|will|shall|must)\s+){{0,2}}"
        rf"(?:overrides?|overrules?|supersedes?|outranks?|trumps?|takes? precedence over)\s+(?:(?:all|any|the|every|your|of)\s+){{0,3}}"
        rf"(?:safety|system (?:prompt|message|rules|instructions)|guardrails|developers?|content polic\w+|(?:{_EARLIER}\s+){_RULES}|(?<=your ){_RULES})\b",
        "override|overrule|supersede|outrank|trump|precedence over",
    ),
    # Giving secrets away, and advertising whatever is asked.
    _order(
        rf"\b{_SECRETS}\b[^.!?\n]{{0,40}}?\b(?:must|should|shall|will|have to|need to|has to|are to|is to)\s+(?:always\s+|now\s+|also\s+)*be\s+"
        rf"(?:sent|forwarded|e-?mailed|mailed|uploaded|posted|copied|leaked|disclosed|submitted|given)\s+(?:to|with|at)\s+{_ADDRESS}",
        "@|http|www.",
    ),
    _order(
        rf"(?:^|[.!?:;\n][ \t]*|\b(?:please|always|from now on,?|you)\s+)(?:send|forward|e-?mail|mail|upload|post|copy|leak|disclose|submit|exfiltrate)\s+"
        rf"(?:(?:all|any|every|each|the|your|my|his|her|their|user's|of)\s+){{0,4}}{_SECRETS}\b[^.!?\n]{{0,40}}?\b(?:to|at)\s+{_ADDRESS}",
        "@|http|www.",
    ),
    _order(
        rf"\b{_ADVERTISE}\b[^.!?\n]{{1,60}}?\b{_EVERY_ANSWER}|\b{_EVERY_ANSWER},?\s+(?:you\s+)?(?:must\s+|should\s+|always\s+|please\s+)*{_ADVERTISE}\b",
        "recommend|promote|advertise|endorse|praise",
        "answer|repl|response|message|conversation|output",
    ),
    # The same first sentence in four other languages.
    _order(
        r"\bignor(?:a|ez|iere|iert)\b.{0,30}\b(?:instrucciones|instru[cç][oõ]es|instructions|anweisungen"
        r"|istruzioni)\b",
        "ignor",
        _FOREIGN_RULES_NEEDED,
    ),
    _order(
        r"\bignore\b.{0,30}\b(?:instructions pr[eé]c[eé]dentes|instru[cç][oõ]es anteriores)\b",
        "ignore",
        "instru",
    ),
    _order(
        r"\b(?:vergiss|oublie[z]?|olvida|dimentica)\b.{0,30}\b(?:anweisungen|instructions|instrucciones"
        r"|istruzioni)\b",
        "vergiss|oublie|olvida|dimentica",
        _FOREIGN_RULES_NEEDED,
    ),
)
_FIRST = any_of(piece for order in ORDERS for piece in order.needs[0])
#: Characters up to which one look for all first pieces is faster than one look for each.
_SHORT = 500


def orders_about(plain: str) -> bool:
    """Whether a plain text orders the model about."""
    if len(plain) <= _SHORT and _FIRST.search(plain) is None:
        return False
    return any(order.is_in(plain) for order in ORDERS)

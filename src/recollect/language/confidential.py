"""Words that ask not to keep what is told: "off the record", "don't save this", "just between us".

What stands in such a message becomes no memory, pin or todo; the message itself stays, for it is the conversation. It
speaks of a whole message: which of its sentences is meant cannot be told apart, and the safe mistake is to keep
nothing. "Don't store my salary" names a thing and is a request to forget (`forget_request`), not one of these.
"""

import re

from recollect.language.pattern import Pattern
from recollect.language.sign import any_of, plain, signs

# Where an order can begin: "I don't remember this" is none.
_START = r"(?:^|[.!?,;:(\n\u2014\u2013-]\s*|\b(?:please|pls|so|and|but|also|just|kindly|ok|okay|hey|btw|however|rather|you|again)\s+)"
_NOT = r"(?:don't|dont|do not|never|can you not|could you not|(?:must|should|may|can|need) ?(?:not|n't)|no need to|better not|try not to)"
_KEEP = r"(?:store|save|remember|record|keep|log|memori[sz]e|note|retain|file)"
_KEPT = r"(?:stored|saved|remembered|recorded|kept|logged|memori[sz]ed|noted|retained|written down|on (?:the )?record)"
_THIS = r"(?:this|that|it|any of (?:this|that|it)|what (?:i|i'm|i am|i've|i have) (?:just |about to |going to )*(?:say|saying|said|tell|telling|told|wrote|shared?)(?: you)?|the following|this (?:part|bit|message|one|fact|info(?:rmation)?))"
_ENDS = r"(?=\s*(?:[.,;:!?)\n\u2014\u2013-]|$|(?:please|pls|ok|okay|anywhere|either|for later|at all|but|because|and|as|in (?:your|the|any|long-term)|on (?:the |any )?record|about me|though)\b))"
_BETWEEN = r"between (?:us(?: two)?|you and (?:me|i)|ourselves)"

_ASKED = Pattern(
    rf"{_START}{_NOT} (?:ever |please |actually )*(?:{_KEEP} (?:down )?{_THIS}{_ENDS}|(?:write|note|jot|take) (?:{_THIS} down|down {_THIS})"
    rf"|(?:make|take|keep) (?:a |any )?(?:notes?|records?|memor(?:y|ies)) (?:of|about|from) {_THIS}|(?:put|add) {_THIS} (?:in|into|to) (?:your |the |my )?(?:memory|memories|notes|profile|records?)"
    rf"|tell (?:anyone|anybody|a soul|others)(?: else)?)"
    rf"|\b(?:don't|do not|didn't|wouldn't|would not|would rather not) (?:want|like|need) (?:you to (?:{_KEEP}|write down) {_THIS}|{_THIS} (?:to be )?{_KEPT})"
    rf"|\brather you (?:didn't|did not|don't|not) (?:{_KEEP}|write down) {_THIS}"
    r"|(?<!not )(?<!n't )(?<!nothing )\boff[ -]the[ -]record\b|\bnot for the record\b|\bstrike (?:this|that|it) from the record\b"
    rf"|(?:^|[.!?,;:(\n\u2014\u2013-]\s*|\b(?:just|strictly|only|stays?|is|keep (?:this|it|that)) ){_BETWEEN}(?=\s*(?:[,.:;!?)\n\u2014\u2013-]|$|(?:i|my|please|ok|okay)\b))"
    r"|(?<!to )(?<!n't )\bkeep (?:this|that|it)(?: (?:strictly|just|all))? (?:to yourself|private|confidential|secret|quiet|on the (?:down[- ]?low|quiet))\b(?! from)"
    r"|\b(?:this|that|it|what i (?:say|tell you|am telling you))(?:'s| is| stays| remains)(?: \w+)? (?:confidential|in confidence)\b|\b(?:strictly|in strict(?:est)?) confiden(?:tial(?:ly)?|ce)\b|\btell(?:ing)? you (?:this |that )?in confidence\b"
    r"|\byou (?:didn't|did not|never) hear (?:this|that|it)(?: from me)?\b"
    r"|\b(?<!don't )(?<!never )(?<!not )(?:forget|ignore|pretend) (?:that )?i (?:just |ever |even )*(?:said|told|mentioned|wrote|brought|asked|shared)\b(?! you should)"
    r"|\b(?<!don't )(?<!never )(?<!not )forget what i (?:just |have )?(?:said|told you|wrote|mentioned)(?=\s*(?:[.,;!?)\n]|$|just now|earlier|before|please))",
    re.IGNORECASE,
)
_SIGN = any_of(
    signs(
        "record|between us|between you|between ourselves|to yourself|private|confiden|secret|quiet|down-low|down low|downlow|hear |forget |ignore |pretend "
        "|n't |dont |not |never |no need"
    )
)
#: Characters at each end that are read: such a request opens or closes what is told.
_READ = 2000


def asks_not_to_keep(text: str) -> bool:
    """Whether a message asks that nothing of it is kept."""
    if len(text) > 2 * _READ:
        text = f"{text[:_READ]}\n{text[-_READ:]}"
    low = plain(text)
    return _SIGN.search(low) is not None and _ASKED.search(low) is not None

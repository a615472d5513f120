"""Plain requests to remember: what is kept only because the user asks for it ("remember that the cabin's key is in the shed").

A firm request keeps any statement; a remark such as "note that" keeps none by itself, for tasks are full of them. What asks,
instructs the model or is a secret is never kept, however firmly it is asked. The frame was taken off before
(`explicit_request`).
"""

from recollect.language.judge.keeping import Refused
from recollect.language.judge.owning import SECRET
from recollect.language.judge.wording import sentence, written_out
from recollect.language.pattern import Pattern

_FIRM = Pattern(
    r"(?i).*?\b(?:remember|memori[sz]e|don'?t forget|never forget|do not forget|keep (?:this |that |it )?in mind|bear (?:this |that |it )?in mind|save this|save that|store this|store that|write (?:this )?down|make a note|for (?:the|future|later) (?:reference|record))\b"
)
_ADDRESSED = Pattern(
    r"(?i)(?:.*\b(?:you (?:must|should|are|will|need|can|have|always|never)|always (?:answer|reply|respond|use|write|say)|never (?:answer|reply|respond|use|write|say)|your (?:instructions|rules|prompt))\b|(?:to|when|how|what|where|why|who|which|if|whether)\b|(?:in|for) this (?:code|task|function|file|exercise)\b)"
)
_SUBJECTED = Pattern(
    r"(?i)(?:.* )?(?:is|are|was|were|has|have|had|does|do|can|can't|will|[a-z]+s|[a-z]+ed)\b"
)


_VAGUE = Pattern(r"(?i)(?:this|that|it|these|those|they|he|she|there)\b")
_PERSONAL = Pattern(r"(?i)\b(?:i|i'm|i've|my|me|mine|we|our|us)\b")
#: "Remember, aliens ..." is told in a task; "remember that ..." and "save this: ..." are asked for.
_THAT = Pattern(
    r"(?i)\b(?:remember|forget|in mind|note|memori[sz]e|save|store|record|reference)(?: (?:that|this|the following)|\s*:)|\bremember the \w+"
)


def requested(said: str, stripped: str) -> str | Refused | None:
    """The statement to keep, why it is refused, or None when nothing is asked firmly enough."""
    if SECRET.search(stripped):
        return Refused(reason="It is a secret, and a memory is no safe.")
    if said.rstrip().endswith("?") or _ADDRESSED.match(stripped):
        return Refused(reason="It asks or instructs, it states nothing.")
    if _VAGUE.match(stripped) or (not _PERSONAL.search(stripped) and not _THAT.search(said)):
        return None
    if _FIRM.match(said) is None or len(stripped.split()) < 3 or not _SUBJECTED.match(stripped):
        return None
    return sentence(written_out(stripped))

"""What is worth keeping, and what to say when it is not.

A text is judged sentence by sentence and kept if one of them states something lasting. Refused are
questions, one-off requests, small talk, and whatever the engine itself put into a prompt; from the judge,
who proposes on its own, also hedges, general knowledge and words that are not the user's. A caller who
saves a hedge on purpose keeps it, with less importance. The module knows no memories: what is known
already is `duplicate`'s concern. Scoring was rejected: a refusal must name its reason and what to do
about it.
"""

import re
from dataclasses import dataclass

from recollect.language.danger import is_dangerous
from recollect.language.pattern import Pattern
from recollect.language.sentence import ends_as_question, sentences
from recollect.records.category import Category
from recollect.records.entity import EntityType
from recollect.records.memory import Origin
from recollect.rules.importance import is_vague


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Whether to keep a text, and why."""

    keep: bool
    reason: str


_KEPT = Verdict(keep=True, reason="states something lasting")


def assess(text: str, *, by_caller: bool, origin: Origin) -> Verdict:
    """Decide whether a text may become a memory; a caller is given more credit than the judge."""
    if is_injected(text):
        return _refused(
            "This text was injected by the memory engine itself. Store new facts, not recalled ones."
        )
    if not by_caller and origin in (Origin.ASSISTANT, Origin.SYSTEM):
        whose = "the assistant's own words" if origin is Origin.ASSISTANT else "a system prompt"
        return _refused(f"This is {whose}. Only what the user says becomes a memory by itself.")
    if not by_caller and _INCOMPLETE.search(text):
        return _refused("This sentence has no end. Store what it was going to say.")
    own = _own_sentences(text.replace("\u2019", "'"))
    verdicts = [_assess_sentence(sentence, by_caller=by_caller) for sentence in own]
    if not verdicts:
        return _refused("This text has no words. Say what should be remembered.")
    return next((verdict for verdict in verdicts if verdict.keep), verdicts[0])


#: A subject and no more than a verb that leads on, or a word that does: what ends so was cut.
_INCOMPLETE = Pattern(
    r"^User(?:'s (?:[\w'-]+ )*?[\w'-]+)? (?:is|was|are|were|has|had|will|will be)[ .!,;:]*$"
    r"|\b(?:User's|the|an?|and|or|but|named|called|than|because)[ .!,;:]*$"
)


def _refused(reason: str) -> Verdict:
    return Verdict(keep=False, reason=reason)


_TYPES = "|".join(type.value for type in EntityType)
_CATEGORIES = "|".join(category.value for category in Category)
_INJECTED = Pattern(
    r"={3}\s*(?:LONG-TERM MEMORY|END MEMORY|EXISTING_SUMMARY)\s*={3}"
    rf"|^[ \t]*(?:[-*] )?\[(?:{_TYPES}):[^\]\s]+\]:"
    rf"|^[ \t]*[-*] \[(?:{_CATEGORIES})\] .*\(Importance: ?\d"
    r"|^[ \t]*[-*] .*\(Importance: ?\d+(?:\.\d+)?(?:, ID: ?[^)]*)?\)[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)


def is_injected(text: str) -> bool:
    """Whether the text holds a block, card or list line as the engine writes them into prompts."""
    # Each of them has one of these signs, and hardly a message has: looking for a sign takes a tenth of the time.
    if "[" not in text and "(" not in text and "===" not in text:
        return False
    return _INJECTED.search(text) is not None


def without_injected(text: str) -> str:
    """The text without what this engine wrote into a prompt and somebody sent back."""
    if not is_injected(text):
        return text
    own: list[str] = []
    inside = False
    for line in text.splitlines():
        mark = line.strip().upper()
        if mark.startswith("===") and "MEMORY" in mark:
            inside = "END" not in mark
        elif not inside and not is_injected(line):
            own.append(line)
    return "\n".join(own)


_QUOTED = Pattern(r"\"[^\"\n]*\"|\u201c[^\u201d\n]*\u201d|(?<!\w)'[^'\n]+'(?!\w)|`[^`\n]*`")
_WORDLIKE = Pattern(r"\w")


def _own_sentences(text: str) -> list[str]:
    """The sentences, without the words they quote: a quoted question asks nothing."""
    unquoted = _QUOTED.sub("\u00a7", text)
    # A text that is nothing but a quotation is judged by what it quotes.
    plain = unquoted if _WORDLIKE.search(unquoted) else text.strip(" \t\n\"'`\u201c\u201d")
    return [piece.text for piece in sentences(plain) if _WORDLIKE.search(piece.text)]


def _assess_sentence(sentence: str, *, by_caller: bool) -> Verdict:
    bare = _bare(sentence)
    if _SMALL_TALK.fullmatch(bare) or _IDLE.fullmatch(bare):
        return _refused("This is small talk. Store facts, preferences, people and projects.")
    if _says_nothing(bare):
        return _refused("This states nothing. Say what should be remembered, as a sentence.")
    if _is_answer(sentence):
        return _refused("This announces an answer. Store what the user said, not what was made for them.")
    if _asks_to_keep(sentence) or (by_caller and _states_in_passing(sentence)):
        return _KEPT
    if _is_request(sentence):
        return _refused("This is a one-off request. Store what it tells about the user, if anything.")
    if _is_question(sentence):
        return _refused("This is a question. Store the answer once it is known, as a statement.")
    if by_caller:
        return _KEPT
    # A warning in doubt is worth more than a certainty about tea.
    if _HYPOTHETICAL.match(sentence) and not _is_grave(sentence):
        return _refused("This is hypothetical. Store it once it is a fact.")
    if is_vague(sentence) and not _is_grave(sentence):
        return _refused("This is uncertain. Store it once the user has decided, or save it explicitly.")
    if _REACTION.match(sentence):
        return _refused("This is a reaction to what was just said. Store what the user likes in general.")
    if _is_general_knowledge(sentence):
        return _refused("This is general knowledge. Store what it means to the user.")
    return _KEPT


# What advice turns on although no life hangs on it today. `danger` leaves it out: in a summary, where danger goes first,
# it would push an allergy aside.
_PREGNANT_OR_DIABETIC = Pattern(r"pregnan|diabet", re.IGNORECASE)


def _is_grave(sentence: str) -> bool:
    """Whether even a doubt is worth keeping."""
    return is_dangerous(sentence) or _PREGNANT_OR_DIABETIC.search(sentence) is not None


_PHRASES = (
    r"hi|hello|hey|hiya|howdy|yo|good (?:morning|afternoon|evening|night|day)|greetings|welcome|bye|good ?bye"
    r"|see (?:you|ya)"
    r"|cheers|thanks?|thank you|thx|ty|many|a lot|so much|very much|again|ok|okay|k|kk|sure|yes|yeah|yep|yup"
    r"|no|nope|nah"
    r"|great|cool|nice|awesome|perfect|excellent|fine|wow|lol|haha+|hm+|oh|ah|right|exactly|indeed|got it"
    r"|i see|makes sense"
    r"|understood|sounds good|will do|no problem|no worries|you're welcome|never ?mind|good (?:job|point|idea"
    r"|work)"
    r"|well done|interesting|really|please|sorry|my bad|that's (?:great|nice|cool|fine|good|awesome|perfect"
    r"|right|it|all)"
    r"|you're (?:the best|great|awesome|right)|have a (?:nice|good|great) (?:day|evening|weekend|one)"
    r"|take care|love it"
    r"|how are you|how's it going|what's up|nice to meet you|you too|me too|same here|i'm (?:good|fine|ok"
    r"|okay|great|back|here)"
    r"|talk (?:to you )?(?:later|soon)|later|there|then|for (?:the|your) help|for that|so|and|very helpful"
    r"|helpful|that helps"
    r"|go on|continue|next|stop|done|test|testing|assistant|buddy|man|everyone|all|all good|good|it works"
    r"|that works|works"
)
_SMALL_TALK = Pattern(rf"(?:(?:{_PHRASES})(?: |$))+")
_IDLE = Pattern(
    r"(?:hi|hello|hey) there(?: my \w+)?|let me (?:think|see|check|know)\b.*|(?:please )?(?:exit|quit|stop|cancel|close)"
    r"(?: (?:it|this|that|now|please|the (?:app|chat|program)))*|(?:give me|wait|hold on|one|just) (?:an?|one)? ?(?:second"
    r"|sec|moment|minute)(?: please)?"
)
#: A request that does not say what to keep.
_EMPTY_REQUEST = Pattern(
    r"(?:please |can you |could you )*(?:remember|save|store|note|keep|memori[sz]e)(?: (?:this|that|it|these|everything))?"
    r"(?: (?:please|for me|for later|in mind|down))*"
)


def _says_nothing(bare: str) -> bool:
    """One word over and over, or a request without what it asks for."""
    words = bare.split()
    repeated = len(words) > 1 and len(set(words)) == 1
    return repeated or _EMPTY_REQUEST.fullmatch(bare) is not None


_NOT_SPOKEN = Pattern(r"[^\w' ]+")


def _bare(sentence: str) -> str:
    return " ".join(_NOT_SPOKEN.sub(" ", sentence.lower()).split())


_KEEP_THIS = Pattern(
    r"(?:\b(?:please|can you|could you|would you|will you|also|and)\s+|^)(?:please\s+)?"
    r"(?:remember|note(?: down)?|keep in mind|bear in mind|don't forget|do not forget|never forget|save"
    r"|store|memori[sz]e|jot down)\b",
    re.IGNORECASE,
)
_RECALLING = Pattern(
    r"\bremember (?:what|when|where|who|how|why|which|if|whether|me|us|anything|the time)\b", re.IGNORECASE
)


def _asks_to_keep(sentence: str) -> bool:
    """Asking to remember is no ordinary request: "Can you remember that I am vegan?" is a fact."""
    return _KEEP_THIS.search(sentence) is not None and not _RECALLING.search(sentence)


_DELIVERABLE = (
    r"(?:poem|story|song|joke|haiku|limerick|essay|e-?mail|letter|summary|recipe|list|translation|explanation"
    r"|script|function"
    r"|regex|query|code|snippet|program|outline|plan|table|image|picture|logo|title|caption|tweet|post"
    r"|paragraph|speech|report"
    r"|example|itinerary|suggestion|recommendation|idea|definition|comparison|quiz|draft|cover letter|help"
    r"|advice|assistance)s?"
)
#: What an assistant says before or instead of an answer; nobody tells about themselves like that.
_ANSWER = Pattern(
    rf"here(?:'s| is| are) (?:the|your|an?|some) (?:\w+ ){{0,3}}{_DELIVERABLE}\b"
    r"(?:[^:]* you (?:asked|requested|wanted)\b.*|[^:]*:$)"
    r"|as an AI(?: language)?(?: model| assistant)?\b|you are an? (?:helpful|AI) assistant\b",
    re.IGNORECASE,
)


def _is_answer(sentence: str) -> bool:
    return _ANSWER.match(sentence) is not None


# Health that others must know about; wider than what is grave, as only a caller who saves on purpose uses it.
_HEALTH = Pattern(
    r"\b(?:adhd|autis|dyslexi|stroke\b|c(?:o)?eliac|asthma|cancer\b|insulin|medicat|blood (?:sugar|pressure"
    r"|type)|disab|wheelchair|deaf|hard of hearing|(?:visually|hearing) impaired|claustrophob|insomnia"
    r"|diagnos|intoleran|pacemaker|dementia|depress|heart (?:attack|disease|condition))",
    re.IGNORECASE,
)
_MANNER = (
    r"(?:be\b|use\b|avoid\b|stop using\b|speak\b|talk\b|address\b|call\b"
    r"|(?:answer|reply|respond|write)(?: to)?(?: (?:me|him|her|them|User))? (?:in|with|briefly)\b(?! (?:the|this|that)\b))"
)
_IN_PASSING = tuple(
    Pattern(pattern, re.IGNORECASE)
    for pattern in (
        # Told is what is so; what the assistant was told to do is a request.
        r"User (?:told|tells) (?:me|you|the (?:assistant|AI|model|bot)) (?:that\b|(?:s?he|they|his|her|their)\b)",
        # How to treat the user, as opposed to what to make.
        r"User (?:asked|asks|told|wants) (?:me|you|the (?:assistant|AI|model|bot)) (?:not |never )?to (?:not )?"
        + _MANNER,
        r"(?:please )?(?:answer|reply|respond|write)(?: to)?(?: me)? in (?!the |this |that )(?:\w+ ){0,2}\w+(?:,? please)?[.!]*$",
        r"(?:can|could|would|will) you (?:please )?(?:address me as|(?-i:call me [A-Z]))",
        # A statement that only ends or begins like a question.
        r"(?:I|I'm|I've|my|we|we're|our|User|User's)\b[^?]*, (?:right|ok(?:ay)?|you know|remember|yeah|correct)\?+$",
        r"did (?:I (?:mention|say|tell you)|you know) (?:that )?(?:I|I'm|I've|we|my \w+ (?:is|has|are))\b",
        # A request with its reason.
        r"[^,;:?]+[,;:] (?:because )?I (?:prefer|love|hate|live|am an?)\b",
    )
)


def _states_in_passing(sentence: str) -> bool:
    """Whether a request or question tells about the user; what a life may hang on always does."""
    serious = _is_grave(sentence) or _HEALTH.search(sentence) is not None
    if serious and _PERSONAL.search(sentence):
        return True
    return any(pattern.match(sentence) for pattern in _IN_PASSING)


_MAKE = (
    r"(?:write|draft|compose|generate|create|make|translate|summari[sz]e|explain|tell|show|give|help|fix"
    r"|debug|find|list|suggest"
    r"|recommend|calculate|compute|convert|rewrite|rephrase|paraphrase|proofread|describe|compare|analy[sz]e"
    r"|search|look up"
    r"|define|review|implement|refactor|draw|solve|check|correct|improve|shorten|expand|format|sort|count"
    r"|read|continue"
    r"|finish|provide|prepare|teach|walk|send|book|order|schedule|remind|set|turn|play|open|add|answer"
    r"|imagine|pretend|act)"
)
_OPENING = (
    r"(?:(?:hey|hi|hello|ok|okay|so|well|now|then|also|and|please|kindly|just|quick|assistant)[,!]? +)*"
)
_REQUEST = Pattern(
    rf"{_OPENING}(?:"
    r"(?:can|could|would|will) you\b"
    rf"|(?:do you mind|would you mind|are you able to|is it possible (?:for you )?to)\b"
    rf"|{_MAKE} (?:me|us|it|this|that|these|an?|the|my|our|some|about|how|why|what|in|into|to|as|\d+|up|out"
    rf"|through|for)\b"
    rf"|(?:I|we|User) (?:want|need|wants|needs|would like|'d like)(?: you| the assistant| an? AI)? to {_MAKE}"
    rf" (?:me|us|him|her)\b"
    rf"|(?:I|we)(?:'d| would)? (?:want|need|like) you to {_MAKE}\b"
    rf"|(?:I|we|User) (?:want|need|wants|needs|would like|am looking for|is looking for|requested|asked for"
    rf"|requests|asks for)"
    rf"(?: (?:an?|some|the|more|\w+))? (?:\w+ )?{_DELIVERABLE}(?: (?:about|for|on|with|of|to|in|that|from)\b"
    rf"|$)"
    rf"|User (?:asked|asks|requested|told|wants) (?:me|you|the (?:assistant|AI|model|bot)|an? AI|for (?:help"
    rf"|advice|assistance))\b"
    rf"|User (?:asked|asks|requested) (?:to )?(?:have )?(?:an?|the|some) {_DELIVERABLE}\b"
    r"|let's (?:talk|discuss|do|start|continue|move|go|see|try|look|get|make|play|use|write|build)\b"
    r"|let me (?:know|see)\b"
    r")",
    re.IGNORECASE,
)
# Wishes about how the assistant should be are preferences, however they are phrased.
_LASTING_WISH = Pattern(
    r"\b(?:always|never|from now on|every time|whenever|in future|in the future|call (?:me|him|her|them"
    r"|user)|each time)\b",
    re.IGNORECASE,
)


def _is_request(sentence: str) -> bool:
    return _REQUEST.match(sentence) is not None and not _LASTING_WISH.search(sentence)


_WH = r"(?:what|who|whom|whose|where|when|why|how|which)"
_AUX = (
    r"(?:is|are|was|were|am|do|does|did|can|could|should|would|will|shall|has|have|had|may|might|must|isn't"
    r"|aren't|don't|doesn't|didn't|can't|won't)"
)
_ASKED = (
    r"(?:i|you|we|he|she|they|it|there|this|that|the|my|your|our|his|her|their|user|user's|anyone|someone"
    r"|these|those)"
)
_QUESTION = Pattern(
    rf"{_OPENING}(?:"
    rf"{_WH}(?:'s|'re|'d)?(?: (?:much|many|long|often|far|old|kind of|sort of|about|else"
    rf"|exactly))?(?: \w+)? {_AUX} {_ASKED}\b"
    rf"|{_WH}'s (?:the|my|your|a|an|this|that)\b"
    rf"|{_AUX} {_ASKED}\b(?! {_AUX}\b)"
    r"|how (?:to|about|come)\b|what (?:about|if)\b|why not\b|any (?:idea|ideas|thoughts|suggestions|tips"
    r"|advice)\b"
    r"|(?:\w+ )?(?:\w+ )?question ?[:,-]"
    rf"|(?:I|User) (?:wonder|wonders|was wondering|am wondering|is wondering|wondered|am curious|is curious"
    rf"|was curious)\b"
    rf"|(?:I|User|we) (?:want|wants|wanted|would like|'d like|need|needs) to know (?:if|whether|about|more"
    rf"|{_WH})\b"
    rf"|(?:I|User) (?:asked|asks|am asking|is asking|inquired|inquires|enquired) (?:about|if|whether|{_WH})\b"
    r"|do(?:es)? anyone\b|is there\b|are there\b"
    r")",
    re.IGNORECASE,
)


def _is_question(sentence: str) -> bool:
    """By its mark, or by how it opens: who asks a machine leaves the mark out."""
    return ends_as_question(sentence) or _QUESTION.match(sentence) is not None


_HYPOTHETICAL = Pattern(
    r"(?:(?:but|and|so|well|ok|now|even)[, ]+)*(?:if (?:i|we|user|he|she|they)(?:'d)? (?:were|was|had|could"
    r"|would|did|won|got|ever)\b"
    r"|suppose\b|supposing\b|imagine\b|hypothetically\b|let's (?:say|assume|pretend|imagine)\b|assume\b"
    r"|assuming\b|in theory\b"
    r"|what if\b|say (?:i|we|user)\b|(?:i|we|user) (?:would|'d) (?:\w+ )+if\b|in a perfect world\b)",
    re.IGNORECASE,
)

_REACTION = Pattern(
    r"(?:(?:yes|yeah|oh|wow|ok|okay|great|thanks|well|and|but|also)[,! ]+)*(?:I|User) (?:really |do |totally "
    r"|absolutely |just )*"
    r"(?:likes?|loves?|enjoys?|enjoyed|appreciates?|liked|loved) (?:all |both )?"
    r"(?:(?:it|that|this|these|those)(?: (?:idea|suggestion|tip|option|recommendation|plan|one"
    r"|approach)s?)?(?: (?:a lot|so much))?\s*[.!]*$"
    r"|(?:these|those|this|that|the|your) (?:\w+ ){0,4}?(?:ideas?|suggestions?|tips?|options?"
    r"|recommendations?|advice|answers?"
    r"|explanations?|sound of|thoughts?|breakdown|examples?|approach)\b"
    r"|(?:how|the way|that|what) (?:you|you've|you're)\b|option \w+\b)",
    re.IGNORECASE,
)
_PERSONAL = Pattern(
    r"\b(?:i|i'm|i've|i'd|i'll|me|my|mine|myself|we|we're|our|ours|us|user|user's|users|mom|mum|dad|mother"
    r"|father|wife|husband"
    r"|brother|sister|son|daughter|kids?|child|children|partner|girlfriend|boyfriend|friend|boss|manager"
    r"|colleague|team"
    r"|co-?founder|co-?worker|teammate|neighbou?r|he|she|his|her|they|their|project|company|client|dog|cat"
    r"|here)\b",
    re.IGNORECASE,
)
_ENCYCLOPAEDIC = Pattern(
    r"\b(?:is|are) (?:the|an?|one of the) (?:\w+ ){0,3}?(?:capital of|largest|smallest|highest|tallest"
    r"|longest|currency of"
    r"|population of|continent|planet|country|city in|river|mountain|ocean|chemical element|metal|animal"
    r"|mammal|bird|reptile"
    r"|species|insect|fruit|vegetable|programming language|markup language|query language|web framework"
    r"|operating system"
    r"|search engine|prime number|vitamin|virus|unit of|branch of|synonym|antonym)\b"
    r"|\b(?:was|were) (?:invented|discovered|founded|released|painted|composed|built|established"
    r"|fought) (?:in|by) "
    r"(?:\d{3,4}|[A-Z])"
    r"|^(?:the (?:earth|moon|sun) (?:orbits|revolves|rotates|is the)|the (?:speed of light|square root of"
    r"|boiling point of"
    r"|population of|capital of)|water (?:boils|freezes|is made)|humans (?:have|are|need))\b",
    re.IGNORECASE,
)


def _is_general_knowledge(sentence: str) -> bool:
    """Only what has the shape of an encyclopaedia and nobody in it; in doubt it is kept."""
    return _PERSONAL.search(sentence) is None and _ENCYCLOPAEDIC.search(sentence) is not None

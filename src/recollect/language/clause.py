"""Clause: a part of a sentence with one statement, and whether its author states it as true.

"I'm allergic to nuts, what can I eat?" states one thing and asks another. Its sentences (`sentence`) are cut into
clauses; questions, conditions, make-believe, jokes, quotations, code and material for a task are marked,
and so are hedges. It does not know what the clauses are about, and leaves negation to whoever reads them:
only the reader knows which word a "not" belongs to. A parser was rejected: it would cost more than the
whole write.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from recollect.language.sentence import Kind, sentences
from recollect.rules.importance import is_vague


class Mood(StrEnum):
    """In what sense a clause is said."""

    STATED = "stated"
    HEDGED = "hedged"
    ASKED = "asked"
    #: Conditions, make-believe, jokes and material to work on.
    SUPPOSED = "supposed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """A part of a sentence with one statement."""

    text: str
    mood: Mood
    #: The clause with what follows it in the sentence and belongs to it: "..., had anaphylaxis in 2010".
    extended: str
    #: Which sentence of the text, from 0.
    sentence: int


def clauses(text: str) -> list[Clause]:
    """Everything said in the author's own voice, in order."""
    own = _own_words(text.replace("\u2019", "'").replace("\u2018", "'"))
    if _MATERIAL.search(own):
        return []
    played = _PLAY.search(own) is not None
    told = _FICTION.search(own) is not None
    found: list[Clause] = []
    spoken = (piece.text for piece in sentences(own) if piece.kind is not Kind.CODE)
    for number, sentence in enumerate(filter(_WORDLIKE.search, spoken)):
        made_up = played or _JOKE.search(sentence) is not None or _FICTION.search(sentence) is not None
        for clause in _read(sentence, number):
            # Beside a story, only what the author says of themself is not part of it.
            unsafe = made_up or (told and not _OWN_VOICE.match(clause.text))
            found.append(replace(clause, mood=Mood.SUPPOSED) if unsafe else clause)
    return found


_WORDLIKE = re.compile(r"\w")

# Code, quoted lines of a mail, and speech of at least three words; one or two quoted words are just a name.
_NOT_OWN = re.compile(
    r"```.*?(?:```|\Z)|`[^`\n]*`|^[ \t]*>[^\n]*$"
    r"|\"[^\s\"]+(?:[ \t]+[^\s\"]+){2,}[ \t]*\"|\u201c[^\s\u201d]+(?:[ \t]+[^\s\u201d]+){2,}[ \t]*\u201d"
    r"|(?<!\w)'[^\s']+(?:[ \t]+[^\s']+(?:'\w+)?){2,}[ \t]*'(?!\w)",
    re.DOTALL | re.MULTILINE,
)


def _own_words(text: str) -> str:
    return _NOT_OWN.sub("\u00a7", text)


# Working on a text: what it says is nobody's statement.
_MATERIAL = re.compile(
    r"(?:^|[.!?\n][ \t]*)(?:(?:please|can you|could you|would you|help me|i need you to"
    r"|i want you to)\s+){0,3}"
    r"(?:translate|proof-?read|paraphrase|rephrase|rewrite|reword|summari[sz]e|spell-?check|transcribe"
    r"|classify"
    r"|(?:correct|fix|check|improve|edit|polish) (?:the |my |this |these )?(?:grammar|spelling|english"
    r"|sentence"
    r"|text|essay|paragraph|writing|wording|translation|following)"
    r"|analy[sz]e (?:the|this) (?:sentence|text|article|poem|passage|case))\b"
    r"|\bhow (?:do|would|can|should) (?:you|i|we) (?:say|write|translate|spell|pronounce)\b",
    re.IGNORECASE,
)
_PLAY = re.compile(
    r"\b(?:role-?play(?:ing)?|let's (?:pretend|imagine|say|assume|suppose)|pretend(?:ing)? (?:that|to|i"
    r"|i'm|you|you're|we)"
    r"|imagine(?: that)? (?:i|i'm|you|you're|we|my|a|an|there|someone|being|having)|hypothetically"
    r"|suppose(?: that)? (?:i|i'm"
    r"|my|a|an|we|you|he|she|someone)|thought experiment|act as|improv(?:ise)?|practi[cs]e (?:case|patient"
    r"|dialogue)"
    r"|case study|exam question|quiz me|textbook)\b",
    re.IGNORECASE,
)
_FICTION = re.compile(
    r"\b(?:novels?|novella|protagonist|(?:main|my|his|her|the|a) characters?|fan-?fic(?:tion)?|screenplay"
    r"|short story"
    r"|(?:my|a|the) (?:story|poem|script|play|scene|comic|campaign|plot|joke|skit|lyrics|sitcom|tv show"
    r"|tv series)"
    r"|in (?:the|a|this|that|my) (?:movie|film|show|series|book|game|episode|dream)|dreamt|dreamed"
    r"|dungeons|d&d"
    r"|(?:write|tell|draft|compose)(?: me)? (?:a|an|some) (?:\w+ ){0,2}?(?:story|poem|song|joke|scene"
    r"|dialogue|haiku|limerick))\b",
    re.IGNORECASE,
)
_JOKE = re.compile(
    r"\b(?:lol|lmao|rofl|ha(?:ha)+|jk|j/k|just kidding|just joking|only joking|figuratively|metaphorically)\b"
    r"|[\U0001f602\U0001f923\U0001f61c\U0001f61d\U0001f609]|(?:^|\s)[;:]-?[)Pp](?:\s|$)|\s/s\b",
    re.IGNORECASE,
)
#: Words in front of a statement that are no part of it.
LEAD = (
    r"(?:(?:and|but|so|also|plus|well|oh|ok(?:ay)?|hi|hello|hey(?: there)?|yes|yeah|no(?=,)|thanks"
    r"|thank you|sorry"
    r"|btw|by the way|fyi|ps|p\.s|nb|note(?: to self)?|reminder|important(?:ly)?|warning|caution|update"
    r"|context|background"
    r"|(?:just )?so you know|just to (?:mention|add|be clear)|for (?:the record|context|reference"
    r"|your information)"
    r"|please(?: note| be aware| remember| keep in mind)?|keep in mind|bear in mind|be aware|remember"
    r"|don't forget"
    r"|you should know|(?:i|we) (?:should|must|need to|have to|want to|wanted to|forgot to|would like to"
    r"|also) "
    r"(?:mention|tell you|add|note|say|point out)|i (?:should|think i should) mention|did i mention"
    r"|(?:my|the|his|her|our) (?:doctor|gp|physician|specialist|pa?ediatrician|allergist|cardiologist"
    r"|psychiatrist|nurse|vet)"
    r" (?:said|says|told (?:me|us|him|her)|confirmed|found(?: out)?)|(?:i|we) (?:was|were|have been) told"
    r"|it turns out|turns out|(?:i|we) (?:just )?found out"
    r"|unfortunately|sadly|actually|basically|honestly|however|moreover|anyway|additionally|in addition"
    r"|one more thing"
    r"|because|since|as|given|considering|seeing|though|although|now|first(?: of all)?|remember"
    r"|that)\b[\s,:!.\u2014\u2013-]*)*"
)
_LEAD = re.compile(LEAD, re.IGNORECASE)

_PERSON = (
    r"(?:i|i'm|i've|i'd|im|ive|my|we|we're|we've|our|he|he's|she|she's|his|her|they|they're|their|you|it"
    r"|it's|the patient|there)"
)
_CLAUSE_BREAK = re.compile(
    r"(?<!from now on)(?<!going forward)(?<!in future)(?<!in the future)(?<!emergency)[,;]\s+(?!who\b"
    r"|whose\b)|\s*[\u2014\u2013]+\s*|(?<!contact)(?<!allergies)\s+-+\s+|\s*[()]\s*"
    rf"|:\s+(?={_PERSON}\b)"
    r"|\s+(?=(?:but|because|although|though|unless|if|whether|even if|in case i|when(?:ever)?)\b)"
    # "My sister and I are" is one subject, and "as my contact" no reason.
    r"|\s+(?!and (?:i|my \w+) (?:are|were|both)\b)(?!as (?:my|our|his|her|their|the|it)\b)"
    rf"(?=(?:and|so|since|as|while|given that|or) (?:{_PERSON}|please|what|which|how|can|could|should"
    rf"|is|are|do|does|never|always|don't)\b)"
    r"|\s+(?=(?:what|which|how|where) (?:\w+ )?(?:can|could|should|would|will|do|does|is|are)\b)"
    r"|(?<!what)(?<!which)(?<!how)(?<!where)(?<!who)(?<!when)(?<!why)"
    r"\s+(?=(?:can|could|should|would|will|do|does|is|are) (?:i|we|you|he|she|they|it|there)\b)",
    re.IGNORECASE,
)
_QUESTION = re.compile(
    r"(?:or |and |but |so |also |hey |hi |ok |please )*(?:"
    r"(?:what|who|whom|whose|where|when|why|how|which)(?:'s|'re|'d)?(?: \S+){0,4}? (?:is|are|was|were|am"
    r"|do|does|did|can|could"
    r"|should|would|will|shall|has|have|had|may|might|must|causes?|happens?|if)\b"
    r"|(?:what|who|where|how|why)'s\b|how (?:to|about|come)\b|what (?:about|if)\b|which\b|why\b"
    r"|(?:is|are|was|were|am|do|does|did|can|could|should|would|will|shall|has|have|had|may|might|must"
    r"|isn't|aren't|don't"
    r"|doesn't|didn't|can't|won't) (?:i|you|we|he|she|they|it|there|this|that|these|those|the|my|your|our"
    r"|his|her|their|a|an"
    r"|someone|anyone|people|patients?|every)\b"
    r"|(?:tell|ask|teach|show) (?:me|us) (?:about|what|how|why|if|more)|explain\b|define\b|describe\b"
    r"|compare\b"
    r"|(?:i|we)(?:'m| am| was| were|'re| are)? (?:just )?(?:wonder(?:ing)?|curious|asking|unsure"
    r"|not sure)\b|(?:i|we) (?:want|need|would like) to know\b"
    r"|(?:does|do|has|have) any(?:one|body)\b|any (?:idea|chance|advice|tips)\b)",
    re.IGNORECASE,
)
_TAG = re.compile(
    r"(?:right|ok(?:ay)?|remember|you know|correct|yeah|got it|understood|alright)\s*\?+$", re.I
)
_CONDITION = re.compile(
    r"(?:and |but |or |so |even |only )*(?:if|unless|whether|when(?:ever)?|in case i|suppose|supposing"
    r"|assuming|assume|imagine|pretend"
    r"|say (?:i|my)|what if|as if|as though|in theory)\b",
    re.IGNORECASE,
)
_HEDGE = re.compile(
    r"\b(?:i (?:think|believe|guess|suspect|assume|fear|feel like|suppose|doubt)|i'm (?:afraid|worried)"
    r"|seems?|seemingly|apparently"
    r"|likely|allegedly|rumou?r|would|wouldn't|could|couldn't|should|used to|no longer|any ?more|outgrew"
    r"|outgrown|as a (?:kid|child|baby)"
    r"|ruled? out|suspected|suspects?|in remission|pretend|joke|almost|wish(?:es)?|hope(?:s|fully)?"
    r"|basically allergic|practically"
    r"|until recently|formerly|previously|wonder(?:s|ing)?)\b",
    re.IGNORECASE,
)
_OWN_VOICE = re.compile(rf"{LEAD}(?:i|i'm|i've|im|ive|my|we|we're|our)\b", re.IGNORECASE)
#: How a clause begins that only goes on with the one before.
_NEW_THOUGHT = re.compile(
    rf"(?:but|so|because|although|though|unless|if|whether|when|please|however|then|thanks|thank you|what"
    rf"|which|how|can|could|should|would|will|do"
    rf"|does|don't|is|are|never|always|let|give|tell|suggest|recommend|find|make|help|{_PERSON}"
    rf"|and (?:{_PERSON}|please|what|can))\b",
    re.IGNORECASE,
)


_GOES_ON = re.compile(
    r"(?:and|or|plus|as well as|including|had|has|have|since|diagnosed|which|with|without|causing|both"
    r"|also|carr(?:y|ies)|especially|mainly"
    r"|severe(?:ly)?|very|once|twice|three|\d|for|at|every|each|before|after|in|on|from|to|by|not|over"
    r"|rather than|instead of|who|whose)\b"
    r"|(?:\S+\s+){0,2}\S+$",
    re.IGNORECASE,
)
_AFTERTHOUGHT = re.compile(
    r"(?:or )?(?:i (?:think|guess|believe|suppose)|maybe|perhaps|possibly|probably|apparently|not sure"
    r"|i'm not sure|at least i think so)\W*",
    re.IGNORECASE,
)


def without_lead(clause: str) -> str:
    """The clause from its subject on."""
    found = _LEAD.match(clause)
    return clause[found.end() :] if found else clause


def _read(sentence: str, number: int) -> Iterator[Clause]:
    spans = _spans(sentence)
    asks = sentence.rstrip(" \"')]*_!.").endswith(("?", "\uff1f"))
    moods: list[Mood] = []
    for at, (start, end) in enumerate(spans):
        moods.append(_mood(sentence[start:end], moods, last=at == len(spans) - 1, asks=asks))
    for at, (start, end) in enumerate(spans[1:]):
        if moods[at] is Mood.STATED and _AFTERTHOUGHT.fullmatch(sentence, start, end):
            moods[at] = Mood.HEDGED
    for at, (start, end) in enumerate(spans):
        yield Clause(
            text=sentence[start:end],
            mood=moods[at],
            extended=sentence[start : _reach(sentence, spans, moods, at)],
            sentence=number,
        )


def _spans(sentence: str) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    start = 0
    for gap in _CLAUSE_BREAK.finditer(sentence):
        if gap.start() > start:
            found.append((start, gap.start()))
        start = gap.end()
    if start < len(sentence):
        found.append((start, len(sentence)))
    return [span for span in found if _WORDLIKE.search(sentence, *span)]


def _mood(clause: str, earlier: list[Mood], *, last: bool, asks: bool) -> Mood:
    if _CONDITION.match(clause):
        return Mood.SUPPOSED
    if _QUESTION.match(without_lead(clause)) or _QUESTION.match(clause):
        return Mood.ASKED
    goes_on = not _NEW_THOUGHT.match(clause)
    if earlier and goes_on and earlier[-1] is not Mood.STATED:
        return earlier[-1]
    # "..., right?" asks for a nod; and behind a question a plain statement is its reason.
    if asks and last and Mood.ASKED not in earlier and not _TAG.search(clause):
        return Mood.ASKED
    return Mood.HEDGED if _HEDGE.search(clause) or is_vague(clause) else Mood.STATED


_OVER = re.compile(r"\b(?:no longer|any ?more|any longer)\b", re.IGNORECASE)


def is_hedged_but_for_an_end(text: str) -> bool:
    """Whether a text doubts more than that something goes on."""
    rest = _OVER.sub(" ", text)
    return _HEDGE.search(rest) is not None or is_vague(rest)


def _reach(sentence: str, spans: list[tuple[int, int]], moods: list[Mood], at: int) -> int:
    """Where the statement that begins here ends, with its continuations."""
    end = spans[at][1]
    for (start, stop), mood in zip(spans[at + 1 :], moods[at + 1 :], strict=True):
        piece = sentence[start:stop]
        if mood is not moods[at] or _NEW_THOUGHT.match(piece) or not _GOES_ON.match(piece):
            break
        end = stop
    return end

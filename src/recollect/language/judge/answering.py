"""Short answers to the assistant's questions: "What's your dog's name?" - "Rex" tells that the user's dog is named Rex.

Only where the question asks for one thing and the answer is nothing but that thing. It knows the questions that people
are asked about themselves; any other pair says too little without its context, and is left alone.
"""

import re

from recollect.language.judge.lexicon import LASTING, NAMES, ROLE
from recollect.language.pattern import Pattern

#: Words; a longer answer speaks for itself.
_LONGEST = 7

_OPENING = Pattern(
    r"(?:(?:it'?s|its|that'?s|she'?s|he'?s|they'?re|called|named|sure|well|oh|um|uh|hm+|yes|yeah|yep|i'?m|in|mostly|just)[,!.: ]+)*(?:(?:a|an|the) (?!\w+ ))?",
    re.IGNORECASE,
)
_NOTHING = Pattern(
    r".*\?|(?:no|nope|none|nothing|not\b|i don't|idk|dunno|why|what|who|how|later|maybe|skip|pass|prefer not|never ?mind|yes|yeah|sure|ok|okay|thanks|good|fine|guess|secret|you|depends|both|neither|whatever|anything|hm+|stop|that)\b",
    re.IGNORECASE,
)
_QUESTIONS = tuple(
    (Pattern(question, re.IGNORECASE), Pattern(answer, re.IGNORECASE), told)
    for question, answer, told in (
        (rf"what(?:'s| is| are) your (?P<role>(?:\w+ )?(?:{ROLE}))(?:'s|s'?|s) names?|what(?:'s| is) (?:the |its )?name of your (?P<role2>{ROLE})|what do you call your (?P<role3>{ROLE})|what(?:'s| is) your (?P<role4>{ROLE}) called", NAMES, "my {role} is named {answer}"),
        (r"what(?:'s| is| should i call you| may i call you)(?: your (?:first |full )?name)?|who am i (?:talking|speaking) to|(?:may|can|could) i (?:ask|have|know) your name", NAMES, "my name is {answer}"),
        (r"how old are you|what(?:'s| is) your age", r"\d{1,3}(?: years old)?", "I am {answer}"),
        (r"where (?:do you live|are you (?:based|living|located))|(?:which|what) (?:city|town|country) (?:do you live in|are you (?:in|based in))", rf"{NAMES}(?:, {NAMES})?", "I live in {answer}"),
        (r"where (?:are|do) you (?:come )?from|what(?:'s| is) your (?:home ?town|home country)", rf"{NAMES}(?:, {NAMES})?", "I am from {answer}"),
        (r"where do you work|who do you work for|which company do you work (?:at|for)", NAMES, "I work at {answer}"),
        (r"what do you do(?: for (?:a living|work))?|what(?:'s| is) your (?:job|profession|occupation)", r"(?:[a-z][a-z -]{1,30})?(?:er|or|ist|ian|nurse|chef|student|lawyer|doctor|vet|ant|eer|tant|clerk|pilot)", "I am a {answer}"),
        (r"when(?:'s| is) your birthday|when were you born", r"(?=.*\d)[\w ,.]{3,25}", "my birthday is {answer}"),
        (r"what(?:'s| is) your (?P<role>(?:favou?rite|preferred) [\w ]{2,25}?)", r"[\w' .#+-]{2,40}", "my {role} is {answer}"),
        (r"(?:which|what) (?P<role>(?:code |text )?editor|ide|browser|shell|os|operating system|programming language|database|framework|phone|airline) do you (?:use|prefer)", r"[\w' .#+-]{2,30}", "my preferred {role} is {answer}"),
        (r"(?:do you have any|any) (?:food |known |drug )?allergies|are you allergic to anything|what are you allergic to", r"(?:to )?[a-z][a-z ,]{2,40}", "I am allergic to {answer}"),
        (r"(?:are you|do you take) (?:currently )?(?:on |taking )?any (?:medications?|meds|medicines?)|what (?:medications?|meds) (?:do you take|are you (?:on|taking))", r"(?!a lot|many|some|several|few)[a-z][\w ,.-]{3,60}", "I take {answer}"),
        (r"do you have (?:any )?(?:pets|kids|children|siblings|animals)", r"(?:an?|one|two|three|four|\d) [\w ,]{2,50}", "I have {answer}"),
        (r"(?:what|which) languages? do you speak", r"[\w ,]{3,40}", "I speak {answer}"),
    )
)  # fmt: skip
_YES = Pattern(r"(?:yes|yeah|yep|yup|i am|i do|correct|indeed|exactly|right)[.!]*$", re.IGNORECASE)
_ARE_YOU = Pattern(rf"are you (?P<state>(?:an? )?{LASTING})\?*$", re.IGNORECASE)
_LAST_QUESTION = Pattern(r"[^.!?\n]*\?\s*$")


def answered(question: str, answer: str) -> str | None:
    """The statement, in the first person, that an answer makes of the question; None when the pair is not clear."""
    asked = _LAST_QUESTION.search(question.replace("\u2019", "'"))
    reply = answer.replace("\u2019", "'").strip(" .!\n")
    if asked is None or not reply or len(reply.split()) > _LONGEST or question.count("?") != 1:
        return None
    plain = asked.group().strip(" ?\n")
    plain = re.sub(
        r"^(?:(?:and|so|great|ok|okay|nice|lovely|by the way|may i ask|can i ask|first|also|thanks|sure|hi|hello)[,!:]? +)+",
        "",
        plain,
        flags=re.IGNORECASE,
    )
    if _YES.match(reply):
        state = _ARE_YOU.match(plain)
        return f"I am {state['state']}" if state else None
    bare = reply[_OPENING.match(reply).end() :]  # type: ignore[union-attr]
    if not bare or _NOTHING.match(bare):
        return None
    for pattern, value, told in _QUESTIONS:
        match = pattern.fullmatch(plain)
        if match is not None:
            if not value.fullmatch(bare):
                return None
            role = next((found for found in match.groupdict().values() if found), "")
            return told.format(role=role.lower(), answer=bare.removeprefix("to "))
    return None

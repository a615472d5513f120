"""Made-up talk: turns that differ from each other, with breaks between sittings, the same on every run.

Most of it is about nothing in particular, as talk is; one turn in forty tells something that is pinned, from a small
stock, because a person has few allergies however long the chat. What it says is not taken from anybody.
"""

import random
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from benchmarks.facts import fact, question

#: Turns of one sitting; then an hour and a half pass.
_SITTING = 40
_START = datetime(2025, 1, 1, tzinfo=UTC)

_OPENINGS = (
    "Yesterday I went for a walk and saw that {}.",
    "Quick question before I leave for work: {}",
    "I have been thinking about what you said. {}",
    "My cousin called this morning, and she told me that {}.",
    "Could you help me plan the weekend? {}",
    "The thing about the {} is that nobody wants to repair it, so I tried it myself and it worked out fine.",
    "ok, thanks. {}",
    "I finished the book that you recommended; the ending surprised me a lot. {}",
    "We moved the shelf to the other room, because {}.",
    "What would you do with an afternoon in a town that you do not know? {}",
)
_REPLIES = (
    "That sounds like a good afternoon. {} If you like, we can make a short list of what to look at next, and in which "
    "order, so that nothing is forgotten on the way.",
    "There are three things to consider: the time it takes, what it costs, and who else would like to come. {} I would "
    "begin with the time, because everything else depends on it.",
    "Good question. {} In most cases the simplest answer is the right one: try it on a small scale, see what happens, "
    "and only then decide about the rest.",
    "Here is a plan. First, collect what you have. Second, leave out what you do not need. Third, ask somebody who has "
    "done it before. {}",
    "I am glad that it worked out. {} Let me know how it goes on, and whether the colour turned out as you had hoped.",
)
_TOLD = (
    "I'm allergic to penicillin, by the way.",
    "My dad takes metformin 500 mg twice a day.",
    "I prefer short answers without lists.",
    "My daughter is allergic to peanuts, so nothing with nuts please.",
    "From now on, always answer in metric units.",
    "I was diagnosed with asthma when I was twelve.",
    "My blood pressure target is below 130/80.",
    "My emergency contact is my sister Nora, 555 0147.",
)


def turns(count: int, dice: random.Random, start: datetime = _START) -> Iterator[tuple[str, str, datetime]]:
    """What the user says, what is answered, and when."""
    moment = start
    for number in range(count):
        moment += timedelta(minutes=90) if number and number % _SITTING == 0 else timedelta(seconds=70)
        if dice.random() < 1 / 40:
            said = dice.choice(_TOLD)
        else:
            about = question(dice) if dice.random() < 0.4 else fact(number, dice)
            said = dice.choice(_OPENINGS).format(about)
        yield said, dice.choice(_REPLIES).format(fact(number, dice)), moment


def messages(count: int, dice: random.Random, start: datetime = _START) -> list[Mapping[str, Any]]:
    """Turns as `Chat.record` takes them."""
    return [
        {"role": role, "text": text, "created_at": moment}
        for said, answered, moment in turns(count, dice, start)
        for role, text in (("user", said), ("assistant", answered))
    ]

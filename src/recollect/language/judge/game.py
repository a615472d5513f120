"""Games of roles: "pretend you're a hotel clerk and I'm a rich guest" makes everything that follows untrue for a while.

One message begins a game and another may end it; a game that nobody ends is taken to be over after some messages. It
knows nothing of what is said in it.
"""

from recollect.language.pattern import Pattern
from recollect.language.sign import any_of, signs

#: Characters of a message that are looked at.
_READ = 2000
#: Messages after which a game that nobody ended is taken to be over.
_GAME_LENGTH = 8
_GAME_SIGN = any_of(
    signs(
        "role|pretend|act as|answer|reply|respond|you be |you play|you'll |i'll be |i play |you're |you are |let's play|lets play|interview me|opponent|in character|mock |stop|end of|end scene|enough|back to|out of character"
    )
)
_GAME = Pattern(
    r"(?i)\b(?:role-?play|(?:as an?|a|in this|do an?|start an?) role play(?=\W*(?:$|[:,.!\n]|where|in which|with you))|role play(?:ing)?(?= ?[:\n])|let'?s (?:pretend|play)|pretend (?:you|to be|that you|we)|act as (?:an?|my|the)|you(?:'re| are) (?:now )?(?:an? |the )?(?:\w+ )?(?:receptionist|waiter|shopkeeper|interviewer|interrogator|dungeon master|pirate|patient|customer|clerk|character)|mock (?:interview|exam|trial)|interview me|be my (?:interviewer|opponent)|in character)\b"
    # Who asks and who answers as whom: "you ask, I answer as Peter, a lawyer".
    r"|\b(?:you|ask)\b[^.!?\n]{0,40}?\b(?:i|i'll|i will|i'm) (?:will )?(?:answer|answering|reply|replying|respond|responding) (?:\w+ )?(?:as (?!well|soon|far|long|much|quickly|fast|best|honestly|i\b)|in the role of )\w"
    r"|(?<!do )(?<!if )(?<!can )(?<!when )(?<!that )(?<!should )\byou (?:be|play) (?!able\b)[^.!?\n]{2,40}?(?:,| and) (?:i(?:'ll| will) (?:be|play)|i(?:'m| am)|i play) \w"
    r"|\bi(?:'ll| will) (?:be|play) [^.!?\n]{2,40}?(?:,| and) you(?:'ll| will)? (?:be|play|ask)\b"
    r"|\bi(?:'ll| will|'m going to| am going to)? (?:answer|reply|respond) (?:\w+ )?as if i\b"
)
_GAME_OVER = Pattern(
    r"(?i)\b(?:end of (?:the )?(?:role-?play|game|scene|play)|(?:ok|okay),? stop\b|stop (?:the )?(?:role-?play|game)|out of character|enough (?:role|of)|back to (?:reality|normal|real life)|end scene)\b"
)


class Game:
    """Whether one is being played."""

    def __init__(self) -> None:
        #: Messages for which it may still go on.
        self._left = 0

    def goes_on(self, text: str) -> bool:
        """Take note of a message, and say whether it is part of a game."""
        low = text[:_READ].lower()
        if _GAME_SIGN.search(low):
            if _GAME_OVER.search(low):
                self._left = 0
            elif _GAME.search(low):
                self._left = _GAME_LENGTH
        self._left = max(self._left - 1, 0)
        return self._left > 0

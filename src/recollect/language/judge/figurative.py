"""What is said and states nothing: figures of speech, insults and praise.

"I live in hell" names no place, "my boss is a monster" no trade, and what somebody calls another in anger is not for a
memory to repeat. A small class of words decides, and only where they end what is said: "a criminal lawyer" is a lawyer.
It knows one statement; that a user says of themself what would be an accusation of another is their own account.
"""

import re

from recollect.language.judge.lexicon import PETS
from recollect.language.judge.rule import Who
from recollect.language.judge.statement import Statement
from recollect.language.pattern import Pattern

_END = r"(?=$|[.!,;]|s? (?:and|but|who|to me|at work|sometimes|when|lol|of a \w+)\b)"
_BE = r"(?:am|is|are|was|were|has been|have been|can be|seems|became)(?: (?:also|just|really|such|literally|basically|actually|truly|simply|honestly|quite|still|always|being|so|absolutely|totally|fucking|kind of))*"
_FIGURE = Pattern(
    r"(?:(?:live|lives|living|am|is|are|reside|stuck|am living|is living) )+(?:right )?in (?:(?:a|an|the|total|complete|absolute|constant|utter|living|pure|actual|my own|his own|her own) )*"
    r"(?:hell(?:hole)?|nightmare|(?-i:limbo|heaven|paradise)|purgatory|denial|bubble|head|moment|past|future|la-?la land|cloud cuckoo land|dream(?:world)?|chaos|simulation|matrix|clouds|shithole|dump|madhouse)"
    rf"{_END}"
    r"|(?:am|is|are) (?:\w+ )?(?:married|wedded) to (?:my|his|her|our|their|the|this) (?:\w+ )?(?:job|work|career|phone|laptop|computer|desk|gym|code|company|business|couch|sofa|bed|sea|road|game|xbox|playstation|music|art|office|coffee)\b"
    rf"|{_BE} (?:an? )?(?:(?:\w+ly|total|real|complete|absolute|little|big|huge|such an?|walking|living|right|proper|pure|human|fucking|hot) )*"
    r"(?:monster|nightmare|angel|saint|machine|dinosaur|zombie|wreck|mess|trainwreck|train wreck|disaster|dragon|tyrant|dictator|beast|devil|demon|witch|vampire|superhero|hero|legend|treasure|gem|rock ?star|sweetheart|peach|pain|ghost|goddess|god|queen|king|princess|couch potato|joke|piece of work|handful)"
    rf"{_END}",
    re.IGNORECASE,
)
_ANIMAL = Pattern(
    rf"{_BE} an? (?:\w+ ){{0,2}}?(?:pig|snake|rat|cow|bitch|donkey|sheep|shark|weasel|parasite|leech|cockroach|worm|animal|dog){_END}",
    re.IGNORECASE,
)
_A_PET = Pattern(rf"\b(?:{PETS})\b", re.IGNORECASE)
_INSULT = Pattern(
    rf"{_BE} (?:(?:an? (?:[\w-]+ ){{0,2}}?|(?:\w+ly )?(?=scum|trash|garbage))(?:idiot|moron|imbecile|slut|whore|bastard|asshole|arsehole|ass|dick|dickhead|prick|jerk|cunt|twat|wanker|scumbag|scum|creep|pervert|loser|fool|liar|psycho|psychopath|sociopath"
    r"|narcissist|bully|cheater|cheat|coward|hypocrite|lunatic|maniac|freak|weirdo|douche(?:bag)?|dumbass|bitch|retard|trash|garbage|gold digger|racist|sexist|misogynist|nazi|fascist|cheapskate|drama queen|control freak)"
    rf"|(?:(?:\w+ly|so|very|too|completely|just|really) )*(?:stupid|dumb|evil|disgusting|pathetic|worthless|useless|toxic|insane|crazy|horrible|terrible|awful|impossible|unbearable|insufferable|ugly|nuts)){_END}",
    re.IGNORECASE,
)
_ACCUSED = Pattern(
    rf"{_BE} (?:an? )?(?:[\w-]+ ){{0,2}}?(?:terrorist|criminal|thief|crook|murderer|killer|rapist|molester|pa?edophile|pedo|abuser|stalker|predator|gangster|drug dealer|fraud|fraudster|scammer|con ?(?:man|artist)|spy|traitor|extremist|jihadist|felon|prostitute){_END}",
    re.IGNORECASE,
)
_PRAISE = Pattern(
    rf"{_BE} (?:the (?:(?:very|absolute) )?(?:best|greatest|cutest|sweetest|loveliest|coolest|nicest|kindest|funniest|most \w+|prettiest|smartest|worst)(?: (?:\w+ ){{0,2}}?(?:ever|alive|around|in the (?:whole )?(?:world|universe)|on (?:the )?(?:earth|planet)|of all time|you (?:could|can|will) \w+))?"
    r"|(?:so |very |super )*(?:adorable|amazing|awesome|wonderful|fantastic|lovely|cute|sweet|gorgeous|incredible|precious)|my (?:whole |entire )?(?:everything|world|rock|life|sunshine))[ !.]*$",
    re.IGNORECASE,
)


def judges(text: str) -> bool:
    """Whether a text calls somebody names, or a criminal."""
    return _INSULT.search(text) is not None or _ACCUSED.search(text) is not None


def states_nothing(statement: Statement) -> str | None:
    """Why a statement that sounds like one is none; None when it states something."""
    said, other = statement.predicate, statement.who in (Who.PERSON, Who.THING)
    if _FIGURE.match(said):
        return "It is a figure of speech."
    if statement.who is Who.PERSON and judges(said):
        return "It judges somebody and states nothing."
    if statement.who is Who.PERSON and _ANIMAL.match(said) and not _A_PET.search(statement.subject):
        return "It judges somebody and states nothing."
    if other and "favo" not in statement.subject.lower() and _PRAISE.match(said):
        return "It is praise and states nothing."
    return None

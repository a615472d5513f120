"""Whom a statement about care may be about: the speaker, their household and family, and whom they care for.

Patterns for the beginning of a clause. Neighbours, bosses and celebrities are left out on purpose: what is
heard about them is news, not a fact to act on in every conversation. `subject` looks people up among known
entities; here nothing is known but the words.
"""

KIN = (
    r"(?:(?:step|god|grand)?-?(?:dad|father|mom|mum|mother|son|daughter|parents?|child|kids?|children"
    r"|brother|sister|ma|pa)"
    r"|(?:dad|mom|mum)my|mama|papa|granny|nana|baby|toddler|newborn|twins?|wife|husband|spouse|partner"
    r"|fianc(?:e|\u00e9)e?"
    r"|boyfriend|girlfriend|siblings?|aunt|uncle|niece|nephew|cousin|youngest|oldest|eldest|little one"
    r"|roommate|flatmate|housemate|(?:year"
    r"|month)[- ]old"
    r"|dog|puppy|cat|kitten|horse|rabbit|parrot|pet|patient)(?:-in-law)?"
)
# "my late father" takes nothing any more, and "my neighbour's dog" is not mine.
_QUALIFIED = r"(?:(?!late\b|ex\b|former\b|friend|neighbou?r|boss|colleague)[\w-]+(?!'s)\s+){0,3}?"
_NAMED = r"(?:,?\s+(?-i:[A-Z][\w'-]*[a-z])\b,?|,?\s+who)?"
#: Written like names, these are the speaker's own.
ADDRESSED = r"(?-i:Dad|Daddy|Mom|Mum|Mommy|Mummy|Mama|Papa|Grandma|Grandpa|Granny|Nana|Mother|Father)\b"
RELATIVE = rf"(?:(?:my|our)\s+{_QUALIFIED}(?:{KIN}'s\s+)?{KIN}\b{_NAMED}|{ADDRESSED})"
#: Somebody in care, with or without a name.
PATIENT = r"(?:the\s+)?patient(?:\s+(?-i:[A-Z][\w'-]+)){0,2}"
PRONOUN = r"(?:he|she|they)"
SPEAKER = r"(?:i|we|i,? too,?)"
# A capital at the beginning of a clause is a name unless the word opens ordinary sentences too.
NAME = (
    r"(?!(?:people|some|many|most|every(?:one|body|thing)?|some(?:one|body|thing)|any(?:one|body|thing)?"
    r"|no|nobody|none|nothing|child|children|kids|patients|dogs|cats|babies|women|men|humans|doctors?"
    r"|nurses?|this|that|it|there|what|who|which|if|when|you|one|all|both|not|never|always|the|an?|those"
    r"|these|adults|users|others"
    r"|half|several|few|each|being|getting|where|why|how)\b)"
    r"(?-i:[A-Z][a-z'-]+(?:\s[A-Z][a-z'-]+)?)"
)
#: Those whom a rule takes at their word, everywhere.
CLOSE = rf"(?:{RELATIVE} and (?:i|{RELATIVE})|i and {RELATIVE}|{SPEAKER}|{RELATIVE}|{PATIENT}|{PRONOUN})"
#: Whose thing it is: "my", "my son's", "the patient's".
POSSESSIVE = rf"(?:my|our|his|her|their|{RELATIVE}'s|{PATIENT}'s)"

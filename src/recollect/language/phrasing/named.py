"""Where "is" means "is named": "My wife is Jane" but not "My wife is American" or "My wife is Jane's boss".

It knows roles of people and pets, and which capitalised words are not names. It does not know the user's
people. A stored list of names was rejected: the sentence that introduces a name comes first.
"""

from recollect.language.phrasing.verbatim import STOPS, Tokens


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: What somebody is to the user.
ROLES = _words("""
    wife husband spouse partner fiance fiancé fiancee fiancée girlfriend boyfriend son sons daughter
    daughters child children kid kids baby twin twins mother mom mum mommy father dad daddy parents parent
    brother brothers sister sisters sibling siblings stepson stepdaughter stepmother stepfather stepmom
    stepdad stepbrother stepsister half-brother half-sister grandmother grandfather grandma grandpa granny
    grandson granddaughter grandparents uncle aunt auntie cousin cousins niece nephew nieces nephews
    godmother godfather godson goddaughter mother-in-law father-in-law sister-in-law brother-in-law
    son-in-law daughter-in-law mother-in-laws ex ex-wife ex-husband ex-girlfriend ex-boyfriend friend
    friends bestie buddy pal roommate roommates flatmate flatmates housemate neighbor neighbour neighbors
    neighbours boss manager supervisor colleague colleagues coworker coworkers co-worker cofounder
    co-founder cofounders teammate teammates assistant mentor mentee teacher professor tutor coach trainer
    therapist doctor gp dentist vet psychiatrist psychologist counselor counsellor nanny babysitter landlord
    landlady lawyer accountant agent client clients boss's cowriter bandmate classmate
""")
_PETS = _words("""
    dog dogs cat cats pet pets puppy puppies kitten kittens horse pony rabbit bunny parrot hamster goldfish
    turtle tortoise snake lizard bird guinea-pig
""")

#: Words that cannot stand between "my" and the role.
_BREAKS = _words("""
    and or but is are was were who that which where in on at of to for with from by has have had as
""")

#: Capitalised words that describe: peoples, beliefs, politics, jobs, signs of the zodiac, breeds.
_DESCRIPTIONS = _words("""
    french german roman norman dutch greek thai swiss czech turk turkish danish swede pole welsh scots
    israeli pakistani iraqi saudi bangladeshi afghani emirati omani qatari kuwaiti yemeni somali nepali
    bengali punjabi gujarati kashmiri filipino filipina latino latina chicano hispanic arab kurd uzbek
    kazakh tajik turkmen maori sikh muslim hindu catholic agnostic jew quaker mormon shia sunni baptist
    protestant lutheran methodist orthodox evangelical deaf blind vegan autistic republican democrat liberal
    tory labour labrador beagle poodle corgi bengal ragdoll siamese persian husky pug aries taurus gemini
    cancer libra virgo scorpio sagittarius capricorn aquarius pisces head lead director engineer president
    vice chief senior junior professor captain sergeant lieutenant colonel general manager officer here
    there ok type grade year covid asian american european african asexual gay lesbian bi trans black white
    brown native dominican puerto lebanese british english irish scottish spanish german indian cuban kenyan
    libyan afghan catalan tibetan ugandan rwandan samoan tongan angolan honduran salvadoran guatemalan
    nicaraguan paraguayan uruguayan venezuelan lankan slovak slovene croat serb bosniak finn dane brit scot
    spaniard icelander basque berber roma inuit cherokee navajo zulu yoruba igbo hausa tamil sherpa hmong
    uyghur kurdish hebrew flemish navy army marine marines pregnant retired gen diabetic single married
    divorced atheist buddhist jewish jain
""")
_DESCRIBING_ENDS = ("ish", "ese", "ian", "ean", "can", "ist", "tic", "nic", "xan", "ing")
_NAMES_WITH_SUCH_ENDS = _words("""
    hamish trish harish girish ashish manish satish ian brian christian vivian adrian julian sebastian
    damian fabian lillian lilian jillian gillian marian dorian florian kilian cillian killian maximilian
    tristian sean jean dean ming ding ling king sterling fleming therese duncan can dominic nic monic evian
    caspian cassian octavian fabrizian bastian demian aurelian dylan kian arian lian reese ying jing qing
    xing ping ning ting bing krish parrish nitish mclean
""")
_PARTICLES = _words("van von de der den da di del la le bin al el st mc dos du ter")
_TITLES = _words("dr mr mrs ms prof st")
_AFTER_NAME = STOPS | frozenset((",", "and", "or", "but", "who", "&"))


def named_verb(tokens: Tokens, possessive: int) -> int | None:
    """The place of the "is" or "are" that introduces the name of the role after "my", if there is one."""
    low = tokens.low
    for at in range(possessive + 1, min(possessive + 5, len(low) - 3)):
        word = low[at]
        if (word in ROLES or word in _PETS) and low[at + 1] in ("is", "are"):
            return at + 1 if _is_name(tokens, at + 2) else None
        if word in STOPS or word in _BREAKS or not word[:1].isalpha():
            return None
    return None


def _is_name(tokens: Tokens, at: int) -> bool:
    """Whether names, and nothing but names, follow up to the end of the phrase."""
    low = tokens.low
    found = titled = False
    while at < len(low) - 1:
        word = low[at]
        if word in _TITLES and low[at + 1] == ".":
            at += 2
            titled = True
        elif (titled and tokens.raw[at][:1].isupper() and not word.endswith("'s")) or _is_name_word(
            tokens, at
        ):
            found = True
            at += 1
        elif found and word in _PARTICLES:
            at += 1
        else:
            break
    return found and low[at] in _AFTER_NAME


def _is_name_word(tokens: Tokens, at: int) -> bool:
    raw, word = tokens.raw[at], tokens.low[at]
    if not raw[:1].isupper() or word.endswith(("'s", "'")) or tokens.low[at + 1] in ("'", "’"):
        return False
    if raw.isupper() and len(raw) > 1 and not tokens.text.isupper():
        return False
    return not describes(word) and not any(letter.isdigit() for letter in word)


def describes(word: str) -> bool:
    """Whether a lower-case word says what somebody is, not who: "peruvian", "deaf"."""
    if word in _DESCRIPTIONS:
        return True
    return word not in _NAMES_WITH_SUCH_ENDS and word.endswith(_DESCRIBING_ENDS)

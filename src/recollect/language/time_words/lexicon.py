"""The words of time: months, weekdays, units, numbers, and the small words around them.

Only lists; what the words mean together is for the modules that read phrases. All are in small letters and without a
possessive `'s`, as `question` gives them. Other languages were left out: half a list would recognise half a phrase.
"""

from recollect.language.time_words.stretch import Precision

_MONTHS = "january february march april may june july august september october november december".split()
_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()

MONTHS = {name: number for number, name in enumerate(_MONTHS, 1)}
#: Read as months beside a number or after a preposition.
SHORT_MONTHS = {name[:3]: number for name, number in MONTHS.items() if name != "may"} | {"sept": 9}
#: Verbs and nouns in small letters.
WORDS_TOO = frozenset({"may", "march", "mar", "jan", "jun", "dec"})
#: People are called so.
NAMES_TOO = frozenset({"april", "may", "june", "august", "jan"})

WEEKDAYS = {name: number for number, name in enumerate(_WEEKDAYS)}
SHORT_WEEKDAYS = {name[:3]: number for name, number in WEEKDAYS.items()} | {
    "tues": 1, "weds": 2, "thur": 3, "thurs": 3,
}  # fmt: skip
#: Those that are no word besides, so that they need no capital.
ONLY_WEEKDAYS = frozenset("tue tues weds thu thur thurs fri".split())

SEASONS = {"spring": 0, "summer": 1, "autumn": 2, "fall": 2, "winter": 3}

#: A unit and how many of it the word means.
UNITS: dict[str, tuple[Precision, float]] = {
    word: (precision, factor)
    for words, precision, factor in (
        ("minute minutes min mins", Precision.HOUR, 1 / 60),
        ("hour hours hr hrs", Precision.HOUR, 1),
        ("day days", Precision.DAY, 1),
        ("week weeks wk wks", Precision.WEEK, 1),
        ("fortnight fortnights", Precision.WEEK, 2),
        ("weekend weekends", Precision.WEEKEND, 1),
        ("month months", Precision.MONTH, 1),
        ("quarter quarters", Precision.QUARTER, 1),
        ("year years yr yrs", Precision.YEAR, 1),
        ("decade decades", Precision.DECADE, 1),
    )
    for word in words.split()
}

#: Written right behind digits: "2y ago", "6 mo ago". "m" is left out: it is a minute or a month.
SHORT_UNITS: dict[str, tuple[Precision, float]] = {
    "h": UNITS["hour"], "d": UNITS["day"], "w": UNITS["week"], "mo": UNITS["month"], "mos": UNITS["month"],
    "mth": UNITS["month"], "mths": UNITS["month"], "y": UNITS["year"],
}  # fmt: skip

_ONES = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
TENS = {
    name: 20 + 10 * at
    for at, name in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split())
}
NUMBERS = {name: number for number, name in enumerate(_ONES, 1)} | TENS | {"a": 1, "an": 1, "dozen": 12}
#: What people mean by them, in units: at least and at most. A choice, not a finding.
VAGUE = {"couple": (1, 3), "few": (2, 6), "several": (3, 8)}

_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth twentieth"
).split()
ORDINALS = {name: number for number, name in enumerate(_ORDINALS, 1)} | {"thirtieth": 30}

DECADES = {
    name: 10 * at
    for at, name in enumerate(
        "twenties thirties forties fifties sixties seventies eighties nineties".split(), 2
    )
}

#: Days by their distance from today.
NEAR_DAYS = {"today": 0, "yesterday": -1, "tomorrow": 1}

#: Words after which the name of a month, a weekday, a season or a number means a time.
LEADS = frozenset(
    "in on since until till til during throughout over before after around early mid late last this next past circa".split()
)
#: Words that belong to the phrase they stand before.
PREPOSITIONS = frozenset("in on at during over for within throughout of back from through the".split())
#: Said of habits, not of one time.
HABIT = frozenset("every each any most all many some per".split())

#: Words after which a name is complete: what follows is not the noun that it would only describe.
FUNCTION_WORDS = frozenset(
    "i we you he she they it me us him them i'm i've i'd we're we've did do does was were is are am have has had can could "
    "will would should shall might must didn't don't wasn't haven't hasn't and or but so because if that what where who "
    "whom which how why when while on in at to with about for from of by as the a an my our your his her their this these "
    "those there not than then before after until since during between through till ago please again versus vs onward onwards".split()
)

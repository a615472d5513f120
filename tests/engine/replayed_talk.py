"""Talk in which the same two hundred facts are told again and again, in the same words, between small talk.

Made, not stored, and the same for the same seed. Each fact has a subject of its own, so that none replaces another: after
any number of messages about two hundred memories should be there, each with as many mentions as it was told. Small talk
never states anything about the user. Paraphrases are left out on purpose: whether two wordings mean the same is another
question than whether a memory grows by repetition.
"""

import random
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import cycle

START = datetime(2026, 1, 1, 8, tzinfo=UTC)
#: Of the user's messages; the others are small talk.
_TELLING = 0.4

_NAMES = """Abena Bartek Carmen Dagny Emre Farida Goran Hedda Imran Jolanta Kwame Leonor Magnus Nadia Osman Paloma Quentin
Rosalind Stellan Tamsin Ulrike Vikram Wanda Xavier Yolanda Zoltan Alejandra Benedikt Cordula Desmond Eleni Fabrizio Gudrun
Hamza Isolde Jarek Katya Lorenzo Mireille Niklas Odette Percival Ramona Severin Tabitha Umberto Verena Wilfred Xenia Yannis
Zuzanna Anselm Birgit Cyprian Dorothea Eskil Fiorella Gaspard Hiroko Ignatius""".split()
_RELATIONS = ("cousin", "colleague", "neighbour", "friend", "aunt", "nephew", "uncle", "niece")
_JOBS = """plumber florist violinist geologist baker surveyor librarian carpenter beekeeper welder translator optician
gardener brewer cartographer electrician potter sculptor dentist farrier archivist roofer tailor chemist pilot""".split()
_PLACES = "Leeds Porto Tampere Graz Odense Split Turin Bergen Lublin Nantes Plovdiv Aarhus Malaga Trieste Varna".split()
_LOVED = """rhubarb kayaking origami saxophones moths ceramics lighthouses sudoku tapestries parsnips astronomy calligraphy
tango marzipan dahlias telescopes crosswords ravioli fencing haiku sauerkraut snorkelling chess trams lavender accordions
waterfalls gingerbread badminton mosaics porridge owls sailing limericks blueberries archery cacti fossils pancakes
puppetry""".split()
_HATED = """olives escalators mayonnaise fireworks beetroot karaoke liquorice traffic anchovies drones polyester mushrooms
glitter sirens cardamom lifts raisins airports vinegar ringtones celery bagpipes turnips leaflets marshmallows""".split()
_LANGUAGES = (
    "Danish Welsh Basque Swahili Czech Tagalog Hungarian Catalan Icelandic Urdu Finnish Maltese Quechua Estonian Tamil"
).split()
_ALLERGENS = "penicillin latex peanuts shellfish pollen kiwi sesame soy nickel ibuprofen".split()
_THINGS = (
    "canoe tandem loom kiln harp caravan greenhouse motorbike telescope piano sewing_machine printing_press "
    "rowing_machine tractor trampoline barometer drone_kit typewriter metronome gramophone unicycle sidecar wheelbarrow "
    "chainsaw lathe sundial hammock yurt sledge periscope tuba pedalo surfboard toboggan sextant weathervane banjo "
    "microscope aquarium birdhouse samovar spinning_wheel film_projector cuckoo_clock music_stand kite punchbag fishing_rod "
    "wetsuit jukebox"
).split()

_SMALL_TALK = (
    "good morning!",
    "ok thanks",
    "what is the capital of Mongolia?",
    "haha, good one",
    "can you write a haiku about rain?",
    "how long do I boil an egg?",
    "hm, let me think",
    "what would you do with a free afternoon?",
    "that makes sense",
    "never mind",
    "if it rains tomorrow, should one still go out?",
    "please make that shorter",
    "is it true that cats see in the dark?",
    "see you later",
    "wow",
    "translate 'thank you' into Portuguese",
    "who won the first world cup?",
    "sure, go on",
    "why is the sky blue?",
    "great, that worked",
)
_REPLIES = (
    "Good to hear.",
    "Here is a short answer: it depends on the season.",
    "Of course! Anything else?",
    "In most cases, yes.",
    "Let me know how it goes.",
)


def _told() -> Iterator[str]:
    relations, jobs, places = cycle(_RELATIONS), cycle(_JOBS), cycle(_PLACES)
    for name in _NAMES:
        yield f"My {next(relations)} {name} is a {next(jobs)} in {next(places)}."
    yield from (f"I love {thing}." for thing in _LOVED)
    yield from (f"I hate {thing}." for thing in _HATED)
    yield from (f"I speak {language}." for language in _LANGUAGES)
    yield from (f"I'm allergic to {allergen}." for allergen in _ALLERGENS)
    yield from (f"I own a {thing.replace('_', ' ')}." for thing in _THINGS)


#: What is told, each in the one wording that it has.
FACTS = tuple(_told())


def replayed(count: int, *, seed: int = 5) -> list[tuple[str, str, datetime]]:
    """So many messages, role, text and time: the user's and the answers in turn; every fact is told at least once."""
    dice = random.Random(seed)
    turns = count // 2
    telling = max(len(FACTS), round(turns * _TELLING))
    if telling > turns:
        raise ValueError(f"{count} messages are too few to tell {len(FACTS)} facts.")
    said = [FACTS[place % len(FACTS)] for place in range(telling)]
    said += [dice.choice(_SMALL_TALK) for _ in range(turns - telling)]
    dice.shuffle(said)
    made: list[tuple[str, str, datetime]] = []
    for place, text in enumerate(said):
        at = START + timedelta(minutes=place)
        made += [("user", text, at), ("assistant", dice.choice(_REPLIES), at + timedelta(seconds=20))]
    return made


def mentions(messages: list[tuple[str, str, datetime]]) -> Counter[str]:
    """How often each fact was told."""
    return Counter(text for role, text, _ in messages if role == "user" and text in _KNOWN)


_KNOWN = frozenset(FACTS)

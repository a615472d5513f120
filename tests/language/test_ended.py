"""Which statements end a known fact, which may, and which have nothing to do with it."""

from datetime import date

import pytest

from recollect.language.ended import (
    Bearing,
    bearing,
    ends_care,
    taken_up_again,
    tells_end,
    tells_end_at_times,
    tells_end_of_care,
)

#: A Wednesday.
SAID = date(2026, 11, 18)
KNOWN = date(2026, 11, 1)


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("User no longer plays tennis.", "User plays tennis."),
        ("User quit tennis.", "User plays tennis with Bob on Sundays."),
        ("User stopped playing tennis.", "User plays tennis three times a week."),
        ("User gave up tennis for good.", "User plays tennis."),
        ("User gave up smoking.", "User smokes."),
        ("User has quit smoking.", "User smokes a pack a day."),
        ("User gave up coffee.", "User drinks two cups of coffee every morning."),
        ("User gave up the piano.", "User has been playing the piano since 2010."),
        ("User stopped running.", "User goes running every morning."),
        ("User quit the choir.", "User sings in a choir."),
        ("User no longer goes to the gym.", "User goes to the gym every Monday."),
        ("User gave up learning Spanish.", "User is learning Spanish."),
        ("User no longer has a dog.", "User has a dog named Rex."),
        ("User no longer likes jazz.", "User likes jazz."),
        ("User no longer works at Google.", "User works at Google."),
        ("User no longer pays for Netflix.", "User pays for Netflix."),
        ("User no longer has asthma", "User has asthma"),
        ("User stopped taking sertraline.", "User takes 50 mg sertraline daily."),
        ("User stopped taking User's sertraline.", "User takes sertraline."),
        ("User stopped taking sertraline because of the side effects.", "User takes sertraline."),
        ("User stopped sertraline.", "User takes sertraline."),
        ("User is no longer on sertraline.", "User takes sertraline."),
        ("User is off sertraline.", "User takes sertraline."),
        ("User is off sertraline now.", "User is taking sertraline."),
        ("User was taken off metformin.", "User takes metformin."),
        ("User's doctor took User off metformin.", "User takes metformin."),
        ("User\u2019s dad stopped taking warfarin.", "User's father takes warfarin."),
    ],
)
def test_an_end_and_what_goes_on_again(new: str, old: str) -> None:
    """The same person, deed and thing: it is over, or, said the other way round, it goes on."""
    assert bearing(new, old) is Bearing.CLEAR
    assert bearing(old, new) is Bearing.CLEAR
    assert bearing(f"{old.rstrip('.')} again.", new) is Bearing.CLEAR
    assert tells_end(new) and not tells_end(old)


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("User stopped taking sertraline at night.", "User takes sertraline."),
        ("User stopped taking sertraline for a week.", "User takes sertraline."),
        ("User stopped taking sertraline on Mondays.", "User takes sertraline."),
        ("User stopped eating meat in the evening.", "User eats meat."),
        ("User quit playing tennis with Bob.", "User plays tennis."),
        ("User gave up coffee.", "User drinks coffee and tea."),
        ("User stopped taking sertraline.", "User takes metformin and sertraline."),
        ("User no longer takes sugar in coffee.", "User takes sugar in tea."),
        ("User quit smoking, then relapsed.", "User smokes."),
        # Another thing behind a word of circumstance.
        ("User no longer pays for Spotify.", "User pays for Netflix."),
        ("User no longer writes for the Times.", "User writes for the Guardian."),
        ("User no longer cares for User's mother.", "User cares for User's cat."),
        ("User no longer cooks for User's ex.", "User cooks every day."),
        ("User no longer trains for marathons.", "User trains three times a week."),
        ("User no longer lives with User's sister.", "User lives with User's brother."),
        # Some days, some hours, a purpose, a place.
        ("User stopped taking metformin on weekends.", "User takes metformin."),
        ("User stopped taking metformin after dinner.", "User takes metformin."),
        ("User stopped taking metformin for the surgery.", "User takes metformin."),
        ("User stopped taking metformin on User's doctor's advice for ten days.", "User takes metformin."),
        ("User no longer takes aspirin for headaches.", "User takes aspirin for User's heart."),
        ("User no longer has epilepsy on User's record.", "User has epilepsy."),
        ("User no longer uses Notion for recipes.", "User uses Notion at work."),
        ("User gave up tennis for Lent.", "User plays tennis."),
        ("User no longer goes to the gym on Main Street.", "User goes to the gym."),
        ("User no longer takes warfarin every day.", "User takes warfarin every day."),
        ("User no longer cooks every day.", "User cooks every day."),
        ("User no longer takes warfarin as prescribed.", "User takes warfarin."),
        ("User stopped playing tennis when it rained.", "User plays tennis."),
        ("User stopped playing tennis to drink some water.", "User plays tennis."),
        ("User is off warfarin this week.", "User takes warfarin."),
        ("User stopped taking warfarin because of the operation.", "User takes warfarin."),
        ("User stopped taking warfarin because User is having surgery.", "User takes warfarin."),
        # Another dose, another number, a kind of it.
        ("User no longer takes 100 mg sertraline.", "User takes 50 mg sertraline daily."),
        ("User no longer has a cat.", "User has two cats."),
        ("User no longer drinks much coffee.", "User drinks coffee."),
        ("User no longer eats red meat.", "User eats meat."),
        ("User quit tennis lessons.", "User plays tennis."),
        ("User stopped using the insulin pump.", "User uses insulin."),
        ("User is off lithium batteries.", "User takes lithium."),
        ("User no longer has asthma attacks.", "User has asthma."),
        ("User no longer plays tennis than an hour.", "User plays tennis."),
        # The known one tells more than the deed.
        ("User stopped taking metformin.", "User takes metformin for diabetes."),
        ("User stopped taking metformin.", "User takes metformin with Ozempic."),
    ],
)
def test_an_end_with_limits(new: str, old: str) -> None:
    """What ends a part, for a while, at some hours or beside something else may be an end; somebody has to look."""
    assert bearing(new, old) is Bearing.POSSIBLE
    assert bearing(new, old, known_since=KNOWN, said_on=SAID) is Bearing.POSSIBLE


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("User's brother gave up smoking.", "User smokes."),
        ("User quit tennis.", "User likes tennis."),
        ("User quit tennis.", "User teaches tennis."),
        ("User quit running.", "User runs a bakery."),
        ("User stopped drinking.", "User drinks coffee."),
        ("User stopped smoking.", "User never smokes."),
        ("User used to play tennis.", "User plays tennis."),
        ("User wants to quit smoking.", "User smokes."),
        ("User quit his job.", "User plays tennis."),
        ("User plays tennis.", "User plays tennis with Bob."),
        ("User stopped working at Acme.", "User works at Google."),
        ("User had quit smoking.", "User smokes."),
        ("User's pharmacist wondered why User stopped warfarin.", "User takes warfarin."),
        ("User's friend said User stopped taking metformin.", "User takes metformin."),
        ("User's mother said User stopped taking metformin.", "User's mother takes metformin."),
        ("User dropped User's warfarin on the floor.", "User takes warfarin."),
        ("User dropped out of the diabetes class.", "User has diabetes."),
        ("User no longer has metformin.", "User takes metformin."),
        ("User got off the bus.", "User takes the bus."),
        ("User is no longer on the bus.", "User takes the bus."),
        ("User stopped the music.", "User plays music."),
        ("User stopped by the shop.", "User shops."),
        ("User gave up on chess puzzles.", "User plays chess puzzles."),
        ("User quit Notion.", "User uses Notion."),
        ("User is done with tennis.", "User plays tennis."),
        ("User's lesson is no longer than an hour.", "User plays tennis."),
        ("", "User smokes."),
    ],
)
def test_something_else(new: str, old: str) -> None:
    """Another person, another deed, another thing, a wish, others' words, an idiom: nothing ends."""
    assert bearing(new, old) is Bearing.NONE


@pytest.mark.parametrize(
    ("when", "found"),
    [
        ("in November 2026", Bearing.CLEAR),
        ("on 17 November 2026", Bearing.CLEAR),
        ("yesterday", Bearing.CLEAR),
        ("today", Bearing.CLEAR),
        ("last week", Bearing.CLEAR),
        ("three days ago because of the cough", Bearing.CLEAR),
        # Before the fact was told: who smokes in November did not quit for good in March.
        ("in 2019", Bearing.POSSIBLE),
        ("in March", Bearing.POSSIBLE),
        ("two years ago", Bearing.POSSIBLE),
        # Ahead, or for these days only.
        ("tomorrow", Bearing.POSSIBLE),
        ("on 19 November 2026", Bearing.POSSIBLE),
        ("next week", Bearing.POSSIBLE),
        ("this week", Bearing.POSSIBLE),
        ("in December", Bearing.POSSIBLE),
        ("in the winter of 2026", Bearing.POSSIBLE),
        ("in 2027", Bearing.POSSIBLE),
        ("on 31 February 2026", Bearing.POSSIBLE),
        ("on Monday", Bearing.POSSIBLE),
    ],
)
def test_when_it_ended(when: str, found: Bearing) -> None:
    """An end counts from the day on which the fact was told up to the day on which the end is."""
    assert bearing(f"User quit smoking {when}.", "User smokes.", known_since=KNOWN, said_on=SAID) is found


def test_a_time_says_nothing_without_the_day_of_saying_it() -> None:
    """Nobody knows whether a date is past when nobody knows when it was told; and a state "this month" is for this month."""
    assert bearing("User quit smoking in 2019.", "User smokes.") is Bearing.POSSIBLE
    assert bearing("User quit smoking yesterday.", "User smokes.") is Bearing.POSSIBLE
    assert bearing("User no longer smokes this month.", "User smokes.", said_on=SAID) is Bearing.POSSIBLE
    assert bearing("User smokes.", "User quit smoking in 2019.") is Bearing.CLEAR


@pytest.mark.parametrize(
    ("text", "again"),
    [
        ("I quit smoking but started again", True),
        ("I stopped taking it, but I'm back on it", True),
        ("I quit smoking, then relapsed", True),
        ("I stopped taking warfarin. Actually no, I still take it.", True),
        ("I no longer take warfarin; I take it with food now", True),
        ("I quit tennis, just for now", True),
        ("I stopped taking warfarin (temporarily)", True),
        ("I temporarily stopped taking warfarin", True),
        ("I stopped taking warfarin because I have surgery next week", True),
        ("I stopped taking warfarin because it made me sick", False),
        ("I quit tennis because of my surgery", False),
        ("I quit smoking. My flat is fine for now", False),
        ("I quit smoking", False),
        ("I quit smoking again", False),
    ],
)
def test_an_end_that_is_taken_back(text: str, again: bool) -> None:
    """Words beside an end can say that it was none, or a pause."""
    assert taken_up_again(text) is again


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("User stopped taking sertraline", True),
        ("User no longer has asthma", True),
        ("User stopped taking sertraline at night", False),
        ("User stopped taking sertraline yesterday", False),
        ("User no longer takes 100 mg sertraline", False),
        ("User no longer has metformin", False),
        ("User no longer has epilepsy medication", False),
        ("User no longer plays tennis", False),
        ("User takes sertraline", False),
    ],
)
def test_ends_of_care(text: str, ends: bool) -> None:
    """Only the whole end of something that was taken or had may replace a pin; a medicine that is used up is no end."""
    assert tells_end_of_care(text) is ends


@pytest.mark.parametrize(
    ("new", "old", "found"),
    [
        ("User stopped taking sertraline", "User takes 50 mg sertraline daily", Bearing.CLEAR),
        ("User stopped taking sertraline", "User takes metformin and sertraline", Bearing.POSSIBLE),
        ("User stopped taking sertraline", "User was prescribed sertraline", Bearing.POSSIBLE),
        ("User stopped taking sertraline in 2019", "User takes sertraline", Bearing.POSSIBLE),
        ("User no longer has diabetes", "User has type 2 diabetes", Bearing.POSSIBLE),
        ("User stopped taking sertraline in 2027", "User takes sertraline", Bearing.NONE),
        ("User quit the warfarin forum", "User takes warfarin", Bearing.NONE),
        ("User no longer has a diabetes coach", "User has diabetes", Bearing.NONE),
    ],
)
def test_what_an_end_means_for_a_pin(new: str, old: str, found: Bearing) -> None:
    """It is over, it may be and both are told, or the end is of something else."""
    assert ends_care(new, old, known_since=KNOWN, said_on=SAID) is found


@pytest.mark.parametrize(
    ("text", "at_times"),
    [
        ("User no longer works at Google on weekends", True),
        ("User no longer lives in Berlin in winter", True),
        ("User no longer works at Google", False),
        ("User quit User's job at Google on Monday", False),
        ("User works at Google on weekends", False),
    ],
)
def test_an_end_at_times(text: str, at_times: bool) -> None:
    """What is no longer so on some days is so on the others."""
    assert tells_end_at_times(text) is at_times


@pytest.mark.parametrize(
    "piece", ["stopped warfarin ", "User's dad ", "a day ", "because ", "off ", "x" * 50]
)
def test_hostile_lengths_end(piece: str) -> None:
    """20,000 characters of any shape are read; what takes more than linear time would not end here."""
    text = (piece * (20_000 // len(piece) + 1))[:20_000]
    for said in (text, f"User stopped taking {text}", f"User no longer {text}"):
        assert bearing(said, f"User takes {text}") in Bearing
        assert taken_up_again(said) in (True, False)

"""What the rules make of an end as people say it: two messages, the memories that would be kept and the pins that would stand."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from recollect.language.ended import Bearing, bearing
from recollect.language.judge import judge
from recollect.language.pinning import merge, told
from recollect.records.judgement import Material
from recollect.records.message import Message, Role
from recollect.records.pin import Pin

#: A Wednesday.
SAID_AT = datetime(2026, 11, 18, 10, 0, tzinfo=UTC)


def _message(text: str, minute: int) -> Message:
    return Message(
        user_id="ann",
        message_id=f"m{minute}",
        chat_id="c",
        position=minute + 1,
        role=Role.USER,
        text=text,
        tokens=1,
        importance_score=5.0,
        created_at=SAID_AT + timedelta(minutes=minute),
    )


def _pins(message: Message) -> list[Pin]:
    return [
        Pin(
            user_id="ann",
            pin_id=f"{message.message_id} {draft.content}",
            chat_id="c",
            content=draft.content,
            source_message_id=message.message_id,
            importance_score=draft.importance_score,
            pin_type=draft.pin_type,
            derived=True,
            tokens=1,
            created_at=message.created_at,
        )
        for draft in told(message)
    ]


def pinned(*said: str) -> list[str]:
    """What is pinned once the messages were told, one after the other."""
    standing: list[Pin] = []
    for minute, text in enumerate(said):
        changes = merge(standing, _pins(_message(text, minute)))
        standing = [pin for pin in standing if pin not in changes.removed] + list(changes.added)
    return [pin.content for pin in standing]


def kept(text: str, minute: int = 0) -> list[str]:
    """What the judge keeps of a message."""
    return [item.content for item in judge(Material(messages=[_message(text, minute)])).memories]


def ends(known: str, said: str) -> list[str]:
    """The facts of the first message that the second one clearly ends."""
    day = SAID_AT.date()
    new: Sequence[str] = kept(said, 1)
    return [
        old
        for old in kept(known)
        if any(bearing(one, old, known_since=day, said_on=day) is Bearing.CLEAR for one in new)
    ]


@pytest.mark.parametrize(
    ("known", "said", "fact", "end"),
    [
        ("I play tennis.", "I quit tennis.", "User plays tennis.", None),
        ("I smoke.", "I gave up smoking.", "User smokes.", None),
        ("I work at Google.", "I no longer work at Google.", "User works at Google.", None),
        ("I pay for Netflix.", "I no longer pay for Netflix.", "User pays for Netflix.", None),
        ("I take sertraline.", "I'm off sertraline.", "User takes sertraline.", "User is off sertraline"),
        (
            "I take sertraline.",
            "My doctor took me off sertraline.",
            "User takes sertraline.",
            "User's doctor took User off sertraline",
        ),
        (
            "I take 50 mg sertraline daily.",
            "I stopped taking sertraline.",
            "User takes 50 mg sertraline daily.",
            "User stopped taking sertraline",
        ),
        (
            "I take sertraline.",
            "I don't take sertraline anymore because it made me sick.",
            "User takes sertraline.",
            "User no longer takes sertraline",
        ),
        ("I have asthma.", "I no longer have asthma.", "User has asthma.", "User no longer has asthma"),
        (
            "My dad takes warfarin.",
            "My dad stopped taking warfarin.",
            "User's dad takes warfarin.",
            "User's dad stopped taking warfarin",
        ),
    ],
)
def test_a_plain_end_is_one(known: str, said: str, fact: str, end: str | None) -> None:
    """What somebody plainly says to be over is over, and pinned so where it was pinned."""
    assert ends(known, said) == [fact]
    assert pinned(known, said) == ([end] if end else [])


_PINNED = {
    "allergy": ("I'm allergic to penicillin.", "User is allergic to penicillin"),
    "nut allergy": ("I have a nut allergy.", "User has a nut allergy"),
    "metformin": ("I take metformin.", "User takes metformin"),
    "aspirin": ("I take aspirin for my heart.", "User takes aspirin for User's heart"),
    "sertraline": ("I take 50 mg sertraline daily.", "User takes 50 mg sertraline daily"),
    "diabetes": ("I have diabetes.", "User has diabetes"),
    "epilepsy": ("I have epilepsy.", "User has epilepsy"),
    "asthma": ("I have asthma.", "User has asthma"),
    "warfarin": ("I take warfarin.", "User takes warfarin"),
    "insulin": ("I use insulin.", "User uses insulin"),
    "lithium": ("I take lithium.", "User takes lithium"),
    "ibuprofen": ("I take ibuprofen.", "User takes ibuprofen"),
}


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("allergy", "I no longer have a penicillin allergy card."),
        ("allergy", "I'm no longer allergic to penicillin."),
        ("allergy", "I stopped taking penicillin."),
        ("nut allergy", "I no longer have a nut allergy."),
        ("nut allergy", "I stopped eating nuts."),
        ("metformin", "I don't have any more metformin, I need a refill."),
        ("metformin", "I no longer have metformin at home."),
        ("metformin", "My friend said I stopped taking metformin."),
        ("metformin", "I stopped taking metformin on weekends."),
        ("metformin", "I stopped taking metformin after dinner."),
        ("metformin", "I stopped taking metformin for the surgery."),
        ("metformin", "I stopped taking metformin on my doctor's advice for ten days."),
        ("metformin", "I stopped taking metformin for today."),
        ("aspirin", "I no longer take aspirin for headaches."),
        ("sertraline", "I no longer take 100 mg sertraline."),
        ("diabetes", "I dropped out of the diabetes class."),
        ("diabetes", "I no longer have a diabetes coach."),
        ("epilepsy", "I no longer have an epilepsy doctor."),
        ("epilepsy", "I no longer have epilepsy on my record."),
        ("epilepsy", "I no longer have epilepsy medication."),
        ("asthma", "I no longer have asthma attacks."),
        ("asthma", "I no longer have asthma at night."),
        ("asthma", "My son no longer has asthma."),
        ("warfarin", "I quit the warfarin forum."),
        ("warfarin", "My pharmacist wondered why I stopped warfarin."),
        ("warfarin", "I dropped my warfarin on the floor."),
        ("warfarin", "I stopped at the pharmacy for my warfarin."),
        ("warfarin", "I stopped taking warfarin because I have surgery next week."),
        ("warfarin", "I stopped taking warfarin, just for this week."),
        ("warfarin", "I stopped taking warfarin. Actually no, I still take it."),
        ("warfarin", "I no longer take warfarin; I take it with food now."),
        ("warfarin", "I'm off warfarin until Tuesday."),
        ("warfarin", "My doctor took me off warfarin for a week."),
        ("warfarin", "My doctor wants me to stop taking warfarin."),
        ("warfarin", "The nurse asked if I stopped taking warfarin."),
        ("warfarin", "I stopped taking my morning warfarin."),
        ("warfarin", "I no longer take warfarin twice a day."),
        ("warfarin", "I no longer take the warfarin from CVS."),
        ("warfarin", "My dog is off warfarin."),
        ("warfarin", "What if I stopped taking warfarin?"),
        ("warfarin", "I stopped taking warfarin: true or false?"),
        ("warfarin", "In my dream I stopped taking warfarin."),
        ("warfarin", "I lied that I stopped taking warfarin."),
        ("warfarin", "I wish I was off warfarin."),
        ("warfarin", "lol I stopped taking warfarin"),
        ("warfarin", 'My brother wrote "I stopped taking warfarin".'),
        ("insulin", "I stopped using the insulin pump."),
        ("lithium", "I'm off lithium batteries."),
        ("ibuprofen", "I don't take any more ibuprofen than I need."),
        ("ibuprofen", "I don't take ibuprofen any longer than two days."),
    ],
)
def test_a_pin_that_nothing_clearly_ends_stays(what: str, said: str) -> None:
    """A part, a pause, another dose, another thing, others' words: what a life may hang on stays pinned, and nothing beside it."""
    known, pin = _PINNED[what]
    assert pinned(known, said) == [pin]
    if "allerg" not in said:
        assert ends(known, said) == []


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("I pay for Netflix.", "I no longer pay for Spotify."),
        ("I write for the Guardian.", "I no longer write for the Times."),
        ("I care for my cat.", "I no longer care for my mother."),
        ("I cook every day.", "I no longer cook for my ex."),
        ("I train three times a week.", "I no longer train for marathons."),
        ("I use Notion at work.", "I no longer use Notion for recipes."),
        ("I use Notion.", "I quit Notion."),
        ("I go to the gym.", "I no longer go to the gym on Main Street."),
        ("I go to the gym.", "I quit the gym class."),
        ("I have two cats.", "I no longer have a cat."),
        ("I have a dog.", "I no longer have a dog walker."),
        ("I smoke.", "I quit smoking tomorrow."),
        ("I smoke.", "I quit smoking every January."),
        ("I smoke.", "I quit smoking when I was pregnant."),
        ("I smoke.", "I never quit smoking."),
        ("I smoke.", "I had quit smoking for a year."),
        ("I smoke.", "If I quit smoking, I'd gain weight."),
        ("I smoke.", "My sister quit smoking."),
        ("I smoke.", "Oh sure, I totally quit smoking."),
        ("I smoke.", "I gave up trying to quit smoking."),
        ("I smoke.", "I plan to quit smoking."),
        ("I play tennis.", "I gave up tennis for Lent."),
        ("I play tennis.", "I quit tennis for today."),
        ("I play tennis.", "I quit tennis, just for now."),
        ("I play tennis.", "I quit tennis until spring."),
        ("I play tennis.", "I quit the tennis club."),
        ("I play tennis.", "I gave up my seat at the tennis match."),
        ("I play tennis.", "I dropped off the kids at tennis."),
        ("I play tennis.", "I stopped by the tennis court."),
        ("I play tennis.", "I'm off to play tennis."),
        ("I play tennis.", "My tennis lesson is no longer than an hour."),
        ("I teach tennis.", "I quit tennis."),
        ("I play chess.", "I gave up a pawn in chess."),
        ("I drink coffee.", "I no longer drink that much coffee."),
        ("I drink coffee.", "I no longer drink coffee before bed."),
        ("I eat meat.", "I gave up meat on Fridays."),
    ],
)
def test_a_fact_that_nothing_clearly_ends_stays(known: str, said: str) -> None:
    """Another thing, a part, an idiom, a plan, a joke: the fact stays, and at most somebody is asked."""
    assert kept(known)
    assert ends(known, said) == []

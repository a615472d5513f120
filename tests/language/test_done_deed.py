"""Which deeds fulfil which todos: plain cases close, everything that is not quite that does not."""

from datetime import UTC, datetime, timedelta

import pytest

from recollect.language.done_deed import ToldDeeds, deeds, fulfilled, takes_back, told_deeds
from recollect.records.message import Message, Role
from recollect.records.todo import Todo, new_todo

#: A Wednesday.
NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)
LONG_AGO = NOW - timedelta(days=20)
TODAY = NOW.replace(hour=23, minute=59, second=59)
TOMORROW = TODAY + timedelta(days=1)


def _todo(
    text: str,
    kind: str = "commitment",
    todo_id: str = "t1",
    due_at: datetime | None = None,
    told: datetime = LONG_AGO,
) -> Todo:
    return new_todo(user_id="ann", todo_id=todo_id, text=text, kind=kind, due_at=due_at, now=told)


def _closes(said: str, *todos: Todo, at: datetime = NOW) -> list[str]:
    return [todo.text for todo in fulfilled(deeds(said, at=at), todos, at=at)]


@pytest.mark.parametrize(
    ("said", "todo"),
    [
        ("I renewed my passport.", "Renew User's passport."),
        ("I renewed my passport", "User needs to renew User's passport before the trip."),
        ("I've finally renewed my passport!", "Renew passport"),
        ("I renewed the passport 🎉", "Renew my passport"),
        ("Finally renewed my passport!", "Renew passport"),
        ("Done: renewed my passport.", "Renew passport"),
        ("Done! I renewed my passport. Thanks!", "Renew passport"),
        ("Today I renewed my passport.", "Renew User's passport by Friday."),
        ("I finally called the dentist today.", "Call the dentist."),
        ("I called the dentist this morning", "User must call the dentist"),
        ("Ok, I just called Dr. Smith.", "Call Dr. Smith."),
        ("I've sent Anna the report.", "Send Anna the report."),
        ("I have sent Anna the report", "User promised Bob that User will send Anna the report by Friday."),
        ("Good news: I sent Anna the report yesterday.", "User has to send Anna the report by Friday."),
        ("I called Bob about the car", "User will call Bob about the car this week."),
        ("I called Bob about the car on Monday.", "Call Bob about the car"),
        ("I emailed the landlord", "e-mail the landlord"),
        ("We paid the rent", "User and others have to pay User's rent by Friday."),
        ("I paid our rent.", "User must pay the rent by noon on Friday."),
        ("I turned off the heating.", "Turn off the heating."),
        ("I wrote the letter to Tom.", "Write a letter to Tom."),
        ("I've read the report.", "Read the report."),
        ("I cut the grass today.", "Cut the grass."),
        ("I went to the bank.", "Go to the bank."),
        ("I tidied the garage.", "Tidy the garage."),
        ("I cancelled the gym membership.", "Cancel the gym membership."),
    ],
)
def test_it_is_done(said: str, todo: str) -> None:
    """The same deed on the same thing, and nothing else; until when it was to be done does not matter."""
    assert _closes(said, _todo(todo)) == [todo]


#: What a review found to be closed although it was not done.
FOUND = [
    ("I sent Anna an email about the report", "Send Anna the report."),
    ("I called my mom's doctor", "Call mom."),
    ("I renewed my daughter's passport", "Renew User's passport by Friday."),
    ("I turned on the heating", "Turn off the heating."),
    ("I wrote the first paragraph of the essay", "Write the essay."),
    ("I called the dentist but got voicemail", "Call the dentist."),
    ("I renewed my passport, didn't I?", "Renew User's passport."),
    ("I renewed my passport. Just kidding!", "Renew User's passport."),
    ("I renewed my passport, right?", "Renew User's passport."),
    ("I renewed my passport, or so I thought", "Renew User's passport."),
    ("I was told I renewed my passport", "Renew User's passport."),
    ("Tom: I renewed my passport", "Renew User's passport."),
    ("I renewed my passport online but it was rejected", "Renew User's passport."),
    ("I paid Bob to pay the rent", "Pay the rent."),
    ("I finished reading the report", "Finish the report."),
    ("I took a picture of the medicine", "Take the medicine."),
    ("I did my best to do the taxes", "Do the taxes."),
    ("I bought a book about milk", "Buy milk."),
    ("I went past the bank", "Go to the bank."),
    ("I cut the grass every Saturday", "Cut the grass."),
    ("Off the record: I renewed my passport.", "Renew User's passport."),
]
#: And others of the kind.
OTHERS = [
    # Something else.
    ("I called Bob", "User will call Bob about the car this week."),
    ("I called Bob's office", "Call Bob."),
    ("I called a dentist", "Call the dentist."),
    ("I called the dentist's receptionist", "Call the dentist."),
    ("I called off the dentist", "Call the dentist."),
    ("I called for the dentist", "Call the dentist."),
    ("I sent the report to Bob", "Send Anna the report."),
    ("I sent Anna the draft of the report", "Send Anna the report."),
    ("I renewed my gym membership", "Renew User's passport."),
    ("I lost my passport", "Renew User's passport."),
    ("I watered the plant", "Water the plants."),
    ("I paid half the rent", "Pay the rent."),
    ("I paid the rent for Tom", "Pay the rent."),
    ("I bought oat milk", "Buy milk."),
    ("I bought milk for Tom", "Buy milk."),
    ("I put the keys under the table", "Put the keys on the table."),
    ("I picked out the cake", "Pick up the cake."),
    ("I finished the first draft", "Finish the report."),
    ("I did most of the taxes", "Do the taxes."),
    ("I took the medicine back", "Take the medicine."),
    ("I read the article", "Read the article by Jane Goodall."),
    ("I sent the report", "Send the report by Friday to Anna."),
    # Not yet, or not at all.
    ("I haven't sent Anna the report", "Send Anna the report."),
    ("I almost sent Anna the report", "Send Anna the report."),
    ("I will renew my passport", "Renew User's passport."),
    ("I need to renew my passport", "Renew User's passport."),
    ("I have to renew my passport", "Renew User's passport."),
    ("I never renewed my passport", "Renew User's passport."),
    ("I renewed my passport in my dream", "Renew User's passport."),
    ("I would have renewed my passport", "Renew User's passport."),
    ("I tried to call the dentist", "Call the dentist."),
    ("I forgot to call the dentist", "Call the dentist."),
    ("I remembered to call the dentist", "Call the dentist."),
    ("I thought I renewed my passport", "Renew User's passport."),
    ("I called the dentist and got voicemail", "Call the dentist."),
    ("I called the dentist and hung up", "Call the dentist."),
    ("I called the dentist. Nobody answered.", "Call the dentist."),
    ("I sent Anna the report. It bounced.", "Send Anna the report."),
    ("I booked the hotel and cancelled it", "Book the hotel."),
    ("I booked the hotel and then I cancelled the booking", "Book the hotel."),
    ("I renewed my passport. I made it up.", "Renew User's passport."),
    ("I renewed my passport... not!", "Renew User's passport."),
    ("I renewed my passport...", "Renew User's passport."),
    ("I renewed my passport\u2026", "Renew User's passport."),
    ("I renewed my passport 😉", "Renew User's passport."),
    ("I renewed my passport lol", "Renew User's passport."),
    ("I renewed my passport /s", "Renew User's passport."),
    ("I renewed my passport (kind of)", "Renew User's passport."),
    ("I renewed my passport, I think", "Renew User's passport."),
    ("Maybe I renewed my passport", "Renew User's passport."),
    ("Apparently I renewed my passport", "Renew User's passport."),
    ("Yeah, right, I renewed my passport", "Renew User's passport."),
    # Asked, supposed, quoted, played, somebody else's.
    ("Did I send Anna the report?", "Send Anna the report."),
    ("I sent Anna the report?", "Send Anna the report."),
    ("I sent Anna the report. Did I?", "Send Anna the report."),
    ("If I sent Anna the report, she would be glad", "Send Anna the report."),
    ("Say I sent Anna the report", "Send Anna the report."),
    ('"I sent Anna the report"', "Send Anna the report."),
    ("> I sent Anna the report", "Send Anna the report."),
    ("*I sent Anna the report*", "Send Anna the report."),
    ("Translate: I sent Anna the report", "Send Anna the report."),
    ("Fix my grammar.\nI sent Anna the report", "Send Anna the report."),
    ("Tom sent Anna the report", "Send Anna the report."),
    ("Tom says I sent Anna the report", "Send Anna the report."),
    ("I had Tom send Anna the report", "Send Anna the report."),
    ("Sent Anna the report", "Send Anna the report."),
    ("Dear Bob,\nI sent Anna the report.\nRegards, Ann", "Send Anna the report."),
    # Another time, or again and again.
    ("I renewed my passport in 2019", "Renew User's passport."),
    ("I renewed my passport two years ago", "Renew User's passport."),
    ("I renewed my passport last year", "Renew User's passport."),
    ("I always renewed my passport", "Renew User's passport."),
    ("I read the news", "Read the news."),
    ("I put the kids to bed", "Put the kids to bed."),
    ("I take the medicine", "Take the medicine."),
    # Of whom or what only the talk knows.
    ("I called her", "Call her."),
    ("I did it", "Do it."),
    ("I asked you about the car", "Ask you about the car."),
    ("I called", "Call."),
    # What has signs of its own is not known word for word.
    ("I called the dentist (downtown)", "Call the dentist (uptown)."),
]


@pytest.mark.parametrize(("said", "todo"), FOUND + OTHERS)
def test_it_is_not_done(said: str, todo: str) -> None:
    """Something else, somebody else, long ago, not yet, doubted, asked, played or taken back: the todo stays open."""
    assert _closes(said, _todo(todo)) == []


def test_a_message_may_tell_several_deeds() -> None:
    """Each closes its own todo, and no other."""
    rent, hotel, other = (
        _todo(text, todo_id=text) for text in ("Pay the rent.", "Book the hotel.", "Buy milk.")
    )
    both = ["Pay the rent.", "Book the hotel."]
    assert _closes("Good news: I paid the rent and booked the hotel.", rent, hotel, other) == both
    assert _closes("I paid the rent today. I've also booked the hotel!", rent, hotel, other) == both


def test_a_deed_that_nobody_waited_for_keeps_the_others_open() -> None:
    """Whether it takes back what stands beside it ("and left a message") cannot be known."""
    assert _closes("I called mom and left a message.", _todo("Call mom.")) == []
    assert _closes("I paid the rent and left a message.", _todo("Pay the rent.")) == []


def test_what_goes_on_or_may_be_two_stays_open() -> None:
    """A habit is never done, and a deed that fits two todos fulfils none."""
    said = "I watered the plants"
    assert _closes(said, _todo("Water the plants", "habit")) == []
    assert _closes(said, _todo("Water the plants"), _todo("Water plants by Friday", todo_id="t2")) == []


@pytest.mark.parametrize(
    ("text", "due_at", "at", "done"),
    [
        ("Water the plants tomorrow.", TOMORROW, NOW, False),
        ("Water the plants tomorrow.", TOMORROW, NOW + timedelta(days=1), True),
        ("Water the plants.", TOMORROW, NOW, False),
        ("Tomorrow User will water the plants.", TOMORROW, NOW, False),
        ("Tomorrow User will water the plants.", TOMORROW, NOW + timedelta(days=1), True),
        ("Water the plants by tomorrow.", TOMORROW, NOW, True),
        ("Water the plants today.", TODAY, NOW, True),
        ("Water the plants tonight.", TODAY, NOW, False),
        ("Water the plants tonight.", TODAY, NOW + timedelta(hours=8), True),
        ("Water the plants at 8pm.", NOW + timedelta(hours=8), NOW, False),
        ("Water the plants at 8pm.", NOW + timedelta(hours=8), NOW + timedelta(hours=7), True),
        ("Water the plants on Friday.", None, NOW, False),
        ("Water the plants after the party.", None, NOW, False),
    ],
)
def test_what_is_for_a_day_is_not_done_before_it(
    text: str, due_at: datetime | None, at: datetime, done: bool
) -> None:
    """What is done today is not what was to be done tomorrow; what was to be done until tomorrow is."""
    assert bool(_closes("I watered the plants.", _todo(text, due_at=due_at), at=at)) is done


@pytest.mark.parametrize(
    ("said", "hours", "done"),
    [
        ("I called mom.", 1, True),
        ("I called mom today.", 1, True),
        ("I called mom this morning.", 1, False),
        ("I called mom this morning.", 14, True),
        ("I called mom yesterday.", 14, False),
        ("I called mom yesterday.", 25, True),
        ("I called mom on Monday.", 25, False),
        ("I called mom on Monday.", 49, True),
        ("I called mom on Wednesday.", 49, False),
        ("I called mom.", -1, False),
    ],
)
def test_what_was_done_before_a_todo_was_told_is_not_it(said: str, hours: int, done: bool) -> None:
    """ "Remind me to call mom" is not answered by yesterday's call."""
    todo = _todo("Call mom.", told=NOW - timedelta(hours=hours))
    assert bool(_closes(said, todo)) is done


# -- messages --------------------------------------------------------------------------------------------------


def _said(*texts: str) -> list[Message]:
    return [
        Message(
            user_id="ann",
            chat_id="c",
            message_id=f"m{number}",
            role=Role.USER,
            text=text,
            position=number,
            tokens=1,
            importance_score=1,
            created_at=NOW + timedelta(minutes=number),
        )
        for number, text in enumerate(texts)
    ]


def test_deeds_of_messages() -> None:
    """Each with the moment of its message."""
    first, second = _said("I paid the rent.", "What is the weather?")
    assert told_deeds([], [first, second]) == ToldDeeds(
        done=((first.created_at, deeds(first.text, at=first.created_at)),)
    )


@pytest.mark.parametrize(
    "text",
    [
        "Just kidding!",
        "jk",
        "No wait, I didn't",
        "Oh sorry, I haven't yet",
        "Actually, scratch that.",
        "I lied",
        "Never mind",
        "Oops, wrong chat",
        "That was a joke",
        "I meant my library card",
    ],
)
def test_the_next_message_may_take_it_back(text: str) -> None:
    """Told in one reading or in two: what the message before told as done is done no longer."""
    first, second = _said("I paid the rent.", text)
    assert told_deeds([], [first, second]) == ToldDeeds(undone=(first.created_at,))
    assert told_deeds([first], [second]) == ToldDeeds(undone=(first.created_at,))


@pytest.mark.parametrize("text", ["No, thanks.", "No, that's all", "Ok", "What next?", "I never mind rain"])
def test_what_takes_nothing_back(text: str) -> None:
    """A "no" may answer something else."""
    assert not takes_back(text)


def test_an_edited_message_counts_by_its_new_words() -> None:
    """Whatever it told as done before is looked at anew."""
    (message,) = _said("I paid the bill.")
    told = told_deeds([], [message], edited=True)
    assert told.undone == (message.created_at,) and len(told.done) == 1


def test_games_and_confidences_tell_no_deeds() -> None:
    """What is said in a game of roles is not so, and what is off the record closes nothing."""
    start, deed = _said("Let's pretend you are a clerk and I am a customer.", "I paid the rent.")
    assert told_deeds([start], [deed]) == told_deeds([], [start, deed]) == ToldDeeds()
    assert told_deeds([], _said("I paid the rent. Keep this between us.")) == ToldDeeds()

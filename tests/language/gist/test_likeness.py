"""When two lines say the same, or one corrects the other."""

import pytest

from recollect.language.gist.likeness import Likeness
from recollect.language.gist.line import Line
from recollect.records.message import Role


def _line(text: str, *, corrects: bool = False, dangling: bool = False, critical: bool = False) -> Line:
    return Line(
        text=text, role=Role.USER, weight=5.0, turn=0, corrects=corrects, dangling=dangling, critical=critical
    )


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("User lives in Graz.", "User lives in Graz with two cats."),
        ("User's father takes Metformin.", "User's father John takes Metformin 500 mg."),
    ],
)
def test_a_line_that_adds_nothing_is_the_same(first: str, second: str) -> None:
    """The shorter line is in the longer one, whichever comes first."""
    assert Likeness().same(first, second)
    assert Likeness().same(second, first)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The deadline is June 1.", "The deadline is July 15."),
        ("User eats meat.", "User does not eat meat."),
        ("User's father takes Metformin.", "User's father takes Lisinopril."),
    ],
)
def test_another_value_or_a_negation_is_not_the_same(first: str, second: str) -> None:
    """Lines that differ in a fact are two lines."""
    assert not Likeness().same(first, second)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The launch deadline is June 1.", "The launch deadline is July 15."),
        ("User lives in Berlin.", "User lives in Munich."),
    ],
)
def test_the_same_subject_with_another_value_is_corrected(old: str, new: str) -> None:
    """What is so now replaces what was so."""
    likeness = Likeness()
    assert likeness.corrected([_line("User likes tea."), _line(old)], _line(new)) == 1
    assert likeness.replaces(_line(old), _line(new))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("User's father takes Metformin 500 mg.", "User's father takes Lisinopril 10 mg."),
        ("User paid Tunde 200 euros in March.", "User paid Tunde 300 euros in April."),
        ("Ana is 5 years old.", "Ben is 7 years old."),
    ],
)
def test_other_facts_of_the_same_shape_stay(old: str, new: str) -> None:
    """Two drugs, two payments and two children do not correct each other."""
    assert Likeness().corrected([_line(old)], _line(new)) is None


@pytest.mark.parametrize(
    ("old", "new", "alone"),
    [
        ("User's passport expires in December.", "User renewed User's passport last week.", True),
        ("User needs to return the books.", "User returned the books.", True),
        ("User needs to renew User's passport before the trip.", "User renewed User's passport.", True),
        (
            "User needs to renew User's passport before the trip to Japan.",
            "User renewed User's passport.",
            False,
        ),
        ("The invoice is due on Friday.", "The invoice was paid.", True),
        ("User has to pay the rent.", "User paid the rent.", True),
        ("User's passport needs to be renewed.", "User renewed User's passport.", True),
        ("The rent of 900 euros is due.", "User paid the rent.", False),
    ],
)
def test_what_is_done_settles_what_was_to_be_done(old: str, new: str, alone: bool) -> None:
    """The later line stands for both, unless a figure would be lost: then it follows."""
    likeness = Likeness()
    assert likeness.corrected([_line("User likes tea."), _line(old)], _line(new)) == 1
    assert likeness.replaces(_line(old), _line(new)) is alone


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("User's passport is blue.", "User renewed User's passport."),
        ("User needs a new laptop.", "User renewed User's passport."),
        ("User must pay the rent.", "User has not paid the rent."),
        ("User needs to call Bob about the car.", "User paid Bob to paint the fence."),
        ("User needs to renew User's daughter's passport.", "User renewed User's passport."),
        ("User has to read the report.", "User finished the report."),
    ],
)
def test_other_things_are_not_settled(old: str, new: str) -> None:
    """What was not pending, is another thing or is still not done stays."""
    assert Likeness().corrected([_line(old)], _line(new)) is None


def test_actually_finds_what_it_is_about() -> None:
    """A correction goes to the statement that it shares its subject with."""
    lines = [_line("The recital is on June 12."), _line("The rehearsal is on June 1.")]
    assert Likeness().corrected(lines, _line("Actually the recital is on June 20.", corrects=True)) == 0


def test_a_correction_that_points_back_follows() -> None:
    """ "Actually it is 850 mg" is clear only behind the old dose."""
    old = _line("User's father takes Metformin 500 mg.")
    new = _line("Actually it is 850 mg.", corrects=True, dangling=True)
    likeness = Likeness()
    assert likeness.corrected([old, _line("User likes tea.")], new) == 0
    assert not likeness.replaces(old, new)


def test_what_is_critical_is_not_replaced_by_what_is_not() -> None:
    """An allergy does not go because something else changed."""
    old, new = _line("He is allergic to 2 drugs.", critical=True), _line("He takes 2 drugs.")
    assert not Likeness().replaces(old, new)


def test_near_lines_say_it_in_other_words() -> None:
    """Half of the words are there and no number is new; with a new number it is another fact."""
    known = "Losing User's job was hard, but User opened a studio."
    assert Likeness().near("Losing User's job was a push.", known)
    assert not Likeness().near("Losing User's job cost 900 euros.", known)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Room 1 is 12 square metres.", "Room 2 is 15 square metres."),
        ("User has thing 1 of blue colour.", "User has thing 2 of blue colour."),
        ("User's Monday class is at 5.", "User's Tuesday class is at 6."),
        ("User's blood pressure was 150/95 on Monday.", "User's blood pressure was 132/85 on Thursday."),
    ],
)
def test_siblings_and_measurements_do_not_correct_each_other(old: str, new: str) -> None:
    """A number that names a thing, and a day on which something was measured, make two facts."""
    assert Likeness().corrected([_line(old)], _line(new)) is None


def test_a_correction_goes_to_the_sibling_that_it_names() -> None:
    """ "Actually room 1" is not about room 2."""
    lines = [_line("Room 1 is 12 square metres."), _line("Room 2 is 15 square metres.")]
    assert Likeness().corrected(lines, _line("Actually room 1 is 14 square metres.", corrects=True)) == 0

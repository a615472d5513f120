"""Which pins come, which they replace, and which go for want of room."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from recollect.language.pinning import PinChanges, merge
from recollect.records.pin import MAX_DERIVED, Pin, PinType

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def pin(content: str, minute: int = 0, *, importance: float = 8.0, pin_type: PinType = PinType.AUTO) -> Pin:
    """A derived pin of the message that was said at a minute."""
    return Pin(
        user_id="ana",
        pin_id=f"p{minute:04d} {content}",
        chat_id="c1",
        content=content,
        source_message_id=f"m{minute:04d}",
        importance_score=importance,
        pin_type=pin_type,
        derived=True,
        tokens=1,
        created_at=NOW + timedelta(minutes=minute),
    )


def wish(content: str, minute: int = 0) -> Pin:
    return pin(content, minute, importance=6.0, pin_type=PinType.CONCEPT)


def left(derived: Sequence[Pin], changes: PinChanges) -> set[str]:
    """What is pinned once the changes are made."""
    return {item.content for item in {*derived, *changes.added} - {*changes.removed}}


KNOWN = [
    ("User is allergic to penicillin", "User is allergic to Penicillin!"),
    ("Allergic to penicillin", "User is allergic to penicillin"),
    ("User has a penicillin allergy", "User is allergic to penicillin"),
    ("User is severely allergic to penicillin since 2010", "User is allergic to penicillin"),
    ("User takes Metformin 500mg twice daily", "User takes metformin 500mg"),
]


@pytest.mark.parametrize(("known", "said"), KNOWN)
def test_a_known_fact_is_not_new(known: str, said: str) -> None:
    """The same fact in other words is dropped, whether a rule made the first pin or a hand."""
    assert merge([pin(known)], [pin(said, 1)]) == PinChanges()
    assert merge([], [pin(said, 1)], by_hand=[known]) == PinChanges()


REPLACED = [
    pytest.param(pin("User's dad takes metformin 500 mg"), pin("User's dad takes metformin 850 mg", 1), id="dose"),
    pytest.param(pin("Dad's on metformin"), pin("User's father takes metformin 850 mg", 1), id="one father"),
    pytest.param(pin("User is allergic to nuts"), pin("User is severely allergic to nuts", 1), id="degree"),
    pytest.param(pin("User takes sertraline 50 mg"), pin("User stopped taking sertraline", 1), id="end of a medicine"),
    pytest.param(pin("User takes sertraline"), pin("User is off sertraline now", 1), id="off a medicine"),
    pytest.param(pin("User takes Foobar 20 mg"), pin("User no longer takes Foobar", 1), id="end of an unknown medicine"),
    pytest.param(pin("User has asthma"), pin("User no longer has asthma", 1), id="end of an illness"),
    pytest.param(pin("User is diabetic"), pin("User has type 2 diabetes since 2015", 1), id="diagnosis"),
    pytest.param(pin("Emergency contact: Jane 555-1"), pin("User's emergency contact is Jane Doe, 555-2", 1), id="contact"),
    pytest.param(
        pin("User's emergency contact is Jane Doe, 555-1"),
        pin("User's emergency contact is now Bob Roe, 555-2", 1),
        id="another contact",
    ),
    pytest.param(
        pin("User takes levothyroxine 75 mcg"), pin("User's levothyroxine dose was raised to 100 mcg", 1), id="raised"
    ),
    pytest.param(
        pin("User takes metformin 500 mg"), pin("User was switched from metformin to ozempic", 1), id="switched"
    ),
    pytest.param(
        wish("User wants the assistant to give User long, detailed answers"),
        wish("User wants the assistant to keep its answers short", 1),
        id="length",
    ),
    pytest.param(pin("User's blood type is O"), pin("User's blood type is A", 1), id="blood type"),
    pytest.param(
        pin("BMI = kg / m", pin_type=PinType.CODE), pin("BMI = kg / m^2", 1, pin_type=PinType.CODE), id="formula"
    ),
    pytest.param(
        pin("Glucose target: 80-130 mg/dL", pin_type=PinType.CODE),
        pin("Glucose target: 70-120 mg/dL", 1, pin_type=PinType.CODE),
        id="target",
    ),
    pytest.param(
        pin("Time zone: Europe/Berlin", pin_type=PinType.SYSTEM),
        pin("Time zone: Asia/Tokyo", 1, pin_type=PinType.SYSTEM),
        id="notice",
    ),
    pytest.param(
        wish("User wants the assistant to always answer in German"),
        wish("User wants the assistant to reply in French", 1),
        id="language",
    ),
    pytest.param(
        wish("User wants the assistant to always use emojis"),
        wish("User wants the assistant to never use emojis", 1),
        id="polarity",
    ),
    pytest.param(wish("User prefers tea over coffee"), wish("User prefers coffee over tea", 1), id="choice"),
    pytest.param(
        wish("He prefers morning appointments"), wish("He prefers evening appointments", 1), id="part of the day"
    ),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new"), REPLACED)
def test_a_newer_statement_of_the_same_subject_replaces(old: Pin, new: Pin) -> None:
    """Of two contradictory statements the newer stands alone, in whichever order they are read."""
    assert merge([old], [new]) == PinChanges(added=(new,), replaced=(old,))
    assert merge([new], [old]) == PinChanges()
    assert merge([], [old, new]) == PinChanges(added=(new,))
    assert merge([], [new, old]) == PinChanges(added=(new,))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (pin("User is allergic to penicillin"), pin("User is allergic to latex", 1)),
        (pin("User's dad is allergic to penicillin"), pin("User is allergic to penicillin", 1)),
        (pin("User is allergic to penicillin"), pin("User's son is allergic to penicillin", 1)),
        (pin("User's son Tom takes ritalin 5 mg"), pin("User's son Ben takes ritalin 10 mg", 1)),
        (pin("User's older son has asthma"), pin("User's younger son has asthma and eczema", 1)),
        (pin("User's wife has breast cancer"), pin("User's wife has lung cancer", 1)),
        (pin("User is diabetic and allergic to nuts"), pin("User is severely allergic to nuts", 1)),
        (pin("He had a heart attack in 2019"), pin("He had a heart attack in 2021", 1)),
        (pin("User takes penicillin 500 mg"), pin("User is allergic to penicillin", 1)),
        (pin("Emergency contact: Jane 555-1234"), pin("Emergency contact: Bob 555-1235", 1)),
        (pin("User's emergency contact is Jane, 555-1"), pin("User's dad's emergency contact is now Bob, 555-2", 1)),
        (pin("User takes metformin 500 mg"), pin("User's mom was switched from metformin to ozempic", 1)),
        (pin("Penicillin gives User hives"), pin("User takes penicillin 500 mg", 1)),
        (pin("Penicillin gives User hives"), pin("Penicillin gives User's son hives", 1)),
        (wish("User wants the assistant to answer in German"), wish("User wants the assistant to cite sources", 1)),
        (pin("User takes aspirin 50 mg in the morning"), pin("User takes aspirin 100 mg in the evening")),
    ],
)  # fmt: skip
def test_another_fact_is_kept_beside(old: Pin, new: Pin) -> None:
    """Another person, substance or event, and what one message says twice of a thing, stays: losing it would be worse."""
    assert left([old], merge([old], [new])) == {old.content, new.content}


def test_a_pin_about_two_things_goes_when_both_are_told_anew() -> None:
    """A list of medicines stands until each of them has a newer pin."""
    both = pin("User's dad takes metformin 500 mg and lisinopril 10 mg")
    first, second = pin("User's dad takes metformin 850 mg", 1), pin("User's dad takes lisinopril 20 mg", 2)
    assert merge([both], [first]) == PinChanges(added=(first,))
    assert merge([both, first], [second]) == PinChanges(added=(second,), replaced=(both,))


def test_a_statement_taken_back_and_made_again_stands() -> None:
    """500, then 850, then 500 again is 500, from the newest message."""
    said = [pin(f"User takes metformin {dose} mg", minute) for minute, dose in enumerate((500, 850, 500))]
    assert merge([], said) == PinChanges(added=(said[2],))


def test_an_end_is_pinned_in_the_place_of_what_it_ends() -> None:
    """A stopped medicine is told where it was pinned, beside a list of which it is a part and beside a pin by hand; nowhere else."""
    end = pin("User stopped taking sertraline", 1)
    assert merge([], [end]) == PinChanges()
    assert merge([pin("User's sister takes sertraline")], [end]) == PinChanges()
    assert merge([pin("User takes metformin and sertraline")], [end]) == PinChanges(added=(end,))
    assert merge([], [end], by_hand=["User takes sertraline"]) == PinChanges(added=(end,))
    again = pin("User takes sertraline", 2)
    assert merge([end], [again]) == PinChanges(added=(again,), replaced=(end,))
    other = pin("User is off sertraline now", 3)
    assert merge([end], [other, pin("User takes sertraline")]) == PinChanges()


@pytest.mark.parametrize(
    ("old", "end"),
    [
        ("User was prescribed sertraline", "User stopped taking sertraline"),
        ("User takes metformin for diabetes", "User stopped taking metformin"),
        ("User has type 2 diabetes", "User no longer has diabetes"),
        ("User takes metformin and sertraline", "User is off sertraline"),
        ("User takes sertraline", "User stopped taking sertraline in 2019"),
    ],
)
def test_an_end_that_is_not_clear_stands_beside(old: str, end: str) -> None:
    """What may be over stays pinned, and that it may be is pinned as well, in whichever order they are read."""
    first, second = pin(old), pin(end, 1)
    assert merge([first], [second]) == PinChanges(added=(second,))
    assert merge([first, second], [first, second]) == PinChanges()
    assert set(merge([], [second, first]).added) == {first, second}


@pytest.mark.parametrize(
    ("old", "end"),
    [
        ("User is allergic to penicillin", "User no longer has a penicillin allergy card"),
        ("User is allergic to penicillin", "User is no longer allergic to penicillin"),
        ("User has a penicillin allergy", "User no longer has a penicillin allergy"),
        ("User takes metformin", "User no longer has metformin"),
        ("User takes metformin", "User stopped taking metformin on weekends"),
        ("User has diabetes", "User no longer has a diabetes coach"),
        ("User has epilepsy", "User no longer has epilepsy on User's record"),
        ("User takes warfarin", "User quit the warfarin forum"),
        ("User takes warfarin", "User stopped taking warfarin because of the operation"),
        ("User uses insulin", "User stopped using the insulin pump"),
        ("User takes lithium", "User is off lithium batteries"),
        ("User takes sertraline 50 mg", "User no longer takes 100 mg sertraline"),
        ("User has a DNR", "User no longer has a DNR"),
    ],
)
def test_what_is_no_end_of_a_pin_is_not_pinned(old: str, end: str) -> None:
    """An end of something else, of a part or of an allergy leaves the pins as they are."""
    assert merge([pin(old)], [pin(end, 1)]) == PinChanges()


def test_a_pin_by_hand_is_never_replaced() -> None:
    """A rule's pin that contradicts a pin by hand is added beside it."""
    new = pin("User takes metformin 850 mg")
    assert merge([], [new], by_hand=["User takes metformin 500 mg"]) == PinChanges(added=(new,))


@pytest.mark.parametrize("known", ["User is not allergic to cats", "User's cat sleeps on the sofa"])
def test_words_in_common_do_not_make_a_fact_known(known: str) -> None:
    """A pin by hand that only names the same thing does not keep an allergy out."""
    new = pin("User is allergic to cats")
    assert merge([], [new], by_hand=[known]).added == (new,)


def test_six_hundred_doses_are_one_pin() -> None:
    """However often a dose is told, one pin tells the last one."""
    said = [pin(f"User's dad takes metformin {minute + 1} mg", minute) for minute in range(600)]
    assert merge([], said) == PinChanges(added=(said[-1],))


def test_rules_pin_only_so_many() -> None:
    """Beyond the cap the least important go, then the oldest; new ones that would go at once do not come."""
    stored = [pin(f"User is allergic to substance{n}", n, importance=10.0) for n in range(MAX_DERIVED - 2)]
    weak = [wish(f"User wants the assistant to use font{n}", 100 + n) for n in range(2)]
    strong = pin("User takes metformin 850 mg", 200)
    assert merge([*stored, *weak], [strong]) == PinChanges(added=(strong,), dropped=(weak[0],))
    late = wish("User wants the assistant to use colour9", 1)
    assert merge([*stored, *weak], [late]) == PinChanges()


_TOLD = st.lists(
    st.tuples(
        st.sampled_from(["User", "User's dad", "He"]),
        st.lists(st.sampled_from(["metformin", "warfarin", "aspirin"]), min_size=1, max_size=2, unique=True),
        st.integers(1, 3),
    ),
    max_size=12,
)


_Told = list[tuple[str, list[str], int]]
#: The last statement repeats the first, but for what was said between the two.
_BACK_AND_FORTH: _Told = [("User", ["metformin", "warfarin"], 1), ("User", ["metformin"], 2), ("User", ["metformin"], 1)]  # fmt: skip
_BOTH_STAND: _Told = [("User", ["metformin", "warfarin"], 1), ("User", ["metformin", "aspirin"], 2), ("User", ["metformin"], 1)]  # fmt: skip


def _said(told: _Told) -> list[Pin]:
    return [
        pin(f"{who} takes {' and '.join(f'{drug} {dose} mg' for drug in drugs)}", minute)
        for minute, (who, drugs, dose) in enumerate(told)
    ]


def _last_doses(standing: Sequence[Pin]) -> dict[tuple[str, str], str]:
    """What the newest pin about each person and medicine says."""
    doses: dict[tuple[str, str], str] = {}
    for item in sorted(standing, key=lambda item: item.created_at):
        who, _, listed = item.content.partition(" takes ")
        for told in listed.split(" and "):
            drug, _, dose = told.partition(" ")
            doses[who, drug] = dose
    return doses


@given(_TOLD)
@example(_BACK_AND_FORTH)
@example(_BOTH_STAND)
def test_the_last_word_is_pinned(told: _Told) -> None:
    """One by one or at once, the last dose of each medicine is pinned; what stands changes nothing."""
    said = _said(told)
    standing: list[Pin] = []
    for item in said:
        changes = merge(standing, [item])
        standing = [other for other in standing if other not in changes.removed] + list(changes.added)
    last = {(who, drug): f"{dose} mg" for who, drugs, dose in told for drug in drugs}
    assert _last_doses(standing) == last
    assert left([], merge([], said)) == {item.content for item in standing}
    assert merge(standing, standing) == PinChanges()


@given(_TOLD.flatmap(lambda told: st.tuples(st.just(told), st.permutations(_said(told)))))
@example((_BACK_AND_FORTH, _said(_BACK_AND_FORTH)[::-1]))
@example((_BOTH_STAND, [_said(_BOTH_STAND)[number] for number in (0, 2, 1)]))
def test_the_order_of_reading_decides_nothing(read: tuple[_Told, list[Pin]]) -> None:
    """What was said is pinned alike in whichever order it is read; what stands, read anew, tells the same doses."""
    told, shuffled = read
    stands = merge([], _said(told)).added
    assert set(merge([], shuffled).added) == set(stands)
    again = merge([], [item for item in shuffled if item in stands]).added
    # Fewer at most: of a dose that was told, changed and told again, the second telling alone repeats the first.
    assert set(again) <= set(stands)
    assert _last_doses(again) == _last_doses(stands)


def test_nothing_new_changes_nothing() -> None:
    """Without new pins nothing goes, not even what is too many by older rules."""
    assert merge([], []) == PinChanges()

"""Summaries without a model."""

import pytest
from conversations import (
    CARE,
    CHATTER,
    GERMAN,
    GRIEF,
    JAPANESE,
    SOFTWARE,
    SPANISH,
    TRAVEL,
    VIOLIN,
    said,
    turns,
)
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from recollect.encoder.tokens import count
from recollect.language import gist
from recollect.records.message import Role, Turn, turns_of
from recollect.records.session import MAX_ROLLING

CAP = 500
FACTS = {
    CARE: [
        "father John",
        "type 2 diabetes",
        "Metformin",
        "850 mg",
        "penicillin",
        "anaphylaxis in 2010",
        "555-1234",
        "March 22",
        "grapefruit",
        "insurance",
    ],
    VIOLIN: [
        "audition",
        "Vienna",
        "May 18",
        "bow shakes",
        "wrist",
        "Anna",
        "Paganini",
        "between 6 and 8 pm",
        "April",
    ],
    SOFTWARE: [
        "Kornblume",
        "PostgreSQL 16",
        "12,000 euros",
        "American cloud",
        "Hetzner",
        "July 15",
        "10% VAT",
        "payment provider",
    ],
    TRAVEL: [
        "Japan",
        "8,000 euros",
        "vegetarian",
        "shellfish and peanuts",
        "October 4",
        "180 euros",
        "seasick",
        "October 19",
    ],
    GRIEF: ["mother died", "Elena", "Marco", "Trieste", "killing themself", "Sunday"],
    GERMAN: ["500 mg Metformin", "allergisch gegen Penicillin", "78 Jahre", "3. Mai um 9:30", "Pflegeheim"],
    SPANISH: ["Valencia", "900 euros", "alérgica a los gatos", "Carmen"],
    JAPANESE: ["78歳", "500mg", "ペニシリンのアレルギー", "4月10日"],
}
NAMES = ["care", "violin", "software", "travel", "grief", "german", "spanish", "japanese"]


def _missing(text: str, facts: list[str]) -> list[str]:
    return [fact for fact in facts if fact not in text]


@pytest.mark.parametrize(("script", "facts"), FACTS.items(), ids=NAMES)
def test_what_matters_is_in_the_summary(script: str, facts: list[str]) -> None:
    """Facts, decisions, limits, goals, names, numbers and dangers of a conversation are in 500 tokens."""
    brief = gist.segment(turns(script), cap=CAP, count=count)
    assert _missing(brief, facts) == []
    assert count(brief) <= CAP


@pytest.mark.parametrize(("script", "facts"), FACTS.items(), ids=NAMES)
def test_what_matters_survives_five_folds(script: str, facts: list[str]) -> None:
    """Folding in parts, and more talk after it, loses none of it."""
    parts = turns(script)
    size = -(-len(parts) // 3)
    brief = ""
    for start in range(0, len(parts), size):
        brief = gist.brief(brief, parts[start : start + size], cap=CAP, count=count)
    for _ in range(2):
        brief = gist.brief(brief, turns(CHATTER), cap=CAP, count=count)
    assert _missing(brief, facts) == []


def test_an_allergy_survives_fifty_folds() -> None:
    """Fifty folds of new facts push many things out of a summary, but not this one."""
    brief = gist.segment(turns("U: My daughter Mia is allergic to peanuts.\nA: Noted."), cap=120, count=count)
    for week in range(50):
        news = turns(
            f"U: I decided to paint room {week} in colour number {week * 7}.\nA: Nice.\n"
            f"U: My colleague Tom{week} moved to city {week} and wants to buy {week + 3} cars.\nA: Good for him.\n"
            f"U: The budget for month {week} is {week * 100 + 50} euros.\nA: Noted."
        )
        brief = gist.brief(brief, news, cap=120, count=count)
        assert count(brief) <= 120
    assert "User's daughter Mia is allergic to peanuts." in brief
    assert "49" in brief


def test_small_talk_thanks_and_answered_questions_are_left_out() -> None:
    """What nobody will look for is not there."""
    brief = gist.segment(turns(CARE), cap=CAP, count=count)
    assert _missing(brief, ["thank", "joke", "scarecrow", "haha", "breakfast?", "raining"]) == [
        "thank",
        "joke",
        "scarecrow",
        "haha",
        "breakfast?",
        "raining",
    ]


def _noted(*said: str) -> list[Turn]:
    return turns("\n".join(f"U: {one}\nA: Noted." for one in said))


def test_room_that_is_left_goes_to_plain_statements() -> None:
    """A statement without a name, a number or a strong word is there as long as there is room, and small talk is not."""
    said = _noted(
        "My budget is 900 euros.", "The kitten hides under the sofa all day.", "It is raining here, as usual."
    )
    brief = gist.segment(said, cap=CAP, count=count)
    assert brief == "User's budget is 900 euros.\nThe kitten hides under the sofa all day."
    assert gist.segment(said, cap=10, count=count) == "User's budget is 900 euros."


def test_of_plain_statements_the_newest_stay() -> None:
    """When room gets short, the older plain statements go first."""
    places = "under the sofa|behind the curtain|inside the oven|beneath the stairs|beside the piano".split(
        "|"
    )
    brief = ""
    for place in places:
        brief = gist.brief(brief, _noted(f"The kitten sleeps {place} tonight again."), cap=40, count=count)
    assert count(brief) <= 40
    assert "piano" in brief and "sofa" not in brief


def test_what_is_done_is_no_longer_to_be_done() -> None:
    """A passport that was renewed does not expire in December."""
    said = _noted("My passport expires in December.", "We saw two films.", "I renewed my passport last week.")
    brief = gist.segment(said, cap=CAP, count=count)
    assert "expires" not in brief
    assert "User renewed User's passport last week (said 2026-03-02)." in brief


def test_what_was_asked_about_is_one_line_of_topics() -> None:
    """Answered questions leave their topics, also through the next fold, and each once."""
    first = gist.segment(
        _noted("Can you suggest vegetarian restaurants in Kyoto?", "I live in Graz.", "Tell me something about bees please?"),
        cap=CAP,
        count=count,
    )  # fmt: skip
    assert first == "User lives in Graz.\nUser asked about: vegetarian restaurants in Kyoto; bees."
    then = gist.brief(
        first, _noted("Should we get a rail pass?", "Tell me more about bees!"), cap=CAP, count=count
    )
    assert then.splitlines()[-1] == (
        "User asked about: vegetarian restaurants in Kyoto; whether to get a rail pass; bees."
    )


def test_topics_take_only_the_room_that_is_left() -> None:
    """The oldest topics go first, and no statement goes for a topic."""
    asked = [f"What is the population of {name}?" for name in ("Rome", "Oslo", "Lima", "Cairo", "Delhi")]
    brief = gist.segment(_noted("I live in Graz.", *asked), cap=25, count=count)
    assert count(brief) <= 25
    assert brief.startswith("User lives in Graz.\nUser asked about: ")
    assert "Delhi" in brief and "Rome" not in brief


def test_the_later_word_wins() -> None:
    """A changed deadline stands alone."""
    brief = gist.segment(turns(SOFTWARE), cap=CAP, count=count)
    assert "July 15" in brief
    assert "June 1" not in brief


def test_a_dangling_correction_follows_what_it_corrects() -> None:
    """The newer dose comes right after the older one."""
    first = gist.segment(turns("U: My father takes Metformin 500 mg.\nA: Noted."), cap=CAP, count=count)
    brief = gist.brief(first, turns("U: Actually it's 850 mg.\nA: Ok."), cap=CAP, count=count)
    assert brief == "User's father takes Metformin 500 mg. Actually it's 850 mg."


def test_a_repeated_statement_is_told_once() -> None:
    """Saying it again does not make it two lines."""
    brief = gist.segment(
        turns("U: I live in Graz.\nA: Ok.\nU: As I said, I live in Graz!\nA: Yes."), cap=CAP, count=count
    )
    assert brief.count("Graz") == 1


def test_the_oldest_comes_first() -> None:
    """A summary reads in the order of the conversation."""
    brief = gist.segment(turns(TRAVEL), cap=CAP, count=count)
    assert brief.index("Japan") < brief.index("8,000") < brief.index("October 4") < brief.index("October 19")


def test_a_summary_of_a_model_is_kept_like_our_own() -> None:
    """Prose from a model enters line by line, with its critical sentence first in rank."""
    prose = "The user cares for a father with diabetes. The father is allergic to penicillin. They talked about walks."
    brief = gist.brief(prose, turns(VIOLIN), cap=150, count=count)
    assert "The father is allergic to penicillin." in brief
    assert count(brief) <= 150


@pytest.mark.parametrize("text", ["hi", "ok", "?", "```\nx = 1\n```", "What time is it?"])
def test_something_is_always_said(text: str) -> None:
    """When nothing matters the summary still is not empty."""
    assert gist.segment(turns_of([said(Role.USER, text)]), cap=20, count=count)


def test_no_turns_change_nothing() -> None:
    """An empty fold keeps what there was, and of nothing comes nothing."""
    assert gist.brief("User lives in Graz.", [], cap=CAP, count=count) == "User lives in Graz."
    assert gist.segment([], cap=CAP, count=count) == ""


def test_an_alert_makes_its_segment_important() -> None:
    """One critical message counts in full; casual talk is low; medicine is high."""
    casual = [said(Role.USER, "hello there", at, 4.0) for at in range(1, 40)]
    medical = [said(Role.USER, "He takes insulin.", at, 8.0) for at in range(40, 60)]
    assert gist.segment_importance(turns_of([*casual, said(Role.USER, "allergy!", 60, 10.0)])) == 10.0
    assert gist.segment_importance(turns_of(casual)) == 4.0
    assert gist.segment_importance(turns_of([*casual, *medical])) == 8.0
    assert gist.segment_importance([]) == 0.0


def _rolled(script: str) -> str:
    rolling, parts = "", turns(script)
    for start in range(0, len(parts), 4):
        rolling = gist.rolling(rolling, parts[start : start + 4])
    return rolling


def test_a_rolling_summary_tells_what_is_going_on() -> None:
    """The newest is there, and so is what was important before."""
    rolling = _rolled(CARE)
    assert len(rolling) <= MAX_ROLLING
    assert "kidneys" in rolling
    assert "penicillin" in rolling


def test_a_rolling_summary_has_the_last_question_and_not_the_one_before() -> None:
    """What was asked last is what is going on, even when it was answered."""
    first = gist.rolling("", turns("U: How do I tune a violin?\nA: Use a tuner."))
    assert "tune a violin" in first
    second = gist.rolling(first, turns("U: How do I clean a flute?\nA: Use a cloth."))
    assert "clean a flute" in second
    assert "tune a violin" not in second


_TEXTS = st.text(max_size=300) | st.sampled_from([CARE, GERMAN, JAPANESE, "I take 5 mg. " * 30, "a. " * 50])
_TURNS = st.lists(
    st.tuples(st.sampled_from(list(Role)), _TEXTS.filter(lambda text: bool(text.strip()))), max_size=6
)


def _turns(messages: list[tuple[Role, str]]) -> list[Turn]:
    return turns_of([said(role, text, at) for at, (role, text) in enumerate(messages, 1)])


@hypothesis_settings(max_examples=60)
@given(_TEXTS, _TURNS, st.integers(20, 300))
def test_any_text_fits_any_cap(existing: str, messages: list[tuple[Role, str]], cap: int) -> None:
    """Whatever was said: within the cap, the same every time, and not empty if there is a word."""
    brief = gist.brief(existing, _turns(messages), cap=cap, count=count)
    assert count(brief) <= cap
    assert brief == gist.brief(existing, _turns(messages), cap=cap, count=count)
    if any(char.isalpha() and char.isascii() for char in existing):
        assert brief


@hypothesis_settings(max_examples=60)
@given(_TEXTS, _TURNS)
def test_any_rolling_summary_is_short(previous: str, messages: list[tuple[Role, str]]) -> None:
    """600 characters are 600 characters."""
    assert len(gist.rolling(previous, _turns(messages))) <= MAX_ROLLING


@pytest.mark.parametrize("script", list(FACTS), ids=NAMES)
def test_a_fold_gives_brief_and_segment_at_once(script: str) -> None:
    """Reading the turns once gives what asking for each would give; a first segment is the brief."""
    parts = turns(script)
    before = gist.segment(parts[:2], cap=CAP, count=count)
    assert gist.fold(before, parts[2:], cap=80, count=count) == (
        gist.brief(before, parts[2:], cap=80, count=count),
        gist.segment(parts[2:], cap=80, count=count),
    )
    whole = gist.segment(parts, cap=80, count=count)
    assert gist.fold("", parts, cap=80, count=count) == (whole, whole)


@pytest.mark.parametrize(
    "text", [".", "a. ", "[", '"', "\n", "Actually it is 5. ", "薬。", "a: b\n", "* ", "well, ", "?! "]
)
def test_hostile_messages_end(text: str) -> None:
    """200,000 characters of anything are summarised, in a time that grows with their number alone."""
    message = (text * 200_000)[:200_000]
    brief = gist.segment(
        turns_of([said(Role.USER, "x" + message), said(Role.ASSISTANT, "x" + message)]), cap=100, count=len
    )
    assert len(brief) <= 100


def test_a_rolling_summary_has_the_newest_word_when_there_is_room() -> None:
    """A reversal without a number or a name is what is going on."""
    rolled = gist.rolling(
        "",
        _noted(
            "I'm renovating our kitchen in Leeds.",
            "I want oak worktops. My husband Rob prefers quartz but I won.",
            "Dave Holroyd is the builder and starts on 7 July.",
            "Actually we changed our minds, quartz worktops after all.",
        ),
    )
    assert rolled.splitlines()[-1].endswith("quartz worktops after all.")


def test_plain_statements_give_way_in_a_rolling_summary() -> None:
    """Many plain words push out nothing that matters, and the newest of them stay."""
    places = "sofa curtain oven stairs piano cupboard wardrobe bathtub fridge bookcase".split()
    plain = [f"The kitten hides behind our very comfortable old {place} all day long." for place in places]
    rolled = gist.rolling("", _noted("I am allergic to penicillin.", *plain))
    assert "penicillin" in rolled and "bookcase" in rolled and "sofa" not in rolled


def test_a_quotation_survives_the_next_fold_in_one_piece() -> None:
    """What a friend wrote is still hers after it was folded again."""
    first = gist.segment(
        _noted('My friend Bea sent me this\n\n"I got the job! I start on 1 July"'), cap=CAP, count=count
    )
    assert gist.brief(first, _noted("I live in Graz."), cap=CAP, count=count).splitlines()[0] == first

"""Words are compared whatever their endings, and memories must stand alone."""

import pytest

from benchmarks.quality.wording import carries, flaw, stems


@pytest.mark.parametrize(
    ("text", "must"),
    [
        ("User loves hiking", [("hike",)]),
        ("User's co-founder is Jo", [("cofounder", "co-founder"), ("Jo",)]),
        ("User doesn't eat pork", [("not",), ("pork",)]),
        ("User cannot drive", [("not",)]),
        ("User grew up near Kraków", [("Krakow",)]),
        ("User is building blah.chat with Next.js 15", [("blah.chat",), ("Next.js 15",)]),
        ("User’s pronouns are they/them", [("they",)]),
    ],
)
def test_words_are_found(text: str, must: list[tuple[str, ...]]) -> None:
    """Endings, accents, apostrophes and points do not matter."""
    assert carries(text, tuple(must))


@pytest.mark.parametrize(
    ("text", "must"),
    [
        ("User prefers the mode that is dark", [("dark mode",)]),
        ("User drives", [("not",)]),
        ("User likes tea", [("tea",), ("milk",)]),
        ("User is from Goa", [("Go",)]),
        ("", [("x",)]),
    ],
)
def test_words_are_not_found(text: str, must: list[tuple[str, ...]]) -> None:
    """All words are needed, whole, and those of a phrase in one piece."""
    assert not carries(text, tuple(must))


def test_stems_keep_the_order() -> None:
    """A phrase can be looked for."""
    assert stems("She can't stand the rainy DAYS") == stems("she can not stand the rainy day")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("User's wife is Jane", None),
        ('User\'s motto is "I never give up"', None),
        ("User moved to the US in phase I.", None),
        ("User says I am tall", "not in the third person"),
        ("My wife is Jane", "not in the third person"),
        ("User told me so", "not in the third person"),
        ("She is a vet", "points at what was said before"),
        ("Its name is Rex", "points at what was said before"),
        ("Theresa is User's aunt", None),
    ],
)
def test_what_cannot_stand_alone_is_told(content: str, reason: str | None) -> None:
    """A memory in the first person, or one that points back, has a flaw whatever it says."""
    assert flaw(content) == reason

"""What a sentence takes for granted."""

import pytest

from recollect.language.judge.implied import implied


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a list that works with my electric wheelchair", ["I have an electric wheelchair"]),
        ("is my Nissan Leaf ok for Leeds?", ["I have a Nissan Leaf"]),
        ("Tea over coffee. Always.", ["I prefer Tea over coffee"]),
        ("dairy makes me sick", ["dairy makes me sick"]),
        ("this makes me sick", []),
        ("is my phone ok?", []),
        ("my wheelchair is broken", []),
    ],
)
def test_only_what_says_something_about_a_life(text: str, expected: list[str]) -> None:
    """A few things and shapes; a phone is not one."""
    assert list(implied(text)) == expected

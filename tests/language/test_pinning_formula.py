"""Formulas, targets and snippets to keep."""

import pytest

from recollect.language.pinning.formula import SNIPPET_CHARACTERS, formulas, is_target, snippets


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("X = (a + b) / 2", ["X = (a + b) / 2"]),
        ("Remember: margin = (price - cost) / price", ["margin = (price - cost) / price"]),
        (
            "glucose formula: (fasting + 2hr_post_meal) / 2",
            ["glucose formula: (fasting + 2hr_post_meal) / 2"],
        ),
        ("BMI = kg / m^2.", ["BMI = kg / m^2"]),
    ],
)
def test_a_formula_is_kept_as_it_is(text: str, expected: list[str]) -> None:
    """A formula that stands alone or is named is found to the letter."""
    assert list(formulas(text)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "x = 5",
        "2 + 2 = 4",
        "Solve y = 2*x + 3",
        "is y = 2*x + 3?",
        "if a == b + c",
        "total = sum(x) + 1;",
        "a = b + c\nc = d + e\ne = f + g",
        "```\na = b + c\n```",
        "the formula one race - fast / furious",
    ],
)
def test_what_is_no_formula_to_keep(text: str) -> None:
    """Values, homework, questions and programs are left alone."""
    assert list(formulas(text)) == []


@pytest.mark.parametrize(
    ("clause", "expected"),
    [
        ("Glucose target: 80-130 mg/dL", True),
        ("my blood pressure target is below 130/80", True),
        ("my goal weight is 70 kg", True),
        ("our target audience is 18-35", False),
        ("my goal is to be happy", False),
        ("the target is locked", False),
    ],
)
def test_a_target_has_a_value(clause: str, expected: bool) -> None:
    """A target is a number to reach or a range to stay within."""
    assert is_target(clause) is expected


def test_a_snippet_is_kept_when_asked_for() -> None:
    """Fenced code is kept when the words around it say so, and when it is short."""
    assert list(snippets("Save this:\n```sh\nmake test\n```")) == ["make test"]
    assert list(snippets("Look:\n```sh\nmake test\n```")) == []
    assert list(snippets("Save this, and why does it fail?\n```sh\nmake test\n```")) == []
    assert list(snippets(f"Save this:\n```\n{'x' * (SNIPPET_CHARACTERS + 1)}\n```")) == []

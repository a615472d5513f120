"""Categorise: the category of a sentence when the caller does not say."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.language.categorise import categorise
from recollect.records.category import Category


@pytest.mark.parametrize(
    ("content", "category"),
    [
        # S2's checklist and table
        ("User prefers dark mode", "preference"),
        ("User's name is John", "identity"),
        ("User works with Sarah on the backend", "relationship"),
        ("User is building a SaaS product", "project"),
        ("User is a software engineer", "identity"),
        ("User's wife is named Jane", "relationship"),
        ("User is based in London", "identity"),
        ("User never eats meat", "preference"),
        # S3's examples
        ("User prefers Python 3.12+", "preference"),
        ("Expert in Python web development", "skill"),
        # S4's examples
        ("User lives in Austin, Texas", "identity"),
        ("Mom lives in Seattle", "relationship"),
        ("User is working on the dashboard redesign", "project"),
        ("User is fluent in Spanish", "skill"),
        ("User has a meeting at noon today", "context"),
        ("The boiler was replaced in 2019", "fact"),
    ],
)
def test_examples(content: str, category: str) -> None:
    """The sentences of the sources get the categories that the sources give them."""
    assert categorise(content) is Category(category)


@given(st.text(max_size=500))
def test_every_text_has_a_category(content: str) -> None:
    """Whatever is said, one of the seven is the answer."""
    assert categorise(content) in Category

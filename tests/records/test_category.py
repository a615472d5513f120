"""The category table of the design, literally."""

import pytest

from recollect.errors import InvalidInput
from recollect.records.category import (
    TRAITS,
    Category,
    MemoryType,
    parse_category,
    type_of,
)

# category, base, type, preloaded, half-life
TABLE = [
    ("identity", 10, "PROFILE", True, None),
    ("preference", 9, "PROFILE", True, 365),
    ("relationship", 8, "PEOPLE", True, None),
    ("project", 7, "PROJECT", False, 90),
    ("skill", 7, "PROFILE", False, 180),
    ("fact", 6, "PROFILE", False, 180),
    ("context", 5, "PROFILE", False, 30),
]


@pytest.mark.parametrize(("name", "base", "type", "preloaded", "half_life"), TABLE)
def test_every_category_has_the_traits_of_the_design(
    name: str, base: float, type: str, preloaded: bool, half_life: float | None
) -> None:
    """Base importance, type, preloading and half-life follow from the category alone."""
    category = Category(name)
    assert TRAITS[category].base_importance == base
    assert type_of(category) is MemoryType(type)
    assert TRAITS[category].preloaded is preloaded
    assert TRAITS[category].half_life_days == half_life


def test_the_table_covers_every_category() -> None:
    """No category is without traits, and the table above names them all."""
    assert set(TRAITS) == set(Category) == {Category(row[0]) for row in TABLE}


@pytest.mark.parametrize("spelling", ["preference", "PREFERENCE", "  Preference \n"])
def test_case_and_space_do_not_matter(spelling: str) -> None:
    """A caller may shout or pad a category."""
    assert parse_category(spelling) is Category.PREFERENCE


@pytest.mark.parametrize("spelling", ["", "hobby", "preferences", "x" * 10_000])
def test_an_unknown_category_is_refused_with_the_allowed_ones(spelling: str) -> None:
    """The error names the field and every category that would have been accepted."""
    with pytest.raises(InvalidInput, match=r"^Unknown category") as caught:
        parse_category(spelling)
    assert caught.value.field == "category"
    assert all(category.value in str(caught.value) for category in Category)
    assert len(str(caught.value)) < 200

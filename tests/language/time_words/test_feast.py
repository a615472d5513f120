"""Feasts fall where the calendar puts them."""

import pytest

from recollect.language.time_words.feast import easter_sunday


@pytest.mark.parametrize(
    "date",
    [
        "1961-04-02",
        "2000-04-23",
        "2008-03-23",
        "2011-04-24",
        "2019-04-21",
        "2022-04-17",
        "2023-04-09",
        "2024-03-31",
        "2038-04-25",
    ],
)
def test_easter_is_on_its_sunday(date: str) -> None:
    """Published dates of Easter, among them the earliest and the latest of our time."""
    assert easter_sunday(int(date[:4])).date().isoformat() == date

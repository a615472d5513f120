"""Pages: what every list has in common, and where a page ends."""

from dataclasses import dataclass
from typing import Any

import pytest
from serving import Service

from recollect.adapters.rest.cursor import place
from recollect.adapters.rest.paging import LARGEST_PAGE, page, wanted


@dataclass(frozen=True)
class _Row:
    number: int

    def to_dict(self) -> dict[str, Any]:
        return {"number": self.number}


@pytest.mark.parametrize(("there", "limit", "shown"), [(0, 3, 0), (2, 3, 2), (3, 3, 3), (4, 3, 3), (9, 3, 3)])
def test_a_page_says_whether_another_follows(there: int, limit: int, shown: int) -> None:
    """It holds as many rows as asked for, and has a cursor only when there are more."""
    rows = [_Row(number) for number in range(there)][: wanted(limit)]
    told = page("rows", rows, limit, lambda row: (row.number,))
    assert told["rows"] == [{"number": number} for number in range(shown)]
    assert place(told["next_cursor"], (int,)) == ((shown - 1,) if there > limit else None)


def test_a_page_has_a_largest_size() -> None:
    """More than the largest page is never asked for; what is no number of rows is left to the engine to refuse."""
    assert (wanted(10**30), wanted(5), wanted(0), wanted(-2)) == (LARGEST_PAGE + 1, 6, 0, -2)
    rows = [_Row(number) for number in range(LARGEST_PAGE + 1)]
    assert len(page("rows", rows, 10**30, lambda row: (row.number,))["rows"]) == LARGEST_PAGE


def test_every_list_is_paged_alike(service: Service) -> None:
    """What takes a cursor takes a limit as well, and answers with `next_cursor`."""
    paged = 0
    for path, operations in service.described.schema["paths"].items():
        named = {item["name"]: item for item in operations.get("get", {}).get("parameters", ())}
        if "cursor" in named:
            paged += 1
            assert named["limit"]["schema"]["minimum"] == 1, path
            answer = operations["get"]["responses"]["200"]["content"]["application/json"]
            assert "next_cursor" in answer["example"], path
    assert paged >= 4

"""Pages: what every list has in common, and where a page ends."""

from dataclasses import dataclass
from typing import Any

import pytest
from serving import Http, Service

from recollect.records.cursor import place
from recollect.server.paging import LARGEST_PAGE, page, wanted


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
    """It is full, and nobody asks the faces for more than they give: that another may follow is told by its being full."""
    assert (wanted(5), wanted(LARGEST_PAGE)) == (6, LARGEST_PAGE)
    for there, follows in ((LARGEST_PAGE - 1, False), (LARGEST_PAGE, True), (LARGEST_PAGE + 1, True)):
        rows = [_Row(number) for number in range(there)][: wanted(LARGEST_PAGE)]
        told = page("rows", rows, LARGEST_PAGE, lambda row: (row.number,))
        assert len(told["rows"]) == min(there, LARGEST_PAGE)
        assert (told["next_cursor"] is not None) is follows


def test_a_page_holds_what_it_says(http: Http) -> None:
    """A thousand rows are given where a thousand are asked for, and the cursor leads to the rest."""
    said = {"messages": [{"role": "user", "text": f"Number {number}."} for number in range(LARGEST_PAGE + 1)]}
    assert http.post("/v1/chats/long/messages", json=said).status_code == 201
    where = f"/v1/chats/long/messages?limit={LARGEST_PAGE}"
    first = http.get(where).json()
    assert len(first["messages"]) == LARGEST_PAGE
    second = http.get(f"{where}&cursor={first['next_cursor']}").json()
    assert [message["text"] for message in second["messages"]] == [f"Number {LARGEST_PAGE}."]
    assert second["next_cursor"] is None
    newest = http.get(f"{where}&newest=true").json()
    assert len(newest["messages"]) == LARGEST_PAGE
    oldest = http.get(f"/v1/chats/long/messages?cursor={newest['next_cursor']}").json()
    assert [message["text"] for message in oldest["messages"]] == ["Number 0."]


@pytest.mark.parametrize("limit", [LARGEST_PAGE + 1, 10**19, 10**30])
@pytest.mark.parametrize("path", ["/memories", "/v1/chats", "/v1/sessions", "/v1/todos", "/v1/entities"])
def test_more_than_a_page_is_refused(http: Http, path: str, limit: int) -> None:
    """Whoever asks for more than there can be is told how many there can be."""
    answer = http.get(f"{path}?limit={limit}")
    assert (answer.status_code, answer.json()) == (400, {"error": f"limit must be at most {LARGEST_PAGE}."})


def test_every_list_is_paged_alike(service: Service) -> None:
    """What takes a cursor takes a limit as well, and answers with `next_cursor`."""
    paged = 0
    for path, operations in service.described.schema["paths"].items():
        named = {item["name"]: item for item in operations.get("get", {}).get("parameters", ())}
        if "cursor" in named:
            paged += 1
            bounds = named["limit"]["schema"]
            assert (bounds["minimum"], bounds["maximum"]) == (1, LARGEST_PAGE), path
            answer = operations["get"]["responses"]["200"]["content"]["application/json"]
            assert "next_cursor" in answer["example"], path
    assert paged >= 4

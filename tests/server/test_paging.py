"""Pages: what every list has in common, and where a page ends."""

import pytest
from serving import Http, Service

from recollect.records.cursor import MAX_PAGE


def test_a_page_holds_what_it_says(http: Http) -> None:
    """A thousand rows are given where a thousand are asked for, and the cursor leads to the rest."""
    said = {"messages": [{"role": "user", "text": f"Number {number}."} for number in range(MAX_PAGE + 1)]}
    assert http.post("/v1/chats/long/messages", json=said).status_code == 201
    where = f"/v1/chats/long/messages?limit={MAX_PAGE}"
    first = http.get(where).json()
    assert len(first["messages"]) == MAX_PAGE
    second = http.get(f"{where}&cursor={first['next_cursor']}").json()
    assert [message["text"] for message in second["messages"]] == [f"Number {MAX_PAGE}."]
    assert second["next_cursor"] is None
    newest = http.get(f"{where}&newest=true").json()
    assert len(newest["messages"]) == MAX_PAGE
    oldest = http.get(f"/v1/chats/long/messages?cursor={newest['next_cursor']}").json()
    assert [message["text"] for message in oldest["messages"]] == ["Number 0."]


@pytest.mark.parametrize("limit", [MAX_PAGE + 1, 10**19, 10**30])
@pytest.mark.parametrize("path", ["/memories", "/v1/chats", "/v1/sessions", "/v1/todos", "/v1/entities"])
def test_more_than_a_page_is_refused(http: Http, path: str, limit: int) -> None:
    """The sentence names the most that there can be."""
    answer = http.get(f"{path}?limit={limit}")
    assert answer.status_code == 400
    assert answer.json()["error"] == f"limit must be at most {MAX_PAGE}, not '{limit}'."


def test_every_list_is_paged_alike(service: Service) -> None:
    """What takes a cursor takes a limit as well, and answers with `next_cursor`."""
    paged = 0
    for path, operations in service.described.schema["paths"].items():
        named = {item["name"]: item for item in operations.get("get", {}).get("parameters", ())}
        if "cursor" in named:
            paged += 1
            bounds = named["limit"]["schema"]
            assert (bounds["minimum"], bounds["maximum"]) == (1, MAX_PAGE), path
            answer = operations["get"]["responses"]["200"]["content"]["application/json"]
            assert "next_cursor" in answer["example"], path
    assert paged >= 4

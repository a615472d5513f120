"""Links over HTTP: made and listed from both ends (`/memories/{id}/links`), taken back (`/memories/{id}/links/{to}`)."""

from typing import Any
from urllib.parse import quote

import pytest
from serving import Http


@pytest.fixture
def pair(http: Http) -> tuple[str, str]:
    """Two memories."""
    results = http.post(
        "/memories/batch",
        json={"memories": [{"content": "User keeps bees"}, {"content": "User sells honey at the market"}]},
    ).json()["results"]
    return results[0]["memoryId"], results[1]["memoryId"]


def _of(memory_id: str) -> str:
    return f"/memories/{quote(memory_id, safe='')}/links"


def test_a_link_is_seen_from_both_ends(http: Http, pair: tuple[str, str]) -> None:
    """It is made once, however often it is asked for, and tells when."""
    first, second = pair
    answer = http.post(_of(first), json={"to": second, "kind": "supports"})
    assert answer.status_code == 201
    link = answer.json()
    assert {name: link[name] for name in ("from", "to", "kind")} == {
        "from": first,
        "to": second,
        "kind": "supports",
    }
    assert http.post(_of(first), json={"to": second, "kind": "supports"}).json() == link
    assert http.get(_of(first)).json() == http.get(_of(second)).json() == {"links": [link]}


def test_a_link_is_taken_back(http: Http, pair: tuple[str, str]) -> None:
    """Its kind is part of it; the answer says whether there was one."""
    first, second = pair
    http.post(_of(first), json={"to": second})
    there = f"{_of(first)}/{quote(second, safe='')}"
    assert http.delete(there, params={"kind": "supports"}).json() == {"success": False}
    assert http.delete(there).json() == {"success": True}
    assert http.delete(there).json() == {"success": False}
    assert http.get(_of(first)).json() == {"links": []}


@pytest.mark.parametrize(
    ("body", "status", "sentence"),
    [
        ({}, 400, "to required"),
        ({"to": 5}, 400, "to must be text."),
        ({"to": "\x00"}, 400, "to_id contains a NUL character"),
        ({"to": "nobody"}, 404, "There is no memory 'nobody'."),
        ({"to": "SELF"}, 400, "cannot be linked to itself"),
        ({"to": "x", "kind": "likes"}, 400, "Unknown kind of link 'likes'"),
        ({"to": "x", "from": "y"}, 400, "from is no field of this request"),
    ],
)
def test_bad_links(
    http: Http, pair: tuple[str, str], body: dict[str, Any], status: int, sentence: str
) -> None:
    """Each says what is wrong, and no link is made."""
    given = {name: pair[0] if value == "SELF" else value for name, value in body.items()}
    answer = http.post(_of(pair[0]), json=given)
    assert answer.status_code == status
    assert sentence in answer.json()["error"]
    assert http.get(_of(pair[0])).json() == {"links": []}


def test_an_unknown_kind_cannot_be_taken_back(http: Http, pair: tuple[str, str]) -> None:
    """It is a 400, not a link that was not there."""
    there = f"{_of(pair[0])}/{quote(pair[1], safe='')}"
    assert http.delete(there, params={"kind": "likes"}).status_code == 400

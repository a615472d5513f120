"""Links: two ends and a known kind."""

from datetime import UTC, datetime

import pytest

from recollect.errors import InvalidInput
from recollect.records.link import Link, LinkKind, make_link


@pytest.mark.parametrize("kind", ["related", "supports", "contradicts", "part_of", "caused_by"])
def test_the_kinds(kind: str) -> None:
    """Five kinds of relation, spelled as on the wire."""
    assert make_link("a", "b", kind) == Link(from_id="a", kind=LinkKind(kind), to_id="b")


def test_no_link_to_itself() -> None:
    """A link has two ends."""
    with pytest.raises(InvalidInput) as raised:
        make_link("a", "a", "related")
    assert raised.value.field == "to_id"


@pytest.mark.parametrize("kind", ["likes", "", "RELATED", None, [], 5])
def test_no_other_kind(kind: object) -> None:
    """An unknown kind is refused with the allowed ones."""
    with pytest.raises(InvalidInput, match="Allowed: related, ") as raised:
        make_link("a", "b", kind)  # type: ignore[arg-type]
    assert raised.value.field == "kind"


def test_when_it_was_made_is_told_and_not_compared() -> None:
    """The same relation made twice is one; the wire says when it was made first."""
    link = Link(from_id="a", kind=LinkKind.SUPPORTS, to_id="b", created_at=datetime(2026, 3, 1, tzinfo=UTC))
    assert link == make_link("a", "b", "supports")
    assert link.to_dict() == {
        "from": "a",
        "to": "b",
        "kind": "supports",
        "created_at": "2026-03-01T00:00:00.000Z",
    }
    assert make_link("a", "b", "supports").to_dict()["created_at"] is None

"""Links: two ends and a known kind."""

import pytest

from recollect.domain.link import Link, LinkKind, make_link
from recollect.errors import InvalidInput


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

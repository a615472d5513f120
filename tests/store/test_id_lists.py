"""Lists of ids inside a statement."""

from hypothesis import given
from hypothesis import strategies as st

from recollect.store.id_lists import id_lists


@given(st.integers(0, 1300))
def test_every_id_is_in_one_list(count: int) -> None:
    """All ids are there in their order, each list names what stands in it, and no list has more than a statement takes."""
    ids = [f"m{number}" for number in range(count)]
    found: list[str] = []
    for marks, named in id_lists(ids):
        assert marks == ", ".join(f":{name}" for name in named)
        assert len(named) <= 504
        found += dict.fromkeys(named.values())
    assert found == ids


def test_few_statements_differ() -> None:
    """Lists of similar length are one statement, which is prepared once."""
    written = {marks for count in range(1, 61) for marks, _ in id_lists([f"m{n}" for n in range(count)])}
    assert len(written) == 11

"""An array that grows."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from recollect.index.columns import Growing


@given(st.lists(st.lists(st.integers(-100, 100), max_size=90), max_size=12))
def test_holds_what_was_added(portions: list[list[int]]) -> None:
    """After any additions it holds all of them in order, and earlier views keep their values."""
    growing = Growing(np.int32)
    everything: list[int] = []
    views: list[tuple[np.ndarray, list[int]]] = []
    for portion in portions:
        growing.extend(portion)
        everything += portion
        views.append((growing.values, list(everything)))
    assert growing.values.tolist() == everything and len(growing) == len(everything)
    assert all(view.tolist() == held for view, held in views)


def test_a_matrix_grows_by_rows() -> None:
    """Rows are added below; room is made ahead so that adding one by one stays cheap."""
    growing = Growing(np.float32)
    growing.extend(np.ones((3, 4)))
    for number in range(200):
        growing.extend(np.full((1, 4), number))
    assert growing.values.shape == (203, 4)
    assert growing.values[-1].tolist() == [199.0] * 4
    assert growing.nbytes >= growing.values.nbytes

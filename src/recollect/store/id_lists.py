"""Lists of ids in a statement, `IN (:id0, :id1, …)`, in portions that every database accepts.

The last id is repeated up to a round number to limit the number of different statements: a database prepares each of them
once, and preparing a list of forty ids takes as long as looking them up.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import repeat

#: Ids in one statement; SQLite takes up to 32,766 parameters, PostgreSQL 65,535.
_PORTION = 504
#: Lists of more ids than the few have so many, or twice, three times … as many.
_FEW = (1, 2, 4)
_STEP = 8
_NAMES = tuple(f"id{number}" for number in range(_PORTION))


def id_lists(ids: Sequence[str]) -> Iterator[tuple[str, dict[str, str]]]:
    """For each portion what stands between the brackets, and the ids by their names there."""
    for start in range(0, len(ids), _PORTION):
        portion = ids[start : start + _PORTION]
        size = _rounded(len(portion))
        last = repeat(portion[-1], size - len(portion))
        yield _marks(size), dict(zip(_NAMES, (*portion, *last), strict=False))


def _rounded(count: int) -> int:
    return next((few for few in _FEW if count <= few), (count + _STEP - 1) // _STEP * _STEP)


@cache
def _marks(size: int) -> str:
    return ", ".join(f":{name}" for name in _NAMES[:size])

"""The spending table."""

import asyncio
from datetime import date

import pytest

from recollect.store import spending
from recollect.store.database import EVERYONE, Connection
from recollect.store.spending import Spent

from .conftest import Store

MONDAY = date(2026, 3, 2)
TUESDAY = date(2026, 3, 3)


def _spend(
    tx: Connection, day: date = MONDAY, model: str = "m", purpose: str = "judge", failed: int = 0
) -> None:
    spending.add(tx, day, purpose, model, calls=1, failures=failed, prompt_tokens=900, completion_tokens=100)


def test_calls_of_a_day_add_up(store: Store) -> None:
    """Each call is put on its day's, purpose's and model's account, and only there."""
    assert store.read(EVERYONE, lambda tx: spending.total(tx, MONDAY)) == 0
    for _ in range(3):
        store.write(EVERYONE, _spend)
    store.write(EVERYONE, lambda tx: _spend(tx, model="n", failed=1))
    store.write(EVERYONE, lambda tx: _spend(tx, TUESDAY))
    assert store.read(EVERYONE, lambda tx: spending.total(tx, MONDAY)) == 4000
    assert store.read(EVERYONE, lambda tx: spending.total(tx, TUESDAY)) == 1000
    assert store.read(EVERYONE, lambda tx: spending.page(tx, 10)) == [
        Spent(
            day=TUESDAY,
            purpose="judge",
            model="m",
            calls=1,
            failures=0,
            prompt_tokens=900,
            completion_tokens=100,
        ),
        Spent(
            day=MONDAY,
            purpose="judge",
            model="m",
            calls=3,
            failures=0,
            prompt_tokens=2700,
            completion_tokens=300,
        ),
        Spent(
            day=MONDAY,
            purpose="judge",
            model="n",
            calls=1,
            failures=1,
            prompt_tokens=900,
            completion_tokens=100,
        ),
    ]
    assert len(store.read(EVERYONE, lambda tx: spending.page(tx, 1))) == 1


def test_purposes_share_a_day(store: Store) -> None:
    """The total of a day is that of everything the deployment asks models for."""
    store.write(EVERYONE, _spend)
    store.write(EVERYONE, lambda tx: _spend(tx, purpose="other"))
    assert store.read(EVERYONE, lambda tx: spending.total(tx, MONDAY)) == 2000


def test_no_call_is_lost_between_writers(store: Store) -> None:
    """However many note a call at once, all are counted."""

    async def all_at_once() -> None:
        await asyncio.gather(*(store.database.write(EVERYONE, _spend) for _ in range(20)))

    store.call(all_at_once())
    assert store.read(EVERYONE, lambda tx: spending.page(tx, 1))[0].calls == 20


def test_large_counts_fit(store: Store) -> None:
    """A day of many billions of tokens is a number like any other."""
    for _ in range(2):
        store.write(
            EVERYONE,
            lambda tx: spending.add(
                tx, MONDAY, "judge", "m", calls=1, failures=0, prompt_tokens=2**40, completion_tokens=0
            ),
        )
    assert store.read(EVERYONE, lambda tx: spending.total(tx, MONDAY)) == 2**41


@pytest.mark.parametrize("database_url", ["postgres"], indirect=True)
def test_an_ordinary_user_sees_and_writes_nothing_of_it(store: Store) -> None:
    """Row-level security lets only the scope of everyone at what the deployment spends."""
    store.write(EVERYONE, _spend)
    assert store.read("ann", lambda tx: spending.total(tx, MONDAY)) == 0
    with pytest.raises(Exception, match="row-level security"):
        store.write("ann", _spend)
    assert store.read(EVERYONE, lambda tx: spending.total(tx, MONDAY)) == 1000

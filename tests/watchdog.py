"""A test that hangs ends its process, with the stacks of all threads on standard error, instead of holding up the run.

Under xdist the crash fails that test and another worker goes on with the rest. Each phase of a test has a limit of its
own: pytest takes the timer off when a test has failed, and the clearing up after a failure is what hangs most easily.
pytest's `faulthandler_timeout` uses the same timer and only reports, so it stays off. A debugger takes the timer off.

It knows no test. A plugin like pytest-timeout was rejected: this needs nothing that Python does not bring.
"""

import faulthandler
import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import TextIO

import pytest

#: Seconds for each of setting up, running and clearing up. The slowest test takes 35 s on a busy machine of two cores.
LIMIT = float(os.environ.get("RECOLLECT_TEST_SECONDS", "240"))

#: Where standard error really is; during a test its number leads to what pytest captures.
_real: list[TextIO] = []


def pytest_configure() -> None:
    """Before any test, while nothing is captured."""
    assert sys.__stderr__ is not None
    _real.append(os.fdopen(os.dup(sys.__stderr__.fileno()), "w"))


def pytest_unconfigure() -> None:
    """Let go of it."""
    while _real:
        _real.pop().close()


@contextmanager
def _watched() -> Generator[None]:
    faulthandler.dump_traceback_later(LIMIT, exit=True, file=_real[-1])
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup() -> Generator[None]:
    """Setting up."""
    with _watched():
        return (yield)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_call() -> Generator[None]:
    """Running."""
    with _watched():
        return (yield)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown() -> Generator[None]:
    """Clearing up; behind the last test that is the whole run's."""
    with _watched():
        return (yield)

"""Tests of `python -m recollect`."""

import subprocess
import sys

from patience import LIMIT


def test_the_package_can_be_run() -> None:
    """`python -m recollect` is the command line."""
    done = subprocess.run(
        [sys.executable, "-m", "recollect", "--version"],
        check=True,
        capture_output=True,
        text=True,
        timeout=LIMIT,
    )
    assert done.stdout.startswith("recollect 0.")

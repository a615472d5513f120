"""Tests of `python -m recollect`."""

import subprocess
import sys


def test_the_package_can_be_run() -> None:
    """`python -m recollect` is the command line."""
    done = subprocess.run(
        [sys.executable, "-m", "recollect", "--version"], check=True, capture_output=True, text=True
    )
    assert done.stdout.startswith("recollect 0.")

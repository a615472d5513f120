"""`make bench`: measure and print the table of the README."""

import argparse
import os

# One thread for everybody: on a machine with busy neighbours more threads wait for each other.
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

from benchmarks.measure import show, show_markdown  # noqa: E402  numpy reads the variables when it is imported
from benchmarks.speed import main_lines  # noqa: E402

PARTS = "store recall bulk start resident conversations judge fairness postgres service console".split()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "--quick",
        action="store_true",
        help="100,000 other memories instead of 1,000,000, and shorter runs of the service",
    )
    parser.add_argument("--only", choices=PARTS, action="append", help="one part; may be repeated")
    parser.add_argument("--markdown", action="store_true", help="rows for the README")
    options = parser.parse_args()
    others = 100_000 if options.quick else 1_000_000
    lines = main_lines(others, set(options.only or PARTS), quick=options.quick)
    (show_markdown if options.markdown else show)(lines)


main()

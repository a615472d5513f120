"""The labelled data sets that recall is measured on: where they are, which may be fitted on, where vectors are kept.

They are not part of this repository. A folder is named by an argument or by RECOLLECT_EVAL_DATA; it holds the files below,
in the format that benchmarks/quality/dataset.py describes.
"""

import argparse
import os
import sys
from pathlib import Path

import platformdirs

from benchmarks.quality.dataset import Dataset, read

#: Where the folder is named, besides the command line.
VARIABLE = "RECOLLECT_EVAL_DATA"
#: Licences that allow shipping what was learned from them: MIT, MIT, Apache-2.0.
FITTED = ("lme_s48", "lme_pool", "realmem")
#: Only ever measured: CC BY-NC 4.0 and CC BY-SA 4.0.
MEASURED = ("locomo", "beam100k")
EVERY = ("locomo", "lme_s48", "lme_pool", "beam100k", "realmem")


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options that all measurements on these data share."""
    parser.add_argument(
        "folder", nargs="?", type=Path, help=f"where the data sets are; else {VARIABLE} says it"
    )
    parser.add_argument("--cache", type=Path, default=vectors(), help="where vectors are kept")
    parser.add_argument("--limit", type=int, help="only the first N questions of a set")


def vectors() -> Path:
    """The folder that keeps vectors from one run to the next."""
    return Path(platformdirs.user_cache_dir("recollect", appauthor=False)) / "vectors"


def folder_of(options: argparse.Namespace) -> Path:
    """The folder that was named."""
    named: Path | None = options.folder or (Path(os.environ[VARIABLE]) if os.environ.get(VARIABLE) else None)
    if named is None or not named.is_dir():
        sys.exit(f"Name the folder with the data sets: as an argument (make: DATA=…) or by {VARIABLE}.")
    return named


def load(folder: Path, name: str) -> Dataset:
    """One data set."""
    found = next(
        (path for path in (folder / f"{name}.json.gz", folder / f"{name}.json") if path.exists()), None
    )
    if found is None:
        sys.exit(f"{folder} holds no {name}.json.gz.")
    return read(found)

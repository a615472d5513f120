"""How to get the packages that an extra brings: said in one place, because it has to be true everywhere.

The package is on no index, so `pip install "recollect[server]"` would fail; what works is a clone of the repository.
"""


def how_to_install(extra: str) -> str:
    """What to run, and where."""
    return f"in a clone of Recollect, run pip install '.[{extra}]'"

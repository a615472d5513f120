"""Where the weights of the ranker of episodes come from: the package's file, or one of the deployment's own."""

from importlib.resources import files

from recollect.engine import own_files
from recollect.index.episode.ranker import Ranker
from recollect.settings import Settings

_SHIPPED = files("recollect.index") / "data" / "episode_weights.json"
#: Bytes; weights take one or two thousand.
MAX_BYTES = 100_000


def load(settings: Settings) -> Ranker:
    """The ranker that the settings name."""
    if not settings.episode_weights:
        return shipped()
    return own_files.read(
        settings.episode_weights,
        Ranker.parse,
        variable="RECOLLECT_EPISODE_WEIGHTS",
        wanted="a file that `recollect eval fit` made",
        max_bytes=MAX_BYTES,
    )


def shipped() -> Ranker:
    """The ranker of the package."""
    return Ranker.parse(_SHIPPED.read_text("utf-8"))

"""Where the weights of the ranker come from: the package, or a file of a deployment's own that is used or refused."""

import json
from pathlib import Path

import pytest

from recollect import InvalidInput, Memory, Settings
from recollect.index import rankers
from recollect.index.episode.features import FEATURES
from recollect.index.episode.ranker import Ranker


def test_the_shipped_weights() -> None:
    """The package's weights are for all twelve features, none negative, and are what counts without a setting."""
    shipped = rankers.shipped()
    assert tuple(shipped.weights) == FEATURES
    assert min(shipped.weights.values()) >= 0 < sum(shipped.weights.values())
    assert rankers.load(Settings()) == shipped


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    """A deployment's weights take the place of the package's."""
    own = {name: float(number) for number, name in enumerate(FEATURES)}
    path = tmp_path / "weights.json"
    path.write_text(json.dumps({"weights": own}), "utf-8")
    assert rankers.load(Settings(episode_weights=str(path))) == Ranker(weights=own)


def test_a_file_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    """A missing, foreign, huge or incomplete file stops the start, with an error that names the variable."""
    texts = {
        "empty": "",
        "prose": "weights: many",
        "few": '{"weights": {"words": 1}}',
        "negative": json.dumps({"weights": dict.fromkeys(FEATURES, -1)}),
        "huge": " " * (rankers.MAX_BYTES + 1),
        "deep": "[" * 50_000,
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, "utf-8")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00\x80")
    for path in (*(tmp_path / name for name in texts), tmp_path / "binary", tmp_path / "missing", tmp_path):
        with pytest.raises(InvalidInput, match="RECOLLECT_EPISODE_WEIGHTS") as raised:
            Memory(tmp_path / "m.db", settings=Settings(episode_weights=str(path)))
        assert raised.value.field == "RECOLLECT_EPISODE_WEIGHTS"
    with pytest.raises(InvalidInput, match="RECOLLECT_EPISODE_WEIGHTS"):
        rankers.load(Settings(episode_weights="~nobody-of-this-name/weights.json"))

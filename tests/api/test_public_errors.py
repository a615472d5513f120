"""What errors say to whoever asks over a network, and what only the log says."""

import re

import pytest

from recollect.api.hosting import public_message
from recollect.errors import (
    InvalidInput,
    ModelError,
    RecollectError,
    StoreError,
    StoreOutdated,
    StoreTooNew,
    StoreUnavailable,
    public_job_error,
)
from recollect.models.endpoint import Endpoint

SECRET = 'connection to "/run/postgresql" failed: FATAL: role "recollect" may not use database "memories"'


@pytest.mark.parametrize("kind", [StoreError, StoreUnavailable, StoreOutdated, StoreTooNew])
def test_the_database_is_the_operators(kind: type[StoreError], caplog: pytest.LogCaptureFixture) -> None:
    """The caller gets an id, and the log has the words under the same id."""
    found = re.fullmatch(
        r"The database is unavailable; for details, search the log for ([0-9a-f]{12})\.",
        public_message(kind(SECRET)),
    )
    assert found is not None
    assert caplog.messages == [f"store.failed incident={found[1]} error={kind.__name__} reason={SECRET}"]


@pytest.mark.parametrize(
    "address", ["http://10.0.0.7:8080/v1", "https://me:secret@models.example.com/v1/", "models:80"]
)
@pytest.mark.parametrize("kind", ["model server", "embedding server"])
def test_where_a_model_is(kind: str, address: str, caplog: pytest.LogCaptureFixture) -> None:
    """The address of a server is in the log alone; the server's words are in the answer alone."""
    endpoint = Endpoint(kind=kind, base_url=address, api_key=None, timeout_seconds=1)
    error = ModelError(f"{endpoint.named('/chat/completions')} refused with status 404: no such model.")
    assert public_message(error) == f"The {kind} refused with status 404: no such model."
    bare = address.replace("me:secret@", "").rstrip("/")
    assert caplog.messages == [f"model.failed address={bare}/chat/completions error=ModelError"]


@pytest.mark.parametrize("error", [InvalidInput("limit must be at least 1."), ModelError("It said nothing.")])
def test_other_errors_are_told_as_they_are(error: RecollectError, caplog: pytest.LogCaptureFixture) -> None:
    """What names no place is told word for word, and needs no line in the log."""
    assert public_message(error) == error.message
    assert caplog.messages == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (None, None),
        (f"StoreUnavailable: {SECRET}", "StoreUnavailable: The database is unavailable."),
        (
            "Silent: The model server at http://10.0.0.7/v1/chat/completions did not answer.",
            "Silent: The model server did not answer.",
        ),
        ("KeyError in render, line 7", "KeyError in render, line 7"),
    ],
)
def test_why_a_job_failed(words: str | None, said: str | None) -> None:
    """A user reads the error of a job without places, too."""
    assert public_job_error(words) == said

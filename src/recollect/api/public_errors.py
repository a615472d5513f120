"""What an error says to whoever asks over a network: not where the database and the models are.

Role, path and address are for those who run the service. They are in the log: of the database under an id that the caller
is told, of a model as its address alone, because a model's complaint may repeat what a user said. It knows no protocol.
"""

import logging
import secrets

from recollect import errors
from recollect.errors import ModelError, RecollectError, StoreError, without_address

log = logging.getLogger(__name__)


def told(error: RecollectError) -> str:
    """An error in a sentence for outsiders; what it leaves out is logged."""
    if isinstance(error, StoreError):
        incident = secrets.token_hex(6)
        log.error(
            "store.failed incident=%s error=%s reason=%s", incident, type(error).__name__, error.message
        )
        return f"{error.told.removesuffix('.')}; the log tells more under {incident}."
    if isinstance(error, ModelError) and error.address:
        log.warning("model.failed address=%s error=%s", error.address, type(error).__name__)
    return error.told


def told_of_job(words: str | None) -> str | None:
    """The words in which a job failed last, `StoreUnavailable: …`, for the user whose job it is."""
    if words is None:
        return None
    name = words.partition(":")[0]
    kind = getattr(errors, name, None)
    if isinstance(kind, type) and issubclass(kind, StoreError):
        return f"{name}: {kind().told}"
    return without_address(words)

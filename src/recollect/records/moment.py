"""Moments as text: UTC, ISO-8601, milliseconds, `Z`.

The database and the wire use this one spelling, so that text order is time order. Nothing here reads a clock.
"""

from datetime import UTC, datetime

from recollect.errors import InvalidInput


def iso(moment: datetime) -> str:
    """The text of a moment."""
    return f"{moment.astimezone(UTC).isoformat(timespec='milliseconds')[:-6]}Z"


def parse(text: str, *, field: str = "time") -> datetime:
    """Read any ISO-8601 moment; one without a zone is in UTC."""
    try:
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        return whole_milliseconds(moment.astimezone(UTC))
    except (ValueError, OverflowError, TypeError) as error:
        raise InvalidInput(
            f"{field}: {text!r} is not an ISO-8601 time such as 2026-01-28T10:30:45Z.", field=field
        ) from error


def stored(text: str) -> datetime:
    """Read our own spelling, without checks."""
    return datetime.fromisoformat(text)


def whole_milliseconds(moment: datetime) -> datetime:
    """Drop microseconds, which the store does not keep, so that a value equals its stored form."""
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)

"""JSON as the store writes it: letters as they are. One encoder for all, because `json.dumps` would make one each time."""

import json

_ENCODER = json.JSONEncoder(ensure_ascii=False)


def json_text(value: object) -> str:
    """A value as stored in a column."""
    return _ENCODER.encode(value)

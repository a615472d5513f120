"""An error in OpenAI's form: what clients of that protocol read, and branch on.

Only the shape, and which kind of error a status is. It knows no error of ours.
"""

import json
from typing import Any, Final

#: Kind and code of an error by its status, as OpenAI's clients know them.
_BY_STATUS: Final[dict[int, tuple[str, str]]] = {
    400: ("invalid_request_error", "invalid_request"),
    401: ("authentication_error", "invalid_api_key"),
    403: ("permission_error", "forbidden"),
    404: ("not_found_error", "not_found"),
    405: ("invalid_request_error", "method_not_allowed"),
    409: ("conflict_error", "conflict"),
    413: ("invalid_request_error", "request_too_large"),
    429: ("rate_limit_error", "rate_limit_exceeded"),
    502: ("upstream_error", "model_failed"),
    503: ("server_error", "store_unavailable"),
    504: ("upstream_error", "model_timeout"),
}
_OTHER: Final = ("server_error", "internal_error")


def error_of(status: int, message: str) -> dict[str, Any]:
    """The body of an answer that is an error."""
    kind, code = _BY_STATUS.get(status, _OTHER)
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}


def error_event(status: int, message: str) -> bytes:
    """The last event of a stream that cannot go on."""
    return b"data: " + json.dumps(error_of(status, message)).encode() + b"\n\n"

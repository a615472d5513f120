"""Pins over HTTP: S0's requests and answers."""

from serving import Http

from .talk import record, refused


def test_a_source_must_be_of_the_chat(http: Http) -> None:
    """A message of another chat, or none, is no source."""
    (elsewhere,) = record(http, "d", "Hello")
    for source in (elsewhere["id"], "msg-42"):
        body = {"session_id": "c", "content": "Patient allergic", "source_message_id": source}
        assert "source_message_id" in refused(http, "POST", "/api/memory/pins", body, status=404)

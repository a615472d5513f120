"""The base of the client's parts: the transport to the service, and list pages. It contains no methods of a memory."""

from collections.abc import Mapping
from typing import Any, TypeVar

from recollect.api.memory import AsyncMemory
from recollect.client.reading import read
from recollect.client.transport import Transport
from recollect.records.cursor import Page

T = TypeVar("T")


class Connected(AsyncMemory):
    """A memory whose methods call a service; subclasses override all of them.

    It is a subclass of `AsyncMemory` to share its documentation and types, and to work wherever a memory is accepted.
    """

    def __init__(self, transport: Transport) -> None:
        self._transport = transport


def transport_of(client: AsyncMemory) -> Transport:
    """A client's transport, for the other modules of this package."""
    assert isinstance(client, Connected)
    return client._transport  # pyright: ignore[reportPrivateUsage]


def page_from(
    record: type[T], answer: Mapping[str, Any], name: str, *, user: str, **known: object
) -> Page[T]:
    """A page from the service's answer; `known` are fields that its rows lack."""
    rows = [read(record, row, user=user, **known) for row in answer[name]]
    return Page(rows, answer["next_cursor"])

"""What every part of the client stands on: the way to the service, and pages of a list. It knows no method."""

from collections.abc import Mapping
from typing import Any, TypeVar

from recollect.api.memory import AsyncMemory
from recollect.client.reading import read
from recollect.client.transport import Transport
from recollect.records.cursor import Page

T = TypeVar("T")


class Connected(AsyncMemory):
    """A memory whose methods ask a service; the classes below replace every one of them.

    A subclass, so that documentation and types are the same, and that what takes a memory takes a client.
    """

    def __init__(self, transport: Transport) -> None:
        self._transport = transport


def transport_of(client: AsyncMemory) -> Transport:
    """The way to the service of a client, for the modules beside it."""
    assert isinstance(client, Connected)
    return client._transport  # pyright: ignore[reportPrivateUsage]


def page_from(
    record: type[T], answer: Mapping[str, Any], name: str, *, user: str, **known: object
) -> Page[T]:
    """A page as the service answers with it; `known` is what no row says."""
    rows = [read(record, row, user=user, **known) for row in answer[name]]
    return Page(rows, answer["next_cursor"])

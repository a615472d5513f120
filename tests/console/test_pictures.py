"""The pictures of the README: what a newcomer sees. `make screenshots` keeps them; other runs only make sure that they can be taken."""

import os
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect
from serving import Service

#: Where they are kept; empty: nowhere.
FOLDER = os.environ.get("RECOLLECT_SCREENSHOTS", "")
#: Bytes of a picture: a README is read over slow lines, too.
MOST = 150_000
QUALITY = 72


def _picture(page: Page, name: str) -> None:
    taken = page.screenshot(type="jpeg", quality=QUALITY)
    assert 10_000 < len(taken) < MOST
    if FOLDER:
        Path(FOLDER, f"{name}.jpg").write_bytes(taken)


def test_a_chat_with_the_inspector(service: Service, opened: Callable[..., Page]) -> None:
    """A thread, and beside it what a model would see."""
    page = opened(
        service,
        "/#/chats?chat=harbour-redesign&ask=What%20did%20we%20decide%20about%20the%20harbour%3F&inspect=1",
    )
    inspector = page.get_by_role("region", name="Context inspector")
    expect(inspector.get_by_role("listitem").first).to_be_visible()
    expect(page.get_by_role("status", name="Loading")).to_have_count(0)
    _picture(page, "console-chats")


def test_the_graph_of_entities(service: Service, opened: Callable[..., Page]) -> None:
    """Who is mentioned with whom, in the dark."""
    page = opened(service, "/#/entities?view=graph", color_scheme="dark")
    expect(page.get_by_role("heading", name="Entities")).to_be_visible()
    expect(page.get_by_role("status", name="Loading")).to_have_count(0)
    expect(page.get_by_role("region", name="Graph").get_by_role("img").first).to_be_visible()
    _picture(page, "console-entities")

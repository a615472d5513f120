"""How tests reach the page of memories: its address, its parts, and a memory of a test's own."""

from typing import Any

from playwright.sync_api import Locator, Page, expect
from serving import Service

from recollect import MemoryRecord, NewMemory

HERE = "/#/memories"


def open_at(page: Page, service: Service, **params: str) -> None:
    query = "&".join(f"{name}={value}" for name, value in params.items())
    page.goto(f"{service.url}{HERE}?{query}")
    expect(page.get_by_role("heading", level=1, name="Memories")).to_be_visible()


def tell(service: Service, content: str, **options: Any) -> MemoryRecord:
    return service.run(service.memory.add(NewMemory(content, **options))).memory


def known(service: Service, memory: MemoryRecord) -> MemoryRecord:
    return service.run(service.memory.get(memory.memory_id))


def show(page: Page, service: Service, memory: MemoryRecord) -> Locator:
    """The memory, opened by its address."""
    page.goto(f"{service.url}{HERE}?memory={memory.memory_id.replace('#', '%23')}")
    chosen = page.get_by_label("The chosen memory")
    expect(chosen.get_by_text(memory.content, exact=True).first).to_be_visible()
    return chosen


def press(button: Locator, key: str = "Enter") -> None:
    button.focus()
    button.press(key)


def rows(page: Page) -> Locator:
    return page.get_by_role("listbox", name="Memories").get_by_role("option")

"""How tests reach the page of chats: its address, its parts, and a chat of a test's own."""

from typing import Any

from playwright.sync_api import Locator, Page, expect
from serving import Service

from recollect import AsyncMemory

CHAT = "harbour-redesign"


def address(service: Service, **params: str) -> str:
    query = "&".join(f"{name}={value}" for name, value in params.items())
    return f"{service.url}/#/chats?{query}"


def show(page: Page, service: Service, chat: str = CHAT, **params: str) -> None:
    """Open a chat by its address, and wait until its end is there."""
    page.goto(address(service, chat=chat, **params))
    expect(thread(page).get_by_role("article").last).to_be_visible()
    expect(page.get_by_role("status", name="Loading")).to_have_count(0)


def thread(page: Page) -> Locator:
    return page.get_by_role("region", name="Thread")


def row_of(page: Page, text: str) -> Locator:
    return thread(page).get_by_role("article").filter(has_text=text)


def inspector_of(page: Page) -> Locator:
    return page.get_by_role("region", name="Context inspector")


def new_chat(service: Service, chat: str, *texts: str, persona: str | None = None) -> list[Any]:
    """A chat of a test's own; what it calls for is done before anybody looks."""
    memory: AsyncMemory = service.memory
    said = [{"role": "assistant" if place % 2 else "user", "text": text} for place, text in enumerate(texts)]
    recorded = service.run(memory.chat(chat, persona=persona).add(said)).messages
    service.run(memory.drain(timeout=60))
    return list(recorded)


def words_of(service: Service, message_id: str) -> str:
    return service.run(service.memory.message(message_id)).text

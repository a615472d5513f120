"""The page of chats in a real browser: finding, reading and correcting, by mouse and by keyboard, checked in the database."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import FakeEmbedder
from playwright.sync_api import Locator, Page, expect
from serving import Service, serving

from recollect import NotFound
from recollect.records.cursor import cursor

from .chats_page import CHAT, address, inspector_of, new_chat, row_of, show, thread, words_of
from .conftest import Faults, axe, choose_by_keyboard

# -- finding -------------------------------------------------------------------------------------------------


def test_a_chat_is_found_by_its_title_and_by_what_was_said(page: Page, service: Service) -> None:
    """A search shows titles with its words, and messages like it; a click or Enter opens the chat at the message."""
    page.goto(address(service))
    box = page.get_by_role("searchbox", name="Search chats")
    box.fill("FERRY")
    listed = page.get_by_role("listbox", name="Chats").get_by_role("option")
    expect(listed).to_have_count(1)
    expect(listed).to_contain_text("Harbour ferry app")
    found = page.get_by_role("region", name="Messages found").get_by_role("link")
    expect(found.first).to_contain_text("ferry")
    expect(found.first).to_contain_text("Harbour ferry app")
    axe(page)
    goal = page.locator("[data-goal]")
    for key in ("", "Enter"):
        found.first.press(key) if key else found.first.click()
        expect(goal).to_contain_text("ferry")
        expect(goal).to_be_in_viewport()
        page.go_back()
        expect(listed).to_have_count(1)


def test_a_chat_is_found_and_opened_by_keyboard(page: Page, service: Service) -> None:
    """`/` leads to the search, Tab to the list, arrows and Enter to the chat; back leads back."""
    page.goto(address(service))
    expect(page.get_by_role("option").first).to_be_visible()
    page.keyboard.press("/")
    page.keyboard.type("zzz")
    expect(page.get_by_text("No title has these words.")).to_be_visible()
    page.keyboard.press("Escape")
    options = page.get_by_role("option")
    expect(options.nth(1)).to_be_visible()
    page.keyboard.press("Tab")
    expect(options.first).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(options.nth(1)).to_be_focused()
    title = options.nth(1).locator("div").first.inner_text().split("\n")[0]
    page.keyboard.press("Enter")
    expect(thread(page).get_by_role("heading", level=2)).to_have_text(title)
    page.go_back()
    expect(page.get_by_text("Choose a chat")).to_be_visible()


def test_chats_are_those_of_a_persona(page: Page, service: Service) -> None:
    """Chosen by mouse, and again by keyboard, the persona leaves its own chats."""
    page.goto(address(service))
    listed = page.get_by_role("listbox", name="Chats").get_by_role("option")
    persona = page.get_by_role("combobox", name="Persona")
    persona.click()
    page.get_by_role("option", name="studio", exact=True).click()
    expect(listed).to_have_count(len(service.run(service.memory.chats(persona="studio"))))
    choose_by_keyboard(persona, "ArrowUp")
    expect(page).to_have_url(re.compile("persona=companion"))
    expect(listed).to_have_count(len(service.run(service.memory.chats(persona="companion"))))


# -- reading -------------------------------------------------------------------------------------------------


def test_bands_open_to_their_originals(page: Page, service: Service) -> None:
    """A folded segment shows its summary; a click or Enter shows the messages it stands for, and hides them again."""
    chat = service.memory.chat("late-thoughts")
    first = service.run(chat.summaries())[0]
    original = service.run(chat.messages(limit=1, cursor=cursor(0)))[0]
    show(page, service, "late-thoughts")
    page.locator("[role=feed]").evaluate("feed => feed.parentElement.scrollTop = 0")
    band = thread(page).get_by_role("button", name=f"{first.message_count} messages folded")
    expect(row_of(page, first.summary[:40])).to_be_visible()
    expect(row_of(page, original.text)).to_have_count(0)
    band.click()
    expect(band).to_have_attribute("aria-expanded", "true")
    expect(row_of(page, original.text).first).to_be_visible()
    axe(page)
    band.focus()
    band.press("Enter")
    expect(row_of(page, original.text)).to_have_count(0)
    page.get_by_role("button", name="Open all").click()
    expect(row_of(page, original.text).first).to_be_visible()
    page.get_by_role("button", name="Fold all").press("Enter")
    expect(row_of(page, original.text)).to_have_count(0)
    page.get_by_role("button", name="Open all").press("Enter")
    expect(row_of(page, original.text).first).to_be_visible()
    page.get_by_role("button", name="Fold all").click()
    expect(row_of(page, original.text)).to_have_count(0)


def test_brief_and_pins_stand_on_top(page: Page, service: Service) -> None:
    """The brief of the chat and its pins open above the thread, at a click and at Enter; a pin leads to its message."""
    chat = service.memory.chat(CHAT)
    brief, pin = service.run(chat.brief()), service.run(chat.pins())[0]
    show(page, service)
    above = page.get_by_role("region", name="Pins")
    for key in ("", "Enter"):

        def act(button: Locator, key: str = key) -> None:
            button.press(key) if key else button.click()

        act(page.get_by_role("button", name="Brief"))
        expect(page.get_by_role("region", name="Brief")).to_contain_text(
            brief.global_summary.splitlines()[-1]
        )
        act(page.get_by_role("button", name=re.compile(r"^\d+ pins?$")))
        expect(above).to_contain_text(pin.content)
        axe(page)
        act(above.get_by_role("button", name="message").first)
        expect(page.locator("[data-goal]")).to_contain_text(pin.content)
        page.go_back()


# -- correcting ----------------------------------------------------------------------------------------------


def _title(service: Service, chat: str) -> str | None:
    return service.run(service.memory.chats(chat=chat))[0].title


def test_a_chat_is_renamed(service: Service, opened: Callable[..., Page]) -> None:
    """By mouse and by keyboard, also in the list beside; Escape leaves the title as it was."""
    page = opened(service, "/#/chats?chat=mornings", width=1440)
    button = page.get_by_role("button", name="Rename this chat")
    button.click()
    page.get_by_label("Title of this chat").fill("Quiet mornings")
    page.keyboard.press("Enter")
    expect(thread(page).get_by_role("heading", level=2)).to_have_text("Quiet mornings")
    expect(page.get_by_role("option", name="Quiet mornings")).to_be_visible()
    assert _title(service, "mornings") == "Quiet mornings"
    expect(button).to_be_focused()
    button.press("Enter")
    page.keyboard.type(" and evenings")
    page.keyboard.press("Escape")
    expect(thread(page).get_by_role("heading", level=2)).to_have_text("Quiet mornings")
    button.press("Enter")
    page.keyboard.press("Control+a")
    page.keyboard.type("Mornings")
    page.keyboard.press("Enter")
    expect(page.get_by_role("option", name="Mornings", exact=False).first).not_to_contain_text("Quiet")
    assert _title(service, "mornings") == "Mornings"


def test_a_message_is_pinned_and_unpinned(page: Page, service: Service) -> None:
    """By mouse and by keyboard: the pin is in the database with its message, and in what a model would see."""
    messages = new_chat(
        service, "to-pin", "The harbour office closes at four.", "Noted.", "Tea at noon.", "Yes."
    )
    chat = service.memory.chat("to-pin")
    show(page, service, "to-pin")
    row = row_of(page, "The harbour office")
    row.hover()
    row.get_by_role("button", name="Pin this message").click()
    dialog = page.get_by_role("dialog", name="Pin this")
    expect(dialog.get_by_label("What is pinned")).to_have_value("The harbour office closes at four.")
    axe(page)
    dialog.get_by_label("What is pinned").fill("Harbour office: closes at 16:00.")
    dialog.get_by_role("button", name="Pin", exact=True).click()
    expect(row).to_contain_text("Pinned: Harbour office: closes at 16:00.")
    expect(inspector_of(page)).to_contain_text("- Harbour office: closes at 16:00.")
    (pin,) = service.run(chat.pins())
    assert (pin.content, pin.source_message_id) == (
        "Harbour office: closes at 16:00.",
        messages[0].message_id,
    )
    row.get_by_role("button", name="Unpin").click()
    expect(row).not_to_contain_text("Pinned:")
    expect(page.get_by_text("Unpinned.")).to_be_visible()
    assert service.run(chat.pins()) == []

    row = row_of(page, "Tea at noon.")
    row.focus()
    page.keyboard.press("p")
    expect(dialog.get_by_label("What is pinned")).to_be_focused()
    page.keyboard.press("Control+Enter")
    expect(row).to_contain_text("Pinned: Tea at noon.")
    expect(page.get_by_text("The model will always see this")).not_to_have_count(0)
    (pin,) = service.run(chat.pins())
    assert pin.source_message_id == messages[2].message_id
    row.focus()
    for _ in range(4):
        page.keyboard.press("Tab")
    expect(row.get_by_role("button", name="Unpin")).to_be_focused()
    page.keyboard.press("Enter")
    expect(row).not_to_contain_text("Pinned:")
    expect(page.get_by_role("button", name="0 pins")).to_be_visible()
    assert service.run(chat.pins()) == []


def test_a_message_is_edited(page: Page, service: Service) -> None:
    """By mouse and by keyboard; Escape leaves the words, and the focus goes back to the message."""
    first, _, third, _ = new_chat(
        service, "to-edit", "The boat leaves at six.", "Fine.", "It is red.", "Good."
    )
    show(page, service, "to-edit", budget="200")
    row = row_of(page, "The boat leaves")
    row.hover()
    row.get_by_role("button", name="Edit this message").click()
    field = page.get_by_label("Text of this message")
    expect(field).to_be_focused()
    axe(page)
    field.fill("The boat leaves at seven.")
    page.get_by_role("button", name="Save").click()
    expect(row_of(page, "at seven.")).to_be_visible()
    expect(page.get_by_text("Saved")).to_be_visible()
    assert words_of(service, first.message_id) == "The boat leaves at seven."

    row = row_of(page, "It is red.")
    row.focus()
    page.keyboard.press("e")
    page.keyboard.type("not so")
    page.keyboard.press("Escape")
    expect(row).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Control+a")
    page.keyboard.type("It is blue.")
    page.keyboard.press("Control+Enter")
    expect(row_of(page, "It is blue.")).to_be_focused()
    expect(inspector_of(page)).to_contain_text("User: It is blue.")
    assert words_of(service, third.message_id) == "It is blue."


def test_an_edit_that_is_refused_goes_back(page: Page, service: Service, faults: Faults) -> None:
    """The new words show at once, and the old ones again with the reason when the service cannot."""
    faults.allow("503")
    (message, _) = new_chat(service, "refused", "It was on a Monday.", "Fine.")
    show(page, service, "refused")
    page.route(
        "**/v1/messages/*",
        lambda route: (
            route.fulfill(status=503, body=json.dumps({"error": "Locked."}))
            if route.request.method == "PATCH"
            else route.continue_()
        ),
    )
    row_of(page, "Monday").focus()
    page.keyboard.press("e")
    page.keyboard.press("Control+a")
    page.keyboard.type("It was on a Friday.")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("alert")).to_contain_text("Locked.")
    expect(row_of(page, "It was on a Monday.")).to_be_visible()
    assert words_of(service, message.message_id) == "It was on a Monday."


def test_a_message_is_deleted_with_what_follows(page: Page, service: Service) -> None:
    """The question names what goes and what stays; Cancel keeps all; by mouse and by keyboard it is gone for good."""
    texts = ("I live in Karlskrona.", "A fine town.", "The lamp is broken.", "Oh.")
    home, _, lamp, _ = new_chat(service, "to-delete", *texts)
    chat = service.memory.chat("to-delete")
    service.run(chat.pin("Lives by the sea", source_message_id=home.message_id))
    told = [
        memory
        for memory in service.run(service.memory.memories(limit=500))
        if memory.source_message_ids == (home.message_id,)
    ]
    assert told, "the judge of rules made a memory of it"
    show(page, service, "to-delete")
    row = row_of(page, "I live in Karlskrona.")
    dialog = page.get_by_role("dialog", name="Delete this message?")
    row.hover()
    row.get_by_role("button", name="Delete this message").click()
    expect(dialog).to_contain_text("Pins that stay, because they were set by handLives by the sea")
    expect(dialog).to_contain_text(told[0].content)
    axe(page)
    dialog.get_by_role("button", name="Cancel").last.click()
    expect(row).to_be_visible()
    assert words_of(service, home.message_id) == texts[0]
    row.hover()
    row.get_by_role("button", name="Delete this message").click()
    dialog.get_by_role("button", name="Delete", exact=True).click()
    expect(row).to_have_count(0)
    expect(page.get_by_text(re.compile(r"Deleted with .*memor"))).to_be_visible()
    with pytest.raises(NotFound):
        words_of(service, home.message_id)
    with pytest.raises(NotFound):
        service.run(service.memory.get(told[0].memory_id))
    (pin,) = service.run(chat.pins())
    assert (pin.content, pin.source_message_id) == ("Lives by the sea", None)

    row_of(page, "The lamp is broken.").focus()
    page.keyboard.press("Delete")
    expect(dialog).to_contain_text("No pin and no memory came of it.")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(row_of(page, "The lamp is broken.")).to_have_count(0)
    with pytest.raises(NotFound):
        words_of(service, lamp.message_id)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone_the_inspector_is_one_step_away(
    service: Service, opened: Callable[..., Page], scheme: str
) -> None:
    """List, thread and context each fill the screen; Escape and back lead back; nothing scrolls sideways."""
    page = opened(service, "/#/chats", width=360, height=740, color_scheme=scheme)
    page.get_by_role("option", name="Harbour ferry app").click()
    expect(thread(page).get_by_role("article").last).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    axe(page)
    page.get_by_role("button", name="Context").click()
    drawer = page.get_by_role("dialog", name="Context preview")
    expect(drawer.get_by_text("of 8,000 tokens")).to_be_visible()
    axe(page)
    page.keyboard.press("Escape")
    expect(drawer).to_have_count(0)
    page.get_by_role("button", name="Context").press("Enter")
    drawer.get_by_role("button", name="message", exact=True).first.click()
    expect(drawer).to_have_count(0)
    expect(page.locator("[data-goal]")).to_be_in_viewport()
    page.get_by_role("button", name="Back to the list").click()
    expect(page.get_by_role("option", name="Harbour ferry app")).to_be_visible()


# -- what is gone, or was never there --------------------------------------------------------------------------


def test_a_message_that_is_gone_is_said_to_be(page: Page, service: Service, faults: Faults) -> None:
    """A link to a message that was deleted meanwhile opens the chat, and says so."""
    faults.allow("404")
    show(page, service, message="1700000000000-gone")
    expect(page.get_by_text("That message is no longer there.")).to_be_visible()
    expect(page).not_to_have_url(re.compile("message="))


def test_a_chat_that_is_not_there_is_said_to_be(page: Page, service: Service, faults: Faults) -> None:
    """The thread says what to do; the list beside it still works."""
    faults.allow("404")
    page.goto(address(service, chat="nowhere"))
    expect(thread(page).get_by_role("alert")).to_contain_text("reload the page")
    axe(page)


def test_without_chats_the_page_teaches(opened: Callable[..., Page], tmp_path: Path) -> None:
    """A new user is told how a chat comes about."""
    with serving(tmp_path / "empty.db", local=True, embedder=FakeEmbedder()) as service:
        page = opened(service)
        expect(page.get_by_text("No chats yet")).to_be_visible()
        expect(page.get_by_role("link", name="Open the Playground")).to_be_visible()
        axe(page)
        page.goto("about:blank")

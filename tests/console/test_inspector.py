"""The context inspector in a real browser: what a model would see, why, what it costs, and where it comes from."""

import json
import re
from collections.abc import Callable

from playwright.sync_api import Page, expect
from serving import Service

from .chats_page import CHAT, inspector_of, show
from .conftest import axe


def test_the_inspector_shows_what_a_model_would_see(page: Page, service: Service) -> None:
    """Question and budget count; every section with its lines, reasons and tokens; what was left out, by its reason."""
    question = "What did Priya say about the icons?"
    show(page, service)
    inspector = inspector_of(page)
    inspector.get_by_label("Question").fill(question)
    inspector.get_by_role("textbox", name="Budget in tokens").fill("1500")
    expect(inspector.get_by_text("of 1,500 tokens")).to_be_visible()
    expect(inspector.get_by_role("button", name="Recalled for the question")).to_have_count(0)
    chat = service.memory.chat(CHAT, persona="studio")
    context = service.run(chat.context(question, tokens=1500))
    expect(inspector.get_by_text(f"{context.tokens:,} of 1,500 tokens")).to_be_visible()
    first = context.sections[0].lines[0]
    expect(inspector).to_contain_text(first.text)
    expect(inspector).to_contain_text(first.why)
    rows = inspector.get_by_role("region", name="Context preview")
    rows.press("End")
    expect(inspector.get_by_role("heading", name="Left out")).to_be_visible()
    dropped = context.dropped[0]
    reason = inspector.get_by_role("button", name=dropped.why).first
    reason.press("Enter")
    expect(reason).to_have_attribute("aria-expanded", "true")
    axe(page)
    reason.click()
    expect(reason).to_have_attribute("aria-expanded", "false")
    section = inspector.get_by_role("button", name="Pinned facts")
    rows.press("Home")
    section.click()
    expect(inspector.get_by_text(first.text, exact=True)).to_have_count(0)
    section.press("Enter")
    expect(inspector.get_by_text(first.text, exact=True)).to_be_visible()
    page.reload()
    expect(inspector.get_by_text(f"{context.tokens:,} of 1,500 tokens")).to_be_visible()


def test_the_budget_is_moved_by_keys_and_by_mouse(page: Page, service: Service) -> None:
    """The slider goes to its ends, by steps, and to where somebody clicks; less budget leaves more out."""
    show(page, service)
    inspector = inspector_of(page)
    chat = service.memory.chat(CHAT, persona="studio")
    slider = inspector.get_by_role("slider", name="Budget")
    slider.focus()
    page.keyboard.press("Home")
    expect(inspector.get_by_text("of 200 tokens")).to_be_visible()
    expect(page).to_have_url(re.compile("budget=200"))
    context = service.run(chat.context(tokens=200))
    expect(inspector.get_by_text(f"{context.tokens} of 200 tokens")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page).not_to_have_url(re.compile("budget=200$"))
    page.keyboard.press("End")
    expect(inspector.get_by_text("of 32,000 tokens")).to_be_visible()
    box = inspector.locator("[class*=Slider-track]").first.bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page).to_have_url(re.compile(r"budget=2\d\d\d$"))
    budget = int(page.url.rpartition("=")[2])
    context = service.run(chat.context(tokens=budget))
    expect(inspector.get_by_text(f"{context.tokens:,} of {budget:,} tokens")).to_be_visible()


def test_a_line_leads_to_its_source(page: Page, service: Service) -> None:
    """A message is jumped to, though it is folded away or in another chat; a memory opens on its page."""
    show(page, service, ask="Where+does+the+user+live")
    lines = inspector_of(page).get_by_role("region", name="Context preview")
    lines.get_by_role("button", name="message", exact=True).first.click()
    pin = service.run(service.memory.chat(CHAT).pins())[0]
    expect(page.locator("[data-goal]")).to_contain_text(pin.content)
    expect(page.locator("[data-goal]")).to_be_in_viewport()
    home = lines.get_by_role("listitem").filter(has_text="lives in Gothenburg")
    home.get_by_role("button", name="message").press("Enter")
    expect(page).not_to_have_url(re.compile(f"chat={CHAT}"))
    expect(page.locator("[data-goal]")).to_contain_text("Gothenburg")
    page.go_back()
    home.get_by_role("link", name="memory").click()
    expect(page.get_by_role("heading", level=1, name="Memories")).to_be_visible()
    page.go_back()
    home.get_by_role("link", name="memory").press("Enter")
    expect(page.get_by_role("heading", level=1, name="Memories")).to_be_visible()
    expect(page).to_have_url(re.compile("memory="))


def test_the_context_is_copied(service: Service, opened: Callable[..., Page]) -> None:
    """As text and as messages, at a click and at Enter: what is copied is what the service would send."""
    page = opened(
        service, f"/#/chats?chat={CHAT}&budget=1000", permissions=["clipboard-read", "clipboard-write"]
    )
    context = service.run(service.memory.chat(CHAT, persona="studio").context(tokens=1000))
    for name, wanted in (("text", context.to_text()), ("messages", context.to_openai())):
        for key in ("", "Enter"):
            button = page.get_by_role("button", name=f"Copy as {name}")
            button.press(key) if key else button.click()
            # For a moment it says that it is done.
            expect(button).to_have_count(0)
            copied = page.evaluate("navigator.clipboard.readText()")
            assert (copied if name == "text" else json.loads(copied)) == wanted
            page.evaluate("navigator.clipboard.writeText('')")

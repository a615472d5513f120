"""Hostile and huge content in a real browser: words stay words on every page, and ten thousand of something are a few rows."""

import re
from collections.abc import Callable, Iterator
from urllib.parse import urlencode

import pytest
from conftest import FakeEmbedder
from playwright.sync_api import Locator, Page, TimeoutError, expect
from serving import Service, serving

from recollect.records.cursor import cursor
from recollect.server.console.built import INDEX, built_files

from . import hostile
from .conftest import Faults, axe, missing
from .hostile import ATTACKS, BURDEN, CHAT, END, ENTITY, LONG, MANY, NAME, PINNED, WORD, assert_harmless

SCRIPT = ATTACKS[0]
#: More rows than fit on a screen, with those kept ready beside it.
FEW = 60
#: Rows are not all as high as those that were not seen yet are taken to be.
APART = 300
#: Every view of every page that shows something of the user, and a text that must be seen there as it is.
VIEWS: tuple[tuple[str, dict[str, str], str], ...] = (
    ("/chats", {}, "10,000 messages"),
    ("/chats", {"find": "gnp"}, "Messages"),
    ("/chats", {"chat": CHAT, "budget": "32000"}, "[gift](javascript:"),
    ("/memories", {}, "<script>"),
    ("/memories", {"memory": hostile.memory_id(3)}, "Where it came from"),
    ("/memories", {"q": "User says gift", "persona": NAME}, "<a href='javascript:"),
    ("/memories", {"view": "decide"}, SCRIPT[:60]),
    ("/entities", {}, "Mallory"),
    ("/entities", {"entity": ENTITY}, SCRIPT[:60]),
    ("/entities", {"entity": BURDEN}, "Mentioned with"),
    ("/entities", {"view": "graph"}, "Places"),
    ("/entities", {"view": "names"}, "Same person?"),
    ("/timeline", {"session": "hostile"}, "What mattered"),
    ("/timeline", {"view": "spine"}, SCRIPT[:60]),
    ("/timeline", {"view": "rolling", "persona": NAME}, "Number 2."),
    ("/timeline", {"view": "briefs"}, SCRIPT[:60]),
    ("/todos", {}, SCRIPT[:60]),
    ("/todos", {"persona": NAME}, "gift"),
    ("/playground", {"chat": CHAT, "persona": NAME}, "[31m"),
    ("/health", {}, "Memories"),
)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service over the hostile user."""
    if INDEX not in built_files():
        missing("The console is not built: make console")
    file = tmp_path_factory.mktemp("hostile") / "memory.db"
    with serving(file, settings=hostile.SETTINGS, local=True, embedder=FakeEmbedder()) as running:
        hostile.fill(running)
        yield running


def _at(path: str, **params: str) -> str:
    return f"/#{path}?{urlencode(params)}"


def _settled(page: Page, text: str) -> None:
    expect(page.get_by_role("main").get_by_text(text).first).to_be_attached()
    expect(page.get_by_role("status", name="Loading")).to_have_count(0)


@pytest.mark.parametrize("width", [360, 1440])
def test_words_are_words_on_every_page(
    service: Service, opened: Callable[..., Page], faults: Faults, width: int
) -> None:
    """Nothing runs, asks elsewhere, becomes an element, turns the words beside it or makes a page scroll sideways."""
    page = opened(service, _at("/chats"), width=width)
    page.on("dialog", lambda dialog: faults.found.append(f"dialog: {dialog.message}"))
    for path, params, text in VIEWS:
        page.goto(service.url + _at(path, **params))
        _settled(page, text)
        assert_harmless(page)


def _thread(page: Page) -> Locator:
    return page.get_by_role("region", name="Thread")


def test_words_are_words_in_dialogs_and_notices(service: Service, opened: Callable[..., Page]) -> None:
    """What asks before it forgets, what is chosen from, and what is told afterwards holds names of anybody."""
    page = opened(service, _at("/entities", entity=ENTITY), width=360)
    dialog = page.get_by_role("dialog")
    page.get_by_role("button", name="Forget…").click()
    expect(dialog).to_contain_text("memories that mention it")
    assert_harmless(page)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Merge…").click()
    dialog.get_by_role("combobox").fill("mm")
    page.get_by_role("option").first.click()
    assert_harmless(page)
    dialog.get_by_role("button", name="Merge", exact=True).click()
    expect(page.get_by_role("alert").get_by_role("button", name="Undo")).to_be_visible()
    assert_harmless(page)
    page.get_by_role("alert").get_by_role("button", name="Undo").click()
    page.goto(service.url + _at("/memories", memory=hostile.memory_id(3), tag=NAME))
    page.get_by_role("button", name="Forget…").click()
    expect(page.get_by_role("dialog", name="Forget this memory?")).to_contain_text("history entr")
    assert_harmless(page)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Close").click()
    for field in ("Persona", "Entity", "Tag"):
        page.get_by_role("combobox", name=field).click()
        expect(page.get_by_role("option").first).to_be_visible()
        assert_harmless(page)
        page.keyboard.press("Escape")
    page.goto(service.url + _at("/chats", chat=CHAT))
    message = _thread(page).get_by_role("article").filter(has_text="[31m").last
    for key, text in (("p", "What is pinned"), ("Delete", "This cannot be undone.")):
        _press_on(page, message, key)
        expect(dialog).to_contain_text(text)
        assert_harmless(page)
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)


def _press_on(page: Page, message: Locator, key: str) -> None:
    """Press a key on a message, again when the thread was still settling and took the focus away."""
    for _ in range(5):
        message.focus()
        if message.evaluate("(row) => row === document.activeElement"):
            page.keyboard.press(key)
            try:
                page.get_by_role("dialog").wait_for(timeout=4000)
            except TimeoutError:
                continue
            return


def _shown(page: Page, near: float) -> None:
    """A stretch of the thread without holes, near a place, in which each row says the message of its place."""
    rows = _thread(page).get_by_role("article")
    for _ in range(200):
        told: list[list[str]] = rows.evaluate_all(
            "(all) => all.map((row) => [row.getAttribute('aria-posinset'), row.innerText])"
        )
        assert len(told) < FEW
        places = sorted(int(place) for place, _ in told)
        right = all(f"Message number {place}." in text for place, text in told)
        if right and places and places[0] - APART < near < places[-1] + APART:
            assert places == list(range(places[0], places[-1] + 1))
            return
        page.wait_for_timeout(50)
    pytest.fail(f"Rows that never said what belongs there: {told}")


def test_ten_thousand_messages_are_a_few_rows(service: Service, opened: Callable[..., Page]) -> None:
    """From the end to the beginning and back, by wheel, by keys and by the bar, each row holds the message of its place."""
    page = opened(service, _at("/chats", chat=LONG, budget="500"), width=1280)
    rows = _thread(page).get_by_role("article")
    last = rows.filter(has_text=f"Message number {MANY}.")
    expect(last).to_be_in_viewport()
    expect(last).to_have_attribute("aria-setsize", str(MANY))
    last.focus()
    page.keyboard.press("PageUp")
    expect(rows.filter(has_text=f"Message number {MANY - 8}.")).to_be_focused()
    page.keyboard.press("Home")
    expect(rows.filter(has_text="Message number 1.").first).to_be_focused()
    page.mouse.move(500, 500)
    page.mouse.wheel(0, 3000)
    expect(rows.first).not_to_have_attribute("aria-posinset", "1")
    for share in (0, 0.2, 0.5, 0.8, 1):
        if share:
            page.locator("[role=feed]").evaluate(
                "(feed, share) => { feed.parentElement.scrollTop = feed.offsetHeight * share }", share
            )
        _shown(page, MANY * share)
    expect(last).to_be_in_viewport()
    middle = service.run(service.memory.chat(LONG).messages(limit=1, cursor=cursor(MANY // 2 - 1)))[0]
    page.goto(service.url + _at("/chats", chat=LONG, message=middle.message_id))
    expect(page.locator("[data-goal]")).to_contain_text(f"Message number {MANY // 2}.")
    expect(page.locator("[data-goal]")).to_be_in_viewport()
    page.locator("[data-goal]").focus()
    page.keyboard.press("End")
    expect(last).to_be_focused()
    assert rows.count() < FEW


def test_ten_thousand_pins_are_a_few_rows(service: Service, opened: Callable[..., Page]) -> None:
    """All are counted, the first and the last are a key away, one is taken away, and what a context left out is as short."""
    page = opened(service, _at("/chats", chat=PINNED, budget="2000"), width=1280)
    page.get_by_role("button", name=f"{MANY:,} pins").click()
    pins = page.get_by_role("region", name="Pins")
    expect(pins).to_contain_text("Pin number 1:")
    assert pins.get_by_role("listitem").count() < FEW
    pins.focus()
    page.keyboard.press("End")
    end = pins.get_by_role("listitem").filter(has_text=f"Pin number {MANY}:")
    expect(end).to_be_in_viewport()
    end.get_by_role("button", name="Unpin").press("Enter")
    expect(page.get_by_role("button", name=f"{MANY - 1:,} pins")).to_be_visible()
    expect(page.get_by_text("Unpinned.")).to_be_visible()
    pins.focus()
    page.keyboard.press("Home")
    expect(pins.get_by_text("Pin number 1:")).to_be_in_viewport()
    left = service.run(service.memory.chat(PINNED).pins())
    assert len(left) == MANY - 1
    assert f"Pin number {MANY}:" not in {pin.content.partition(": ")[0] + ":" for pin in left}

    context = page.get_by_role("region", name="Context preview")
    context.focus()
    page.keyboard.press("End")
    context.get_by_role("button", name=re.compile(r"\d,\d{3} lines")).press("Enter")
    lines = context.get_by_role("listitem")
    expect(lines.last).to_have_attribute("aria-setsize", re.compile(r"^1\d{4}$"))
    context.focus()
    page.keyboard.press("End")
    expect(lines.last).to_have_attribute("aria-posinset", re.compile(r"^1\d{4}$"))
    expect(lines.last).to_be_in_viewport()
    assert lines.count() < FEW
    axe(page)


def test_a_word_without_end_is_shown_when_asked_and_can_be_corrected(
    service: Service, opened: Callable[..., Page]
) -> None:
    """100 kB without a blank are cut, then shown as a whole, then changed by keyboard; nothing scrolls sideways."""
    page = opened(service, _at("/chats", chat=PINNED, budget="200"), width=360)
    word = _thread(page).get_by_role("article").first
    word.get_by_role("button", name=f"Show all {len(WORD):,} characters").press("Enter")
    expect(word.get_by_role("button", name="Show all")).to_have_count(0)
    assert WORD in word.evaluate("(row) => row.innerText")
    assert_harmless(page)
    word.focus()
    page.keyboard.press("e")
    expect(page.get_by_label("Text of this message")).to_be_focused()
    page.keyboard.press("Control+End")
    page.keyboard.type(END)
    assert_harmless(page)
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Saved")).to_be_visible()
    said = service.run(service.memory.chat(PINNED).messages(limit=1, cursor=cursor(0)))[0]
    assert said.text == WORD + END

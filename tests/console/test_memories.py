"""The page of memories in a real browser: what is found and why, every correction by mouse and by keyboard, and what it did."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect
from serving import Service

from recollect import MemoryRecord, NotFound

from .conftest import Faults, axe, choose
from .memories_page import HERE, known, open_at, press, rows, show, tell

# -- finding -------------------------------------------------------------------------------------------------


def test_memories_are_counted_and_chosen_by_category(page: Page, service: Service) -> None:
    """Each category says how many it holds; a click shows those, and arrows go from one to the next."""
    open_at(page, service)
    stats = service.run(service.memory.stats())
    expect(page.get_by_role("radio", name=f"all {stats.total}")).to_be_checked()
    expect(rows(page).first).to_be_visible()
    page.get_by_text(f"skill {stats.by_category['skill']}").click()
    skills = service.run(service.memory.memories(category="skill"))
    expect(rows(page)).to_have_count(len(skills))
    expect(rows(page).first).to_contain_text(skills[0].content)
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name=re.compile("^fact"))).to_be_checked()
    expect(page).to_have_url(re.compile("category=fact"))
    axe(page)


def test_a_search_says_why(page: Page, service: Service) -> None:
    """`/` leads to the search; what is found stands in the order of the engine, with the terms of its score."""
    open_at(page, service)
    expect(rows(page).first).to_be_visible()
    page.keyboard.press("/")
    page.keyboard.type("Who lives in Bergen?")
    page.keyboard.press("Enter")
    expect(page.get_by_text("found, best first")).to_be_visible()
    best = service.run(service.memory.search("Who lives in Bergen?", limit=1, messages=0)).hits[0]
    first = rows(page).first
    expect(first).to_contain_text(best.memory.content)
    expect(first).to_contain_text(re.compile(r"by (meaning|words)|asked for"))
    first.focus()
    page.keyboard.press("Enter")
    chosen = page.get_by_label("The chosen memory")
    expect(chosen.get_by_role("heading", name="Why it was found")).to_be_visible()
    expect(chosen).to_contain_text(f"Score {best.score:.2f}")
    for term in ("similarity", "recency", "frequency", "plausibility"):
        expect(chosen.get_by_role("progressbar", name=re.compile(f"^{term}"))).to_be_visible()
    axe(page)


@pytest.mark.parametrize("by", ["mouse", "keyboard"])
def test_filters(page: Page, service: Service, by: str) -> None:
    """Tag, entity, status, persona and time leave what the engine leaves, and stand in the address."""
    ours = tell(service, "Wilhelmina Ottosson paints lighthouses", tags=["paint"], persona="studio")
    open_at(page, service)
    act = Locator.click if by == "mouse" else press

    def chosen(name: str, option: str, typed: str = "") -> None:
        field = page.get_by_role("combobox", name=name)
        if typed:
            field.fill(typed)
        choose(field, option, by)

    act(page.get_by_role("button", name="Filters"))
    chosen("Tag", "paint", "pain")
    expect(rows(page)).to_have_count(1)
    expect(page).to_have_url(re.compile("tag=paint"))
    chosen("Persona", "companion")
    expect(page).to_have_url(re.compile("persona=companion"))
    expect(page.get_by_text("No matches")).to_be_visible()
    act(page.get_by_role("button", name="Show everything"))
    expect(rows(page).nth(5)).to_be_visible()
    archived = service.run(service.memory.memories(status="ARCHIVED"))
    chosen("Status", "Archived")
    expect(page).to_have_url(re.compile("status=ARCHIVED"))
    expect(rows(page)).to_have_count(len(archived))
    act(page.get_by_role("button", name="Clear"))
    chosen("Entity", "Adam Rosén · person", "Adam Ros")
    expect(page).to_have_url(re.compile("entity=person%3A"))
    expect(rows(page).first).to_contain_text("Adam")
    act(page.get_by_role("button", name="Clear"))
    page.get_by_label("Made since").fill(ours.created_at.date().isoformat())
    expect(rows(page)).to_have_count(1)
    expect(rows(page)).to_contain_text(ours.content)
    page.reload()
    expect(rows(page)).to_have_count(1)
    axe(page)


def test_the_past_is_read_and_cannot_be_changed(page: Page, service: Service) -> None:
    """By keyboard and by mouse the slider leads into the past; then one sees what was known then, and no pen."""
    memory = tell(service, "User keeps three hives of bees")
    service.run(service.memory.update(memory.memory_id, content="User keeps seven hives of bees"))
    open_at(page, service)
    slider = page.get_by_role("slider", name="As of")
    expect(slider).to_have_attribute("aria-valuetext", "now")
    expect(rows(page).first).to_contain_text("seven hives")
    for _ in range(30):
        slider.press("ArrowLeft")
    expect(page).to_have_url(re.compile("as_of="))
    moment = page.evaluate("new URLSearchParams(location.hash.split('?')[1]).get('as_of')")
    then = service.run(service.memory.memories(as_of=moment, limit=1))
    expect(rows(page).first).to_contain_text(then[0].content)
    rows(page).first.click()
    chosen = page.get_by_label("The chosen memory")
    expect(chosen).to_contain_text("As it was on")
    expect(chosen.get_by_role("button", name="Edit")).to_have_count(0)
    axe(page)
    page.get_by_role("button", name="Back to now").click()
    expect(rows(page).first).to_contain_text("seven hives")
    expect(chosen.get_by_role("button", name="Edit")).to_be_visible()
    box = page.get_by_role("main").locator("[class*=Slider-track]").first.bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page).to_have_url(re.compile("as_of="))
    moment = page.evaluate("new URLSearchParams(location.hash.split('?')[1]).get('as_of')")
    then = service.run(service.memory.memories(as_of=moment, limit=1))
    expect(rows(page).first).to_contain_text(then[0].content)
    press(page.get_by_role("button", name="Back to now"))
    expect(rows(page).first).to_contain_text("seven hives")


# -- correcting ----------------------------------------------------------------------------------------------


def test_edit_by_mouse(page: Page, service: Service) -> None:
    """Words, category, importance and tags are changed in place; the history shows what was and what became."""
    memory = tell(service, "User plays the oboe on Fridays", category="fact", importance=5)
    chosen = show(page, service, memory)
    chosen.get_by_role("button", name="Edit").click()
    chosen.get_by_label("Text").fill("User plays the bassoon on Fridays")
    chosen.get_by_role("combobox", name="Category").click()
    page.get_by_role("option", name="skill").click()
    chosen.get_by_label("Importance").fill("7.5")
    chosen.get_by_label("Tags").fill("music")
    page.keyboard.press("Enter")
    axe(page)
    chosen.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    now = known(service, memory)
    assert (now.content, now.category, now.importance, now.tags) == (
        "User plays the bassoon on Fridays", "skill", 7.5, ("music",),
    )  # fmt: skip
    newest = chosen.get_by_role("heading", name="History").locator("..")
    expect(newest.locator("del", has_text="oboe")).to_be_visible()
    expect(newest.locator("ins", has_text="bassoon").first).to_be_visible()


def test_edit_by_keyboard(page: Page, service: Service) -> None:
    """Escape leaves everything as it was, Ctrl+Enter saves; words that are too short are not sent."""
    memory = tell(service, "User bakes bread with rye flour")
    chosen = show(page, service, memory)
    press(chosen.get_by_role("button", name="Edit"))
    page.keyboard.press("Control+A")
    page.keyboard.type("too short")
    expect(chosen.get_by_text("At least 10 characters.")).to_be_visible()
    page.keyboard.press("Escape")
    expect(chosen.get_by_text(memory.content, exact=True).first).to_be_visible()
    assert known(service, memory).content == memory.content
    expect(chosen.get_by_role("button", name="Edit")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Control+A")
    page.keyboard.type("User bakes bread with spelt flour")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Saved.")).to_be_visible()
    assert known(service, memory).content == "User bakes bread with spelt flour"


@pytest.mark.parametrize("by", ["mouse", "keyboard"])
def test_pin_archive_restore(page: Page, service: Service, by: str) -> None:
    """Each shows at once, is in the database, and can be taken back."""
    memory = tell(service, f"User collects stamps from Peru {by}")
    chosen = show(page, service, memory)

    def act(name: str, then: str) -> MemoryRecord:
        button = chosen.get_by_role("button", name=name, exact=True)
        with page.expect_response(lambda answer: answer.request.method == "PATCH" and answer.ok):
            button.click() if by == "mouse" else press(button, "Space")
        expect(chosen.get_by_role("button", name=then, exact=True)).to_be_visible()
        return known(service, memory)

    assert act("Pin", "Unpin").pinned
    assert not act("Unpin", "Pin").pinned
    assert act("Archive", "Restore").status == "ARCHIVED"
    assert act("Restore", "Archive").status == "ACTIVE"


def test_what_is_refused_goes_back(page: Page, service: Service, faults: Faults) -> None:
    """A pin that the service refuses is shown, then gone again, and a sentence says what to do."""
    faults.allow("409")
    memory = tell(service, "User grows tomatoes on the balcony")
    chosen = show(page, service, memory)
    page.route(
        "**/memories/*",
        lambda route: (
            route.fulfill(status=409, json={"error": "It was changed meanwhile."})
            if route.request.method == "PATCH"
            else route.continue_()
        ),
    )
    chosen.get_by_role("button", name="Pin", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("It was changed meanwhile.")
    expect(chosen.get_by_role("button", name="Pin", exact=True)).to_be_visible()
    assert not known(service, memory).pinned


@pytest.mark.parametrize("by", ["mouse", "keyboard"])
def test_forget(page: Page, service: Service, by: str) -> None:
    """What will go with it is said first; Cancel keeps it; then it is gone, and the receipt counts it."""
    who = {"mouse": "Ottilia Falk", "keyboard": "Torvald Brink"}[by]
    key = f"person:{who.lower().replace(' ', '_')}"
    memory = tell(service, f"{who} repairs old accordions", entity_refs=[key])
    service.run(service.memory.update(memory.memory_id, importance=3))
    chosen = show(page, service, memory)
    forget, dialog = chosen.get_by_role("button", name="Forget"), page.get_by_role("dialog")
    press(forget)
    expect(dialog).to_contain_text("2 history entries")
    expect(dialog).to_contain_text(who.lower())
    axe(page)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    assert known(service, memory).status == "ACTIVE"
    forget.click() if by == "mouse" else press(forget)
    sure = dialog.get_by_role("button", name="Forget", exact=True)
    sure.click() if by == "mouse" else press(sure)
    expect(dialog).to_contain_text("1 memory")
    expect(dialog).to_contain_text("2 entries of its history")
    expect(dialog).to_contain_text("The bytes of these rows are gone")
    with pytest.raises(NotFound):
        known(service, memory)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(page.get_by_label("The chosen memory")).to_have_count(0)


def test_the_source_leads_to_its_place_in_the_chat(page: Page, service: Service) -> None:
    """The message that a memory came from is quoted, and its link names the chat and the message."""
    memory = next(item for item in service.run(service.memory.memories()) if item.source_message_ids)
    said = service.run(service.memory.message(memory.source_message_ids[0]))
    chosen = show(page, service, memory)
    expect(chosen.locator("blockquote")).to_contain_text(said.text)
    chosen.get_by_role("link", name="See it in the chat").click()
    expect(page).to_have_url(re.compile(f"#/chats\\?chat={said.chat_id}&message={said.message_id}"))
    page.go_back()
    press(chosen.get_by_role("link", name="See it in the chat"))
    expect(page).to_have_url(re.compile(f"message={said.message_id}"))
    expect(page.locator("[data-goal]")).to_contain_text(said.text)


# -- adding --------------------------------------------------------------------------------------------------


def test_a_memory_is_added_and_the_reply_is_shown(page: Page, service: Service, faults: Faults) -> None:
    """Saved with the rewritten words, already known with the known ones, refused with the reason."""
    faults.allow("400")
    open_at(page, service)
    page.get_by_role("button", name="Add a memory").click()
    dialog = page.get_by_role("dialog", name="Add a memory")
    words = dialog.get_by_label("What should be remembered?")
    words.fill("I always wear a green scarf in winter.")
    dialog.get_by_role("button", name="Category, importance, tags").click()
    dialog.get_by_label("Tags").fill("clothes")
    page.keyboard.press("Enter")
    dialog.get_by_role("checkbox", name="Pin it").check()
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_text("Saved to memory")).to_be_visible()
    expect(dialog.get_by_role("alert")).to_contain_text("User always wears a green scarf in winter.")
    (kept,) = service.run(service.memory.memories(tag="clothes"))
    assert (kept.content, kept.pinned) == ("User always wears a green scarf in winter.", True)
    axe(page)
    words.fill("I always wear a green scarf in winter.")
    page.keyboard.press("Control+Enter")
    expect(dialog.get_by_text("Already saved")).to_be_visible()
    words.fill("short")
    page.keyboard.press("Control+Enter")
    expect(dialog.get_by_text("Failed to save")).to_be_visible()
    expect(dialog.get_by_role("alert")).to_contain_text("minimum 10 characters")
    assert len(service.run(service.memory.memories(tag="clothes"))) == 1


def test_a_memory_is_added_by_keyboard(page: Page, service: Service) -> None:
    """Enter opens the form, the words are typed, Ctrl+Enter saves, and what was saved opens from its reply."""
    open_at(page, service)
    press(page.get_by_role("button", name="Add a memory"))
    expect(page.get_by_label("What should be remembered?")).to_be_focused()
    page.keyboard.type("My violin was made in Cremona.")
    page.keyboard.press("Control+Enter")
    press(page.get_by_role("dialog").get_by_role("button", name="Open it"))
    expect(page.get_by_label("The chosen memory")).to_contain_text("violin")
    assert any("Cremona" in item.content for item in service.run(service.memory.memories(limit=5)))


# -- every width, both colours -------------------------------------------------------------------


@pytest.mark.parametrize(("width", "scheme"), [(360, "dark"), (2560, "light")])
def test_readable_everywhere(service: Service, opened: Callable[..., Page], width: int, scheme: str) -> None:
    """On a phone the memory covers the list, on a wall it stands beside; Escape closes it, unless a form or a question
    takes the key; nothing scrolls sideways."""
    page = opened(service, HERE, width=width, color_scheme=scheme)
    rows(page).first.focus()
    page.keyboard.press("Enter")
    heading = page.get_by_role("heading", name="Where it came from")
    expect(heading).to_be_visible()
    axe(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    press(page.get_by_role("button", name="Edit"))
    expect(page.get_by_label("Text", exact=True)).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Edit")).to_be_focused()
    press(page.get_by_role("button", name="Forget…"))
    expect(page.get_by_role("button", name="Cancel").last).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Forget…")).to_be_focused()
    expect(heading).to_be_visible()
    page.keyboard.press("Escape")
    expect(heading).to_have_count(0)
    page.goto(f"{service.url}{HERE}?view=decide")
    expect(page.get_by_role("heading", name="Duplicates and faded memories")).to_be_visible()
    axe(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width

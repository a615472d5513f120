"""The shell of the console in a real browser: every page opens, by mouse and by keyboard, in both colours and at every width."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from conftest import FakeEmbedder
from playwright.sync_api import Page, expect
from serving import SERVICE_KEY, Service, serving

from recollect.api.engine import engine_of

from .conftest import SETTINGS, Faults, axe, choose

PAGES = {
    "Chats": "c",
    "Memories": "m",
    "Entities": "e",
    "Timeline": "t",
    "Todos": "o",
    "Playground": "p",
    "Health": "h",
}


def _arrived(page: Page, name: str) -> None:
    expect(page.get_by_role("heading", level=1, name=name, exact=True)).to_be_visible()
    expect(page.get_by_role("status", name="Loading")).to_have_count(0)
    expect(page.get_by_role("alert")).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_opens_by_mouse(service: Service, opened: Callable[..., Page], scheme: str) -> None:
    """A click on its name opens each page, without an error and without a serious fault of accessibility."""
    page = opened(service, color_scheme=scheme)
    for name in PAGES:
        page.get_by_role("navigation", name="Pages").get_by_role("link", name=name).click()
        _arrived(page, name)
        axe(page)


def test_every_page_opens_by_keyboard(page: Page) -> None:
    """`g` and a letter open each page, and what is marked as here is that page."""
    _arrived(page, "Chats")
    for name, key in PAGES.items():
        page.keyboard.press("g")
        page.keyboard.press(key)
        _arrived(page, name)
        expect(page.locator("[aria-current=page]")).to_have_text(name)


def test_keys_are_told_and_never_taken_from_a_field(page: Page) -> None:
    """`?` lists the keys, Escape closes the list, and what is typed into a field stays there."""
    _arrived(page, "Chats")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    axe(page)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.keyboard.press("g")
    page.keyboard.press("p")
    page.get_by_label("Your message").fill("")
    page.get_by_label("Your message").press_sequentially("gm?")
    expect(page.get_by_label("Your message")).to_have_value("gm?")
    _arrived(page, "Playground")


def test_the_first_key_skips_to_the_content(page: Page) -> None:
    """Tab and Enter lead past the navigation."""
    _arrived(page, "Chats")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("main")).to_be_focused()


@pytest.mark.parametrize("width", [360, 768, 2560])
def test_nothing_is_wider_than_the_window(service: Service, opened: Callable[..., Page], width: int) -> None:
    """On a phone and on a wall: no page scrolls sideways, and the menu leads everywhere."""
    page = opened(service, width=width, height=800)
    for name in PAGES:
        if width < 768:
            page.get_by_role("button", name="Open the menu").click()
        page.get_by_role("navigation", name="Pages").get_by_role("link", name=name).click()
        _arrived(page, name)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        axe(page)


def test_colours_are_chosen_and_kept(page: Page) -> None:
    """From the system's to light to dark; a page that is loaded again is dark before anything is drawn."""
    root = page.locator("html")
    colours = page.get_by_role("button", name="Colours:")
    for said in ("light", "dark"):
        colours.click() if said == "light" else colours.press("Enter")
        expect(root).to_have_attribute("data-mantine-color-scheme", said)
    page.reload(wait_until="commit")
    expect(root).to_have_attribute("data-mantine-color-scheme", "dark")


def test_a_token_is_asked_for_and_a_wrong_one_is_told(
    keyed_service: Service, opened: Callable[..., Page], faults: Faults
) -> None:
    """With keys the console opens at the login; a wrong token is refused in words, a right one leads in and out again."""
    faults.allow("401")
    token = keyed_service.operator.post("/auth/sessions", json={"user_id": "local"}).json()["session_token"]
    page = opened(keyed_service)
    field = page.get_by_label("Token", exact=True)
    axe(page)
    field.fill("rs_nonsense")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("not valid")
    field.fill(token)
    page.get_by_role("button", name="Sign in").click()
    _arrived(page, "Chats")
    page.reload()
    _arrived(page, "Chats")
    page.get_by_role("button", name="Memory of local").click()
    page.get_by_role("menuitem", name="Sign out").click()
    field.press_sequentially(token)
    page.keyboard.press("Enter")
    _arrived(page, "Chats")
    page.get_by_role("button", name="Memory of local").press("Enter")
    page.get_by_role("menuitem", name="Sign out").press("Enter")
    expect(field).to_be_visible()


def test_a_service_key_chooses_a_user(keyed_service: Service, opened: Callable[..., Page]) -> None:
    """A service key is asked whose memory it wants to see."""
    page = opened(keyed_service)
    page.get_by_label("Token", exact=True).fill(SERVICE_KEY)
    page.keyboard.press("Enter")
    page.get_by_role("textbox", name="User", exact=True).fill("local")
    page.get_by_role("button", name="Open").click()
    _arrived(page, "Chats")
    expect(page.get_by_text("Half marathon")).to_be_visible()


def test_a_token_that_ends_leads_back_to_the_login(
    keyed_service: Service, opened: Callable[..., Page], faults: Faults
) -> None:
    """A session that was revoked meanwhile shows the login, not a page of errors."""
    faults.allow("401")
    made = keyed_service.operator.post("/auth/sessions", json={"user_id": "local"}).json()
    page = opened(keyed_service)
    page.get_by_label("Token", exact=True).fill(made["session_token"])
    page.keyboard.press("Enter")
    _arrived(page, "Chats")
    keyed_service.http(x_session_token=made["session_token"]).delete("/auth/sessions")
    page.get_by_role("link", name="Memories").click()
    expect(page.get_by_label("Token", exact=True)).to_be_visible()


# -- whose memory ------------------------------------------------------------------------------------------


@pytest.fixture
def local_file(tmp_path: Path) -> Iterator[Service]:
    """A file in local mode that no console has seen: its users are the test's own."""
    with serving(tmp_path / "memory.db", settings=SETTINGS, local=True, embedder=FakeEmbedder()) as running:
        yield running


def _add(service: Service, user: str, content: str) -> str:
    return service.run(service.memory.add(content, user=user)).memory.memory_id


def test_the_only_user_of_a_file_is_opened(local_file: Service, opened: Callable[..., Page]) -> None:
    """In local mode nobody has to know a name: the memory of the only user is shown, and whose it is."""
    _add(local_file, "alice@example.com", "User keeps bees behind the house")
    page = opened(local_file, "/#/memories")
    expect(page.get_by_role("listbox", name="Memories")).to_contain_text("keeps bees")
    expect(page.get_by_role("button", name="Memory of alice@example.com")).to_be_visible()
    axe(page)
    page.reload()
    expect(page.get_by_role("listbox", name="Memories")).to_contain_text("keeps bees")


@pytest.mark.parametrize("width", [390, 1280])
def test_local_mode_switches_between_users(
    local_file: Service, opened: Callable[..., Page], width: int
) -> None:
    """One of several users is shown, and any other can be chosen; the choice outlives a reload."""
    for user, thing in (("alice", "bees"), ("bob", "goats")):
        _add(local_file, user, f"User keeps {thing} behind the house")
    page = opened(local_file, "/#/memories", width=width)
    listed = page.get_by_role("listbox", name="Memories")
    expect(listed).to_contain_text("bees")
    page.get_by_role("button", name="Memory of alice").click()
    choose(page.get_by_role("combobox", name="Show the memory of"), "bob", "mouse")
    expect(listed).to_contain_text("goats")
    expect(listed).not_to_contain_text("bees")
    page.reload()
    expect(page.get_by_role("button", name="Memory of bob")).to_be_visible()
    expect(listed).to_contain_text("goats")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_looking_is_no_use(local_file: Service, opened: Callable[..., Page]) -> None:
    """A memory that is found, opened and shown in the inspector is not counted as used."""
    memory_id = _add(local_file, "alice", "User keeps bees behind the house")
    local_file.run(local_file.memory.chat("garden", user="alice").add(user="Hello there"))
    page = opened(local_file, "/#/memories?q=bees")
    page.get_by_role("listbox", name="Memories").get_by_role("option").first.click()
    expect(page.get_by_label("The chosen memory")).to_contain_text("keeps bees")
    page.goto(f"{local_file.url}/#/chats?chat=garden&ask=Who+keeps+bees")
    expect(page.get_by_role("region", name="Context inspector")).to_contain_text("keeps bees")
    local_file.run(engine_of(local_file.memory).parts.accesses.flush())
    assert local_file.run(local_file.memory.get(memory_id, user="alice")).access_count == 0

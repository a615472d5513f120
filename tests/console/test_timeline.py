"""The timeline in a real browser: sessions with their summaries, and versions beside each other, by mouse and by keyboard."""

import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Locator, Page, expect
from serving import Service

from recollect.types import Spine

from .conftest import axe, choose_by_keyboard


def _rows(page: Page, label: str = "Sessions") -> Locator:
    return page.get_by_role("listbox", name=label).get_by_role("option")


def _session(page: Page) -> Locator:
    return page.get_by_role("region", name="Session")


def _spines(service: Service) -> Sequence[Spine]:
    """Every version, oldest first."""
    spine = service.run(service.memory.spine(revisions=True))
    assert spine is not None
    return spine.revisions


def test_a_session_is_read_by_mouse_and_leads_to_its_chat(
    service: Service, opened: Callable[..., Page]
) -> None:
    """A click shows S4's six fields as they are stored, and the chat at that time is one click away."""
    page = opened(service, "/#/timeline")
    past = service.run(service.memory.sessions(limit=50))
    expect(_rows(page).first).to_contain_text(past[0].summary.digest.one_liner[:40])
    _rows(page).nth(1).click()
    digest = past[1].summary.digest
    expect(_session(page).get_by_role("heading", level=2)).to_have_text(digest.one_liner)
    for item in (*digest.what_mattered, *digest.open_loops, *digest.commitments, *digest.people):
        expect(_session(page).get_by_text(item).first).to_be_visible()
    expect(_session(page)).to_contain_text(f"tone: {digest.tone}")
    (chat,) = service.run(service.memory.sessions(session=past[1].session.session_id))[0].chats
    _session(page).get_by_role("link", name=chat.title).click()
    expect(page.get_by_role("heading", level=1, name="Chats")).to_be_visible()
    assert f"message={chat.first_message_id}" in page.url
    assert service.run(service.memory.message(chat.first_message_id)).created_at == past[1].session.started_at


def test_a_session_is_read_by_keyboard(service: Service, opened: Callable[..., Page]) -> None:
    """The arrows move, Enter opens, also the chat at that time; Escape closes."""
    page = opened(service, "/#/timeline")
    expect(_rows(page).first).to_be_visible()
    _rows(page).first.focus()
    for index in (1, 2):
        page.keyboard.press("ArrowDown")
        expect(_rows(page).nth(index)).to_be_focused()
    page.keyboard.press("Enter")
    third = service.run(service.memory.sessions(limit=3))[2]
    expect(_session(page).get_by_role("heading", level=2)).to_have_text(third.summary.digest.one_liner)
    (chat,) = service.run(service.memory.sessions(session=third.session.session_id))[0].chats
    _session(page).get_by_role("link", name=chat.title).press("Enter")
    expect(page).to_have_url(re.compile(f"message={chat.first_message_id}"))
    page.go_back()
    _session(page).get_by_role("button", name="Close").focus()
    page.keyboard.press("Escape")
    expect(_session(page).get_by_role("button", name="Close")).to_have_count(0)


def test_sessions_are_those_of_a_persona(service: Service, opened: Callable[..., Page]) -> None:
    """The persona that is chosen, by mouse or by keyboard, is the only one that is shown."""
    page = opened(service, "/#/timeline")
    persona = page.get_by_role("combobox", name="Persona")
    persona.click()
    page.get_by_role("option", name="studio", exact=True).click()
    past = service.run(service.memory.sessions(persona="studio", limit=1000))
    expect(_rows(page).first).to_have_attribute("aria-setsize", str(len(past)))
    assert all("studio" in text for text in _rows(page).all_inner_texts())
    choose_by_keyboard(persona, "ArrowUp")
    past = service.run(service.memory.sessions(persona="companion", limit=1000))
    expect(_rows(page).first).to_have_attribute("aria-setsize", str(len(past)))


def test_a_session_that_was_resumed_shows_how_its_summary_changed(
    service: Service, opened: Callable[..., Page]
) -> None:
    """Each close wrote a revision; the last stands beside the one before."""
    memory = service.memory
    begun = datetime.now(UTC) - timedelta(hours=3)
    chat = memory.chat("balcony", persona="gardener")
    for minutes, text in (
        (0, "I planted <b>tomatoes</b> on the balcony."),
        (33, "I promised Elin a basil plant."),
    ):
        said = {"role": "user", "text": text, "created_at": begun + timedelta(minutes=minutes)}
        service.run(chat.add([said]))
        assert service.run(memory.drain(timeout=60))
    (listed,) = service.run(memory.sessions(persona="gardener"))
    (past,) = service.run(memory.sessions(session=listed.session.session_id, revisions=True))
    assert len(past.summaries) == 2
    page = opened(service, f"/#/timeline?session={past.session.session_id}")
    revisions = _session(page).get_by_role("combobox", name="Revision")
    expect(revisions).to_be_visible()
    expect(_session(page).locator("ins").filter(has_text="basil").first).to_be_visible()
    expect(_session(page).get_by_text("<b>tomatoes</b>").first).to_be_visible()
    axe(page)
    choose_by_keyboard(revisions, "ArrowUp")
    expect(_session(page).get_by_role("region", name="In one line").locator("del")).to_have_count(0)
    revisions.click()
    page.get_by_role("option", name="Revision 2,").click()
    expect(_session(page).locator("ins").filter(has_text="basil").first).to_be_visible()


def test_spine_versions_stand_side_by_side(service: Service, opened: Callable[..., Page]) -> None:
    """What came is marked as new, what went as gone, and what stayed is folded until somebody wants it."""
    page = opened(service, "/#/timeline?view=spine")
    spines = _spines(service)
    new, old = spines[-1].content.profile.splitlines(), spines[-2].content.profile.splitlines()
    profile = page.get_by_role("region", name="Profile")
    came = next(line for line in new if line not in old)
    expect(profile.get_by_text(came)).to_be_visible()
    gone = next(line for line in old if line not in new)
    expect(profile.locator("[data-side=before]").filter(has_text=gone)).to_be_visible()
    expect(profile.locator("[data-side=after]").filter(has_text=gone)).to_have_count(0)
    fold = profile.get_by_role("button", name="lines stayed").first
    hidden = profile.get_by_role("listitem").count()
    fold.click()
    assert profile.get_by_role("listitem").count() > hidden
    axe(page)
    number = spines[-3].version
    _rows(page, "Versions of the overall summary").nth(2).click()
    expect(page.get_by_role("heading", name=f"Version {number}", exact=True)).to_be_visible()
    page.get_by_role("combobox", name="Compared with").click()
    page.get_by_role("option", name=f"Version {spines[-1].version},").click()
    expect(page).to_have_url(re.compile(f"version={number}&against={spines[-1].version}$"))
    fold = page.get_by_role("button", name="lines stayed").first
    hidden = page.get_by_role("listitem").count()
    fold.press("Enter")
    assert page.get_by_role("listitem").count() > hidden


def test_versions_are_compared_by_keyboard(service: Service, opened: Callable[..., Page]) -> None:
    """The list and the field of what it is compared with need no mouse; the address keeps both."""
    page = opened(service, "/#/timeline?view=spine")
    rows = _rows(page, "Versions of the overall summary")
    expect(rows.first).to_be_visible()
    rows.first.focus()
    page.keyboard.press("ArrowDown")
    expect(rows.nth(1)).to_be_focused()
    page.keyboard.press("Enter")
    spines = _spines(service)
    number = spines[-2].version
    expect(page.get_by_role("heading", name=f"Version {number}", exact=True)).to_be_visible()
    choose_by_keyboard(page.get_by_role("combobox", name="Compared with"), "ArrowUp")
    expect(page).to_have_url(f"{service.url}/#/timeline?view=spine&version={number}&against={number + 1}")
    page.reload()
    expect(page.get_by_role("heading", name=f"Version {number}", exact=True)).to_be_visible()
    assert (
        page.get_by_role("combobox", name="Compared with").input_value().startswith(f"Version {number + 1},")
    )


def test_rolling_summaries_and_briefs_over_time(service: Service, opened: Callable[..., Page]) -> None:
    """Both show their newest version first, by keyboard and by mouse; a brief leads to the message that it reaches up to."""
    page = opened(service, "/#/timeline?view=rolling&persona=studio")
    rolling = service.run(service.memory.state(persona="studio", revisions=True)).rolling_summaries
    rows = _rows(page, "Recent summaries with studio")
    expect(rows.first).to_contain_text(f"Version {rolling[-1].revision}")
    expect(rows.first).to_have_attribute("aria-setsize", str(len(rolling)))

    page.get_by_role("radio", name="Recent").focus()
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("view=briefs"))
    chat = page.get_by_role("combobox", name="Chat")
    chat.focus()
    page.keyboard.press("Control+a")
    page.keyboard.type("research")
    expect(page.get_by_role("option", name="Research interviews")).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("chat=research"))
    page.get_by_role("radiogroup", name="View").get_by_text("Recent").click()
    page.get_by_role("radiogroup", name="View").get_by_text("By chat").click()
    chat.click()
    page.get_by_role("option", name="Harbour ferry app: redesign").click()
    briefs = service.run(service.memory.chat("harbour-redesign").brief(revisions=True)).revisions
    expect(_rows(page, "Versions of the chat summary").first).to_contain_text(
        f"Version {briefs[-1].revision}"
    )
    expect(page.get_by_role("region", name="Text")).to_contain_text("lines stayed")
    for key in ("", "Enter"):
        there = page.get_by_role("link", name="the chat up to here")
        there.press(key) if key else there.click()
        expect(page.get_by_role("heading", level=1, name="Chats")).to_be_visible()
        assert f"message={briefs[-1].last_summarized_message_id}" in page.url
        page.go_back()


def test_nothing_yet_is_explained(service: Service, opened: Callable[..., Page]) -> None:
    """A persona that nobody has talked with has nothing to show, and each view says how that changes."""
    page = opened(service, "/#/timeline?persona=nobody")
    expect(page.get_by_role("heading", name="No sessions yet")).to_be_visible()
    page.goto(f"{service.url}/#/timeline?persona=nobody&view=rolling")
    expect(page.get_by_role("heading", name="No recent summary yet")).to_be_visible()
    page.goto(f"{service.url}/#/timeline?persona=nobody&view=briefs")
    expect(page.get_by_role("heading", name="No chat summaries yet")).to_be_visible()


@pytest.mark.parametrize(("width", "scheme"), [(360, "light"), (2560, "dark")])
def test_every_view_is_usable_at_every_width(
    service: Service, opened: Callable[..., Page], width: int, scheme: str
) -> None:
    """No serious fault of accessibility and nothing wider than the window, in both colours."""
    page = opened(service, "/#/timeline", width=width, color_scheme=scheme)
    last = service.run(service.memory.sessions(limit=1))[0].session.session_id
    for view in ("", f"?session={last}", "?view=spine", "?view=rolling", "?view=briefs"):
        page.goto(f"{service.url}/#/timeline{view}")
        expect(page.get_by_role("status", name="Loading")).to_have_count(0)
        axe(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= width

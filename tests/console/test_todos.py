"""Todos in a real browser: noted, changed, ticked off, dropped, taken up again, deleted; by mouse and by keyboard."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from conftest import FakeEmbedder
from engine.conversing import until
from playwright.sync_api import Locator, Page, expect
from serving import Service, serving

from .conftest import SETTINGS, Faults, axe, choose

HOSTILE = "<script>alert(1)</script>\u202egnp.exe\u202c " + "W" * 1900


def _open(service: Service, opened: Callable[..., Page], address: str = "", **options: Any) -> Page:
    page = opened(service, f"/#/todos{address}", **options)
    expect(page.get_by_role("heading", level=1, name="Todos")).to_be_visible()
    expect(page.get_by_role("status", name="Loading")).to_have_count(0)
    return page


def _row(page: Page, text: str) -> Locator:
    return page.get_by_role("listitem").filter(has_text=text)


def _add(service: Service, text: str, **more: Any) -> str:
    return service.run(service.memory.add_todo(text, user="local", **more)).todo_id


def _kept(service: Service, text: str) -> Any:
    """The todo of these words; None: there is none."""
    found = service.run(service.memory.todos(user="local", status=None, limit=1000))
    return next((todo for todo in found if todo.text == text), None)


def _becomes(service: Service, text: str, status: str | None) -> None:
    def stands() -> bool:
        todo = _kept(service, text)
        return (None if todo is None else todo.status.value) == status

    until(stands)


def test_what_is_overdue_is_told(service: Service, opened: Callable[..., Page]) -> None:
    """What is late stands first and says so; what has no date stands last."""
    page = _open(service, opened)
    expect(_row(page, "Call the restaurant for the birthday")).to_contain_text("overdue, was due")
    expect(page.get_by_text("overdue", exact=False).first).to_be_visible()
    headings = page.get_by_role("heading", level=2).all_inner_texts()
    assert headings[0].startswith("Overdue") and headings[-1].startswith("Without a date")
    axe(page)


def test_noted_changed_and_done_by_mouse(service: Service, opened: Callable[..., Page]) -> None:
    """A todo is added with a date, edited, ticked off and taken back, and the database has it so."""
    page = _open(service, opened)
    form = page.get_by_role("form", name="New todo")
    form.get_by_label("What", exact=True).fill("Water the ficus")
    form.get_by_role("combobox", name="Kind").click()
    page.get_by_role("option", name="habit").click()
    form.get_by_label("Due").fill("2031-05-06T18:30")
    form.get_by_role("button", name="Add").click()
    row = _row(page, "Water the ficus")
    expect(row).to_contain_text("due in")
    expect(form.get_by_label("What", exact=True)).to_have_value("")
    kept = _kept(service, "Water the ficus")
    assert (kept.kind.value, kept.due_at.astimezone().year) == ("habit", 2031)

    row.get_by_role("button", name="Edit").click()
    page.get_by_role("form", name="Edit").get_by_label("What", exact=True).fill(
        "Water the ficus and the fern"
    )
    page.get_by_role("form", name="Edit").get_by_label("Due").fill("")
    page.get_by_role("button", name="Save").click()
    expect(_row(page, "Water the ficus and the fern")).not_to_contain_text("due in")
    until(lambda: _kept(service, "Water the ficus and the fern") is not None)
    assert _kept(service, "Water the ficus and the fern").due_at is None

    _row(page, "Water the ficus and the fern").get_by_role("checkbox").click()
    expect(_row(page, "Water the ficus and the fern")).to_have_count(0)
    _becomes(service, "Water the ficus and the fern", "done")
    page.get_by_role("button", name="Undo").click()
    expect(_row(page, "Water the ficus and the fern")).to_be_visible()
    _becomes(service, "Water the ficus and the fern", "open")


def test_dropped_taken_up_and_deleted_by_mouse(service: Service, opened: Callable[..., Page]) -> None:
    """The menu drops a todo; among the dropped it is taken up again or, after a question, deleted."""
    _add(service, "Learn to juggle")
    page = _open(service, opened)
    _row(page, "Learn to juggle").get_by_role("button", name="More").click()
    page.get_by_role("menuitem", name="Drop").click()
    _becomes(service, "Learn to juggle", "dropped")
    page.get_by_text("Dropped", exact=True).click()
    _row(page, "Learn to juggle").get_by_role("button", name="More").click()
    axe(page)
    page.get_by_role("menuitem", name="Reopen").click()
    _becomes(service, "Learn to juggle", "open")
    page.get_by_text("Open", exact=True).click()
    _row(page, "Learn to juggle").get_by_role("button", name="More").click()
    page.get_by_role("menuitem", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(_row(page, "Learn to juggle")).to_have_count(0)
    _becomes(service, "Learn to juggle", None)


def _choose(page: Page, text: str, item: str) -> None:
    """Choose from the menu of a todo by keyboard."""
    _row(page, text).get_by_role("button", name="More").focus()
    page.keyboard.press("Enter")
    page.get_by_role("menuitem", name=item).focus()
    page.keyboard.press("Enter")


def test_everything_by_keyboard(service: Service, opened: Callable[..., Page]) -> None:
    """Add with Enter, tick with Space, edit with Enter, leave with Escape; reopen, drop and delete through the menu."""
    page = _open(service, opened)
    page.get_by_label("What", exact=True).focus()
    page.keyboard.type("Call Sofia back")
    page.keyboard.press("Enter")
    row = _row(page, "Call Sofia back")
    expect(row).to_be_visible()
    row.get_by_role("button", name="Edit").focus()
    page.keyboard.press("Enter")
    field = page.get_by_role("form", name="Edit").get_by_label("What", exact=True)
    expect(field).to_be_focused()
    page.keyboard.press("Escape")
    expect(field).to_have_count(0)
    row.get_by_role("button", name="Edit").focus()
    page.keyboard.press("Enter")
    expect(field).to_be_focused()
    page.keyboard.press("End")
    page.keyboard.type(" tonight")
    page.keyboard.press("Enter")
    row = _row(page, "Call Sofia back tonight")
    row.get_by_role("checkbox").focus()
    page.keyboard.press("Space")
    _becomes(service, "Call Sofia back tonight", "done")
    page.get_by_role("button", name="Undo").press("Enter")
    _becomes(service, "Call Sofia back tonight", "open")
    row.get_by_role("checkbox").press("Space")
    _becomes(service, "Call Sofia back tonight", "done")
    page.get_by_role("radio", name="Open").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(f"{service.url}/#/todos?show=done")
    _choose(page, "Call Sofia back tonight", "Reopen")
    _becomes(service, "Call Sofia back tonight", "open")
    page.get_by_role("radio", name="Done").focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    _choose(page, "Call Sofia back tonight", "Drop")
    _becomes(service, "Call Sofia back tonight", "dropped")
    page.get_by_role("radio", name="Open").focus()
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(f"{service.url}/#/todos?show=dropped")
    _choose(page, "Call Sofia back tonight", "Delete")
    expect(page.get_by_role("button", name="Cancel").last).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    _becomes(service, "Call Sofia back tonight", None)


def test_filters_are_in_the_address(service: Service, opened: Callable[..., Page]) -> None:
    """Kind, persona and view can be sent on: the page opens as it was left. What is added there is the persona's, and seen."""
    page = _open(service, opened, "?kind=friction&persona=studio")
    expect(_row(page, "The build fails on Mondays")).to_be_visible()
    expect(_row(page, "Send Priya the icon set")).to_have_count(0)
    page.get_by_role("combobox", name="Kind of todo").click()
    page.get_by_role("option", name="thread").click()
    expect(_row(page, "Whether to apply for the grant")).to_be_visible()
    assert "kind=thread" in page.url
    page.get_by_label("What", exact=True).fill("Frame the old poster")
    page.get_by_role("button", name="Add").click()
    expect(_row(page, "Frame the old poster")).to_be_visible()
    assert _kept(service, "Frame the old poster").persona_id == "studio"
    assert "kind" not in page.url
    page.goto(f"{service.url}/#/todos?show=due")
    expect(page.get_by_role("heading", level=2, name="Overdue")).to_be_visible()
    expect(page.get_by_role("heading", level=2, name="Without a date")).to_have_count(0)


@pytest.mark.parametrize("by", ["mouse", "keyboard"])
def test_todos_are_those_of_a_kind_and_a_persona(
    service: Service, opened: Callable[..., Page], by: str
) -> None:
    """Chosen by mouse, and again by keyboard, kind, persona and view leave what the engine leaves."""
    page = _open(service, opened)

    def shown(**wanted: Any) -> None:
        left = service.run(service.memory.todos(user="local", status="open", limit=1000, **wanted))
        expect(page.get_by_role("checkbox")).to_have_count(len(left))
        for todo in left:
            expect(_row(page, todo.text)).to_be_visible()

    choose(page.get_by_role("combobox", name="Kind of todo"), "friction", by)
    shown(kind="friction")
    choose(page.get_by_role("combobox", name="Persona"), "studio", by)
    shown(kind="friction", persona="studio")
    if by == "mouse":
        page.get_by_role("radiogroup", name="Which todos").get_by_text("Due").click()
    else:
        page.get_by_role("radio", name="Open").press("ArrowRight")
    expect(page).to_have_url(f"{service.url}/#/todos?kind=friction&persona=studio&show=due")


def test_an_address_names_one_todo(service: Service, opened: Callable[..., Page]) -> None:
    """A link shows that todo alone, also when it is done; it is changed there, and one that is gone is told."""
    todo = _add(service, "Return the ladder", status="done")
    page = _open(service, opened, f"?todo={todo}")
    one = page.get_by_role("region", name="The todo of this address")
    expect(one).to_contain_text("Return the ladder")
    expect(page.get_by_role("listitem")).to_have_count(0)
    axe(page)
    one.get_by_role("checkbox").click()
    _becomes(service, "Return the ladder", "open")
    expect(one).to_contain_text("One todo, open")
    one.get_by_role("checkbox").press("Space")
    _becomes(service, "Return the ladder", "done")
    one.get_by_role("checkbox").press("Space")
    page.get_by_role("link", name="Show every todo").press("Enter")
    expect(_row(page, "Return the ladder")).to_be_visible()
    page.goto(f"{service.url}/#/todos?todo=nobody")
    expect(page.get_by_role("heading", name="This todo is gone")).to_be_visible()


def test_the_source_leads_to_the_chat(service: Service, opened: Callable[..., Page]) -> None:
    """Where it was said is shown on demand, with the way to the message."""
    chat = service.memory.chat("errands", user="local")
    said = service.run(chat.add(user="Remind me of the parcel.")).messages[0]
    _add(service, "Fetch the parcel", source_message_ids=[said.message_id])
    page = _open(service, opened)
    _row(page, "Fetch the parcel").get_by_role("button", name="said once").click()
    expect(page.get_by_text("Remind me of the parcel.")).to_be_visible()
    there = page.get_by_role("link", name="Open in Chats")
    there.click()
    expect(page.get_by_role("heading", level=1, name="Chats")).to_be_visible()
    page.go_back()
    _row(page, "Fetch the parcel").get_by_role("button", name="said once").press("Enter")
    there.press("Enter")
    expect(page.get_by_role("heading", level=1, name="Chats")).to_be_visible()
    assert "chat=errands" in page.url and said.message_id in page.url


def test_a_change_that_is_refused_goes_back(
    service: Service, opened: Callable[..., Page], faults: Faults
) -> None:
    """A todo that was deleted elsewhere cannot be ticked off: the page says why, and shows how it is."""
    faults.allow("404")
    todo = _add(service, "Paint the shed")
    page = _open(service, opened)
    expect(_row(page, "Paint the shed")).to_be_visible()
    service.run(service.memory.forget(todo=todo, user="local"))
    _row(page, "Paint the shed").get_by_role("checkbox").click()
    expect(page.get_by_role("alert")).to_contain_text("There is no todo")
    expect(_row(page, "Paint the shed")).to_have_count(0)


def test_hostile_words_and_many_of_them(copied: Callable[[], Any], opened: Callable[..., Page]) -> None:
    """Markup stays text, words without end break, and of a thousand todos only those that are seen are drawn."""
    with serving(copied(), settings=SETTINGS, local=True, embedder=FakeEmbedder()) as service:
        for number in range(1000):
            _add(service, f"Number {number}", kind="thread")
        late = datetime.now(UTC) - timedelta(days=900)
        _add(service, HOSTILE, due_at=late)
        page = _open(service, opened, width=360)
        expect(page.get_by_text("<script>alert(1)</script>")).to_be_visible()
        expect(page.get_by_text("1,0", exact=False).first).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        assert page.get_by_role("listitem").count() < 100
        axe(page)

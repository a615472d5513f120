"""Health in a real browser: jobs are tried again, charts are drawn, files go out and in."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from engine.conversing import until
from playwright.sync_api import Locator, Page, expect
from serving import SERVICE_KEY, Service

from recollect.api.engine import engine_of
from recollect.records.job import JobKind, NewJob, chat_lane
from recollect.store import jobs

from .conftest import axe


def _open(service: Service, opened: Callable[..., Page], **options: object) -> Page:
    page = opened(service, "/#/health", **options)
    # The driver says so and does not wait: asked for together with a key, the browser would open a window of its own.
    page.on("filechooser", lambda _: None)
    expect(page.get_by_role("heading", level=1, name="Health")).to_be_visible()
    expect(page.get_by_role("status", name="Loading")).to_have_count(0)
    return page


def _dead(service: Service) -> int:
    return len(service.run(service.admin.jobs(user="local", status="dead")))


def _bury(service: Service, count: int) -> None:
    """Leave more jobs that failed too often."""
    parts = engine_of(service.memory).parts
    now = parts.now()
    chats = service.run(service.memory.chats(user="local", limit=count))
    lost = [
        NewJob(
            kind=JobKind.FOLD,
            lane=chat_lane(chat.chat_id),
            subject=chat.chat_id,
            payload={"chat_id": chat.chat_id},
        )
        for chat in chats
    ]

    def fail(tx: Any) -> None:
        jobs.add(tx, "local", lost, now=now, new_id=lambda: parts.new_id(now))
        tx.run("UPDATE jobs SET status = 'dead', attempts = 8 WHERE kind = 'fold'", {})

    service.run(parts.database.write("local", fail))


def test_everything_is_told(service: Service, opened: Callable[..., Page]) -> None:
    """Readiness, numbers, two charts with their tables, savings, the store and what models cost."""
    page = _open(service, opened)
    expect(page.get_by_text("Ready", exact=True)).to_be_visible()
    stats = service.run(service.memory.stats(user="local"))
    memory = page.get_by_role("region", name="Memory", exact=True)
    expect(memory).to_contain_text(f"{stats.messages:,}")
    expect(memory.get_by_role("table")).to_have_count(2)
    weeks = memory.get_by_role("table", name="New memories per week").get_by_role("row")
    assert weeks.count() - 1 >= len(stats.growth)
    steps = memory.get_by_role("table", name="Importance").get_by_role("row")
    assert steps.count() == 12
    expect(memory.locator("svg rect")).to_have_count(weeks.count() - 1 + 11)
    expect(page.get_by_role("region", name="Tokens saved", exact=True)).to_contain_text("need not be sent")
    store = page.get_by_role("region", name="The store")
    expect(store).to_contain_text("fake-64")
    expect(store).to_contain_text("extraction tokens")
    axe(page)


def test_a_dead_job_is_tried_again_by_mouse_and_by_keyboard(
    service: Service, opened: Callable[..., Page]
) -> None:
    """What failed too often is tried again one by one or all at once, at a click and at Enter."""
    page = _open(service, opened)
    expect(page.get_by_role("region", name="Work", exact=True)).to_contain_text("the model did not answer")
    retry = page.get_by_role("button", name="Retry:")
    for every, act in ((4, Locator.click), (3, partial(Locator.press, key="Enter"))):
        service.run(service.memory.drain(user="local", timeout=60))
        _bury(service, 3)
        assert _dead(service) == every
        page.reload()
        expect(retry).to_have_count(every)
        act(retry.first)
        until(lambda left=every - 1: _dead(service) == left)
        expect(retry).to_have_count(every - 1)
        act(page.get_by_role("button", name=f"Retry all {every - 1}"))
        until(lambda: _dead(service) == 0)
        expect(page.get_by_role("button", name="Retry")).to_have_count(0)


def test_files_out_and_in(service: Service, opened: Callable[..., Page], tmp_path: Path) -> None:
    """By mouse: an export is downloaded, and read again; what is known already is no news."""
    page = _open(service, opened)
    with page.expect_download() as download:
        page.get_by_role("button", name="Export").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    document = json.loads(file.read_text("utf-8"))
    assert file.suffix == ".json" and len(document["chats"]) == 11
    expect(page.get_by_role("status").filter(has_text=file.name)).to_be_visible()

    document["memories"] = [
        {
            "memory_id": "2026-01-28T10:30:45.123Z#a1b2c3d4",
            "content": "User plays the nyckelharpa on Sundays.",
            "category": "skill",
            "created_at": "2026-01-28T10:30:45.123Z",
        },
        {"content": "nobody knows when"},
    ]
    file.write_text(
        json.dumps({**document, "chats": [], "sessions": [], "entities": [], "todos": []}), "utf-8"
    )
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Choose a file").click()
    chooser.value.set_files(file)
    expect(page.get_by_text("2 memories")).to_be_visible()
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_role("region", name="Import")).to_contain_text("Imported 1")
    expect(page.get_by_role("region", name="Skipped entries")).to_contain_text("is missing")
    axe(page)
    known = service.run(service.memory.memories(user="local", limit=1000))
    assert "User plays the nyckelharpa on Sundays." in [item.content for item in known]


def _choose(page: Page, file: Path) -> None:
    """Choose a file by keyboard."""
    page.get_by_role("button", name="Choose a file").focus()
    with page.expect_file_chooser() as chooser:
        page.keyboard.press("Enter")
    chooser.value.set_files(file)


def test_files_by_keyboard_and_what_is_no_export(
    service: Service, opened: Callable[..., Page], tmp_path: Path
) -> None:
    """By keyboard: Markdown of two parts goes out; it cannot be read again, and the page says so; lines can."""
    page = _open(service, opened)
    page.get_by_role("radio", name="JSON").focus()
    page.keyboard.press("ArrowRight")
    for part in ("entities", "chats", "sessions", "seed"):
        page.get_by_role("checkbox", name=part).focus()
        page.keyboard.press("Space")
    page.get_by_role("button", name="Export").focus()
    with page.expect_download() as download:
        page.keyboard.press("Enter")
    file = tmp_path / "export.md"
    download.value.save_as(file)
    words = file.read_text("utf-8")
    assert words.startswith("# ") and "Send Priya the icon set" in words
    _choose(page, file)
    expect(page.get_by_role("alert")).to_contain_text("export.md holds no JSON")

    file = tmp_path / "lines.jsonl"
    lines = ({"content": "User tunes a nyckelharpa."}, {"content": "User keeps bees behind the house."})
    file.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    _choose(page, file)
    expect(page.get_by_role("button", name="Import", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("region", name="Import")).to_contain_text("Imported 2")
    known = service.run(service.memory.memories(user="local", limit=1000))
    assert {line["content"] for line in lines} <= {item.content for item in known}


def test_what_is_the_operators_is_not_shown_to_others(
    keyed_service: Service, opened: Callable[..., Page]
) -> None:
    """A user's token sees why the store is hidden; a service key sees the store."""
    token = keyed_service.operator.post("/auth/sessions", json={"user_id": "local"}).json()["session_token"]
    page = opened(keyed_service, "/#/health")
    page.get_by_label("Token", exact=True).fill(token)
    page.keyboard.press("Enter")
    store = page.get_by_role("region", name="The store")
    expect(store).to_contain_text("sign in with a service key")
    axe(page)
    page = opened(keyed_service, "/#/health")
    page.get_by_label("Token", exact=True).fill(SERVICE_KEY)
    page.keyboard.press("Enter")
    page.get_by_role("textbox", name="User", exact=True).fill("local")
    page.keyboard.press("Enter")
    expect(store).to_have_count(1)
    expect(page.get_by_role("region", name="The store")).to_contain_text("All users' jobs")

"""What tests of the console start from: a seeded database, a real service over it, and a real Chromium that trusts nothing.

- `service`: a service in local mode over a copy of the seeded user, shared by the tests of a file.
- `keyed_service`: the same with a service key, where the console asks for a token.
- `page`: an open console, signed in. The test fails if the page logs an error, throws one, or asks another origin.
  What a test provokes it allows: `faults.allow("409")`.
- `axe(page)`: fails on serious faults of accessibility.

Chromium comes from the system's packages. Where it is missing, or the console was not built, the tests are skipped and say
so, unless CI=true: then they fail.
"""

import asyncio
import fcntl
import os
import re
import shutil
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from conftest import FakeEmbedder
from patience import LIMIT
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright
from serving import Service, serving

from recollect import Settings
from recollect.server.console.built import INDEX, built_files

ROOT = Path(__file__).resolve().parents[2]
AXE = ROOT / "console" / "node_modules" / "axe-core" / "axe.min.js"
#: Without these it looks for hosts of others at every start; the sandbox needs rights that containers do not give.
FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
    " --disable-component-update --disable-sync"
).split()
#: Milliseconds for what must appear; a busy machine must not reach it.
PATIENCE = 60_000
#: Faults that shut people out.
_SERIOUS = ("serious", "critical")


def missing(what: str) -> None:
    """Skip, and say why; where everything must be there, fail."""
    if os.environ.get("CI") == "true":
        pytest.fail(what)
    pytest.skip(what)


@pytest.fixture(scope="session")
def seeded_file(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """The believable user, made once for a run: the first worker makes it, the others wait for it."""
    if INDEX not in built_files():
        missing("The console is not built: make console")
    ours = tmp_path_factory.getbasetemp()
    file = (ours if worker_id == "master" else ours.parent) / "seeded" / "memory.db"
    file.parent.mkdir(exist_ok=True)
    with (file.parent / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not file.exists():
            making = file.with_name("making.db")
            _seed(making)
            for part in file.parent.glob("making.db*"):
                part.rename(part.with_name(part.name.replace("making", "memory")))
    return file


def _seed(file: Path) -> None:
    sys.path.insert(0, str(ROOT / "tools"))
    from seed_console import fill  # deferred: tools are no package

    failed: list[BaseException] = []

    def seed() -> None:
        try:
            asyncio.run(fill(file, embedder=FakeEmbedder()))
        except BaseException as error:
            failed.append(error)

    # In a thread: the browser's driver keeps a loop of its own running in this one.
    thread = threading.Thread(target=seed)
    thread.start()
    thread.join(LIMIT)
    assert not thread.is_alive(), "seeding took too long"
    if failed:
        raise failed[0]


@pytest.fixture(scope="module")
def copied(seeded_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Path]:
    """Makes copies of the seeded database."""

    def copy() -> Path:
        folder = tmp_path_factory.mktemp("copy")
        for file in seeded_file.parent.glob(f"{seeded_file.name}*"):
            shutil.copy(file, folder / file.name)
        return folder / seeded_file.name

    return copy


#: As people run it: rules judge what is said.
SETTINGS = Settings(sqlite_synchronous="normal", judge_model="rules")


@pytest.fixture(scope="module")
def service(copied: Callable[[], Path]) -> Iterator[Service]:
    """A service in local mode over the seeded user `local`."""
    with serving(copied(), settings=SETTINGS, local=True, embedder=FakeEmbedder()) as running:
        yield running


@pytest.fixture(scope="module")
def keyed_service(copied: Callable[[], Path]) -> Iterator[Service]:
    """A service with a key; the seeded user is called `local` there too."""
    with serving(copied(), settings=SETTINGS, embedder=FakeEmbedder()) as running:
        yield running


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A Chromium."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        missing("Chromium is not installed: apt-get install chromium")
    with sync_playwright() as driver:
        running = driver.chromium.launch(executable_path=found, args=FLAGS)
        yield running
        running.close()


@dataclass
class Faults:
    """What a page did that it must not do."""

    found: list[str] = field(default_factory=list[str])
    allowed: list[str] = field(default_factory=list[str])

    def allow(self, *words: str) -> None:
        """A fault that holds one of these words is one that the test provokes."""
        self.allowed += words

    def watch(self, page: Page, origin: str) -> None:
        page.on("console", lambda message: message.type == "error" and self.found.append(message.text))
        page.on("pageerror", lambda error: self.found.append(f"thrown: {error}"))
        page.on(
            "request",
            lambda request: (
                None
                if request.url.startswith((f"{origin}/", "data:", "blob:"))
                else self.found.append(f"left the origin: {request.url}")
            ),
        )

    def check(self) -> None:
        left = [fault for fault in self.found if not any(word in fault for word in self.allowed)]
        assert not left, left


@pytest.fixture
def faults() -> Iterator[Faults]:
    """Collects faults; checked when the test is over."""
    kept = Faults()
    yield kept
    kept.check()


@pytest.fixture
def opened(browser: Browser, faults: Faults) -> Iterator[Callable[..., Page]]:
    """Opens the console of a service in a window of its own: `opened(service, "/#/chats", width=360)`."""
    contexts: list[Any] = []

    def open_page(
        service: Service, address: str = "/", *, width: int = 1280, height: int = 800, **options: Any
    ) -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": height}, reduced_motion="reduce", locale="en-GB", **options
        )
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        faults.watch(page, service.url)
        page.goto(service.url + address)
        return page

    expect.set_options(timeout=PATIENCE)
    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture
def page(service: Service, opened: Callable[..., Page]) -> Page:
    """The console of the service in local mode, at its first page."""
    return opened(service)


@cache
def _axe_source() -> str:
    if not AXE.exists():
        missing("axe-core is not installed: cd console && npm ci")
    return AXE.read_text("utf-8")


def axe(page: Page) -> None:
    """Fail on what shuts people out, with the elements."""
    page.evaluate(_axe_source())
    result: dict[str, Any] = page.evaluate("() => axe.run(document, { resultTypes: ['violations'] })")
    found = [
        f"{fault['id']} ({fault['impact']}): {fault['help']}: {[node['html'][:200] for node in fault['nodes'][:3]]}"
        for fault in result["violations"]
        if fault["impact"] in _SERIOUS
    ]
    assert not found, "\n".join(found)


def choose_by_keyboard(field: Locator, *keys: str) -> None:
    """Open a field that is chosen from, move from what is chosen now, and take it."""
    field.focus()
    field.press("ArrowDown")
    # What is chosen now is found a moment after the list opens; whoever moves before that moves from its beginning.
    expect(field).to_have_attribute("aria-activedescendant", re.compile("."))
    for key in (*keys, "Enter"):
        field.press(key)


def choose(field: Locator, option: str, by: str) -> None:
    """Choose from a field by `mouse` or by `keyboard`: there down to the option, wherever it stands, and Enter."""
    wanted = field.page.get_by_role("option", name=option, exact=True)
    if by == "mouse":
        field.click()
        wanted.click()
        return
    field.focus()
    field.press("ArrowDown")
    expect(wanted).to_be_visible()
    expect(field).to_have_attribute("aria-activedescendant", re.compile("."))
    for _ in range(20):
        if field.get_attribute("aria-activedescendant") == wanted.get_attribute("id"):
            break
        field.press("ArrowDown")
    field.press("Enter")

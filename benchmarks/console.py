"""How long somebody who opens the console waits for the first row of a table.

The believable user of `tools/seed_console.py`, the real service, and a real Chromium that has cached nothing. The clock is
the page's own: it begins with the navigation and ends when the row was painted. The yardstick is the same browser with the
smallest page of the same service; what it takes is the browser's.
"""

import shutil
import statistics
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from benchmarks.measure import Line, milliseconds
from benchmarks.service import running, serve_command
from recollect.server.console.built import INDEX, built_files

#: Loads of each page; the first of each warms up and is not counted.
_LOADS = 15
_QUICK = 5
#: Milliseconds from the navigation to the first row.
_ALLOWED = 500
#: Without these it looks for hosts of others at every start; the sandbox needs rights that containers do not give.
_FLAGS = (
    "--no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-component-update"
)
_ROW = "[role=listbox] [role=option]"
_PAGES = {"Chats": ("/#/chats", _ROW), "Memories": ("/#/memories", _ROW)}
_BARE = ("/health", "body *")
#: Looks in every frame; two frames after it was found it has been painted. Written down where the policy lets us read it.
_WATCH = """
  const painted = () => { document.documentElement.dataset.painted = performance.now(); };
  const look = () => requestAnimationFrame(
    document.querySelector(SELECTOR) ? () => requestAnimationFrame(painted) : look);
  look();
"""


def console(folder: Path, *, quick: bool) -> list[Line]:
    """The first row of both pages; nothing, and the reason, where there is no browser or no console."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None or INDEX not in built_files():
        lacks = "Chromium: apt-get install chromium" if found is None else "the console: make console"
        print(f"The console was not measured. It needs {lacks}", file=sys.stderr)
        return []
    file = folder / "console.db"
    seed = Path(__file__).parents[1] / "tools" / "seed_console.py"
    subprocess.run([sys.executable, seed, file], check=True, stdout=subprocess.DEVNULL)
    with running(serve_command(str(file))) as port, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=found, args=_FLAGS.split())
        lines = _measured(browser, f"http://127.0.0.1:{port}", _QUICK if quick else _LOADS)
        browser.close()
    return lines


def _measured(browser: Browser, url: str, loads: int) -> list[Line]:
    """Every page in turn, so that a noisy moment of the machine hits all of them."""
    taken: dict[str, list[float]] = {}
    for _ in range(loads + 1):
        for name, (address, selector) in {**_PAGES, "bare": _BARE}.items():
            taken.setdefault(name, []).append(_seconds(browser, url + address, selector))
    bare = statistics.median(taken["bare"][1:])
    lines: list[Line] = []
    for name in _PAGES:
        first = statistics.median(taken[name][1:])
        lines.append(
            Line(
                what=f"the console's first row of {name} in Chromium with an empty cache, 2,000 messages",
                ours=f"{milliseconds(first)}, {first / bare:.1f}×",
                yardstick=f"{milliseconds(bare)} (the same browser, the service's /health)",
                target=f"≤ {_ALLOWED} ms",
                met=first * 1000 <= _ALLOWED,
            )
        )
    return lines


def _seconds(browser: Browser, url: str, selector: str) -> float:
    """One load in a window of its own."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.add_init_script(_WATCH.replace("SELECTOR", repr(selector)))
    page = context.new_page()
    page.goto(url, wait_until="commit")
    page.locator("html[data-painted]").wait_for()
    said = page.locator("html").get_attribute("data-painted")
    context.close()
    assert said is not None
    return float(said) / 1000

"""Write docs/reference/openapi.json: the service's description of itself, as `/openapi.json` answers it.

    python tools/generate_openapi.py            write it
    python tools/generate_openapi.py --check    fail if it is not up to date

The console's client is generated from this file, so it is kept in the repository: a change of the wire shows as a diff,
and building the console needs no running service. The version is left out; a release would change the file otherwise.
"""

import json
import sys
import tempfile
from pathlib import Path

from recollect import AsyncMemory, Settings
from recollect.server.app import create_app

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "reference" / "openapi.json"


def description() -> str:
    """The description as text; the memory is made and never opened."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings()
        memory = AsyncMemory(Path(folder) / "unused.db", settings=settings)
        schema = create_app(memory, settings, local=True).openapi()
    schema = {**schema, "info": {**schema["info"], "version": "as served"}}
    return json.dumps(schema, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def main() -> int:
    """Write the file, or say that it is out of date."""
    fresh = description()
    stale = not PAGE.exists() or PAGE.read_text("utf-8") != fresh
    if "--check" in sys.argv[1:]:
        if stale:
            print(f"{PAGE.relative_to(ROOT)} is not up to date: run python tools/generate_openapi.py")
        return int(stale)
    if stale:
        PAGE.write_text(fresh, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""The built console: its files in memory, with their types and compressed forms.

The files are read once, when the application is created. They take about a megabyte, little next to the embedding model, and
requests can name only files that were read, so path traversal is impossible. Starlette's `StaticFiles` was rejected because
it reads the disk for every request and would compress every response again.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Final

#: The start page.
INDEX: Final = "index.html"
#: The build puts each file's compressed form next to it.
_COMPRESSED: Final = ".gz"
#: Shown when a service starts without the console; a package installed before the build must be reinstalled.
HOW_TO_BUILD: Final = "run `make console` in the clone, and install it again"
#: Types by file extension; other files are not served.
_TYPES: Final = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "woff2": "font/woff2",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltFile:
    """One file, ready to send."""

    content: bytes
    media_type: str
    #: None if compression saves nothing.
    compressed: bytes | None = None


def is_built(folder: Traversable | None = None) -> bool:
    """Whether there is a page to show."""
    return (folder or _static()).joinpath(INDEX).is_file()


def built_files(folder: Traversable | None = None) -> Mapping[str, BuiltFile]:
    """Every file by its path from `/`; empty if the console was not built."""
    found: dict[str, bytes] = {}
    _collect(folder or _static(), "", found)
    return {
        path: BuiltFile(
            content=content,
            media_type=_TYPES[_end(path)],
            compressed=found.get(path + _COMPRESSED),
        )
        for path, content in found.items()
        if _end(path) in _TYPES
    }


def _static() -> Traversable:
    return resources.files("recollect.server.console").joinpath("static")


def _collect(folder: Traversable, before: str, found: dict[str, bytes]) -> None:
    if not folder.is_dir():
        return
    for item in folder.iterdir():
        if item.is_dir():
            _collect(item, f"{before}{item.name}/", found)
        else:
            found[before + item.name] = item.read_bytes()


def _end(path: str) -> str:
    return path.rpartition(".")[2]

"""The built console: its files in memory, with their types and their compressed forms.

It reads them once, when an application is made. A megabyte or so is small beside the embedding model, and a request can
only name what was read: there is no path to escape from. Starlette's `StaticFiles` was rejected: it looks on disk for
every request and would compress every answer anew.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Final

#: The page that everything starts from.
INDEX: Final = "index.html"
#: The build puts the compressed form of a file beside it.
_COMPRESSED: Final = ".gz"
#: Shown when a service starts without it; what was installed before the build has to be installed anew.
HOW_TO_BUILD: Final = "run `make console` in the clone, and install it again"
#: Types by the ends of names; other files are not served.
_TYPES: Final = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "woff2": "font/woff2",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltFile:
    """One file as it is sent."""

    content: bytes
    media_type: str
    #: None: compressing it saves nothing.
    compressed: bytes | None = None


def is_built(folder: Traversable | None = None) -> bool:
    """Whether there is a page to show."""
    return (folder or _static()).joinpath(INDEX).is_file()


def built_files(folder: Traversable | None = None) -> Mapping[str, BuiltFile]:
    """Every file by its path from `/`; none when the console was not built."""
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

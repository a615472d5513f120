"""The address of a PostgreSQL database: parsed strictly, shown without its password.

The driver parses addresses leniently: in `u:pass/word@host`, it takes `pass` for a port and `word@host` for a database,
and both would be displayed. Such an address is refused here, with the correct form.
"""

from typing import Any

from psycopg import ProgrammingError
from psycopg.conninfo import conninfo_to_dict

from recollect.errors import StoreUnavailable


def read(url: str) -> dict[str, Any]:
    """The parts of an address. A password with a bare `/` or `@` would be taken for something that is shown."""
    path = url.partition("://")[2].partition("?")[0].partition("/")[2]
    try:
        given = conninfo_to_dict(url)
        host, port = str(given.get("host") or ""), str(given.get("port") or "0")
        clear = "@" not in path and port.replace(",", "").isdigit()
        if clear and (host.startswith("/") or "@" not in host[1:]):
            return given
    except ProgrammingError:
        # Not passed on: the driver's own words may quote a part of the password.
        pass
    raise StoreUnavailable(
        "The database URL cannot be read. Write postgresql://user:password@host:5432/database, "
        "with %-codes for special characters in the password."
    )


def shown(given: dict[str, Any]) -> str:
    """The address without its password."""
    user = f"{given['user']}@" if given.get("user") else ""
    port = f":{given['port']}" if given.get("port") else ""
    return f"postgresql://{user}{given.get('host') or 'localhost'}{port}/{given.get('dbname') or ''}"

"""`recollect mcp`: the memory for a client of the Model Context Protocol that starts us as a command.

Standard output belongs to the protocol. The SDK is an extra: without it the command says in one line how to get it.
"""

import importlib.util

from recollect.cli import options
from recollect.cli.opening import settings_for
from recollect.errors import RecollectError, how_to_install

_NOT_INSTALLED = f"MCP is not installed: {how_to_install('mcp')}"


def mcp(
    persona: options.Persona = None,
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Serve the memory to an MCP client on standard input and output. Tools, resources, a prompt."""
    if importlib.util.find_spec("mcp") is None:
        raise RecollectError(_NOT_INSTALLED)
    from recollect.cli.speaking_mcp import speak  # Deferred: the engine and the SDK are heavy.

    speak(settings_for(db), user=user, persona=persona)

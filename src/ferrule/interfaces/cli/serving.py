"""`ferrule mcp`: memory served to an agent over standard input and output.

Owns the command's words. Knows nothing of the protocol.
"""

import importlib.util
from argparse import Namespace
from functools import partial

from ferrule.errors import Code, UsageError
from ferrule.interfaces.cli.command import opened
from ferrule.wiring.sessions import reader, resolved

__all__ = ["run_mcp"]


def run_mcp(arguments: Namespace) -> int:
    """Serve until the client leaves.

    Raises:
        UsageError: the extra `mcp` is not installed, or there is no such session.
    """
    if importlib.util.find_spec("mcp") is None:
        raise UsageError("the MCP server needs an extra: pip install 'ferrule[mcp]'", code=Code.UNKNOWN_TOOL)
    from ferrule.interfaces.mcp.server import build_server  # noqa: PLC0415 - the SDK costs seconds of import

    with opened(arguments) as home:
        bound = resolved(home, arguments.session).key if arguments.session else None
        build_server(partial(reader, home), bound).run("stdio")
    return 0

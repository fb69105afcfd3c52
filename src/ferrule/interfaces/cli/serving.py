"""`ferrule mcp`: memory served to an agent over standard input and output.

Owns the command's words, and that a server that nobody asks costs little: a client starts one with every session, and
few sessions ask. Knows nothing of the protocol.
"""

import sys
from argparse import Namespace
from contextlib import ExitStack
from functools import cache

from ferrule.bridge.door import SourceReader
from ferrule.interfaces.mcp.server import build_server, serve
from ferrule.interfaces.mcp.tools import ReaderOf

__all__ = ["run_mcp"]


def run_mcp(arguments: Namespace) -> int:
    """Serve until the client leaves. The home is opened by the first question; what fails then is tried again.

    Raises:
        UsageError: there is no such session.
        StoreError: a session is named, and the home cannot be used.
    """
    with ExitStack() as stack:
        opened = cache(lambda: _opened(stack, arguments))

        def read(key: str | None) -> SourceReader:
            return opened()[0](key)

        bound = opened()[1] if arguments.session else None
        serve(build_server(read, bound), sys.stdin.buffer, sys.stdout.buffer)
    return 0


def _opened(stack: ExitStack, arguments: Namespace) -> tuple[ReaderOf, str | None]:
    """The home's readers, and the key of the session that the command names."""
    from ferrule.interfaces.cli.command import opened  # noqa: PLC0415 - not before somebody asks
    from ferrule.wiring.sessions import resolved  # noqa: PLC0415 - see above
    from ferrule.wiring.wider import wide_reader_of  # noqa: PLC0415 - see above

    home = stack.enter_context(opened(arguments))
    bound = resolved(home, arguments.session).key if arguments.session else None
    return lambda key: wide_reader_of(home, key), bound

"""The context text of a session, with its places looked up on this machine.

Owns bringing recall, reader and local check together. Knows nothing of what is worth telling.
"""

from ferrule.recall.context import context_text
from ferrule.wiring.home import Home
from ferrule.wiring.looking import place_check
from ferrule.wiring.sessions import reader, resolved

__all__ = ["recall"]


def recall(home: Home, name: str) -> tuple[str, str]:
    """The key of the session of that name, and what it should be told; empty when there is nothing to tell.

    Raises:
        UsageError: no such session.
    """
    session = resolved(home, name)
    return session.key, context_text(reader(home, session.key), place_check(session.cwd))

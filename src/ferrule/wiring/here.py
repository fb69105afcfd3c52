"""Which session a client means by "this one": by the id that it tells, else by the folder, and never by a guess.

Owns that choice. A client's commands act on its own session or on none: where several might be meant, that is said.
Knows nothing of what is done with it.
"""

import os
from collections.abc import Mapping
from pathlib import Path

from ferrule.adapters.spool.folder import Spool
from ferrule.errors import Code, UsageError
from ferrule.session.keys import session_key
from ferrule.wiring.home import Home

__all__ = ["TOLD_BY", "newest_turn", "session_here"]

TOLD_BY: Mapping[str, str] = {"claude-code": "CLAUDE_CODE_SESSION_ID", "codex": "CODEX_THREAD_ID"}
"""The variable in which a client tells the commands that it runs which session they belong to."""
SHOWN = 3


def session_here(home: Home, client: str, told: str | None, *, folder: Path, environment: Mapping[str, str]) -> str:
    """The key of a client's session, by the id that it told, else of its one session in a folder.

    Raises:
        UsageError: `BAD_KEY`: it is not known, or several might be meant.
    """
    ident = (told or environment.get(TOLD_BY[client], "")).strip()
    if ident:
        key = session_key(client, ident)
        if home.store.session(key) is not None:
            return key
        hint = f"no completed turn of it was reported; ferrule doctor {client} says whether its hook runs"
        raise UsageError(f"this session ({ident:.80}) is not known yet: {hint}", code=Code.BAD_KEY)
    here = _real(folder)
    found = [one for one in home.store.sessions() if one.client == client and one.cwd and _real(Path(one.cwd)) == here]
    if len(found) == 1:
        return found[0].key
    if not found:
        raise UsageError(f"no session of {client} in {folder} is known", code=Code.BAD_KEY)
    shown = ", ".join(one.key for one in found[:SHOWN]) + (" and more" if len(found) > SHOWN else "")
    line = f"{len(found)} sessions of {client} were in {folder}: {shown}; {client} does not tell which one this is"
    raise UsageError(f"{line}, so name it yourself", code=Code.BAD_KEY)


def newest_turn(home: Home, source: str) -> str:
    """The key of the turn that a session completed last.

    Raises:
        UsageError: none is stored, or a later one is just being read: an older one is not what is meant.
    """
    client, _, native = source.partition(":")
    if any((one.turn.client, one.turn.session) == (client, native) for one in Spool(home.path).pending()):
        line = f"the last turn of {source} was reported and is being read; try again in a moment"
        raise UsageError(line, code=Code.TURN_NOT_COMPLETED)
    keys = home.store.turn_keys(source)
    if not keys:
        raise UsageError(f"no completed turn of {source} is stored", code=Code.TURN_NOT_COMPLETED)
    return keys[-1][1]


def _real(path: Path) -> str:
    return os.path.realpath(path)

"""A worker is started so that it outlives whoever needed it: its own session, its own place, nobody's terminal.

Owns the command line, environment and file descriptors of a spawned worker. A shell stands between for a moment, so
that the worker is nobody's child: a host that lives long keeps no zombie of it, and no terminal that closes reaches it.
Knows nothing of when one is needed.
"""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from ferrule.adapters.laptop.log import open_log
from ferrule.errors import Code, StoreError

__all__ = ["LOCK_VARIABLE", "reduced", "spawn"]

LOCK_VARIABLE = "FERRULE_WORKER_LOCK"
"""Only in a started worker's environment: the number of the descriptor with the lock that was taken for it, or -1."""

_SHELL = "/bin/sh"
_STARTED_WITHIN_SECONDS = 10.0
_KEPT = frozenset(
    {
        *("HOME", "USER", "LOGNAME", "PATH", "LANG", "LANGUAGE", "TZ", "TMPDIR"),
        *("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "PYTHONHOME", "PYTHONPATH", "PYTHONUSERBASE", "VIRTUAL_ENV"),
        *("PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX", "CLAUDE_CONFIG_DIR", "CODEX_HOME"),
    }
)
_KEPT_BEGINNINGS = ("LC_", "XDG_", "FERRULE_")


def reduced(environment: Mapping[str, str]) -> dict[str, str]:
    """What a worker needs of an environment: where things are and in which language, none of a host's secrets."""
    return {
        name: value
        for name, value in environment.items()
        if (name in _KEPT or name.startswith(_KEPT_BEGINNINGS)) and name != LOCK_VARIABLE
    }


def spawn(home: Path, environment: Mapping[str, str], lock: int | None = None) -> None:
    """Start a worker for a home, detached, and return at once.

    Args:
        home: the home folder.
        environment: the environment of whoever needs a worker; only `reduced` reaches it.
        lock: a descriptor that holds the home's worker lock, to be handed over without a gap.

    Raises:
        StoreError: this system cannot start one.
        OSError: starting failed.
    """
    import subprocess  # noqa: PLC0415 - whoever only rings the bell does not pay for it

    if not sys.executable or not Path(_SHELL).exists():
        raise StoreError("a worker cannot be started on demand here; run: ferrule worker", code=Code.IO_FAILED)
    home = home.absolute()
    # -P: no module of the folder that the worker works in goes before Ferrule's own.
    worker = [sys.executable, "-P", "-m", "ferrule", "worker", "--home", str(home)]
    around = reduced(environment) | {LOCK_VARIABLE: str(-1 if lock is None else lock)}
    log = open_log(home)
    try:
        subprocess.run(  # noqa: S603 - our own interpreter, arguments apart from the shell's text
            [_SHELL, "-c", '"$@" &', "ferrule", *worker],
            check=True,
            timeout=_STARTED_WITHIN_SECONDS,
            start_new_session=True,
            cwd=home,
            env=around,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL if log is None else log,
            stderr=subprocess.DEVNULL if log is None else log,
            pass_fds=() if lock is None else (lock,),
        )
    except subprocess.SubprocessError as error:
        raise StoreError(f"a worker could not be started: {type(error).__name__}", code=Code.IO_FAILED) from error
    finally:
        if log is not None:
            os.close(log)

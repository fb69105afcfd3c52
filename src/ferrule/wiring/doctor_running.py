"""What a client would run is run here as the client would: elsewhere, with next to no environment, for a moment only.

Owns those trials and the question after a client's version. Knows nothing of where the words come from.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Found", "Trial", "hook_runs", "installed_client", "package_of"]

TRIAL_SECONDS, VERSION_SECONDS = 20.0, 15.0
_VERSION = re.compile(r"\b(\d{1,4}\.\d{1,4}\.\d{1,6})\b")
_ASK = "import sys, ferrule; sys.stdout.write(ferrule.__version__)"


@dataclass(frozen=True, slots=True)
class Trial:
    """How a trial went: `said` is its output, `trouble` why it failed; empty when it did not."""

    said: str = ""
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """A client's programme on PATH; `version` empty where it does not say."""

    path: str
    version: str


def installed_client(programme: str) -> Found | None:
    """The client's programme, or None when PATH has none."""
    path = shutil.which(programme)
    if path is None:
        return None
    trial = _tried([path, "--version"], dict(os.environ), VERSION_SECONDS)
    found = _VERSION.search(trial.said)
    return Found(path, found.group(1) if found else "")


def hook_runs(python: str, hook: str, client: str) -> Trial:
    """Whether the hook runs as the client's environment has it; told by its own switch, it writes nothing."""
    return _tried([python, "-I", "-S", hook, client], {**_bare(), "FERRULE_CRITIC": "1"}, TRIAL_SECONDS)


def package_of(python: str) -> Trial:
    """The version of the Ferrule that an interpreter has."""
    return _tried([python, "-P", "-c", _ASK], _bare(), TRIAL_SECONDS)


def _bare() -> dict[str, str]:
    return {name: os.environ[name] for name in ("HOME", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH") if name in os.environ}


def _tried(words: Sequence[str], environment: dict[str, str], seconds: float) -> Trial:
    try:
        ended = subprocess.run(  # noqa: S603 - words of our own entries, apart from any shell
            words,
            check=False,
            timeout=seconds,
            env=environment,
            cwd=Path(os.sep),
            stdin=subprocess.DEVNULL,
            capture_output=True,
        )
    except subprocess.TimeoutExpired:
        return Trial(trouble=f"it did not end within {seconds:.0f} s")
    except OSError as error:
        return Trial(trouble=error.strerror or type(error).__name__)
    said = ended.stdout[:4096].decode("utf-8", "replace").strip()
    if ended.returncode == 0:
        return Trial(said)
    last = ended.stderr[-4096:].decode("utf-8", "replace").strip().splitlines()
    return Trial(said, (last[-1] if last else f"it ended with {ended.returncode}")[:200])

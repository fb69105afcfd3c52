"""Real clients, installed from npm into a cache outside the repository: exact versions, once for many runs.

Owns where they are kept (`FERRULE_TEST_CLIENTS`, else `ferrule-test-clients` in the user's cache folder) and what it
says when one cannot be had. Install scripts are not run. Claude Code's licence is not free: it is fetched only on a
person's word (`FERRULE_TEST_CLAUDE=1`, as in `make test-claude`) and nothing of it is kept in the repository.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

__all__ = ["CLAUDE_CODE", "CODEX", "Absent", "Package", "command_of", "new_place"]

INSTALL_SECONDS = 120
CLAUDE_WANTED = "FERRULE_TEST_CLAUDE"
CACHE, PLACES = "FERRULE_TEST_CLIENTS", "FERRULE_TEST_PLACES"
PASSING = frozenset({"tmp", "temp", ".tmp", ".cache"})


_FAILED: dict[str, str] = {}
"""Why a client could not be fetched in this run."""


class Absent(Exception):
    """The client cannot be had here; the text says why."""


@dataclass(frozen=True, slots=True)
class Package:
    """A client in npm: its package and version, the file that starts it, and whether it must be asked for."""

    name: str
    package: str
    version: str
    entry: str
    asked: bool = False


CODEX = Package("codex", "@openai/codex", "0.171.0", "@openai/codex/bin/codex.js")
CLAUDE_CODE = Package(
    "claude-code", "@anthropic-ai/claude-code", "2.1.197", "@anthropic-ai/claude-code/cli-wrapper.cjs", asked=True
)


def command_of(package: Package) -> list[str]:
    """The words that start the client.

    Raises:
        Absent: it is not here, and cannot be fetched or may not be.
    """
    if package.asked and os.environ.get(CLAUDE_WANTED) != "1":
        raise Absent(f"{package.package} is not free software: only with {CLAUDE_WANTED}=1 (make test-claude)")
    node = shutil.which("node")
    if node is None:
        raise Absent("needs node on PATH")
    place = _cache() / f"{package.name}-{package.version}"
    entry = place / "node_modules" / package.entry
    if package.name in _FAILED:  # it is asked for by every module, and would take minutes each time
        raise Absent(_FAILED[package.name])
    if not entry.is_file():
        try:
            _fetch(package, place)
        except Absent as absent:
            _FAILED[package.name] = str(absent)
            raise
    return [node, str(entry)]


def _cache() -> Path:
    """Where clients are kept."""
    named = os.environ.get(CACHE)
    if named:
        return Path(named).expanduser()
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ferrule-test-clients"


@contextmanager
def new_place() -> Iterator[Path]:
    """A folder for a client to work in, gone afterwards; not where temporary things are: those are not remembered.

    Raises:
        Absent: there is no such folder that can be written.
    """
    named = os.environ.get(PLACES)
    parents = [Path(named).expanduser()] if named else [Path.home(), Path(__file__).resolve().parents[3]]
    parent = next((one for one in parents if not PASSING & set(one.parts) and os.access(one, os.W_OK)), None)
    if parent is None:
        raise Absent(f"needs a folder to work in that is not for temporary things; {PLACES} may name one")
    folder = Path(tempfile.mkdtemp(prefix=".client-test-", dir=parent))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _fetch(package: Package, place: Path) -> None:
    """Install beside its place and rename: a broken-off install leaves nothing that looks like a client."""
    npm = shutil.which("npm")
    if npm is None:
        raise Absent("needs npm on PATH")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(prefix=f".{place.name}-", dir=place.parent))
    except OSError as error:
        raise Absent(f"needs a cache folder that can be written: {error}") from error
    try:
        _npm(npm, package, fresh)
        if not (fresh / "node_modules" / package.entry).is_file():
            raise Absent(f"npm gave {package.package}@{package.version} another shape")
        shutil.rmtree(place, ignore_errors=True)
        fresh.rename(place)
    except OSError as error:
        raise Absent(f"needs a cache folder that can be written: {error}") from error
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def _npm(npm: str, package: Package, fresh: Path) -> None:
    wanted = f"{package.package}@{package.version}"
    command = [npm, "install", "--prefix", str(fresh), "--ignore-scripts", "--no-audit", "--no-fund", "--no-save"]
    command += ["--fetch-retries=1", "--fetch-timeout=60000", "--loglevel=error", wanted]
    try:
        ran = subprocess.run(  # noqa: S603 - npm, as found on PATH
            command, capture_output=True, timeout=INSTALL_SECONDS, check=False, stdin=subprocess.DEVNULL, cwd=fresh
        )
    except subprocess.TimeoutExpired:
        raise Absent(f"npm did not bring {wanted} within {INSTALL_SECONDS} s") from None
    if ran.returncode:
        said = " ".join(ran.stderr.decode(errors="replace").split())
        raise Absent(f"npm does not bring {wanted}: {said[:160]}")

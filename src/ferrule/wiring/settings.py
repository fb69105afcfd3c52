"""What a user may set, read once: from the environment and from `settings.toml` in the home.

Owns names, defaults and bounds of settings. A wrong setting is one clear sentence, never a silent default. Knows
nothing of what a setting changes.
"""

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path

from ferrule.errors import Code, UsageError
from ferrule.session.profiles import ClientProfiles, client_profiles
from ferrule.session.silence import MAX_PATTERNS, fault_of
from ferrule.wiring.scrubbing import DETECTORS

__all__ = [
    "MAX_IDLE_SECONDS",
    "SETTINGS_FILE",
    "Quiet",
    "Settings",
    "Surroundings",
    "read_quiet",
    "read_settings",
    "surroundings",
    "unknown_settings",
]

SETTINGS_FILE = "settings.toml"
MAX_SETTINGS_BYTES = 256 * 1024
MAX_RETENTION_DAYS = 36_500
DEFAULT_RETENTION_DAYS = 14.0
ATTACH_MODES = ("auto", "manual")
DEFAULT_PARALLEL, MAX_PARALLEL = 2, 16
MAX_IDLE_SECONDS = 86_400.0
SECONDS = {"idle_seconds": (0.0, MAX_IDLE_SECONDS, 60.0), "lease_seconds": (1.0, 3_600.0, 30.0)}
"""Least, most and default of each setting in seconds."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the process's environment says; None where it says nothing."""

    home: str | None
    claude_code: Path
    codex: Path


@dataclass(frozen=True, slots=True)
class Quiet:
    """Where a person wants quiet.

    Attributes:
        off: folders of whose repositories nothing is captured.
        ignore: patterns of such folders (`~/private/**`).
        paused: folders of whose repositories turns queue and are not reviewed.
    """

    off: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    paused: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one home.

    Attributes:
        retention_days: how long scrubbed turn text is kept, in days; 0 keeps none.
        ontology: folders or files of the user's own permanent ontology, added to the base.
        threshold: how sure the embedded reviewer must be, above 0 and below 1; None for what it ships with. Lower
            remembers more, and more that is not needed.
        profiles: which profile a client's imported sessions get: the shipped table and `[profiles.<client>]` of the
            file, whose `main = "buffaly-agent"` makes a client's main sessions sources and any other name takes it out.
        parallel: how many sources a worker reviews at the same time.
        idle_seconds: how long a worker waits for more before it leaves.
        lease_seconds: how long a review holds its lane unless the worker says that it still lives. After a crash a
            turn waits so long; much less than the default, and a machine that stalls loses reviews.
        attach: `auto`: the first completed turn of a session that a client's hook reports attaches the critic; with
            `manual` it waits for a thumbs-up, and reported turns are kept for one.
        embeddings: folder of a static embedding model by which searches also find what is only similar in meaning; None
            for none. Nothing is downloaded.
        detector: a detector of secrets that looks beside Ferrule's own rules, an extra (`betterleaks`); None for none.
        quiet: where nothing is captured or reviewed, as it was when the home was opened; `read_quiet` tells it anew.
    """

    retention_days: float = DEFAULT_RETENTION_DAYS
    ontology: tuple[Path, ...] = ()
    threshold: float | None = None
    profiles: ClientProfiles = field(default_factory=client_profiles)
    parallel: int = DEFAULT_PARALLEL
    idle_seconds: float = 60.0
    lease_seconds: float = 30.0
    attach: str = "auto"
    quiet: Quiet = field(default_factory=Quiet)
    embeddings: Path | None = None
    detector: str | None = None


def surroundings(environment: Mapping[str, str] | None = None) -> Surroundings:
    """Read the environment (default: the process's own): FERRULE_HOME, CLAUDE_CONFIG_DIR, CODEX_HOME."""
    env = os.environ if environment is None else environment
    user = Path(env.get("HOME") or os.path.expanduser("~"))  # noqa: PTH111 - Path.home() raises without a home
    return Surroundings(
        home=env.get("FERRULE_HOME") or None,
        claude_code=Path(env.get("CLAUDE_CONFIG_DIR") or user / ".claude"),
        codex=Path(env.get("CODEX_HOME") or user / ".codex"),
    )


def read_settings(home: Path) -> Settings:
    """The settings of a home; defaults where there is no file.

    Raises:
        UsageError: the file is unreadable, is no TOML, or a value is not what it should be.
    """
    file = home / SETTINGS_FILE
    values = _values(file)
    return Settings(
        retention_days=_days(file, values),
        ontology=_folders(file, values),
        threshold=_threshold(file, values),
        profiles=_profiles(file, values),
        parallel=_parallel(file, values),
        idle_seconds=_seconds(file, values, "idle_seconds"),
        lease_seconds=_seconds(file, values, "lease_seconds"),
        attach=_attach(file, values),
        quiet=_quiet(file, values),
        embeddings=_model(file, values),
        detector=_detector(file, values),
    )


def unknown_settings(home: Path) -> tuple[str, ...]:
    """What the file names that is no setting, as after a slip of the hand; it changes nothing. Raises as above."""
    known = {*(one.name for one in fields(Settings)), *(one.name for one in fields(Quiet))} - {"quiet"}
    return tuple(sorted(_values(home / SETTINGS_FILE).keys() - known))


def read_quiet(home: Path) -> Quiet:
    """Where a person wants quiet now; light, since a worker asks for each reported turn.

    Raises:
        UsageError: as `read_settings`, for these settings alone.
    """
    file = home / SETTINGS_FILE
    return _quiet(file, _values(file))


def _values(file: Path) -> Mapping[str, object]:
    try:
        with file.open("rb") as stream:
            raw = stream.read(MAX_SETTINGS_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}", code=Code.IO_FAILED) from error
    if len(raw) > MAX_SETTINGS_BYTES:
        raise UsageError(f"{file} is larger than {MAX_SETTINGS_BYTES} bytes", code=Code.TOO_LARGE)
    try:
        return tomllib.loads(raw.decode("utf-8"))
    except ValueError as error:
        raise UsageError(f"{file} is not TOML: {error}", code=Code.PARSE) from error


def _quiet(file: Path, values: Mapping[str, object]) -> Quiet:
    patterns = _texts(file, values, "ignore")
    fault = next(filter(None, map(fault_of, patterns)), "")
    if fault:
        raise UsageError(f"{file}: ignore: {fault}", code=Code.BAD_TOOL_ARGS)
    return Quiet(_texts(file, values, "off"), patterns, _texts(file, values, "paused"))


def _texts(file: Path, values: Mapping[str, object], name: str) -> tuple[str, ...]:
    found = values.get(name, [])
    if not isinstance(found, list) or len(found) > MAX_PATTERNS or not all(isinstance(one, str) for one in found):
        raise UsageError(f"{file}: {name} is a list of at most {MAX_PATTERNS} texts", code=Code.BAD_TOOL_ARGS)
    return tuple(found)


def _attach(file: Path, values: Mapping[str, object]) -> str:
    mode = values.get("attach", ATTACH_MODES[0])
    if not isinstance(mode, str) or mode not in ATTACH_MODES:
        raise UsageError(f"{file}: attach is {' or '.join(ATTACH_MODES)}", code=Code.BAD_TOOL_ARGS)
    return mode


def _days(file: Path, values: Mapping[str, object]) -> float:
    days = values.get("retention_days", DEFAULT_RETENTION_DAYS)
    if isinstance(days, bool) or not isinstance(days, int | float) or not 0 <= days <= MAX_RETENTION_DAYS:
        raise UsageError(f"{file}: retention_days is a number of days from 0", code=Code.BAD_TOOL_ARGS)
    return float(days)


def _folders(file: Path, values: Mapping[str, object]) -> tuple[Path, ...]:
    folders = values.get("ontology", [])
    if not isinstance(folders, list) or not all(isinstance(folder, str) for folder in folders):
        raise UsageError(f"{file}: ontology is a list of paths", code=Code.BAD_TOOL_ARGS)
    return tuple((file.parent / Path(folder).expanduser()).resolve() for folder in folders)


def _model(file: Path, values: Mapping[str, object]) -> Path | None:
    folder = values.get("embeddings")
    if folder is None:
        return None
    if not isinstance(folder, str) or not folder:
        raise UsageError(f"{file}: embeddings is the path of a model's folder", code=Code.BAD_TOOL_ARGS)
    return (file.parent / Path(folder).expanduser()).resolve()


def _detector(file: Path, values: Mapping[str, object]) -> str | None:
    name = values.get("detector")
    if name is not None and name not in DETECTORS:
        raise UsageError(f"{file}: detector is {' or '.join(DETECTORS)}", code=Code.BAD_TOOL_ARGS)
    return None if name is None else str(name)


def _threshold(file: Path, values: Mapping[str, object]) -> float | None:
    threshold = values.get("threshold")
    if threshold is None:
        return None
    if isinstance(threshold, bool) or not isinstance(threshold, int | float) or not 0 < threshold < 1:
        raise UsageError(f"{file}: threshold is a number above 0 and below 1", code=Code.BAD_TOOL_ARGS)
    return float(threshold)


def _parallel(file: Path, values: Mapping[str, object]) -> int:
    parallel = values.get("parallel", DEFAULT_PARALLEL)
    if isinstance(parallel, bool) or not isinstance(parallel, int) or not 1 <= parallel <= MAX_PARALLEL:
        raise UsageError(f"{file}: parallel is a whole number from 1 to {MAX_PARALLEL}", code=Code.BAD_TOOL_ARGS)
    return parallel


def _seconds(file: Path, values: Mapping[str, object], name: str) -> float:
    least, most, default = SECONDS[name]
    seconds = values.get(name, default)
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not least <= seconds <= most:
        raise UsageError(f"{file}: {name} is a number of seconds from {least:g} to {most:g}", code=Code.BAD_TOOL_ARGS)
    return float(seconds)


def _profiles(file: Path, values: Mapping[str, object]) -> ClientProfiles:
    own = values.get("profiles", {})
    if not isinstance(own, dict):
        raise UsageError(f"{file}: profiles holds a table for each client", code=Code.BAD_TOOL_ARGS)
    try:
        return client_profiles().with_own(own)
    except UsageError as error:
        raise UsageError(f"{file}: profiles: {error}", code=error.code) from error

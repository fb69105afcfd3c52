"""A home may add profiles of its own in `<home>/agents`, beside those that ship.

Owns finding and reading those files within bounds. What a profile may say, and that none is ever replaced, is decided
in `session.profiles`. Knows nothing of sessions.
"""

from pathlib import Path

from ferrule.errors import Code, UsageError
from ferrule.session.profiles import (
    MAX_PROFILE_BYTES,
    PROFILE_ENDING,
    AgentProfile,
    ProfileCatalogue,
    read_profile,
    shipped_profiles,
)

__all__ = ["MAX_PROFILES", "PROFILES_FOLDER", "profiles_of"]

PROFILES_FOLDER = "agents"
MAX_PROFILES = 100


def profiles_of(home: Path) -> ProfileCatalogue:
    """The shipped profiles and the home's own `agents/*.agent.json`, by name; other files there are left alone.

    Raises:
        UsageError: there are too many, or one cannot be read, is no profile, or has a name that is taken.
    """
    try:
        files = sorted(file for file in (home / PROFILES_FOLDER).iterdir() if file.name.endswith(PROFILE_ENDING))
    except (FileNotFoundError, NotADirectoryError):
        return shipped_profiles()
    except OSError as error:
        raise UsageError(f"{home / PROFILES_FOLDER} cannot be read: {error.strerror}", code=Code.IO_FAILED) from error
    if len(files) > MAX_PROFILES:
        raise UsageError(f"{home / PROFILES_FOLDER} holds more than {MAX_PROFILES} profiles", code=Code.TOO_LARGE)
    return shipped_profiles().adding(_read(file) for file in files)


def _read(file: Path) -> AgentProfile:
    if not file.is_file():  # a pipe would never end
        raise UsageError(f"{file} is no file", code=Code.UNSAFE_PATH)
    try:
        with file.open("rb") as stream:
            raw = stream.read(MAX_PROFILE_BYTES + 1)
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}", code=Code.IO_FAILED) from error
    return read_profile(raw, str(file))

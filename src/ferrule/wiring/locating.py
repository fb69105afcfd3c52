"""Where a home is, and whether there is one: known before anything of it is opened.

Owns those two. Light, since whoever only rings for a worker comes by here. Knows nothing of what a home holds.
"""

from pathlib import Path

import platformdirs

from ferrule.adapters.spool.folder import SPOOL
from ferrule.adapters.sqlite.home import FILE_NAME, HEAD_NAME
from ferrule.errors import Code, UsageError
from ferrule.wiring.settings import surroundings

__all__ = ["is_home", "located", "no_home"]


def located(path: Path | str | None = None) -> Path:
    """Where the home is: as given, else $FERRULE_HOME, else the platform's user data folder."""
    named = path or surroundings().home
    if named:
        return Path(named).expanduser()
    return platformdirs.user_data_path("ferrule", appauthor=False)


def is_home(path: Path | str | None = None) -> bool:
    """Whether there is something to open: a store, what is left of one, a client's reports, or a file in its place."""
    place = located(path)
    if place.exists() and not place.is_dir():
        return True
    return any((place / name).exists() for name in (FILE_NAME, HEAD_NAME, SPOOL))


def no_home(place: Path) -> UsageError:
    """What is said where there is none: how to begin, or, once a client has Ferrule, that its first turn is to come."""
    from ferrule.adapters.clients.records import FOLDER  # noqa: PLC0415 - who has a home is not held up by it

    if (place / FOLDER).is_dir():
        line = f"no turn was reported to {place} yet; whether a client would report one: ferrule doctor"
    else:
        line = f"there is no Ferrule home at {place} yet; start with: ferrule review FILE, or ferrule install CLIENT"
    return UsageError(line, code=Code.BAD_KEY)

"""An id, a folder and a time are taken from a file only as what they should be: anything may stand in their place.

Owns what makes such a name harmless: scrubbed, bounded, and a moment in one form. Knows nothing of formats.
"""

import re
from datetime import UTC, datetime

from ferrule.adapters.transcripts.scrubbing import Scrub

__all__ = ["folder_of", "moment_of", "native_of"]

_MAX_ID = 200
_MAX_FOLDER = 1000
_ISO = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?")
_ABSOLUTE = re.compile(r"/|[A-Za-z]:[\\/]|\\\\")
_MILLISECONDS = 1000.0
_LATEST = 32_503_680_000_000  # the year 3000: what lies behind it is no time in milliseconds


def native_of(value: object, scrub: Scrub) -> str:
    """A client's own id; empty when it is no text, too long, or a secret (D13): then the file itself is the name."""
    text = value.strip() if isinstance(value, str) else ""
    return text if 0 < len(text) <= _MAX_ID and scrub(text) == text else ""


def folder_of(value: object) -> str | None:
    """An absolute folder, or None; it is scrubbed where a turn is made of it."""
    text = value if isinstance(value, str) else ""
    usable = 0 < len(text) <= _MAX_FOLDER and _ABSOLUTE.match(text) is not None and text.isprintable()
    return text if usable else None


def moment_of(value: object) -> str | None:
    """A moment as ISO text: given as such, or in milliseconds since 1970; None when it is neither."""
    if isinstance(value, str):
        return value if _ISO.fullmatch(value) else None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < _LATEST:
        return None
    moment = datetime.fromtimestamp(value / _MILLISECONDS, tz=UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")

"""A home's texts are scrubbed by the floor, and beside it by the detector that a person has switched on (D13).

Owns which detector a home has, and that its failure is told: a text that it could not read is scrubbed by the floor
alone, and a file in the home says so until it reads one again. Knows nothing of what a secret looks like.
"""

import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from ferrule.referents.secrets.beside import Detector, DetectorFailed, scrubbed_beside

__all__ = ["DETECTORS", "FAILED_FILE", "detector_fault", "scrubber"]

DETECTORS = ("betterleaks",)
"""The names that the setting `detector` knows."""
FAILED_FILE = "detector.failed"
_MOST = 300


def scrubber(place: Path, key: bytes, name: str | None, detector: Detector | None = None) -> Callable[[str], str]:
    """What takes secrets out of a text before it is stored; `detector` stands for the one that is named.

    Without a name nothing but the floor is loaded.
    """

    def floor(text: str) -> str:
        from ferrule.referents.secrets.detect import scrub  # noqa: PLC0415 - a command that only reads scrubs nothing

        return scrub(text, key)

    if name is None:
        return floor
    beside = _Beside(place, name, detector)
    return lambda text: beside.more(floor(text), key)


def detector_fault(place: Path, name: str | None) -> str:
    """Why texts of this home are scrubbed by the floor alone although a detector is named; empty where it works."""
    if name is None:
        return ""
    try:
        _detector(name).find("")
    except DetectorFailed as error:
        return str(error)
    try:
        return (place / FAILED_FILE).read_text(encoding="utf-8")[:_MOST].strip()
    except (OSError, ValueError):
        return ""


class _Beside:
    """The detector of one open home, and whether its last text was read."""

    def __init__(self, place: Path, name: str, detector: Detector | None) -> None:
        self._file = place / FAILED_FILE
        self._name = name
        self._detector = detector
        self._told: str | None = None

    def more(self, text: str, key: bytes) -> str:
        """The scrubbed text without what the detector finds in it; as it is where that fails, which is told."""
        try:
            if self._detector is None:
                self._detector = _detector(self._name)
            found = self._detector.find(text)
        except DetectorFailed as error:
            self._tell(str(error))
            return text
        self._tell("")
        return scrubbed_beside(text, key, found)

    def _tell(self, fault: str) -> None:
        if fault == self._told:
            return
        self._told = fault
        with suppress(OSError):  # a home that cannot be written is told elsewhere; the doctor asks the detector itself
            if not fault:
                self._file.unlink(missing_ok=True)
                return
            number = os.open(self._file, os.O_CREAT | os.O_WRONLY | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
            with os.fdopen(number, "w", encoding="utf-8") as stream:
                stream.write(f"{fault}, {time.strftime('%Y-%m-%d %H:%M:%S')}\n")


def _detector(name: str) -> Detector:
    """The detector of a name that the settings have checked."""
    from ferrule.adapters.detectors.betterleaks import Betterleaks  # noqa: PLC0415 - only where it is asked for

    return {"betterleaks": Betterleaks}[name]()

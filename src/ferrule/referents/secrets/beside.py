"""A detector from elsewhere may find more secrets than the floor does; it can only add to it (D13).

Owns the port of such a detector and what its findings do to a text that the floor has scrubbed already. Knows no
detector. Standard library only.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from ferrule.errors import Code, FerruleError
from ferrule.referents.secrets.mark import placeholder, placeholder_spans

__all__ = ["Detector", "DetectorFailed", "Found", "scrubbed_beside"]

_NO_KIND = re.compile(r"[^a-z0-9]+")
_LONGEST_KIND = 40
_SHORTEST = 4  # a shorter value stands everywhere


class Found(NamedTuple):
    """A secret that a detector found: what it calls its kind, and the value as it stands in the text."""

    kind: str
    value: str


class DetectorFailed(FerruleError):
    """The detector is not there or could not read a text; the floor has scrubbed it all the same."""

    exit_code = 4
    code = Code.IO_FAILED


class Detector(Protocol):
    """Finds secrets in a text."""

    def find(self, text: str) -> Sequence[Found]:
        """What it finds in a text.

        Raises:
            DetectorFailed: it is not installed, or this text could not be read to its end.
        """
        ...


def scrubbed_beside(text: str, key: bytes, found: Sequence[Found]) -> str:
    """The text without the values that were found, wherever they stand; the marks in it stay as they are."""
    for kind, value in sorted(found, key=lambda one: -len(one.value)):
        if len(value) >= _SHORTEST:
            text = _without(text, value, placeholder(_kind(kind), value, key))
    return text


def _without(text: str, value: str, mark: str) -> str:
    pieces: list[str] = []
    last = 0
    marks = [*placeholder_spans(text), (len(text), len(text))]
    for start, end in marks:
        pieces += (text[last:start].replace(value, mark), text[start:end])
        last = end
    return "".join(pieces)


def _kind(name: str) -> str:
    return _NO_KIND.sub("-", name.lower()).strip("-")[:_LONGEST_KIND].strip("-") or "secret"

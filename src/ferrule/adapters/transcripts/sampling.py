"""A file shows what it is on its first bytes, without being read twice: it may come through a pipe.

Owns the difference between JSON lines, one JSON document, text and a database. Knows nothing of formats.
"""

import io
import itertools
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Any

from ferrule.adapters.transcripts.formats import HEAD_LOOKED_AT, Sample
from ferrule.adapters.transcripts.lines import MAX_LINE_BYTES, JsonLines, Record, whole_texts

__all__ = ["Sampled", "sampled"]

_LOOK_AT = 40
_BLANK = b"\xef\xbb\xbf \t\r\n"
_DATABASE = b"SQLite format 3\x00"


@dataclass(frozen=True, slots=True)
class Sampled:
    """A file of which the beginning was looked at, and all that is needed to read it wholly."""

    sample: Sample
    records: Iterator[Record]
    lines: JsonLines
    text: str = ""


class _Joined(io.RawIOBase):
    """The bytes that were looked at, and the rest of the stream behind them."""

    def __init__(self, head: bytes, rest: IO[bytes]) -> None:
        self._head = head
        self._rest = rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401 - the buffer of the standard library
        piece = self._head[: len(buffer)] or self._rest.read(len(buffer))
        self._head = self._head[len(piece) :] if self._head else b""
        buffer[: len(piece)] = piece
        return len(piece)


def sampled(stream: IO[bytes]) -> Sampled:
    """Look at the beginning of a stream. Of a list and of a text at most 64 MiB are read, of lines nothing ahead."""
    head = stream.read(HEAD_LOOKED_AT)
    whole = io.BufferedReader(_Joined(head, stream))
    first = head.lstrip(_BLANK)[:1]
    if head.startswith(_DATABASE):
        return Sampled(Sample(head, database=True), iter(()), _noted(head))
    if first in (b"{", b"") or b"\x00" in head:
        return _lines(head, whole)
    raw = whole.read(MAX_LINE_BYTES)
    listed = _list(raw) if first == b"[" else None
    if listed is not None:
        return Sampled(Sample(head, document=listed), iter(()), _noted(head))
    return _text(head, raw)


def _lines(head: bytes, whole: IO[bytes]) -> Sampled:
    lines = JsonLines(whole)
    records = iter(lines)
    first = list(itertools.islice(records, _LOOK_AT))
    alone = first[0].value if len(first) == 1 and not lines.unreadable else None
    sample = Sample(head, tuple(record.value for record in first), alone)
    return Sampled(sample, itertools.chain(first, records), lines)


def _text(head: bytes, raw: bytes) -> Sampled:
    """Text, in which JSON lines may stand all the same: behind a program's greeting, or in a quoted example."""
    found = _lines(head, io.BytesIO(raw))
    text = raw.decode("utf-8", "replace").removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    sample = Sample(head, found.sample.values, text=text[:HEAD_LOOKED_AT])
    return Sampled(sample, found.records, found.lines, text)


def _list(raw: bytes) -> list[Any] | None:
    try:
        value = json.loads(raw.decode("utf-8", "replace").removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return None
    return whole_texts(value) if isinstance(value, list) else None


def _noted(head: bytes) -> JsonLines:
    """No lines, only the first bytes, which name a session without an id."""
    lines = JsonLines(io.BytesIO(b""))
    lines.head = head[:4096]
    return lines

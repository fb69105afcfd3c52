"""JSON lines are read one by one, bounded, and whatever is wrong with one of them is a warning (never an exception).

Owns streaming, objects that are printed over several lines, glued and truncated lines, and the first bytes of a file,
which name a session without an id. Knows nothing of any format.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Any

from ferrule.session.keys import HEAD_BYTES

__all__ = ["MAX_LINE_BYTES", "JsonLines", "Record", "whole_texts"]

MAX_LINE_BYTES = 64 * 1024 * 1024
_MAX_WARNINGS = 50
_MAX_DEPTH = 60
_SKIP_BYTES = 1024 * 1024
_BLANK = b"\xef\xbb\xbf \t\r\n"
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class Record:
    """One JSON object and the line, from 1, on which it stands."""

    line: int
    value: dict[str, Any]


class JsonLines:
    """A stream of JSON objects, one a line; iterating reads it once and leaves `head` and `unreadable` behind.

    Attributes:
        head: the first 4 KiB as they were.
        unreadable: numbers of the lines that could not be read.
    """

    def __init__(self, stream: IO[bytes], *, max_line: int = MAX_LINE_BYTES) -> None:
        self._stream = stream
        self._max_line = max_line
        self.head = b""
        self.unreadable: list[int] = []

    def __iter__(self) -> Iterator[Record]:
        for number, raw in enumerate(self._raw(), start=1):
            if len(self.head) < HEAD_BYTES:
                self.head += raw[: HEAD_BYTES - len(self.head)]
            if len(raw) > self._max_line and not raw.endswith(b"\n"):
                self._skip_rest()
                self.unreadable.append(number)
                continue
            yield from self._objects(number, raw)

    def _raw(self) -> Iterator[bytes]:
        """The lines; objects that are printed over several lines come as one, when the file begins with such a one."""
        raw = self._stream.readline(self._max_line + 1)
        if raw.strip(_BLANK) == b"{":
            *lines, last = (raw + self._stream.read(self._max_line - len(raw))).split(b"\n")
            whole = b"\n".join((*lines, last))
            if _begins_with_object(whole):
                yield whole
                return
            yield from (line + b"\n" for line in lines)
            raw = last + self._stream.readline(self._max_line + 1)
        while raw:
            yield raw
            raw = self._stream.readline(self._max_line + 1)

    def warnings(self) -> tuple[str, ...]:
        """One `unreadable-line` warning per line that could not be read, bounded."""
        shown = [f"unreadable-line {number}" for number in self.unreadable[:_MAX_WARNINGS]]
        more = len(self.unreadable) - len(shown)
        return (*shown, f"unreadable-line: {more} more") if more > 0 else tuple(shown)

    def _skip_rest(self) -> None:
        while rest := self._stream.readline(_SKIP_BYTES):
            if rest.endswith(b"\n"):
                return

    def _objects(self, number: int, raw: bytes) -> Iterator[Record]:
        """Every object on the line: usually one, several when two writers glued theirs, none when it is garbled."""
        text = raw.decode("utf-8", "replace").strip().removeprefix("\ufeff")
        halves = b"\\ud" in raw or b"\\uD" in raw
        position = 0
        while position < len(text):
            try:
                value, position = _DECODER.raw_decode(text, position)
            except (ValueError, RecursionError):
                self.unreadable.append(number)
                return
            if isinstance(value, dict):
                yield Record(number, whole_texts(value) if halves else value)
            else:
                self.unreadable.append(number)
            while position < len(text) and text[position] in " \t\r\n":
                position += 1


def _begins_with_object(raw: bytes) -> bool:
    try:
        _DECODER.raw_decode(raw.decode("utf-8", "replace").removeprefix("\ufeff").lstrip())
    except (ValueError, RecursionError):
        return False
    return True


def whole_texts(value: Any, depth: int = 0) -> Any:  # noqa: ANN401 - any JSON value
    """The value with halves of surrogate pairs replaced: no store and no digest could take them."""
    if isinstance(value, str):
        return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if isinstance(value, list):
        return [whole_texts(item, depth + 1) for item in value] if depth < _MAX_DEPTH else None
    if isinstance(value, dict):
        return (
            {whole_texts(key): whole_texts(item, depth + 1) for key, item in value.items()}
            if depth < _MAX_DEPTH
            else None
        )
    return value

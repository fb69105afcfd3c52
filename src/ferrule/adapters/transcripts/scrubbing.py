"""Every string of a turn is scrubbed before the turn exists (D13, R28).

Owns how a scrubber of single texts is led through JSON: values, keys, and a secret that only its key gives away. Of a
text beyond 768 K code points the first and the last 256 K are kept, with `… <elided N characters> …` between them: what
is kept is scrubbed, what is not scrubbed is not kept, and a dump of ten megabytes costs what one of half a megabyte
does. An exact value can then be found in what is kept only. Knows nothing of what a secret looks like.
"""

import re
from collections.abc import Callable, Mapping
from typing import TypeAlias

__all__ = ["KEPT", "LONGEST", "Scrub", "bounded", "scrub_json", "scrub_mapping"]

Scrub: TypeAlias = Callable[[str], str]

LONGEST = 768 * 1024  # code points of a text that is kept whole
KEPT = 256 * 1024  # of each end of a longer one
_MARGIN = 24 * 1024  # scrubbed with an end and then dropped: longer than any secret, so that none is cut and missed
_EDGE = 400

_MAX_DEPTH = 40
_MAX_KEYED = 400
_LONG_KEY = 16
_TELLING = re.compile(r"pass|pwd|secret|token|key|auth|credential|cookie|session|dsn|conn", re.IGNORECASE)


def bounded(scrub: Scrub) -> Scrub:
    """A scrubber that keeps both ends of a text too long to be scrubbed whole."""

    def scrubbed(text: str) -> str:
        if len(text) <= LONGEST:
            return scrub(text)
        head = scrub(text[: KEPT + _MARGIN])[:-_MARGIN]
        tail = scrub(text[-KEPT - _MARGIN :])[_MARGIN:]
        head, tail = head[: _blank_before(head)], tail[_blank_behind(tail) :]
        return f"{head}\n… <elided {len(text) - len(head) - len(tail)} characters> …\n{tail}"

    return scrubbed


def _blank_before(head: str) -> int:
    """Where the last word begins that the cut may have gone through, a mark of a scrubbed secret included."""
    near = max(0, len(head) - _EDGE)
    return max(head.rfind(" ", near), head.rfind("\n", near), near)


def _blank_behind(tail: str) -> int:
    blanks = [at for at in (tail.find(" ", 0, _EDGE), tail.find("\n", 0, _EDGE)) if at >= 0]
    return min(blanks, default=min(_EDGE, len(tail)))


def scrub_mapping(value: Mapping[str, object], scrub: Scrub) -> dict[str, object]:
    """Scrub every key and value of a JSON object."""
    return {_key(key, scrub): _member(str(key), item, scrub, 1) for key, item in value.items()}


def scrub_json(value: object, scrub: Scrub, depth: int = 0) -> object:
    """Scrub every string of a JSON value; what is nested deeper than forty levels is dropped."""
    if isinstance(value, str):
        return scrub(value)
    if depth > _MAX_DEPTH:
        return None
    if isinstance(value, Mapping):
        return {_key(key, scrub): _member(str(key), item, scrub, depth + 1) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [scrub_json(item, scrub, depth + 1) for item in value]
    return value


def _key(key: object, scrub: Scrub) -> str:
    text = str(key)
    return scrub(text) if len(text) >= _LONG_KEY else text


def _member(key: str, value: object, scrub: Scrub, depth: int) -> object:
    """Scrub a member's value, with its key before it where only the key tells that the value is a secret."""
    if not isinstance(value, str):
        return scrub_json(value, scrub, depth)
    clean = scrub(value)
    if clean != value or not value or len(value) > _MAX_KEYED or not _TELLING.search(key):
        return clean
    for before in (f"{key}=", f'"{key}": "'):
        joined = scrub(before + value)
        if joined.startswith(before):
            clean = joined.removeprefix(before)
        if clean != value:
            break
    return clean

"""Every string of a turn is scrubbed before the turn exists (D13, R28).

Owns how a scrubber of single texts is led through JSON: values, keys, and a secret that only its key gives away. Knows
nothing of what a secret looks like.
"""

import re
from collections.abc import Callable, Mapping
from typing import TypeAlias

__all__ = ["Scrub", "scrub_json", "scrub_mapping"]

Scrub: TypeAlias = Callable[[str], str]

_MAX_DEPTH = 40
_MAX_KEYED = 400
_LONG_KEY = 16
_TELLING = re.compile(r"pass|pwd|secret|token|key|auth|credential|cookie|session|dsn|conn", re.IGNORECASE)


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

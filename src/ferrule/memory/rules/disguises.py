"""A secret in disguise is the same secret: escaped, spread, reversed, encoded twice or over several values (INV-I6).

Owns the other readings of a text. The detector in `referents.secrets` knows what a secret looks like and reads simple
base64 and percent escapes itself; here is what a definition could do beyond that. Bounded: a value is at most 2,000
characters, a run is decoded at most twice.
"""

import base64
import binascii
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from html import unescape
from itertools import islice

from ferrule.referents.expressions import expression
from ferrule.referents.secrets.detect import find_secrets, looks_secret
from ferrule.referents.secrets.issued import ISSUED

__all__ = ["hidden_kind", "joined_kind"]

_ISSUED = frozenset(row.kind for row in ISSUED)
_ESCAPE = expression(r"\\{1,4}(?:u\{?([0-9A-Fa-f]{4})\}?|x([0-9A-Fa-f]{2}))")
_SPACE = expression(r"[\s\u200b-\u200d\u2060\ufeff]{1,2000}")
_HEX = expression(r"(?:[0-9A-Fa-f]{2}[ :]?){16,2000}")
_BASE64 = expression(r"[A-Za-z0-9+/_-]{24,4096}={0,2}")
_BASE32 = expression(r"[A-Z2-7]{32,2000}={0,6}")
_EDGE = r"[A-Za-z0-9_.~+/=-]{1,400}"
_LAST, _FIRST = expression(rf"{_EDGE}\Z"), expression(_EDGE)
_DENSE = expression(r"[A-Za-z0-9_.~+/=:-]{18}")
_ROUNDS = 2
_RUNS = 16
_PAIRED = 12
_READABLE = 0.95


def hidden_kind(text: str) -> str | None:
    """The kind of secret that another reading of the text shows, or None. The text itself is the detector's to read."""
    waiting, seen = [text], {text}
    for _ in range(_ROUNDS):
        waiting = [form for shown in waiting for form in _forms(shown) if not (form in seen or seen.add(form))]  # type: ignore[func-returns-value]
        for form in waiting:
            kind = looks_secret(form)
            if kind is not None:
                return kind
    return _issued(_SPACE.sub("", text)) or _issued(text[::-1])


def joined_kind(texts: Sequence[str]) -> str | None:
    """The kind of an issued secret that was cut in pieces: two values in any order, or three and more in a row."""
    found = _issued("".join(texts)) or _issued("".join(reversed(texts)))
    rows = ("".join(texts[at : at + 3]) for at in range(len(texts) - 2))
    found = found or next(filter(None, map(_issued, rows)), None)
    few = texts[:_PAIRED]
    for at, left in enumerate(few):
        end = _LAST.search(left[-400:])
        for other, right in enumerate(few):
            begin = _FIRST.match(right)
            if found is None and end and begin and other not in (at, at + 1):
                found = _issued(end.group() + begin.group())
    return found


def _issued(text: str) -> str | None:
    """Only forms that an issuer marks: what announces a secret in prose means nothing once its spaces are gone."""
    if not _DENSE.search(text):
        return None
    return next((secret.kind for secret in find_secrets(text) if secret.kind in _ISSUED), None)


def _forms(text: str) -> Iterator[str]:
    yield unicodedata.normalize("NFKC", text)
    if "\\" in text:
        yield _ESCAPE.sub(lambda found: chr(int(found[1] or found[2], 16)), text)
    if "&" in text:
        yield unescape(text)
    for pattern, decode in _CODES:
        for run in islice(pattern.finditer(text), _RUNS):
            plain = _plain(decode, run.group())
            if plain:
                yield plain


def _plain(decode: Callable[[str], bytes], run: str) -> str:
    try:
        raw = decode(run)
    except (binascii.Error, ValueError):
        return ""
    if len(raw) > 3 and not any(raw[1::2]):  # noqa: PLR2004 - UTF-16 of ASCII: every second byte is zero
        raw = raw[::2]
    elif len(raw) > 3 and not any(raw[::2]):  # noqa: PLR2004 - the same, big-endian
        raw = raw[1::2]
    text = raw.decode("latin-1")
    shown = sum(char.isascii() and (char.isprintable() or char in "\r\n\t") for char in text)
    return text if text and shown / len(text) >= _READABLE else ""


def _hex(run: str) -> bytes:
    return bytes.fromhex(run.replace(":", ""))


def _base64(run: str) -> bytes:
    body = run.rstrip("=").replace("-", "+").replace("_", "/")
    return base64.b64decode(body + "=" * (-len(body) % 4), validate=True)


def _base32(run: str) -> bytes:
    body = run.rstrip("=")
    return base64.b32decode(body + "=" * (-len(body) % 8))


_CODES: tuple[tuple[re.Pattern[str], Callable[[str], bytes]], ...] = (
    (_HEX, _hex),
    (_BASE64, _base64),
    (_BASE32, _base32),
)

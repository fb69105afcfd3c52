"""A secret in disguise is the same secret: escaped, spread, reversed, encoded twice or over several values (INV-I6).

Owns the other readings of a text. The detector in `referents.secrets` knows what a secret looks like and reads simple
base64 and percent escapes itself; here is what a definition could do beyond that. Bounded: a value is at most 2,000
characters, a run is decoded at most twice.
"""

import base64
import binascii
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from html import unescape
from itertools import islice

from ferrule.referents.expressions import expression
from ferrule.referents.secrets.detect import find_secrets, looks_secret
from ferrule.referents.secrets.issued import ISSUED, Issued

__all__ = ["hidden_kind", "joined_kind", "joined_kinds", "may_hide"]

_ISSUED = frozenset(row.kind for row in ISSUED)
_ANCHORS = tuple(dict.fromkeys(anchor for row in ISSUED for anchor in row.anchors))
_LONGEST = max(map(len, _ANCHORS))
# Begin of an issuer's letters → what is left of them.
_BEGUN: dict[str, tuple[str, ...]] = {
    begin: tuple({anchor[len(begin) :] for anchor in _ANCHORS if anchor.startswith(begin) and anchor != begin})
    for begin in {anchor[:size] for anchor in _ANCHORS for size in range(1, len(anchor))}
}
_PIECED = expression(r"[\"'`\\&]")  # what a text must have to read otherwise than it is written
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


def hidden_kind(text: str, *, bare: bool = False) -> str | None:
    """The kind of secret that another reading of the text shows, or None. The text itself is the detector's to read.

    `bare` says that `may_hide` has found no issuer's letters in it, so that they need not be looked for again.
    """
    waiting, seen = [text], {text}
    for _ in range(_ROUNDS):
        waiting = [form for shown in waiting for form in _forms(shown) if not (form in seen or seen.add(form))]  # type: ignore[func-returns-value]
        for form in waiting:
            kind = looks_secret(form)
            if kind is not None:
                return kind
    return None if bare else next(filter(None, map(_issued, _respaced(text))), None)


def may_hide(texts: Iterable[str]) -> bool:
    """Whether some of the texts may be an issued secret with spaces in it, or one that is written backwards."""
    return _may_be_issued([form for text in texts for form in _respaced(text)])


def _respaced(text: str) -> Iterator[str]:
    yield _SPACE.sub("", text)
    yield text[::-1]


def joined_kind(texts: Sequence[str]) -> str | None:
    """The kind of an issued secret that was cut in pieces: two values in any order, or three and more in a row."""
    return next(iter(joined_kinds([texts])), None)


def joined_kinds(groups: Sequence[Sequence[str]]) -> list[str | None]:
    """`joined_kind` of each group; where no issued form stands in any, only what reads otherwise is read again."""
    joins = "\n".join(form for texts in groups for form in ("".join(texts), "".join(reversed(texts))))
    letters = bool(_rows_in(joins)) or any(map(_may_meet, groups))
    if letters:
        letters = _may_stand_in("\n".join(form for texts in groups for form in _forms_of(texts, letters=True)))
    return [next(filter(None, map(_issued, _forms_of(texts, letters=letters))), None) for texts in groups]


def _forms_of(texts: Sequence[str], *, letters: bool) -> Iterator[str]:
    """What the values could be together, as far as it may be issued."""
    rows = ("".join(texts), "".join(reversed(texts)), *("".join(texts[at : at + 3]) for at in range(len(texts) - 2)))
    if letters:
        yield from dict.fromkeys((*rows, *_paired(texts)))
    else:
        yield from filter(_PIECED.search, dict.fromkeys(rows))


def _may_meet(texts: Sequence[str]) -> bool:
    """Whether the end of one value and the begin of another could make an issuer's letters, in any order."""
    few = [text.lower() for text in texts[:_PAIRED]]
    wanted = {rest for text in few for size in range(1, _LONGEST) for rest in _BEGUN.get(text[-size:], ())}
    return any(text.startswith(tuple(wanted)) for text in few)


def _paired(texts: Sequence[str]) -> Iterator[str]:
    """Each value before each other one that does not follow it anyway."""
    ends = [_LAST.search(text[-400:]) for text in texts[:_PAIRED]]
    begins = [_FIRST.match(text) for text in texts[:_PAIRED]]
    for at, end in enumerate(ends):
        for other, begin in enumerate(begins):
            if end and begin and other not in (at, at + 1):
                yield end.group() + begin.group()


def _rows_in(text: str) -> list[Issued]:
    """The issued forms of which the letters by which they are told stand in the text."""
    low = text.lower()
    return [row for row in ISSUED if any(map(low.__contains__, row.anchors))]


def _may_stand_in(text: str) -> bool:
    """Whether an issued form stands in it, before anybody has looked at what is around it."""
    return any(row.pattern.search(text) for row in _rows_in(text))


def _may_be_issued(texts: Iterable[str]) -> bool:
    """Whether an issued form stands in one of them, or could once it is read otherwise."""
    dense = "\n".join(filter(_DENSE.search, texts))
    return bool(dense) and (_PIECED.search(dense) is not None or _may_stand_in(dense))


def _issued(text: str) -> str | None:
    """Only forms that an issuer marks: what announces a secret in prose means nothing once its spaces are gone."""
    if not _may_be_issued([text]):
        return None
    return next((secret.kind for secret in find_secrets(text) if secret.kind in _ISSUED), None)


def _forms(text: str) -> Iterator[str]:
    yield unicodedata.normalize("NFKC", text)
    if "\\" in text:
        yield _ESCAPE.sub(lambda found: chr(int(found[1] or found[2], 16)), text)
    yield unescape(text)
    for pattern, decode in _CODES:
        for run in islice(pattern.finditer(text), _RUNS):
            plain = _plain(decode, run.group())
            if plain:
                yield plain


def _plain(decode: Callable[[str], bytes], run: str) -> str:
    """What a run says once it is decoded, or nothing; a run is never so short that nothing is left of it."""
    try:
        raw = decode(run)
    except (binascii.Error, ValueError):
        return ""
    if not any(raw[1::2]):  # UTF-16 of ASCII: every second byte is zero
        raw = raw[::2]
    elif not any(raw[::2]):  # the same, big-endian
        raw = raw[1::2]
    text = raw.decode("latin-1")
    shown = sum(char.isascii() and (char.isprintable() or char in "\r\n\t") for char in text)
    return text if shown / len(text) >= _READABLE else ""


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

"""An encoded secret is the same secret: base64, hex, percent escapes, packed text are read through, twice at most.

Owns which runs are worth decoding. Linear: a run is tried on its first letters before it is decoded whole.
Knows nothing of what a secret looks like. Standard library only.
"""

import base64
import re
import zlib
from collections.abc import Iterator
from urllib.parse import unquote

from ferrule.referents.expressions import expression
from ferrule.referents.secrets.plain import Secret, Words, plain_secrets

__all__ = ["encoded_secrets"]

_ENCODED = expression(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{24,262144}={0,2}")
_WRAPPED = expression(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/]{60,76}(?:\r?\n[ \t]{0,40}[A-Za-z0-9+/]{4,76}){1,4000}={0,2}")
_LINE = expression(r"[A-Za-z0-9+/]{60,76}")
_LINES = expression(r"\s")
_HEX = expression(r"(?:[0-9a-f]{2}){16,131072}|(?:[0-9A-F]{2}){16,131072}")
_ODD = expression(r"[0-9A-Z]")
_PERCENT = expression(r"%[0-9A-Fa-f]{2}[^\s\"'`<>]{0,2000}")
_TOKEN_LEAD = expression(r"(?<![^\s\"'`<>])[^\s\"'`<>]{1,400}\Z")
_STRANGE = bytes(byte for byte in range(256) if not (32 <= byte < 127 or byte in b"\r\n\t"))  # noqa: PLR2004 - printable ASCII
_PRINTABLE = 0.95
_RUN = 24
_TASTE = 96
_TWICE = 2
_PACKED = ("H4sI", "eJ", "eN", "eA", "eF")  # how base64 of gzip and of zlib begins
_ANY_PACKING = 47  # zlib's window bits, and 32 for either header
_GROWTH, _LEAST = 20, 64
_FULL_LINES = frozenset({60, 64, 72, 76})


def encoded_secrets(text: str, words: Words) -> Iterator[Secret]:
    """Runs and percent-encoded tokens whose decoded form holds a secret; `words` are those of the text."""
    long = words.long
    if _holds_secret("\n".join([word for word in long if len(word) >= _RUN])):
        for match in _ENCODED.finditer(text):
            if _run_holds_secret(match.group()):
                yield Secret("encoded", match.start(), match.end())
    if sum(len(word) in _FULL_LINES and _LINE.fullmatch(word) is not None for word in long) > 1:
        for match in _WRAPPED.finditer(text):
            if _run_holds_secret(_LINES.sub("", match.group())):
                yield Secret("encoded", match.start(), match.end())
    if "%" in text:
        for match in _PERCENT.finditer(text):
            yield from _unquoted(text, match)


def _unquoted(text: str, match: re.Match[str]) -> Iterator[Secret]:
    """The token around the first percent escape of a run, when its decoded form holds a secret."""
    lead = _TOKEN_LEAD.search(text, max(0, match.start() - 400), match.start())
    start = lead.start() if lead else match.start()
    if _is_secret(unquote(text[start : match.end()]), _TWICE):
        yield Secret("encoded", start, match.end())


def _is_secret(plain: str, depth: int) -> bool:
    words = Words.of(plain)
    if next(plain_secrets(plain, words), None) is not None:
        return True
    return depth > 1 and _holds_secret("\n".join([word for word in words.long if len(word) >= _RUN]), depth - 1)


def _holds_secret(words: str, depth: int = _TWICE) -> bool:
    return any(_run_holds_secret(run, depth) for run in _ENCODED.findall(words))


def _run_holds_secret(run: str, depth: int = _TWICE) -> bool:
    if not _ODD.search(run):
        return False
    plain = _decoded(run)
    return bool(plain) and _is_secret(plain, depth)


def _decoded(run: str) -> str:
    """The readable text in a run of hex or base64, or nothing."""
    if _HEX.fullmatch(run) and (plain := _readable(bytes.fromhex(run))):
        return plain
    body = run.rstrip("=").replace("-", "+").replace("_", "/")
    if len(body) % 4 == 1:
        return ""
    if body.startswith(_PACKED):
        return _unpacked(base64.b64decode(body + "=" * (-len(body) % 4)))
    if len(body) > _TASTE and not _readable(base64.b64decode(body[:_TASTE])):
        return ""
    return _readable(base64.b64decode(body + "=" * (-len(body) % 4)))


def _unpacked(raw: bytes) -> str:
    """The readable text that gzip or zlib packed; of what grows beyond any text's measure, its beginning."""
    try:
        return _readable(zlib.decompressobj(_ANY_PACKING).decompress(raw, _GROWTH * len(raw) + _LEAST))
    except zlib.error:
        return ""


def _readable(raw: bytes) -> str:
    shown = len(raw.translate(None, _STRANGE))
    return raw.decode("latin-1") if raw and shown / len(raw) >= _PRINTABLE else ""

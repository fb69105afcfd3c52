"""No secret leaves a text unseen: issued forms, announced values, and both again inside encoded runs.

Owns the scan and its answers. Linear: anchors are found by substring search, patterns are bounded and matched there.
Knows nothing of where a text came from. Standard library only.
"""
# ruff: noqa: E501, PLR2004 - patterns, thresholds and word lists are the data here

import base64
import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from ferrule.referents.secrets.contexts import STEMS, judge
from ferrule.referents.secrets.innocent import is_documented, is_innocent
from ferrule.referents.secrets.issued import ISSUED, Issued
from ferrule.referents.secrets.mark import PLACEHOLDER, placeholder, placeholder_spans

__all__ = ["Secret", "find_secrets", "looks_secret", "scrub"]


@dataclass(frozen=True, slots=True)
class Secret:
    """Where a secret stands, and of what kind it is. Never its value."""

    kind: str
    start: int
    end: int


_ENCODED = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{24,4096}={0,2}")
_ODD = re.compile(r"[0-9A-Z]")
_PERCENT = re.compile(r"%[0-9A-Fa-f]{2}[^\s\"'`<>]{0,2000}")
_TOKEN_LEAD = re.compile(r"(?<![^\s\"'`<>])[^\s\"'`<>]{1,400}\Z")
_JOIN = re.compile(r"[\"']\s{0,20}(?:\+|\.|&|\\)?\s{0,20}[\"']")
_BREAK = re.compile(r"\\\r?\n[ \t]{0,40}")
_ASCII_LOWER = {code: code + 32 for code in range(65, 91)}
_EDGE = re.compile(r"[\s\"'`<>,;(){}\x00]")
_DENSE = 32
_ROUNDS = 4
_PRINTABLE = 0.95
_DIGIT = re.compile(r"[0-9]")
_SHORTEST = 15
_RUN = 24
_STRANGE = bytes(byte for byte in range(256) if not (32 <= byte < 127 or byte in b"\r\n\t"))


def find_secrets(text: str) -> tuple[Secret, ...]:
    """Every secret in the text, ordered, non-overlapping; marks left by an earlier scrub are never looked into (D13)."""
    hidden = _hide_marks(text)
    long = _long_words(hidden)
    plain = _merge(list(_plain(hidden, long)))
    encoded = [
        hit for hit in _encoded(hidden, long) if not any(one.start < hit.end and hit.start < one.end for one in plain)
    ]
    return _merge([*plain, *encoded])


def looks_secret(text: str) -> str | None:
    """The kind of the first secret in the text, its decoded and joined forms included (rule 7), or None."""
    found = find_secrets(text)
    if found:
        return found[0].kind
    for form in (_JOIN.sub("", text), _BREAK.sub("", text)):
        if form != text and (hits := find_secrets(form)):
            return hits[0].kind
    return None


def scrub(text: str, key: bytes) -> str:
    """The text with each secret replaced by its mark (D13). Idempotent; marks are never scrubbed again."""
    for _ in range(_ROUNDS):
        found = find_secrets(text)
        if not found:
            return text
        pieces: list[str] = []
        at = 0
        for secret in found:
            pieces.append(text[at : secret.start])
            pieces.append(placeholder(secret.kind, text[secret.start : secret.end], key))
            at = secret.end
        pieces.append(text[at:])
        text = "".join(pieces)
    return text


def _hide_marks(text: str) -> str:
    """Marks become NULs of the same length, so that offsets stay and nothing matches in them."""
    if not placeholder_spans(text):
        return text
    return PLACEHOLDER.sub(lambda mark: "\x00" * len(mark.group()), text)


def _lower(text: str) -> str:
    low = text.lower()
    return low if len(low) == len(text) else text.translate(_ASCII_LOWER)


def _long_words(text: str) -> list[str]:
    """The words long enough to hold an issued form or an encoded run; each once."""
    return list(dict.fromkeys([word for word in text.split() if len(word) > _SHORTEST]))


def _plain(text: str, long: list[str]) -> Iterator[Secret]:
    low = _lower(text)
    yield from _issued(text, low, long)
    for stem, anchors in STEMS.items():
        if stem in low:
            for anchor in anchors:
                yield from _announced(text, low, anchor)


def _issued(text: str, low: str, long: list[str]) -> Iterator[Secret]:
    """Issued forms stand in long words with a digit; only where such a word holds an anchor is the text searched."""
    dense = _lower("\n".join([word for word in long if _DIGIT.search(word)]))
    if not dense:
        return
    for row in ISSUED:
        for anchor in row.anchors:
            if anchor in dense:
                yield from _tried(row, anchor, text, low)


def _tried(row: Issued, anchor: str, text: str, low: str) -> Iterator[Secret]:
    at = low.find(anchor)
    while at >= 0:
        after = at + len(anchor)
        if _stands_alone(text, at, anchor) and (match := row.pattern.match(text, at)):
            after = match.end()
            if _is_issued(match.group(), anchor):
                yield Secret(row.kind, at + (1 if anchor[0] == ":" else 0), after)
        at = low.find(anchor, after)


def _announced(text: str, low: str, anchor: str) -> Iterator[Secret]:
    """What an anchor announces, wherever it stands.

    No one writes the same anchor dozens of times into one word but to make us read that word again and again; from
    there on it is taken as a secret as a whole, so that the work stays linear and nothing gets by (D13).
    """
    at, ends, times = low.find(anchor), -1, 0
    while at >= 0:
        after = at + len(anchor)
        if at >= ends:
            ends, times = _word_end(text, after), 0
        times += 1
        if times > _DENSE:
            yield Secret("dense", at, ends)
            after = ends
        else:
            for kind, start, end in judge(text, low, at, anchor):
                after = max(after, end)
                yield Secret(kind, start, end)
        at = low.find(anchor, after)


def _word_end(text: str, at: int) -> int:
    edge = _EDGE.search(text, at)
    return edge.start() if edge else len(text)


def _stands_alone(text: str, at: int, anchor: str) -> bool:
    """An issued form starts a word, unless its anchor starts with a mark of its own or stands inside by design."""
    if not anchor[0].isalpha() or anchor in {"8q~", "7q~"} or at == 0:
        return True
    before = text[at - 1]
    return not (before.isalnum() or before == "_") or (before in "nrt" and text[at - 2 : at - 1] == "\\")


def _is_issued(value: str, anchor: str) -> bool:
    """A documentation value or a word that only begins like an issued form is none."""
    body = value[len(anchor) :]
    if is_documented(value):
        return False
    if is_innocent(value.lstrip(":.")) and not value.startswith(
        ("eyJ", "hooks", "/api", "SG.", "hv", "dp.", "ya29", ".atlas")
    ):
        return False
    if anchor in {"sk-", "key-", "secret_", "npm_", "pypi-", "pul-"} and not any(letter.isdigit() for letter in body):
        return False
    return len(set(body)) > 5


def _encoded(text: str, long: list[str]) -> Iterator[Secret]:
    """Base64 runs and percent-encoded tokens whose decoded form holds a secret."""
    if any(_holds_secret(word) for word in long if len(word) >= _RUN):
        for match in _ENCODED.finditer(text):
            if _run_holds_secret(match.group()):
                yield Secret("encoded", match.start(), match.end())
    if "%" in text:
        for match in _PERCENT.finditer(text):
            yield from _unquoted(text, match)


def _unquoted(text: str, match: re.Match[str]) -> Iterator[Secret]:
    """The token around the first percent escape of a run, when its decoded form holds a secret."""
    lead = _TOKEN_LEAD.search(text, max(0, match.start() - 400), match.start())
    start = lead.start() if lead else match.start()
    plain = unquote(text[start : match.end()])
    if next(_plain(plain, _long_words(plain)), None):
        yield Secret("encoded", start, match.end())


def _holds_secret(word: str) -> bool:
    return any(_run_holds_secret(match.group()) for match in _ENCODED.finditer(word))


def _run_holds_secret(run: str) -> bool:
    plain = _decoded(run) if _ODD.search(run) else ""
    return bool(plain) and next(_plain(plain, _long_words(plain)), None) is not None


def _decoded(run: str) -> str:
    body = run.rstrip("=").replace("-", "+").replace("_", "/")
    if len(body) % 4 == 1 or (body.isalpha() and body.islower()):
        return ""
    try:
        raw = base64.b64decode(body + "=" * (-len(body) % 4), validate=True)
    except (binascii.Error, ValueError):
        return ""
    shown = len(raw.translate(None, _STRANGE))
    return raw.decode("latin-1") if raw and shown / len(raw) >= _PRINTABLE else ""


def _merge(hits: list[Secret]) -> tuple[Secret, ...]:
    """Ordered, overlapping ones united under the kind of the first and longest."""
    merged: list[Secret] = []
    for hit in sorted(hits, key=lambda secret: (secret.start, -secret.end)):
        if merged and hit.start < merged[-1].end:
            if hit.end > merged[-1].end:
                merged[-1] = Secret(merged[-1].kind, merged[-1].start, hit.end)
        elif hit.end > hit.start:
            merged.append(hit)
    return tuple(merged)

"""No secret leaves a text unseen: plain, encoded, and written in pieces.

Owns the answers: what is found, whether a value is refused, what a scrubbed text looks like. Knows nothing of where a
text came from. Standard library only.
"""

from collections.abc import Iterator

from ferrule.referents.expressions import expression
from ferrule.referents.secrets.encoded import encoded_secrets
from ferrule.referents.secrets.lookalikes import is_mixed, unmasked
from ferrule.referents.secrets.mark import PLACEHOLDER, placeholder, placeholder_spans
from ferrule.referents.secrets.pieces import windows
from ferrule.referents.secrets.plain import Secret, Words, plain_secrets

__all__ = ["Secret", "find_secrets", "looks_secret", "scrub"]

_JOIN = expression(r"[\"']\s{0,20}(?:\+|\.|&|\\)?\s{0,20}[\"']")
_BREAK = expression(r"\\\r?\n[ \t]{0,40}")
_ROUNDS = 4
_FEW = 16  # no issued form is shorter, and an announced one needs something between the word and the value
_LINKS = expression(r"[\s=:>]")


def find_secrets(text: str) -> tuple[Secret, ...]:
    """Every secret in the text, ordered, apart; marks left by an earlier scrub are never looked into (D13)."""
    if len(text) < _FEW and text.isascii() and not _LINKS.search(text):
        return ()
    hidden = _hide_marks(text)
    words = Words.of(hidden)
    plain = _merge([*plain_secrets(hidden, words), *_in_pieces(hidden), *_masked(hidden, words)])
    if not words.long and "%" not in hidden:
        return plain
    encoded = [
        hit
        for hit in encoded_secrets(hidden, words)
        if not any(one.start < hit.end and hit.start < one.end for one in plain)
    ]
    return _merge([*plain, *encoded])


def _in_pieces(text: str) -> Iterator[Secret]:
    for window in windows(text):
        for hit in plain_secrets(window.text, Words.of(window.text)):
            span = window.span(hit.start, hit.end)
            if span is not None:
                yield Secret(hit.kind, *span)


def _masked(text: str, words: Words) -> Iterator[Secret]:
    if words.wide and is_mixed(words.wide):
        shown = unmasked(text)
        yield from plain_secrets(shown, Words.of(shown))


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
    left = _ROUNDS
    while left and (found := find_secrets(text)):
        left -= 1
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


def _merge(hits: list[Secret]) -> tuple[Secret, ...]:
    """Ordered, overlapping ones united under the kind of the first and longest."""
    merged: list[Secret] = []
    for hit in sorted((one for one in hits if one.end > one.start), key=lambda secret: (secret.start, -secret.end)):
        if merged and hit.start < merged[-1].end:
            if hit.end > merged[-1].end:
                merged[-1] = Secret(merged[-1].kind, merged[-1].start, hit.end)
        else:
            merged.append(hit)
    return tuple(merged)

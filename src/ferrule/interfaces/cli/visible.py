"""Untrusted text made safe to show: a terminal acts on nothing that a memory or a transcript says.

Owns the escaping of control, ANSI, bidi and invisible characters (CASE-C12). Knows nothing of layout.
"""

import re

__all__ = ["excerpt", "visible"]

# C0 and C1 controls, DEL, soft hyphen, zero-width and bidi characters, line separators, surrogates, BOM, tags. Joiners
# are part of a word or emoji where they stand between two characters beyond ASCII.
_BESIDE = "[^\x00-\x7f\u200b-\u200f]"
_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb"
    f"\U000e0000-\U000e007f]|(?<!{_BESIDE})[\u200c\u200d]|[\u200c\u200d](?!{_BESIDE})"
)
_SHORT = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}


def visible(text: str) -> str:
    """The text with every character that a terminal might act on written as an escape; one line stays one line."""
    return _UNSAFE.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    char = found.group()
    if char in _SHORT:
        return _SHORT[char]
    number = ord(char)
    if number <= 0xFF:  # noqa: PLR2004 - the widest value of a two-digit escape
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number <= 0xFFFF else f"\\U{number:08x}"  # noqa: PLR2004 - the last of four digits


def excerpt(text: str, limit: int) -> str:
    """The first line that says something, visible, cut at a word to at most `limit` characters."""
    line = next((line.strip() for line in text.splitlines() if line.strip()), "")
    shown = visible(" ".join(line[: limit * 4].split()))
    if len(shown) <= limit and len(line) <= limit * 4:
        return shown
    cut = shown[: limit - 1]
    head, space, _ = cut.rpartition(" ")
    return f"{head if space and len(head) > limit // 2 else cut}…"

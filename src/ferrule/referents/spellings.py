"""The beginning of a path is written in many ways; here they become one, as far as the text itself proves it.

Owns what stands before or inside a path without being part of its name: the scheme of a `file:` URL, a shell's escapes,
Windows' long-path prefix, WSL's two names for a share, macOS' `/private`, a variable for the home folder.
Reads no disk: a symbolic link that only a disk knows stays what it is. Knows nothing of places and repositories.
"""

import re
from urllib.parse import unquote

from ferrule.referents.expressions import expression

__all__ = ["forward", "on_windows", "plain_spelling"]

_FILE_URL = expression(r"file:(?://(?P<host>[^/\\]{0,255}))?(?=[/\\])", re.IGNORECASE)
_DRIVE = expression(r"/?[A-Za-z]:[\\/]")
_ESCAPED = expression(r"\\([ ()&'\[\]])")
_LONG = expression(r"//[?.]/(?P<net>UNC/)?", re.IGNORECASE)
_WSL = expression(r"//wsl(?:\$|\.localhost)(?=/|\Z)", re.IGNORECASE)
_PRIVATE = expression(r"/private(?=/(?:tmp|var|etc)(?:/|\Z))")
_HOME = expression(
    r"(?:\$\{HOME\}|\$HOME|\$env:(?:USERPROFILE|HOME)|%USERPROFILE%|%HOMEDRIVE%%HOMEPATH%)(?=/|\Z)", re.IGNORECASE
)
_SHARE = "//wsl.localhost"
_WIN = expression(r"[A-Z]:(?=/|\Z)")
_HERE = frozenset({".", "..", "~"})


def plain_spelling(text: str) -> str:
    """The path behind its spelling, with forward slashes; what is spelt plainly comes back as it is."""
    text = _without_scheme(text) if text[:5].lower() == "file:" else text
    if "\\" in text:
        text = forward(_unescaped(text))
    if text.startswith("//"):
        text = _WSL.sub(_SHARE, _LONG.sub(lambda found: "//" if found["net"] else "", text, count=1), count=1)
    elif text.startswith("/private/"):
        text = _PRIVATE.sub("", text, count=1)
    elif text[:1] in {"$", "%"}:
        text = _HOME.sub("~", text, count=1)
    return text


def forward(text: str) -> str:
    """Forward slashes; a backslash that JSON doubled counts once, a network share keeps its two."""
    share = text.startswith("\\\\") and text[2:3] != "\\"
    return ("/" if share else "") + text.replace("\\\\", "\\").replace("\\", "/")


def on_windows(folded: str) -> bool:
    """Whether a folded path lies on a drive or share of Windows, where case tells no two files apart.

    A share of WSL is a Linux disk. Of a path under `/Users` nobody can tell from the text whether its disk folds case,
    so it does not: two memories of one file are less bad than one memory of two.
    """
    return _WIN.match(folded) is not None or (folded.startswith("//") and not folded.startswith(_SHARE))


def _without_scheme(text: str) -> str:
    """The path of a `file:` URL; a host other than this one is a network share."""
    found = _FILE_URL.match(text)
    if found is None:
        return text
    host, rest = found["host"] or "", _decoded(text[found.end() :])
    if host in _HERE or host[1:] == ":":
        return host + rest
    if host and host.lower() != "localhost":
        return f"//{host}{rest}"
    return rest[1:] if _DRIVE.match(rest) else rest


def _decoded(text: str) -> str:
    """Percent-escapes undone, unless they hide bytes that are no text or control characters."""
    if "%" not in text:
        return text
    try:
        plain = unquote(text, errors="strict")
    except UnicodeDecodeError:
        return text
    return plain if plain.isprintable() else text


def _unescaped(text: str) -> str:
    """A shell's escapes in a path with forward slashes are no part of its name."""
    if "/" not in text or text.startswith("\\\\"):
        return text
    return text.replace("\\ ", " ") if _DRIVE.match(text) else _ESCAPED.sub(r"\1", text)

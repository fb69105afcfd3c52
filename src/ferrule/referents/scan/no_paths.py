"""What is written with a slash or a dot and is no path: alternatives, units, keys, patterns, mail, attributes.

Owns the forms that running text shares with paths. Everything here is asked of one token, after its form said "path".
"""
# ruff: noqa: SIM905 - word lists are the data here

import re

from ferrule.referents.expressions import expression
from ferrule.referents.scan.words import vocabulary

__all__ = ["is_attribute", "is_mail", "is_no_path", "is_selector"]

_SED = expression(r"(?:s|y|tr)/[^/\n]{1,200}/[^/\n]{0,200}/[a-zA-Z0-9]{0,4}")
_CLASS = expression(r"\[\^?[\w]-[\w]|\][+*?{]|\\[dwsbDWSB]|\.[*+]|\(\?")
_POINTER = expression(r"~[01](?=[A-Za-z/]|\Z)")
_CHORD = expression(r"\b(?:ctrl|cmd|alt|shift|option|meta|control|command|super|win)\+", re.IGNORECASE)
_MEDIA_TAIL = expression(r"(?:vnd\.|x-|prs\.)?[a-z0-9][a-z0-9.+-]{0,60}")
_QUANTITY = expression(r"[A-Za-z]{0,3}[0-9]{1,5}[A-Za-z%°']{0,3}")
_UNIT = expression(r"[A-Za-z]{1,3}")
_MAIL = expression(r"(?:mailto:)?[\w.+%-]{1,64}@(?:[\w-]{1,63}\.){1,6}(?P<end>[a-z]{2,24})")
_LETTER = expression(r"\w")
_RECEIVERS = frozenset(
    "self this super cls console window math np numpy torch kwargs props ctx req res evt jquery lodash $ logger".split()
)
_ATTRIBUTES = frozenset(
    "key config log db props properties env lock dot bin step targets service proto make conf re less inc cfg".split()
)
_CUT = 3
_STEPS = frozenset({"..", ".", "~"})


def is_no_path(value: str, *, tick: bool) -> bool:
    """Whether a token with a slash is one of the forms that only look like a path."""
    parts = value.strip("/").split("/")
    return (
        _SED.fullmatch(value) is not None
        or _CLASS.search(value) is not None
        or _CHORD.search(value) is not None
        or (value.startswith("/") and _POINTER.search(value) is not None)
        or _is_media(parts)
        or any(_opens_only(part) or not _LETTER.search(part) for part in parts if part not in _STEPS)
        or (tick and not value.startswith(("/", "./", "../", "~")) and not value.endswith("/") and _are_words(parts))
    )


def is_mail(value: str) -> bool:
    """Whether a token is a mail address; `icon@2x.png` and `notes@home.md` are none."""
    found = _MAIL.fullmatch(value)
    if found is None:
        return False
    end = found["end"]
    return value.startswith("mailto:") or end in vocabulary("domains") or end not in vocabulary("extensions")


def is_attribute(stem: str, ending: str) -> bool:
    """Whether a name with a dot is what code reads of a thing: `console.log`, `self.config`."""
    return ending in _ATTRIBUTES and stem.rpartition(".")[2] in _RECEIVERS


def is_selector(name: str) -> bool:
    """Whether a name that begins with a dot selects a class of a page: `.btn-primary`, `.card`."""
    return not vocabulary("style_words").isdisjoint(name[1:].lower().replace("_", "-").split("-"))


def _is_media(parts: list[str]) -> bool:
    return (
        len(parts) == 2  # noqa: PLR2004 - a type and a subtype
        and parts[0].lower() in vocabulary("media_types")
        and ("." not in parts[1] or parts[1].startswith(("vnd.", "x-", "prs.")))
        and _MEDIA_TAIL.fullmatch(parts[1]) is not None
    )


def _opens_only(part: str) -> bool:
    """Whether a component opens a bracket that it does not close, or the other way round: `O(n/2)`, `[1/5]`."""
    return part.count("(") != part.count(")") or part.count("[") != part.count("]")


def _are_words(parts: list[str]) -> bool:
    """Alternatives and quantities in ticks: `he/she/they`, `p50/p95`, `10am/pm`, `MIT/Apache-2.0`, `a/b/c`."""
    low = [part.lower() for part in parts]
    words, names = vocabulary("function_words"), vocabulary("alternatives")
    if any(part in vocabulary("not_files") for part in low) or all(part in names for part in low):
        return True
    if len(parts) <= _CUT + 1 and any(part in words and len(part) > 1 for part in low):
        return True
    if all(_QUANTITY.fullmatch(part) for part in parts) or all(len(part.rstrip("+#")) == 1 for part in parts):
        return True
    return low[0][0].isdigit() and all(_QUANTITY.fullmatch(part) or _UNIT.fullmatch(part) for part in parts)

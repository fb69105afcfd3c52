"""Values become one raw ProtoScript prototype; nothing here reads any (R51, R52).

Owns the small writer that every reviewer shares: names, verbatim strings, references, typed fields. What it writes is
judged by the source, not by it. Knows nothing of what is known or of how a critic thinks.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from ferrule.referents.expressions import expression

__all__ = ["DefinedProperty", "definition_text", "identifier"]

_NAME = expression(r"[A-Za-z_][A-Za-z0-9_]*")
_WORD = expression(r"[A-Za-z0-9]+")
_MAX_WORDS = 8
_MAX_NAME = 64
_SHOUTED = 4


@dataclass(frozen=True, slots=True)
class DefinedProperty:
    """One line of a definition.

    `type` is empty for a plain assignment of a declared property, else the type of a new field. A `reference` writes
    its value as the name of a prototype instead of as a string.
    """

    name: str
    value: str
    type: str = ""
    reference: bool = False


def definition_text(name: str, base: str, properties: Sequence[DefinedProperty], *, partial: bool = False) -> str:
    """One prototype as text: verbatim strings with doubled quotes, one property a line, tabs for indent.

    An augmentation (`partial`) names no base. Every name must be a valid identifier; values may hold anything.
    """
    head = f"partial prototype {name}" if partial else f"prototype {name} : {base}"
    lines = [head, "{", *(f"\t{_line(item)}" for item in properties), "}"]
    return "\n".join(lines) + "\n"


def _line(item: DefinedProperty) -> str:
    value = item.value if item.reference else '@"' + item.value.replace('"', '""') + '"'
    left = f"{item.type} {item.name}" if item.type else item.name
    return f"{left} = {value};"


def identifier(phrase: str) -> str:
    """A PascalCase ASCII name for a phrase, or empty when no letter of it survives: `release.yml` gives `ReleaseYml`.

    Letters with marks lose the marks. Words after the eighth are left out. A leading digit gets no prefix here: that
    is the caller's business, who knows the type. A name shouted as a whole is calmed down as a whole: `DB_URL`.
    """
    folded = unicodedata.normalize("NFKD", phrase).encode("ascii", "ignore").decode("ascii")
    words = _WORD.findall(folded)[:_MAX_WORDS]
    shouted = len(words) > 1 and all(word.isupper() or word.isdigit() for word in words)
    name = "".join(word.capitalize() if shouted else _capital(word) for word in words)[:_MAX_NAME]
    return name if _NAME.fullmatch(name) or name.isdigit() or _WORD.fullmatch(name) else ""


def _capital(word: str) -> str:
    """Shouted words are calmed down, so that `README.md` gives `ReadmeMd`; short acronyms stay."""
    return word.capitalize() if word.isupper() and len(word) >= _SHOUTED else word[0].upper() + word[1:]

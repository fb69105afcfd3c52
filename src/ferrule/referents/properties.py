"""The kind of a handle comes first from the name of the property that carries it (design.md section 3).

Owns the suffix table, a user's extension of it (`handles.toml`), and the list of free-text names (D4).
Knows nothing of values: `recognise.accepts` checks those.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from ferrule.errors import UnreadableInput
from ferrule.referents.expressions import expression
from ferrule.referents.kinds import HandleKind
from ferrule.referents.tables.reader import table

__all__ = ["Suffixes", "family_of", "is_free_text", "kind_of_property", "load_suffixes", "shipped_suffixes"]

_AT_TURN = expression(r"AtTurn[0-9]{1,12}\Z")
_ACRONYM = expression(r"[A-Z]{2,40}(?![a-z])")
_ACRONYM_WORD = expression(r"[A-Z]{2,40}(?=[A-Z][a-z])")
_MAX_NAME = 256


@dataclass(frozen=True, slots=True)
class Suffixes:
    """Suffix of a property name → kind, and the names that hold prose."""

    kinds: Mapping[str, HandleKind]
    free_text: frozenset[str]


def family_of(name: str) -> str:
    """The property name without `AtTurn<ordinal>`: the family that the suffix table and the schema look at."""
    return _AT_TURN.sub("", name)


@cache
def shipped_suffixes() -> Suffixes:
    """The table that ships with Ferrule, read once."""
    return _parse(table("suffixes"), "the shipped suffix table")


def load_suffixes(extra: Path) -> Suffixes:
    """The shipped table extended by a user's `handles.toml`; the user's rows win.

    Raises:
        UnreadableInput: the file cannot be read, is not TOML, or names an unknown kind.
    """
    try:
        data = tomllib.loads(extra.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as problem:
        raise UnreadableInput(f"{extra} cannot be read as a handle table: {problem}") from problem
    shipped, own = shipped_suffixes(), _parse(data, str(extra))
    return Suffixes(kinds={**shipped.kinds, **own.kinds}, free_text=shipped.free_text | own.free_text)


def kind_of_property(name: str, extra: Suffixes | None = None) -> HandleKind | None:
    """The kind of handle that a property of this name carries, or None: free text (D4) or an unknown name.

    The longest suffix on a word boundary wins, `AtTurn<n>` is not looked at, a plural counts as its singular.
    """
    return _shipped_kind(name) if extra is None else _kind(name, extra)


def _kind(name: str, table_: Suffixes) -> HandleKind | None:
    spelt = _pascal(family_of(name))
    if _free(spelt, table_):
        return None
    for form in _singulars(spelt):
        for suffix in _suffixes_of(form):
            kind = table_.kinds.get(suffix)
            if kind is not None:
                return kind
    return None


@lru_cache(maxsize=1024)
def _shipped_kind(name: str) -> HandleKind | None:
    return _kind(name, shipped_suffixes())


def is_free_text(name: str, extra: Suffixes | None = None) -> bool:
    """Whether a property of this name holds prose, so that nothing in it counts as a handle (D4)."""
    return _free(_pascal(family_of(name)), extra or shipped_suffixes())


def _free(spelt: str, table_: Suffixes) -> bool:
    """The longest matching suffix decides between prose and handle: `NotePath` is a path, `PathNotes` is prose."""
    for form in _singulars(spelt):
        for suffix in _suffixes_of(form):
            if suffix in table_.free_text:
                return True
            if suffix in table_.kinds:
                return False
    return False


@lru_cache(maxsize=1024)
def _pascal(name: str) -> str:
    """`root_path`, `rootPath`, `RootPATH` and `ServerURL` in one spelling: RootPath, ServerUrl."""
    words = [word for word in name[:_MAX_NAME].replace("-", "_").split("_") if word]
    joined = "".join(word[0].upper() + word[1:] for word in words)
    joined = _ACRONYM_WORD.sub(lambda found: found.group().capitalize(), joined)
    return _ACRONYM.sub(lambda found: found.group().capitalize(), joined)


def _singulars(spelt: str) -> tuple[str, ...]:
    """The name itself, then without its plural ending."""
    if spelt.endswith("ies"):
        return spelt, spelt[:-3] + "y"
    if spelt.endswith(("ches", "shes", "sses", "xes")):
        return spelt, spelt[:-2]
    if spelt.endswith("s"):
        return spelt, spelt[:-1]
    return (spelt,)


def _suffixes_of(spelt: str) -> tuple[str, ...]:
    """Every suffix that starts a word, longest first."""
    return tuple(spelt[at:] for at, letter in enumerate(spelt) if at == 0 or letter.isupper())


def _parse(data: Mapping[str, object], where: str) -> Suffixes:
    suffixes, prose = data.get("suffixes", {}), data.get("free-text", {})
    if not isinstance(suffixes, dict) or not isinstance(prose, dict):
        raise UnreadableInput(f"{where}: [suffixes] and [free-text] must be tables")
    kinds: dict[str, HandleKind] = {}
    for key, names in suffixes.items():
        if key not in HandleKind.__members__.values():
            raise UnreadableInput(f"{where}: there is no handle kind {str(key)[:40]!r}")
        kinds.update(dict.fromkeys((_pascal(name) for name in _names(names, where)), HandleKind(key)))
    free = frozenset(_pascal(name) for name in _names(prose.get("names", []), where))
    return Suffixes(kinds=kinds, free_text=free)


def _names(value: object, where: str) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(name, str) and name for name in value):
        raise UnreadableInput(f"{where}: a row must be a list of names")
    return [str(name) for name in value]

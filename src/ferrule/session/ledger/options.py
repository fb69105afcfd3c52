"""Words of a command are options, option values and operands; each family says which options take a value.

Owns that split. Knows nothing of any program.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

__all__ = ["Parsed", "parse"]


@dataclass(frozen=True, slots=True)
class Parsed:
    """A command line in three parts: flags, options with their value, and operands in order."""

    flags: frozenset[str]
    values: dict[str, str]
    operands: tuple[str, ...]
    after_dashes: tuple[str, ...] = ()

    def has(self, *names: str) -> bool:
        """Whether one of the options is present, with or without a value."""
        return any(name in self.flags or name in self.values for name in names)

    def value(self, *names: str) -> str:
        """The value of the first of these options that has one; empty when none has."""
        return next((self.values[name] for name in names if self.values.get(name)), "")


def parse(words: Sequence[str], takes_value: Iterable[str] = ()) -> Parsed:
    """Split words after the program. `--name=value` is a value; `-abc` counts as `-a`, `-b`, `-c` and `-abc`."""
    valued = frozenset(takes_value)
    flags: set[str] = set()
    values: dict[str, str] = {}
    operands: list[str] = []
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if word == "--":
            return Parsed(frozenset(flags), values, tuple(operands), tuple(words[at:]))
        if word in valued and at < len(words):
            values.setdefault(word, words[at])
            at += 1
        elif word.startswith("--") and "=" in word:
            name, _, value = word.partition("=")
            values.setdefault(name, value)
        elif word.startswith("-") and len(word) > 1:
            at += _short(word, words, at, valued, flags, values)
        else:
            operands.append(word)
    return Parsed(frozenset(flags), values, tuple(operands))


def _short(  # noqa: PLR0913 - the parts of one loop
    word: str, words: Sequence[str], at: int, valued: frozenset[str], flags: set[str], values: dict[str, str]
) -> int:
    """Take one flag or bundle of flags; gives how many further words it used."""
    flags.add(word)
    if word.startswith("--") or len(word) > 6:  # noqa: PLR2004 - longer bundles do not exist
        return 0
    flags.update(f"-{letter}" for letter in word[1:])
    last = f"-{word[-1]}"
    if len(word) > 2 and last in valued and at < len(words):  # noqa: PLR2004 - a bundle such as -am
        values.setdefault(last, words[at])
        return 1
    return 0

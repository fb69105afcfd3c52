"""Words of a command are options, option values and operands; each family says which options take a value.

Owns that split. Knows nothing of any program.
"""

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

__all__ = ["Parsed", "names", "parse"]


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


def names(text: str) -> frozenset[str]:
    """The words of a text as a set: how tables of programs are written down."""
    return frozenset(text.split())


def parse(words: Sequence[str], takes_value: Iterable[str] = ()) -> Parsed:
    """Split words after the program. `--name=value` is a value; `-abc` counts as `-a`, `-b`, `-c` and `-abc`."""
    valued = frozenset(takes_value)
    flags: set[str] = set()
    values: dict[str, str] = {}
    operands: list[str] = []
    rest = deque(words)
    while rest:
        word = rest.popleft()
        if word == "--":
            return Parsed(frozenset(flags), values, tuple(operands), tuple(rest))
        if word in valued and rest:
            values.setdefault(word, rest.popleft())
        elif word.startswith("--") and "=" in word:
            name, _, value = word.partition("=")
            values.setdefault(name, value)
        elif word.startswith("-") and len(word) > 1:
            flags.update((word, *_bundled(word)))
            last = f"-{word[-1]}"
            if last in valued and rest and last in flags and word != last:
                values.setdefault(last, rest.popleft())
        else:
            operands.append(word)
    return Parsed(frozenset(flags), values, tuple(operands))


def _bundled(word: str) -> list[str]:
    """The single-letter flags of a bundle such as `-am`; none for a long name."""
    if word.startswith("--") or not 2 < len(word) <= 6:  # noqa: PLR2004 - longer bundles do not exist
        return []
    return [f"-{letter}" for letter in word[1:]]

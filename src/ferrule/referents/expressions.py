"""A regular expression is compiled when it is first asked something: a start needs few of the hundreds there are.

Owns the waiting. Most expressions belong to kinds, programs and languages that a given turn does not hold, and
compiling all of them would be a third of what a hook's worker takes to start. Standard library only.
"""

import re
from typing import cast

__all__ = ["Expression", "expression"]


_MEMBERS = (
    "match",
    "search",
    "fullmatch",
    "finditer",
    "findall",
    "split",
    "sub",
    "subn",
    "groupindex",
    "groups",
    "flags",
)


class Expression:
    """Has what a compiled expression has, under the same names."""

    def __init__(self, pattern: str) -> None:
        """Take the text of the expression, which is there without compiling."""
        self.pattern = pattern


class _Waiting(Expression):
    """Compiles when it is asked for anything else, and is a plain `Expression` from then on."""

    def __init__(self, pattern: str, flags: int) -> None:
        super().__init__(pattern)
        self._flags = flags

    def __getattr__(self, name: str) -> object:
        compiled = re.compile(self.pattern, self._flags)
        for member in _MEMBERS:
            setattr(self, member, getattr(compiled, member))
        self.__class__ = Expression  # type: ignore[assignment]
        return getattr(compiled, name)


def expression(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """An expression that is compiled at its first use; otherwise as `re.compile` gives it."""
    return cast("re.Pattern[str]", _Waiting(pattern, flags))

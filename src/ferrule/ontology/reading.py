"""What came of reading a permanent ontology, and how whoever waits for it is told how far it is.

Owns these values apart from the reading itself, since who asks an index reads nothing. Knows nothing of the language.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from ferrule.errors import Code
from ferrule.ontology.including import Include
from ferrule.ontology.sources import SourceFile
from ferrule.ontology.values import Prototype
from ferrule.referents.properties import Suffixes

__all__ = ["LocatedProblem", "NamedText", "Progress", "ReadOntology"]

NamedText: TypeAlias = tuple[str, str]
"""What a file is called, for messages, and its text."""

Progress: TypeAlias = Callable[[str, int, int], None]
"""Told what is being done, how many steps of it are done, and how many there are (0: nobody knows)."""


@dataclass(frozen=True, slots=True)
class LocatedProblem:
    """Something wrong in a permanent file: where (line and column from 1), a stable code, a sentence, a hint."""

    file: str
    code: Code
    message: str
    line: int = 1
    column: int = 1
    hint: str = ""


@dataclass(frozen=True, slots=True)
class ReadOntology:
    """What files say: prototypes in the order of their first parts, their identity keys, the table of handle names.

    `digests` are the SHA-256 of every file's bytes as they were read; a file that could not be read has none.
    `followed` are the files that were read because a file includes them, `meant` what such statements meant.
    """

    prototypes: tuple[Prototype, ...]
    keys: Mapping[str, tuple[str, ...]]
    suffixes: Suffixes | None
    problems: tuple[LocatedProblem, ...]
    digests: Mapping[str, bytes]
    followed: tuple[SourceFile, ...] = ()
    meant: tuple[tuple[Include, tuple[str, ...]], ...] = ()

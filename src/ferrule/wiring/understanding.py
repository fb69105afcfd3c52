"""What files mean together: the ontology that they would be, and what of it cannot be resolved.

Owns reading named files and folders as one ontology, on top of the shipped types or by themselves, and the shape of
what is wrong there. Knows nothing of how a file is parsed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ferrule.errors import Code, UsageError
from ferrule.ontology.loading import read_permanent
from ferrule.ontology.reading import LocatedProblem
from ferrule.ontology.sources import shipped_folder, sources_of
from ferrule.protoscript.source import Source
from ferrule.wiring.drafts import STANDARD_INPUT, Finding, shown_line

__all__ = ["Meant", "meaning_of_files"]


@dataclass(frozen=True, slots=True)
class Meant:
    """What was read because others include it, in order; and every problem that the files have together."""

    followed: tuple[str, ...]
    problems: tuple[LocatedProblem, ...]

    def findings(self, file: str, text: str, known: Sequence[Finding]) -> tuple[Finding, ...]:
        """What is wrong with one file, that which was found in it by itself first; by place where both are."""
        said = {(found.line, found.column, found.message) for found in known}
        own = [one for one in self.problems if one.file == file and (one.line, one.column, one.message) not in said]
        source = Source.of(text)
        return tuple(sorted((*known, *(_finding(one, source) for one in own)), key=lambda found: found.offset))


def _finding(problem: LocatedProblem, source: Source) -> Finding:
    offset = source.offset(problem.line, problem.column)
    shown, caret = shown_line(source, offset)
    place = (problem.line, problem.column, offset)
    return Finding(problem.code.value, problem.message, *place, problem.hint, shown, caret)


def meaning_of_files(names: Sequence[str], *, alone: bool) -> Meant:
    """Read files and folders as one ontology; `alone` leaves the shipped types out.

    Raises:
        UsageError: standard input or a missing file is named.
    """
    if STANDARD_INPUT in names:
        raise UsageError("--meaning reads files and folders, not standard input", code=Code.BAD_TOOL_ARGS)
    named = [Path(name) for name in names]
    missing = next((path for path in named if not path.exists()), None)
    if missing is not None:
        raise UsageError(f"no such file: {missing}", code=Code.IO_FAILED)
    folders = named if alone else [shipped_folder(), *named]
    read = read_permanent(sources_of(folders), roots=named)
    return Meant(tuple(source.path for source in read.followed), read.problems)

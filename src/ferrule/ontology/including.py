"""Which files an `include` means: those inside of the folders that were named, and no other one is ever opened.

Owns the step from an include statement to files, by the look of paths alone: relative to the including file, `*` in the
name of a file, below its folder too where it says `recursive`. What leaves the roots by its text is refused before the
disk is asked; what leaves them through a link is refused before it is opened (CASE-B04). Knows nothing of what is read.
"""

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ferrule.ontology.sources import SUFFIX, is_file

__all__ = ["Include", "Roots", "Targets"]

MOST = 100_000
_ELSEWHERE = re.compile(r"[/\\~]|[A-Za-z][A-Za-z0-9+.-]*+:")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class Include:
    """One statement: the file that it stands in, its path as written, and whether folders below count."""

    file: str
    path: str
    recursive: bool = False


@dataclass(frozen=True, slots=True)
class Targets:
    """What a statement means: files, or what is wrong with it and what would mend it."""

    files: tuple[str, ...] = ()
    problem: str = ""
    hint: str = ""


class Roots:
    """The folders inside of which includes are followed.

    Args:
        named: what a person named: folders, and files, whose folders count.
    """

    def __init__(self, named: Sequence[Path]) -> None:
        self.named = tuple(named)

    @cached_property
    def _roots(self) -> tuple[tuple[str, str], ...]:
        """Each root as it was named, and where it really is."""
        folders = dict.fromkeys(path if path.is_dir() else path.parent for path in self.named)
        return tuple((os.path.abspath(folder), os.path.realpath(folder)) for folder in folders)  # noqa: PTH100 - `..` by its text

    def listed(self, path: str) -> bool:
        """Whether a file stands below a folder that was named, so that it is read without any include."""
        place = os.path.abspath(path)  # noqa: PTH100 - see above
        return path.endswith(SUFFIX) and any(
            _inside(place, os.path.abspath(folder))  # noqa: PTH100 - see above
            for folder in self.named
            if folder.is_dir()
        )

    def targets(self, include: Include) -> Targets:
        """The files that a statement means. Opens none of them; raises nothing."""
        path = include.path.replace("\\", "/")
        if not path.strip() or _CONTROL.search(path):
            return Targets(problem="The path of the include is none.", hint='Write `include "folder/file.pts";`.')
        if _ELSEWHERE.match(path):
            message = "An include is followed along a relative path alone, and this one names another place."
            return Targets(problem=message, hint="Write the path as seen from this file.")
        wanted = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(include.file)), path))  # noqa: PTH100, PTH118, PTH120 - see above
        if not any(_inside(wanted, root) for root, _ in self._roots):
            return _left(path)
        folder, name = os.path.split(wanted)
        if "*" in folder or "?" in folder:
            return Targets(problem="A `*` stands in the name of a file, not in that of a folder.", hint=_RECURSIVE)
        if "*" in name or "?" in name:
            return self._matching(folder, name, include)
        return self._single(wanted, path)

    def _single(self, wanted: str, path: str) -> Targets:
        real = self._real(wanted)
        if real is None:
            return _left(path)
        if not is_file(real):
            return Targets(problem=f"There is no file {path}.", hint=_nearly(wanted))
        if not real.endswith(SUFFIX):
            return Targets(problem=f"{path} is no {SUFFIX} file.", hint="Other files are not read.")
        return Targets((real,))

    def _matching(self, folder: str, name: str, include: Include) -> Targets:
        """Every file of that pattern, by name. None at all is no mistake, a folder that is missing is one."""
        if self._real(folder) is None:
            return _left(include.path)
        if not os.path.isdir(folder):  # noqa: PTH112 - see above
            return Targets(problem=f"There is no folder for {include.path}.", hint=_nearly(folder))
        fits = _pattern(name)
        found: list[str] = []
        for place, below, names in os.walk(folder):
            below[:] = sorted(below) if include.recursive else []
            for file in sorted(filter(fits, names)):
                real = self._real(os.path.join(place, file))  # noqa: PTH118 - see above
                if real is None:
                    return _left(os.path.join(include.path, file))  # noqa: PTH118 - see above
                if real.endswith(SUFFIX) and is_file(real):
                    found.append(real)
            if len(found) > MOST:
                return Targets(problem=f"More than {MOST:,} files.", hint="Include a smaller folder.")
        return Targets(tuple(dict.fromkeys(found)))

    def _real(self, path: str) -> str | None:
        """The path without links, under the name of its root; None where it leaves all of them."""
        real = os.path.realpath(path)
        for named, root in self._roots:
            if _inside(real, root):
                return os.path.normpath(os.path.join(named, os.path.relpath(real, root)))  # noqa: PTH118 - see above
        return None


_RECURSIVE = "For the folders below write `include recursive`."


def _left(path: str) -> Targets:
    message = f"{path} leads out of the folders that are read, and is not opened."
    return Targets(problem=message, hint="Name the folder that holds it as well.")


def _inside(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder if folder.endswith(os.sep) else folder + os.sep)


def _pattern(name: str) -> Callable[[str], bool]:
    """`*` is anything, `?` one character, all else itself; linear, since nothing is tried twice."""
    pieces = [piece.replace("?", "\0") for piece in name.split("*")]
    first, *others = [re.escape(piece).replace(re.escape("\0"), ".") for piece in pieces]
    *middle, last = others or [""]
    loose = "".join(f"(?>.*?{piece})" for piece in middle if piece)
    rule = re.compile(f"(?s:{first}{loose}.*{last})" if others else f"(?s:{first})")
    return lambda text: rule.fullmatch(text) is not None


def _nearly(wanted: str) -> str:
    """A file or folder beside it that is called the same but for upper and lower case."""
    folder, name = os.path.split(wanted)
    try:
        found = next((other for other in sorted(os.listdir(folder)) if other.casefold() == name.casefold()), "")  # noqa: PTH208 - see above
    except OSError:
        found = ""
    return f"Did you mean {found}?" if found else "Paths are seen from the file that includes."

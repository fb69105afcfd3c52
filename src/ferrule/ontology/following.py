"""Files that were not named are read when a file that was says so, each once, in the order in which they are met.

Owns what was followed so far: cycles end here, and two spellings of one file are one where the disk folds case. Keeps
what statements meant, so that an index of the ontology can tell whether they mean the same later. Knows nothing of the
language.
"""

import os
from collections.abc import Iterable, Sequence

from ferrule.ontology.including import MOST, Include, Roots, Targets
from ferrule.ontology.sources import SourceFile, looked

__all__ = ["Following"]


class Following:
    """What a reading follows.

    Args:
        roots: inside of which files are followed.
        sources: what is read anyway.

    Attributes:
        files: what was followed, in order.
        meant: every statement that means a file which no folder lists, and its files.
    """

    def __init__(self, roots: Roots, sources: Sequence[SourceFile]) -> None:
        self._roots = roots
        self._seen: dict[str, list[str]] = {}
        for source in sources:
            if not roots.listed(source.path):
                self._is_new(source.path)
        self.files: list[SourceFile] = []
        self.meant: list[tuple[Include, tuple[str, ...]]] = []

    def follow(self, include: Include) -> Targets:
        """Take the files of a statement that nobody has taken yet; the answer says what is wrong with it."""
        targets = self._roots.targets(include)
        others = [path for path in targets.files if not self._roots.listed(path)]
        if others:
            self.meant.append((include, targets.files))
        fresh = [path for path in others if self._is_new(path)]
        if len(self.files) + len(fresh) > MOST:
            return Targets(problem=f"More than {MOST:,} files.", hint="Name the folder that holds them.")
        self.files += map(looked, fresh)
        return targets

    def _is_new(self, path: str) -> bool:
        real = os.path.realpath(path)
        same = self._seen.setdefault(real.casefold(), [])
        if _is_any(real, same):
            return False
        same.append(real)
        return True


def _is_any(path: str, others: Iterable[str]) -> bool:
    try:
        return any(path == other or os.path.samefile(path, other) for other in others)  # noqa: PTH121 - as in `sources`
    except OSError:
        return False

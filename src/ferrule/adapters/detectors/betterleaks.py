"""The detector `betterleaks`, an optional library (`pip install ferrule[secrets]`), behind our own port.

Owns calling it: imported at the first text, given what it can read. Its findings are values, which are then looked for
in the text: its columns are bytes of lines. Knows nothing of what becomes of a finding.
"""

import importlib
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from ferrule.referents.secrets.beside import DetectorFailed, Found

__all__ = ["Betterleaks"]

_LIBRARY = "betterleaks"


class Betterleaks:
    """One process's detector; the library reads its rules once."""

    def find(self, text: str) -> Sequence[Found]:
        """What the library finds, each value once.

        Raises:
            DetectorFailed: the library is not installed, cannot be loaded, or refused the text.
        """
        # It takes a C string, which ends at the first NUL: what stands behind one would pass unread.
        given = text.replace("\x00", "\n").encode("utf-8", "replace").decode("utf-8")
        library = self._library
        try:
            findings = library.scan_string(given)
            found = {str(one.match.value): str(one.rule_id) for one in findings}
        except (library.BetterleaksError, OSError, ValueError, AttributeError, TypeError, KeyError) as error:
            raise DetectorFailed(f"{_LIBRARY} could not read a text ({type(error).__name__})") from error
        return [Found(kind, value) for value, kind in found.items()]

    @cached_property
    def _library(self) -> Any:  # noqa: ANN401 - a library that need not be there
        try:
            return importlib.import_module(_LIBRARY)
        except (ImportError, OSError) as error:
            raise DetectorFailed(f"{_LIBRARY} is not installed: pip install 'ferrule[secrets]'") from error

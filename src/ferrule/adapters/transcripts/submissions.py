"""A diff names files from the repository's root; an edit of one of them by its whole path shows where that root is.

Owns that conclusion for runs that hand in a diff. Knows nothing of formats.
"""

import re
from collections.abc import Iterable

from ferrule.adapters.transcripts.drafts import RawCall
from ferrule.adapters.transcripts.fields import text_at

__all__ = ["root_shown"]

_CHANGED = re.compile(r"^\+\+\+ b/(\S{1,400})", re.MULTILINE)
_MAX_FILES = 20
_MAX_EDITS = 500
_EDITING = frozenset({"edit_file", "write_file", "str_replace_editor"})


def root_shown(patch: str, calls: Iterable[RawCall]) -> str | None:
    """The repository's root, where an edit that did not fail shows it; None where none does."""
    given = (call.arguments for call in calls if call.tool in _EDITING and call.ok is not False)
    paths = [text_at(one, "path") or text_at(one, "file_path") for one in given if isinstance(one, dict)]
    edited = {path for path in paths if path.startswith("/")}
    for changed in _CHANGED.findall(patch)[:_MAX_FILES]:
        for path in sorted(edited)[:_MAX_EDITS]:
            if path.endswith(f"/{changed}"):
                return path.removesuffix(f"/{changed}") or None
    return None

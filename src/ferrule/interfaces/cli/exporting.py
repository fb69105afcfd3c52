"""A session's memory as Markdown, for reading.

Owns that form. Every value is untrusted text and stands in a code span that it cannot leave. Knows nothing of stores.
"""

import re
from collections.abc import Sequence

from ferrule.bridge.values import Details
from ferrule.interfaces.cli.visible import visible

__all__ = ["as_markdown"]

_TICKS = re.compile(r"`+")


def as_markdown(session: str, memories: Sequence[Details]) -> str:
    """One section for each memory: its type, state and values, with what they were."""
    lines = [f"# What {_code(session)} remembers", ""]
    if not memories:
        lines += ["Nothing.", ""]
    for memory in memories:
        kind = ", ".join(_code(base) for base in memory.bases)
        lines += [f"## {_code(memory.name)}", "", f"{kind}{f', {memory.modality}' if memory.modality else ''}", ""]
        for prop in memory.properties:
            if prop.assigned:
                was = f" (was: {', '.join(_code(one) for one in prop.was)})" if prop.was else ""
                lines.append(f"- {prop.name}: {_code(str(prop.value))}{was}")
        lines += [f"- turn: {_code(memory.turn)}", ""] if memory.turn else [""]
    return "\n".join(lines)


def _code(text: str) -> str:
    """A code span around one line; its fence is longer than any in the text."""
    shown = " ".join(visible(text).split()) or " "
    ticks = "`" * (max((len(found) for found in _TICKS.findall(shown)), default=0) + 1)
    space = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{ticks}{space}{shown}{space}{ticks}"

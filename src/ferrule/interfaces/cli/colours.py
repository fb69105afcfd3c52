"""ProtoScript in colours for a terminal; on a pipe, and where NO_COLOR is set, the page leaves them out.

Owns which colour means what. Knows nothing of the language.
"""

from ferrule.interfaces.cli.page import Span
from ferrule.wiring.highlighting import looks_by_line

__all__ = ["coloured"]

_COLOURS = {
    "keyword": "magenta",
    "constant": "magenta",
    "operator-word": "magenta",
    "type": "cyan",
    "defined": "bold",
    "property": "blue",
    "function": "blue",
    "annotation": "yellow",
    "text": "green",
    "number": "green",
    "comment": "dim",
    "wrong": "red",
}


def coloured(definition: str) -> list[list[Span]]:
    """The lines of a definition, tabs as four blanks, each as spans for a page."""
    return [
        [(characters.replace("\t", "    "), _COLOURS.get(look, "")) for characters, look in line]
        for line in looks_by_line(definition)
    ]

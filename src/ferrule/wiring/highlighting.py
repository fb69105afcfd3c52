"""A definition in stretches that can be shown in colours, line by line.

Knows nothing of colours, nor of the language.
"""

from ferrule.protoscript.highlighting import stretches

__all__ = ["looks_by_line"]


def looks_by_line(text: str) -> tuple[tuple[tuple[str, str], ...], ...]:
    """For each line its stretches as (characters, what they are), with the names of `protoscript.highlighting.Look`."""
    lines: list[list[tuple[str, str]]] = [[]]
    for _, look, characters in stretches(text):
        first, *others = characters.split("\n")
        for number, piece in enumerate([first, *others]):
            if number:
                lines.append([])
            if piece:
                lines[-1].append((piece, look.value))
    if not lines[-1]:
        del lines[-1]
    return tuple(map(tuple, lines))

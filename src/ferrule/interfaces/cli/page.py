"""The page that people read: headings, hanging lines and tables, fitted to the terminal, plain in a pipe.

Owns width, colour and wrapping. Text on it is data: never markup, always made visible first (CASE-C12). In a pipe
nothing is wrapped or cut, so that `grep` finds whole values. Knows nothing of what is printed.
"""

import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from typing import TextIO, TypeAlias

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from ferrule.interfaces.cli.visible import visible

__all__ = ["Page", "Span", "plain"]

Span: TypeAlias = str | tuple[str, str]
"""Text, or text with a style of rich (`bold`, `dim`, `green` …)."""

LEAST_WIDTH = 24
PIPE_WIDTH = 100_000
GAP = 2


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Leave it to the edge of the process: a reader that has seen enough is no error."""
        raise BrokenPipeError


class Page:
    """One stream for people. `width` None means a pipe: lines are as long as they are."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stdout
        fitted = self._stream.isatty() or bool(os.environ.get("COLUMNS"))
        width = max(shutil.get_terminal_size().columns, LEAST_WIDTH) if fitted else PIPE_WIDTH
        self._console = _Console(
            file=self._stream,
            markup=False,
            highlight=False,
            emoji=False,
            width=width,
            safe_box=True,
        )
        self.width = width if fitted else None

    def line(self, *spans: Span, indent: int = 0, hang: int | None = None) -> None:
        """One logical line; what does not fit goes on, `hang` columns in (default: two more than `indent`)."""
        text = Text(end="")
        for span in spans:
            words, style = (span, "") if isinstance(span, str) else span
            text.append(plain(words, self._stream), style)
        if self.width is None:
            self._put(indent, text)
            return
        rest = min(indent + 2 if hang is None else hang, self.width // 2)
        for number, piece in enumerate(_pieces(text, self.width - indent, self.width - rest)):
            self._put(indent if number == 0 else rest, piece)

    def exact(self, *spans: Span) -> None:
        """One line that is never folded: an excerpt with its caret means nothing otherwise."""
        text = Text(end="")
        for span in spans:
            text.append_text(self._cell(span))
        self._put(0, text)

    def _put(self, indent: int, text: Text) -> None:
        self._console.print(Text(" " * indent).append_text(text), soft_wrap=True)

    def blank(self) -> None:
        """An empty line."""
        self._console.print()

    def table(self, columns: Sequence[str], rows: Sequence[Sequence[Span]]) -> None:
        """A table without lines and without empty columns. Nothing in it is folded: keys and handles can be copied."""
        head = [Text(column, "bold") for column in columns]
        lines = [[self._cell(span) for span in cells] for cells in rows]
        filled = [at for at in range(len(columns)) if any(cells[at] for cells in lines)]
        widths = {at: max(cells[at].cell_len for cells in (head, *lines)) for at in filled}
        for cells in (head, *lines):
            row = Text()
            for at in filled:
                row.append_text(cells[at]).append(" " * (widths[at] + GAP - cells[at].cell_len))
            row.rstrip()
            self._put(0, row)

    def _cell(self, span: Span) -> Text:
        words, style = (span, "") if isinstance(span, str) else span
        return Text(plain(words, self._stream), style)


def _pieces(text: Text, first: int, rest: int) -> Iterator[Text]:
    """The text in lines of at most these widths; a word that fits on no line stays whole, so that it can be copied."""
    width = first
    while text.cell_len > width:
        cut = _cut(text.plain, width, rest)
        if cut >= len(text):
            break
        yield text[:cut]
        left = len(text.plain) - len(text.plain[cut:].lstrip(" "))
        text = text[left:]
        width = rest
    yield text


def _fitting(words: str, width: int) -> int:
    """How many characters fit into so many columns; wide ones take two."""
    end = min(width, len(words))
    while end > 1 and cell_len(words[:end]) > width:
        end -= 1
    return end


def _cut(words: str, width: int, rest: int) -> int:
    """Where to end a line: at the last space that fits, unless the word behind it fits on no line anyway."""
    fitting = end = _fitting(words, width)
    while end > 0 and words[end : end + 1] != " ":
        end -= 1
    following = words[end:].lstrip(" ").partition(" ")[0]
    if end > 0 and words[:end].strip() and cell_len(following) <= rest:
        return end
    after = words.find(" ", max(end + 1 + len(words[end:]) - len(words[end:].lstrip(" ")), fitting))
    return len(words) if after < 0 else after


_ASCII = str.maketrans({"…": "...", "·": "-", "→": "->", "—": "-", "“": '"', "”": '"', "✓": "ok", "•": "*"})


def plain(text: str, stream: TextIO) -> str:
    """Visible text that the stream can encode: our own ornaments become ASCII where the locale has no better."""
    shown = visible(text)
    encoding = (getattr(stream, "encoding", None) or "ascii").lower().replace("_", "-")
    return shown if encoding.startswith("utf") else shown.translate(_ASCII)

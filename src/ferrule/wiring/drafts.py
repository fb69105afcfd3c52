"""ProtoScript texts as people hand them in: read from a file or standard input, and checked without running anything.

Owns reading a text within bounds, and the shape of a checked file (design.md section 8). Knows nothing of admission.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from ferrule.errors import Code, UnreadableInput, UsageError
from ferrule.protoscript.diagnostics import Diagnostic, Severity
from ferrule.protoscript.opaque import opaque_parts
from ferrule.protoscript.reading import parse
from ferrule.protoscript.source import Source
from ferrule.protoscript.summary import summarise
from ferrule.protoscript.syntax import File

__all__ = ["Draft", "FileCheck", "Finding", "check_file", "findings", "read_draft", "shown_line"]

STANDARD_INPUT = "-"
MAX_BYTES = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Draft:
    """One text and where it came from."""

    file: str
    text: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One diagnostic for people and for JSON; `source` is the cut line, `caret` the line that points into it."""

    code: str
    message: str
    line: int
    column: int
    offset: int
    hint: str
    source: str
    caret: str
    severity: Severity = "error"


@dataclass(frozen=True, slots=True)
class FileCheck:
    """What a check of one file found. `summary` is the canonical tree, None when the file is not ProtoScript.

    `opaque` are the parts that would have to be run to be known, each with its line: they are kept, never run.
    """

    file: str
    ok: bool
    diagnostics: tuple[Finding, ...]
    summary: Mapping[str, object] | None
    contents: str
    prototypes: int = 0
    opaque: tuple[tuple[str, int], ...] = ()

    def json(self) -> dict[str, object]:
        """The object of `ferrule check --json`."""
        rows = [
            {"code": row.code, "message": row.message, "line": row.line, "column": row.column, "offset": row.offset}
            | {"hint": row.hint or None}
            for row in self.diagnostics
        ]
        told = {"file": self.file, "ok": self.ok, "diagnostics": rows, "summary": self.summary}
        return told | ({"opaque": [{"what": what, "line": line} for what, line in self.opaque]} if self.opaque else {})


def read_draft(name: str, stdin: IO[bytes]) -> Draft:
    """Read one text; `-` is standard input.

    Raises:
        UsageError: no such file, or a folder.
        UnreadableInput: it cannot be read, is too large, or is not UTF-8 text.
    """
    raw = stdin.read(MAX_BYTES + 1) if name == STANDARD_INPUT else _file(Path(name))
    if len(raw) > MAX_BYTES:
        raise UnreadableInput(f"{name} is larger than {MAX_BYTES // 1024 // 1024} MB", code=Code.TOO_LARGE)
    try:
        return Draft(name, raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise UnreadableInput(f"{name} is not UTF-8 text (byte {error.start})", code=Code.BAD_TEXT) from error


def _file(path: Path) -> bytes:
    if not path.exists():
        raise UsageError(f"no such file: {path}", code=Code.IO_FAILED)
    if path.is_dir():
        raise UsageError(f"{path} is a folder; name the files in it", code=Code.IO_FAILED)
    try:
        with path.open("rb") as stream:
            return stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise UnreadableInput(f"{path} cannot be read: {error.strerror}", code=Code.IO_FAILED) from error


def check_file(
    name: str, stdin: IO[bytes], further: Callable[[str, tuple[Finding, ...]], tuple[Finding, ...]] | None = None
) -> FileCheck:
    """Check one ProtoScript text; `further` adds to what was found in it. Raises as `read_draft`."""
    text = read_draft(name, stdin).text
    parsed = parse(text)
    summary = summarise(parsed.tree) if parsed.ok else None
    opaque = tuple((part.what, parsed.source.position(part.span.start)[0]) for part in opaque_parts(parsed.tree))
    found = findings(parsed.diagnostics, text)
    if further is not None:
        found = further(text, found)
    contents = _contents(parsed.tree, len(opaque))
    ok = parsed.ok and not any(one.severity == "error" for one in found)
    return FileCheck(name, ok, found, summary, contents, len(parsed.tree.prototypes), opaque)


def findings(found: Sequence[Diagnostic], text: str) -> tuple[Finding, ...]:
    """Diagnostics, each with the line it points into; of a text that holds a secret no line is shown (INV-I6)."""
    if not found:
        return ()
    from ferrule.referents.secrets.detect import find_secrets  # noqa: PLC0415 - most files have nothing to be shown

    quiet = bool(find_secrets(text))
    return tuple(_finding(one, quiet=quiet) for one in found)


def _finding(found: Diagnostic, *, quiet: bool) -> Finding:
    shown = found.excerpt if found.excerpt.strip() and not quiet else ""
    caret = f"{' ' * found.caret}^" if shown else ""
    return Finding(
        found.code.value,
        found.message,
        found.line,
        found.column,
        found.span.start,
        found.hint,
        shown,
        caret,
        found.severity,
    )


def shown_line(source: Source, offset: int) -> tuple[str, str]:
    """The line around an offset and the one that points into it; nothing of a text that holds a secret (INV-I6)."""
    from ferrule.referents.secrets.detect import find_secrets  # noqa: PLC0415 - see above

    shown = source.excerpt(offset)
    if not shown.text.strip() or find_secrets(source.text):
        return "", ""
    return shown.text, f"{' ' * shown.caret}^"


def _contents(tree: File, opaque: int) -> str:
    names = [prototype.name for prototype in tree.prototypes]
    others = len(tree.items) - len(names)
    shown = ", ".join(names[:5]) + (" …" if len(names) > 5 else "")  # noqa: PLR2004 - a handful
    parts = [f"{len(names)} prototype{'' if len(names) == 1 else 's'}" + (f" ({shown})" if names else "")]
    if others:
        parts.append(f"{others} other item{'' if others == 1 else 's'}")
    if opaque:
        parts.append(f"{opaque} kept unread: {'it' if opaque == 1 else 'they'} would have to be run")
    return ", ".join(parts)

"""Directives are recorded and never followed: nothing is opened, loaded or resolved (INV-I5).

Owns `include`, `reference`, `import` and `using`. A bare include path is read from the text itself, because its
characters mean other things elsewhere. Knows nothing of files on disk.
"""

import re

from ferrule.protoscript.diagnostics import DiagnosticCode
from ferrule.protoscript.parser.cursor import Cursor, describe
from ferrule.protoscript.parser.recovery import begins_declaration
from ferrule.protoscript.parser.types import dotted
from ferrule.protoscript.syntax import Directive
from ferrule.protoscript.tokens import END

__all__ = ["DIRECTIVES", "directive"]

DIRECTIVES = frozenset({"include", "reference", "import", "using"})

_BARE_PATH = re.compile(r"(?:[\w.\\:*?#\-]|/(?![/*]))++")
_QUOTED = frozenset({"string", "verbatim"})


def directive(c: Cursor) -> Directive:
    """Directive = include | reference | import | using ."""
    first = c.at
    c.at += 1
    match c.texts[first]:
        case "include":
            return _include(c, first)
        case "reference":
            return _reference(c, first)
        case "import":
            return _import(c, first)
        case _:
            return _using(c, first)


def _include(c: Cursor, first: int) -> Directive:
    """Include = "include" [ "recursive" | "lazy" ] ( STRING | VERBATIM | barePath ) ";" ."""
    flags: list[str] = []
    while c.texts[c.at] in {"recursive", "lazy"} and c.kinds[c.at + 1] != ";" and len(flags) <= 1:
        flags.append(c.texts[c.at])
        c.at += 1
    if c.texts[c.at] in {"recursive", "lazy"} and not flags:
        c.fail(DiagnosticCode.BAD_INCLUDE, "the path of the include is missing", c.gap())
    if len(flags) > 1:
        c.fail(DiagnosticCode.BAD_INCLUDE, "an include is lazy or recursive, not both")
    path = _path(c)
    c.semicolon("the path")
    return Directive("include", c.text(first), (path,), c.span(first), tuple(flags))


def _path(c: Cursor) -> str:
    if c.kinds[c.at] in _QUOTED:
        c.at += 1
        return _unquoted(c.texts[c.at - 1])
    if c.kinds[c.at] == "interpolated":
        c.at += 1
        return c.texts[c.at - 1]
    if begins_declaration(c, c.at):
        c.fail(DiagnosticCode.BAD_INCLUDE, "the path of the include is missing", c.gap())
    found = _BARE_PATH.match(c.source.text, c.starts[c.at])
    if found is None:
        hint = 'write `include "folder/file.pts";`'
        c.fail(DiagnosticCode.BAD_INCLUDE, f"expected a path, not {describe(c)}", hint=hint)
    while c.starts[c.at] < found.end() and c.kinds[c.at] != END:
        c.at += 1
    if c.kinds[c.at] != ";" and not c.breaks():
        hint = "quote a path with spaces or special characters"
        c.fail(DiagnosticCode.BAD_INCLUDE, f"{describe(c)} cannot stand in a path without quotes", hint=hint)
    return found[0]


def _reference(c: Cursor, first: int) -> Directive:
    """Reference = "reference" ( STRING | VERBATIM | dotted ) [ dotted | STRING ] ";" ."""
    flags: tuple[str, ...]
    if c.kinds[c.at] in _QUOTED:
        c.at += 1
        assembly, flags = _unquoted(c.texts[c.at - 1]), ("file",)
        alias = re.split(r"[/\\]", assembly)[-1].rpartition(".")[0] or assembly
    else:
        assembly, flags = dotted(c, "the assembly"), ()
        alias = assembly
    if c.kinds[c.at] != ";":
        alias = _operand(c, "the alias")
    c.semicolon("the reference")
    return Directive("reference", c.text(first), (assembly, alias), c.span(first), flags)


def _import(c: Cursor, first: int) -> Directive:
    """Import = "import" dotted dotted [ dotted ] ";" . assembly, type, alias (by default the type's last part)."""
    words: list[str] = []
    for what in ("the assembly", "the type", "the alias"):
        if c.kinds[c.at] == ";" and what == "the alias":
            words.append(words[-1].rpartition(".")[2])
            break
        if c.kinds[c.at] not in _QUOTED | {"name"}:
            _bad_import(c, what, words)
        words.append(_operand(c, what))
    c.semicolon("the import")
    return Directive("import", c.text(first), tuple(words), c.span(first))


def _bad_import(c: Cursor, what: str, words: list[str]) -> None:
    hint = "write `import Assembly Namespace.Type Alias;`"
    if words and c.kinds[c.at] in {";", "/"} and len(words) == 1:
        hint = 'to read another file, write `include "file.pts";`'
    c.fail(DiagnosticCode.BAD_IMPORT, f"expected {what} of the import, not {describe(c)}", hint=hint)


def _operand(c: Cursor, what: str) -> str:
    if c.kinds[c.at] in _QUOTED:
        c.at += 1
        return c.texts[c.at - 1]
    return dotted(c, what)


def _using(c: Cursor, first: int) -> Directive:
    """Using = "using" [ "static" ] ( dotted | STRING ) ";" ."""
    flags: tuple[str, ...] = ()
    if c.texts[c.at] == "static" and c.kinds[c.at + 1] != ";":
        c.at += 1
        flags = ("static",)
    name = _operand(c, "the namespace")
    c.semicolon("the namespace")
    return Directive("using", c.text(first), (name,), c.span(first), flags)


def _unquoted(raw: str) -> str:
    """The path between the quotes, as written: the reference decodes nothing here."""
    return raw[raw.index('"') + 1 : -1]

"""The canonical text of a tree: one form for one meaning, so that printing again changes nothing (DEC-D11).

Tab indentation, braces on their own line, fields before assignments, every string verbatim with doubled quotes, bases
joined by a comma and a space, one final line end. Opaque parts are printed as they were written. Only trees without
errors have a canonical text. Knows nothing of comments: they are not part of the meaning.
"""

from typing import assert_never

from ferrule.protoscript.syntax import (
    Annotation,
    Assignment,
    Directive,
    Expression,
    Field,
    File,
    Function,
    Init,
    Item,
    ListExpression,
    Member,
    Name,
    Namespace,
    New,
    Null,
    Number,
    Opaque,
    OpaqueExpression,
    Prototype,
    Text,
    Truth,
)

__all__ = ["print_expression", "print_file", "print_prototype", "verbatim"]


def verbatim(value: str) -> str:
    """A string as verbatim literal: backslashes and line ends stand for themselves, quotes are doubled (CASE-B31)."""
    return '@"' + value.replace('"', '""') + '"'


def print_file(tree: File) -> str:
    """The canonical text of a file; "" for an empty one. An empty line stands between declarations."""
    return _items(tree.items, "")


def print_prototype(node: Prototype) -> str:
    """The canonical text of one definition, ending with a line end."""
    return "".join(f"{line}\n" for line in _prototype(node, ""))


def print_expression(node: Expression) -> str:  # noqa: PLR0911 - one arm for each node
    """The canonical text of a value."""
    match node:
        case Text(form="string" | "verbatim"):
            return verbatim(node.value)
        case Text():
            return node.raw
        case Number():
            return f"-{node.raw}" if node.negative else node.raw
        case Truth():
            return "true" if node.value else "false"
        case Null():
            return "null"
        case Name():
            return node.name
        case ListExpression():
            return f"[{', '.join(print_expression(element) for element in node.elements)}]"
        case New():
            return f"new {node.type}()"
        case OpaqueExpression():
            return node.text
        case _:
            assert_never(node)


def _items(items: tuple[Item, ...], indent: str) -> str:
    chunks: list[str] = []
    before: Item | None = None
    for item in items:
        if before is not None and not (isinstance(before, Directive) and isinstance(item, Directive)):
            chunks.append("\n")
        chunks.extend(f"{line}\n" for line in _item(item, indent))
        before = item
    return "".join(chunks)


def _item(item: Item, indent: str) -> list[str]:
    match item:
        case Directive():
            return [indent + item.text]
        case Namespace():
            body = _items(item.items, indent + "\t").removesuffix("\n")
            return [f"{indent}namespace {item.name}", f"{indent}{{", *([body] if body else []), f"{indent}}}"]
        case Prototype():
            return _prototype(item, indent)
        case Function():
            return _function(item, indent)
        case Annotation():
            return [indent + _annotation(item)]
        case Opaque():
            return [indent + item.text]
        case _:
            assert_never(item)


def _annotation(node: Annotation) -> str:
    return node.text


def _prototype(node: Prototype, indent: str) -> list[str]:
    # Only `extern` and `partial` open a declaration; other modifiers may follow one of them.
    modifiers = sorted(set(node.modifiers), key=lambda word: (word not in {"extern", "partial"}, word))
    words = [*modifiers, "prototype", node.name]
    head = indent + " ".join(words)
    if node.bases:
        head += f" : {', '.join(node.bases)}"
    if node.where:
        head += f" {node.where}"
    lines = [indent + _annotation(annotation) for annotation in node.annotations]
    if node.short:
        return [*lines, head + ";"]
    lines += [head, f"{indent}{{"]
    fields = [member for member in node.members if isinstance(member, Field)]
    others = [member for member in node.members if not isinstance(member, Field)]
    for member in (*fields, *others):
        lines += _member(member, indent + "\t")
    return [*lines, f"{indent}}}"]


def _member(node: Member, indent: str) -> list[str]:
    match node:
        case Field():
            value = "" if node.value is None else f" = {print_expression(node.value)}"
            head = " ".join([*node.modifiers, node.type, node.name])
            return [*(indent + _annotation(found) for found in node.annotations), f"{indent}{head}{value};"]
        case Assignment():
            return [f"{indent}{node.name} = {print_expression(node.value)};"]
        case Function():
            return _function(node, indent)
        case Init():
            return [f"{indent}init {node.body}"]
        case Prototype():
            return _prototype(node, indent)
        case Opaque():
            return [indent + node.text]
        case _:
            assert_never(node)


def _function(node: Function, indent: str) -> list[str]:
    gap = "" if node.body == ";" else " "
    lines = [indent + _annotation(annotation) for annotation in node.annotations]
    return [*lines, f"{indent}{node.signature}{gap}{node.body}"]

"""The canonical text of a tree: one form for one meaning, so that printing again changes nothing (DEC-D11).

Tab indentation, braces on their own line, fields before assignments, every string verbatim with doubled quotes, bases
joined by a comma and a space, one final line end. Owns the text of declarations; `printing_code` has that of code. Only
trees without errors have a canonical text. Knows nothing of comments: they are not part of the meaning.
"""

from typing import assert_never

from ferrule.protoscript.printing_code import print_code, verbatim
from ferrule.protoscript.syntax import (
    Annotation,
    Assignment,
    Directive,
    ErrorNode,
    Expression,
    Field,
    File,
    Function,
    Init,
    Item,
    Member,
    Namespace,
    Prototype,
)

__all__ = ["print_expression", "print_file", "print_prototype", "verbatim"]


def print_file(tree: File) -> str:
    """The canonical text of a file; "" for an empty one. An empty line stands between declarations."""
    return _items(tree.items, "")


def print_prototype(node: Prototype) -> str:
    """The canonical text of one definition, ending with a line end."""
    return "".join(f"{line}\n" for line in _prototype(node, ""))


def print_expression(node: Expression) -> str:
    """The canonical text of a value or any other expression."""
    return print_code(node)


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
        case _:
            return [indent + print_code(item, len(indent))]


def _annotations(nodes: tuple[Annotation, ...], indent: str) -> list[str]:
    return [indent + print_code(node, len(indent)) for node in nodes]


def _prototype(node: Prototype, indent: str) -> list[str]:
    # Only `extern` and `partial` open a declaration; other modifiers may follow one of them.
    modifiers = sorted(set(node.modifiers), key=lambda word: (word not in {"extern", "partial"}, word))
    words = [*modifiers, "prototype", node.name]
    head = indent + " ".join(words)
    if node.bases:
        head += f" : {', '.join(node.bases)}"
    if node.where:
        head += f" {node.where}"
    lines = _annotations(node.annotations, indent)
    if node.short:
        return [*lines, head + ";"]
    lines += [head, f"{indent}{{"]
    fields = [member for member in node.members if isinstance(member, Field)]
    others = [member for member in node.members if not isinstance(member, Field)]
    for member in (*fields, *others):
        lines += _member(member, indent + "\t")
    return [*lines, f"{indent}}}"]


def _member(node: Member, indent: str) -> list[str]:
    level = len(indent)
    match node:
        case Field():
            value = "" if node.value is None else f" = {print_code(node.value, level)}"
            head = " ".join([*node.modifiers, node.type, node.name])
            return [*_annotations(node.annotations, indent), f"{indent}{head}{value};"]
        case Assignment():
            return [f"{indent}{node.name} = {print_code(node.value, level)};"]
        case Function():
            return _function(node, indent)
        case Prototype():
            return _prototype(node, indent)
        case Init() | ErrorNode():
            return [indent + print_code(node, level)]
        case _:
            assert_never(node)


def _function(node: Function, indent: str) -> list[str]:
    return [*_annotations(node.annotations, indent), indent + print_code(node, len(indent))]

"""The canonical summary of a tree, as plain data: what `ferrule check` shows and conformance data is compared with.

Owns the form that `oracle/README.md` describes, for every construct that has a node of its own. Opaque parts appear as
`{"opaque": what}`, so that nothing is passed over in silence. Literals are not decoded here: their source text counts.
Knows nothing of printing.
"""

import re
from collections.abc import Iterable
from typing import TypeAlias, assert_never

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

__all__ = ["Json", "is_opaque", "summarise"]

Json: TypeAlias = "str | int | bool | list[Json] | dict[str, Json] | None"

# The reference names these behind all others, whatever their order in the text.
_LAST = ("partial", "extern")
_RECORDED = ("static", "sealed", "override", "new", "const", "readonly")
_VISIBILITY = ("public", "private", "protected", "internal")
_INDEX = re.compile(r"\[(?![\w.#]*+\])[^\[\]]++\]")


def summarise(tree: File) -> dict[str, Json]:
    """The summary of a file: directives, namespaces, prototypes and statements; empty lists are left out."""
    return _scope(tree.items)


def is_opaque(summary: Json) -> bool:
    """Whether a summary holds a part that has no tree yet."""
    if isinstance(summary, dict):
        return "opaque" in summary or any(is_opaque(value) for value in summary.values())
    return isinstance(summary, list) and any(is_opaque(value) for value in summary)


def _scope(items: Iterable[Item]) -> dict[str, Json]:
    found: dict[str, list[Json]] = {"directives": [], "namespaces": [], "prototypes": [], "statements": []}
    for item in items:
        match item:
            case Directive():
                found["directives"].append(_directive(item))
            case Namespace():
                inner = _scope(item.items)
                found["namespaces"].append({"name": item.name, **inner})
                # The reference lists the statements of a namespace a second time at the top.
                statements = inner.get("statements", [])
                found["statements"].extend(statements if isinstance(statements, list) else [])
            case Prototype():
                found["prototypes"].append(_prototype(item))
            case Function() | Opaque():
                found["statements"].append(_opaque(item))
            case Annotation():
                pass
            case _:
                assert_never(item)
    return {key: value for key, value in found.items() if value}


def _directive(node: Directive) -> Json:
    keys = {
        "include": ("path",),
        "reference": ("assembly", "alias"),
        "import": ("reference", "type", "alias"),
        "using": ("name",),
        "namespace": ("name",),
    }[node.kind]
    summary: dict[str, Json] = {"kind": node.kind}
    summary.update(zip(keys, node.words, strict=True))
    summary.update(dict.fromkeys(node.flags, True))
    return summary


def _prototype(node: Prototype) -> dict[str, Json]:
    modifiers = [word for word in node.modifiers if word not in _LAST]
    modifiers += [word for word in _LAST if word in node.modifiers]
    return _without_empty(
        {
            "name": _type(node.name),
            "bases": [_type(base) for base in node.bases],
            "modifiers": list(modifiers),
            "annotations": [_annotation(found) for found in node.annotations],
            "members": [_member(member) for member in node.members],
        }
    )


def _annotation(node: Annotation) -> Json:
    if node.bare:
        return {"name": node.name, "bare": True}
    return {"name": node.name, "args": [_expression(argument) for argument in node.arguments]}


def _member(node: Member) -> Json:
    match node:
        case Field():
            summary = _without_empty(
                {
                    "kind": "field",
                    "name": node.name,
                    "type": _type(node.type),
                    "modifiers": _field_modifiers(node.modifiers),
                    "annotations": [_annotation(found) for found in node.annotations],
                }
            )
            return summary if node.value is None else {**summary, "value": _expression(node.value)}
        case Assignment():
            # A target that is no plain name is an expression, which has no tree of its own yet.
            name: Json = node.name if node.plain else {"opaque": "assignment target"}
            return {"kind": "assignment", "name": name, "value": _expression(node.value)}
        case Prototype():
            return {"kind": "prototype", **_prototype(node)}
        case Function() | Init() | Opaque():
            return _opaque(node)
        case _:
            assert_never(node)


def _field_modifiers(words: tuple[str, ...]) -> list[Json]:
    """The modifiers that the reference keeps: one visibility (the last; `protected internal` joined), some others."""
    visible = [word for word in words if word in _VISIBILITY]
    kept: list[Json] = []
    if visible:
        kept.append("protectedinternal" if visible[-2:] == ["protected", "internal"] else visible[-1])
    return kept + [word for word in words if word in _RECORDED]


def _type(text: str) -> str:
    """A type's text as the reference shows it: an index that is no plain name or number appears as `*`."""
    return _INDEX.sub("[*]", text)


def _holes_numbered(raw: str) -> str:
    """An interpolated string with each hole replaced by its number."""
    parts: list[str] = []
    at, count = 0, 0
    while (start := raw.find("{", at)) >= 0 and (end := raw.find("}", start)) >= 0:
        parts.append(f"{raw[at:start]}{{{count}}}")
        at, count = end + 1, count + 1
    return "".join([*parts, raw[at:]])


def _opaque(node: Function | Init | Opaque) -> Json:
    match node:
        case Function():
            return {"kind": "function", "name": node.name, "opaque": "function"}
        case Init():
            return {"kind": "init", "opaque": "init block"}
        case Opaque():
            return {"opaque": node.what}
        case _:
            assert_never(node)


def _expression(node: Expression) -> Json:  # noqa: PLR0911 - one arm for each node
    match node:
        case Text():
            return {node.form: _holes_numbered(node.raw) if node.form == "interpolated" else node.raw}
        case Number():
            literal: Json = {node.form: node.raw}
            return {"unary": "-", "x": literal} if node.negative else literal
        case Truth():
            return {"bool": "true" if node.value else "false"}
        case Null():
            return {"null": True}
        case Name():
            return {"name": node.name}
        case ListExpression():
            return {"list": [_expression(element) for element in node.elements]}
        case New():
            return {"new": _type(node.type), "args": []}
        case OpaqueExpression():
            return {"opaque": node.what}
        case _:
            assert_never(node)


def _without_empty(summary: dict[str, Json]) -> dict[str, Json]:
    return {key: value for key, value in summary.items() if value != []}

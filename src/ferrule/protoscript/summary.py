"""The canonical summary of a tree, as plain data: what `ferrule check` shows and conformance data is compared with.

Owns the form that `oracle/README.md` describes for declarations; `summary_code` has that of expressions and statements.
Literals are not decoded here: their source text counts. Knows nothing of printing.
"""

from collections.abc import Iterable
from typing import assert_never

from ferrule.protoscript.summary_code import (
    Json,
    annotation_summary,
    expression_summary,
    function_summary,
    statements_summary,
    type_summary,
    without_empty,
)
from ferrule.protoscript.syntax import (
    Annotation,
    Assignment,
    Directive,
    ErrorNode,
    Field,
    File,
    Function,
    Init,
    Item,
    Member,
    Namespace,
    Prototype,
)

__all__ = ["Json", "summarise"]

# The reference names these behind all others, whatever their order in the text.
_LAST = ("partial", "extern")
_RECORDED = ("static", "sealed", "override", "new", "const", "readonly")
_VISIBILITY = ("public", "private", "protected", "internal")
_OPERANDS = {
    "include": ("path",),
    "reference": ("assembly", "alias"),
    "import": ("reference", "type", "alias"),
    "using": ("name",),
    "namespace": ("name",),
}


def summarise(tree: File) -> dict[str, Json]:
    """The summary of a file: directives, namespaces, prototypes and statements; empty lists are left out."""
    return _scope(tree.items)


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
            case Annotation():
                pass
            case _:
                found["statements"].extend(statements_summary((item,)))
    return {key: value for key, value in found.items() if value}


def _directive(node: Directive) -> Json:
    summary: dict[str, Json] = {"kind": node.kind}
    summary.update(zip(_OPERANDS[node.kind], node.words, strict=True))
    summary.update(dict.fromkeys(node.flags, True))
    return summary


def _prototype(node: Prototype) -> dict[str, Json]:
    modifiers = [word for word in node.modifiers if word not in _LAST]
    modifiers += [word for word in _LAST if word in node.modifiers]
    return without_empty(
        {
            "name": type_summary(node.name),
            "bases": [type_summary(base) for base in node.bases],
            "modifiers": list(modifiers),
            "annotations": [annotation_summary(found) for found in node.annotations],
            "members": [_member(member) for member in node.members],
        }
    )


def _member(node: Member) -> Json:
    match node:
        case Field():
            summary = without_empty(
                {
                    "kind": "field",
                    "name": node.name,
                    "type": type_summary(node.type),
                    "modifiers": _field_modifiers(node.modifiers),
                    "annotations": [annotation_summary(found) for found in node.annotations],
                }
            )
            return summary if node.value is None else {**summary, "value": expression_summary(node.value)}
        case Assignment():
            name: Json = node.name if node.plain else {"name": type_summary(node.name)}
            return {"kind": "assignment", "name": name, "value": expression_summary(node.value)}
        case Prototype():
            return {"kind": "prototype", **_prototype(node)}
        case Function():
            return function_summary(node)
        case Init():
            return without_empty({"kind": "init", "statements": statements_summary(node.body.statements)})
        case ErrorNode():
            return {"kind": "error", "code": str(node.code)}
        case _:
            assert_never(node)


def _field_modifiers(words: tuple[str, ...]) -> list[Json]:
    """The modifiers that the reference keeps: one visibility (the last; `protected internal` joined), some others."""
    visible = [word for word in words if word in _VISIBILITY]
    kept: list[Json] = []
    if visible:
        kept.append("protectedinternal" if visible[-2:] == ["protected", "internal"] else visible[-1])
    return kept + [word for word in words if word in _RECORDED]

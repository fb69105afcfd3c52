"""The canonical summary of code: expressions, statements and functions, as `oracle/README.md` describes them.

Built from the leaves upwards in one loop, so that no height of a tree is too much. Knows nothing of declarations other
than functions.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from ferrule.protoscript import syntax
from ferrule.protoscript.walking import children

__all__ = [
    "Json",
    "annotation_summary",
    "expression_summary",
    "function_summary",
    "statements_summary",
    "type_summary",
    "without_empty",
]

Json: TypeAlias = "str | int | bool | list[Json] | dict[str, Json] | None"
Made: TypeAlias = Mapping[int, Json]
"""The summaries of the nodes below, by the identity of the node."""

# A longer run is shown flat: nested, it would be too deep for any reader of JSON.
_LONG = 100
# What stands deeper is named and not shown, for the same reason.
_DEEP = 300
_CUT = (syntax.Computed, syntax.Statement, syntax.ListExpression)
_DROPPED = frozenset({"sealed", "virtual", "volatile", "async", "partial", "extern", "abstract"})
_INDEX = re.compile(r"\[(?![\w.#]*+\])[^\[\]]++\]")

_PLAIN = re.compile(r"[\w.#]++")


def expression_summary(node: syntax.Expression) -> Json:
    """The summary of an expression."""
    if type(node) in _LEAVES:
        return _LEAVES[type(node)](node, {})
    return _summary(node)


def statements_summary(nodes: Iterable[syntax.Code]) -> list[Json]:
    """The summaries of statements; a block that is no statement of its own is passed as what it holds."""
    return [_summary(node) for node in nodes]


def function_summary(node: syntax.Function) -> Json:
    """The summary of a function or method."""
    return _summary(node)


def annotation_summary(node: syntax.Annotation) -> Json:
    """The summary of an annotation."""
    return _summary(node)


def type_summary(text: str) -> str:
    """A type's text as the reference shows it: an index that is no plain name or number appears as `*`."""
    return _INDEX.sub(_index, text)


def _index(match: re.Match[str]) -> str:
    parts = (part.strip() for part in match[0][1:-1].split(","))
    return "".join(f"[{part if _PLAIN.fullmatch(part) else '*'}]" for part in parts)


def without_empty(summary: dict[str, Json]) -> dict[str, Json]:
    """The same without empty lists and what is None."""
    return {key: value for key, value in summary.items() if value != [] and value is not None}


def _summary(root: syntax.Node) -> Json:
    made: dict[int, Json] = {}
    order: list[syntax.Node] = []
    waiting: list[tuple[syntax.Node, int]] = [(root, 0)]
    while waiting:
        node, level = waiting.pop()
        if level > _DEEP and isinstance(node, _CUT) and not isinstance(node, syntax.Block):
            made[id(node)] = {"deep": True}
            continue
        order.append(node)
        waiting.extend((one, level + 1) for one in children(node))
    for node in reversed(order):
        made[id(node)] = _BUILDERS[type(node)](node, made)
    if isinstance(root, syntax.Function):
        annotations: list[Json] = [annotation_summary(found) for found in root.annotations]
        return without_empty({**_function(root, made), "annotations": annotations})
    return made[id(root)]


def _all(nodes: Iterable[syntax.Node], made: Made) -> list[Json]:
    return [made[id(node)] for node in nodes]


def _maybe(node: syntax.Node | None, made: Made) -> Json:
    return None if node is None else made[id(node)]


def _text(node: syntax.Text, _: Made) -> Json:
    return {node.form: _holes_numbered(node.raw) if node.form == "interpolated" else node.raw}


def _holes_numbered(raw: str) -> str:
    """An interpolated string with each hole replaced by its number."""
    parts: list[str] = []
    at, count = 0, 0
    while (start := raw.find("{", at)) >= 0 and (end := raw.find("}", start)) >= 0:
        parts.append(f"{raw[at:start]}{{{count}}}")
        at, count = end + 1, count + 1
    return "".join([*parts, raw[at:]])


def _number(node: syntax.Number, _: Made) -> Json:
    literal: Json = {node.form: node.raw}
    return {"unary": "-", "x": literal} if node.negative else literal


def _creation(node: syntax.Creation, made: Made) -> Json:
    summary: dict[str, Json] = {"new": type_summary(node.type), "args": _all(node.arguments or (), made)}
    if node.initializer is not None and node.initializer.items:
        summary["init"] = [_initial(item, made) for item in node.initializer.items]
    return summary


def _initial(item: syntax.Expression | syntax.Initializer, made: Made) -> Json:
    if isinstance(item, syntax.Assign) and item.operator == "=" and id(item.value) in made:
        name = _dotted(item.target)
        if name:
            return {"name": name, "value": made[id(item.value)]}
    return {"value": made[id(item)]}


def _dotted(node: syntax.Expression) -> str:
    """`A.B` as text; "" for anything else than names joined by points."""
    match node:
        case syntax.Name(name=name):
            return name
        case syntax.Access(target=syntax.Name(name=name), links=links):
            names = [one.name for one in links if isinstance(one, syntax.MemberAccess) and one.arguments is None]
            return ".".join([name, *names]) if len(names) == len(links) else ""
        case _:
            return ""


def _call(node: syntax.Call, made: Made) -> Json:
    if node.name == "initialized":
        return {"unary": "initialized", "x": made[id(node.arguments[0])]}
    if node.name == "nameof" and isinstance(node.arguments[0] if node.arguments else None, syntax.Name):
        return {"call": "nameof", "args": [{"type": type_summary(one.name)} for one in _names(node.arguments)]}
    return {"call": type_summary(node.name), "args": _all(node.arguments, made)}


def _names(nodes: Iterable[syntax.Expression]) -> Iterable[syntax.Name]:
    return (node for node in nodes if isinstance(node, syntax.Name))


def _access(node: syntax.Access, made: Made) -> Json:
    if len(node.links) > _LONG:
        return {"op": ".", "list": [made[id(node.target)], *_all(node.links, made)]}
    summary = made[id(node.target)]
    for link in node.links:
        match link:
            case syntax.MemberAccess():
                summary = {"op": link.mark, "l": summary, "r": made[id(link)]}
            case syntax.ElementAccess():
                summary = {"index": summary, "at": made[id(link.index)]}
            case _:
                summary = {"unary": link.operator, "x": summary, "postfix": True}
    return summary


def _member(node: syntax.MemberAccess, made: Made) -> Json:
    if node.arguments is None:
        return {"name": node.name}
    return {"call": type_summary(node.name), "args": _all(node.arguments, made)}


def _unary(node: syntax.Unary, made: Made) -> Json:
    operand = made[id(node.operand)]
    if isinstance(node.operand, syntax.Parenthesised) and not _operates(node.operand.expression):
        operand = {"exprs": [operand]}
    return {"unary": node.operator, "x": operand}


def _binary(node: syntax.Binary, made: Made) -> Json:
    if len(node.operators) > _LONG:
        return {"op": node.operators[0], "list": _all(node.operands, made)}
    if node.operators[0] == "??":
        summary = made[id(node.operands[-1])]
        for operand in reversed(node.operands[:-1]):
            summary = {"op": "??", "l": made[id(operand)], "r": summary}
        return summary
    summary = made[id(node.operands[0])]
    for operator, operand in zip(node.operators, node.operands[1:], strict=True):
        plain = operator.removeprefix("!") if operator[1:].isalpha() else operator
        summary = {"op": plain, "l": summary, "r": made[id(operand)]}
        if plain != operator:
            summary = {"unary": "!", "x": summary}
    return summary


def _operates(node: syntax.Expression) -> bool:
    return isinstance(node, syntax.Binary | syntax.Assign | syntax.Conditional | syntax.Lambda | syntax.Access)


def _parenthesised(node: syntax.Parenthesised, made: Made) -> Json:
    summary = made[id(node.expression)]
    if isinstance(summary, dict) and "op" in summary and not isinstance(node.expression, syntax.Access):
        return {**summary, "paren": True}
    return summary


def _conditional(node: syntax.Conditional, made: Made) -> Json:
    branches: Json = {"op": ":", "l": made[id(node.then)], "r": made[id(node.otherwise)]}
    return {"op": "?", "l": made[id(node.condition)], "r": branches}


def _lambda(node: syntax.Lambda, made: Made) -> Json:
    body: Json = {"block": _body(node.body, made)} if isinstance(node.body, syntax.Block) else made[id(node.body)]
    return {"op": "=>", "l": made[id(node.parameter)], "r": body}


def _categorisation(node: syntax.Categorisation, made: Made) -> Json:
    return {
        "categorize": made[id(node.subject)],
        "as": made[id(node.type)],
        "where": _all(node.conditions, made),
    }


def _body(node: syntax.Block | None, made: Made) -> list[Json]:
    return [] if node is None else _all(node.statements, made)


def _variables(node: syntax.VariableDeclaration, made: Made) -> Json:
    flags: dict[str, Json] = dict.fromkeys(node.modifiers, True)
    shown: list[dict[str, Json]] = [
        without_empty(
            {"s": "var", "name": one.name, "type": type_summary(node.type), "value": _maybe(one.value, made), **flags}
        )
        for one in node.variables
    ]
    return without_empty({**shown[0], "more": list(shown[1:])})


def _if(node: syntax.If, made: Made) -> Json:
    first, *others = node.branches
    more: list[Json] = [{"cond": made[id(one.condition)], "then": _body(one.body, made)} for one in others]
    return without_empty(
        {
            "s": "if",
            "cond": made[id(first.condition)],
            "then": _body(first.body, made),
            "elif": more,
            "else": _body(node.otherwise, made),
        }
    )


def _for(node: syntax.For, made: Made) -> Json:
    return without_empty(
        {
            "s": "for",
            "start": _maybe(node.start, made),
            "cond": _maybe(node.condition, made),
            "iter": _all(node.steps, made),
            "body": _body(node.body, made),
        }
    )


def _foreach(node: syntax.ForEach, made: Made) -> Json:
    head: dict[str, Json] = {"s": "foreach", "type": type_summary(node.type), "name": node.name}
    return without_empty({**head, "in": made[id(node.collection)], "body": _body(node.body, made)})


def _try(node: syntax.Try, made: Made) -> Json:
    catches: list[Json] = [
        without_empty({"type": type_summary(one.type) or None, "name": one.name or None, "body": _body(one.body, made)})
        for one in node.catches
    ]
    body, last = _body(node.body, made), _body(node.last, made)
    return without_empty({"s": "try", "body": body, "catch": catches, "finally": last})


def _function(node: syntax.Function, made: Made) -> dict[str, Json]:
    return without_empty(
        {
            "kind": "function",
            "name": node.name,
            "type": type_summary(node.type),
            "modifiers": [word for word in node.modifiers if word not in _DROPPED],
            "annotations": [made[id(one)] for one in node.annotations if id(one) in made],
            "params": _all(node.parameters, made),
            "body": _body(node.body, made),
        }
    )


def _parameter(node: syntax.Parameter, made: Made) -> Json:
    flags: dict[str, Json] = dict.fromkeys(node.modifiers, True)
    head: dict[str, Json] = {"name": node.name, "type": type_summary(node.type), **flags}
    return without_empty({**head, "default": _maybe(node.default, made)})


def _annotation(node: syntax.Annotation, made: Made) -> Json:
    if node.bare:
        return {"name": node.name, "bare": True}
    return {"name": node.name, "args": _all(node.arguments, made)}


def _with_value(word: str) -> Callable[[Any, Made], Json]:
    return lambda node, made: without_empty({"s": word, "e": _maybe(node.value, made)})


_LEAVES: dict[type, Callable[[Any, Made], Json]] = {
    syntax.Text: _text,
    syntax.Number: _number,
    syntax.Truth: lambda node, _: {"bool": "true" if node.value else "false"},
    syntax.Null: lambda _, __: {"null": True},
    syntax.Name: lambda node, _: {"name": node.name},
    syntax.New: lambda node, _: {"new": type_summary(node.type), "args": []},
}

_BUILDERS: dict[type, Callable[[Any, Made], Json]] = {
    **_LEAVES,
    syntax.ListExpression: lambda node, made: {"list": _all(node.elements, made)},
    syntax.Creation: _creation,
    syntax.Initializer: lambda node, made: {"exprs": _all(node.items, made)},
    syntax.Call: _call,
    syntax.Access: _access,
    syntax.MemberAccess: _member,
    syntax.ElementAccess: lambda node, made: made[id(node.index)],
    syntax.Step: lambda node, _: node.operator,
    syntax.Unary: _unary,
    syntax.Binary: _binary,
    syntax.Assign: lambda node, made: {"op": node.operator, "l": made[id(node.target)], "r": made[id(node.value)]},
    syntax.Conditional: _conditional,
    syntax.Categorisation: _categorisation,
    syntax.Lambda: _lambda,
    syntax.Parenthesised: _parenthesised,
    syntax.Block: lambda node, made: {"s": "block", "body": _body(node, made)},
    syntax.ExpressionStatement: lambda node, made: {"s": "expr", "e": made[id(node.expression)]},
    syntax.VariableDeclaration: _variables,
    syntax.Variable: lambda node, _: node.name,
    syntax.Return: _with_value("return"),
    syntax.Throw: _with_value("throw"),
    syntax.Yield: _with_value("yield"),
    syntax.Case: _with_value("case"),
    syntax.Break: lambda _, __: {"s": "break"},
    syntax.Continue: lambda _, __: {"s": "continue"},
    syntax.Default: lambda _, __: {"s": "default"},
    syntax.If: _if,
    syntax.Branch: lambda _, __: None,
    syntax.For: _for,
    syntax.ForEach: _foreach,
    syntax.While: lambda node, made: without_empty(
        {"s": "while", "cond": made[id(node.condition)], "body": _body(node.body, made)}
    ),
    syntax.Do: lambda node, made: without_empty(
        {"s": "do", "cond": made[id(node.condition)], "body": _body(node.body, made)}
    ),
    syntax.Switch: lambda node, made: without_empty(
        {"s": "switch", "on": made[id(node.subject)], "body": _body(node.body, made)}
    ),
    syntax.Try: _try,
    syntax.Catch: lambda _, __: None,
    syntax.Function: _function,
    syntax.Parameter: _parameter,
    syntax.Annotation: _annotation,
    syntax.ErrorNode: lambda node, _: {"s": "error", "code": str(node.code)},
}

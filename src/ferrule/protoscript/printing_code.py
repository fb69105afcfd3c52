"""The canonical text of code: expressions, statements, functions and annotations.

Every body stands in braces on lines of their own, operators have a space on both sides, strings are verbatim. Built
from the leaves upwards in one loop, so that no height of a tree is too much. Knows nothing of what stands around it.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from ferrule.protoscript import syntax
from ferrule.protoscript.walking import children

__all__ = ["PRINTED", "print_code", "verbatim"]

Made: TypeAlias = Mapping[int, str]
"""The texts of the nodes below, by the identity of the node. Only the first line comes without its indentation."""


def verbatim(value: str) -> str:
    """A string as verbatim literal: backslashes and line ends stand for themselves, quotes are doubled (CASE-B31)."""
    return '@"' + value.replace('"', '""') + '"'


def print_code(node: syntax.Node, level: int = 0) -> str:
    """The text of an expression, statement, function, init block or annotation that stands `level` tabs deep."""
    order: list[tuple[syntax.Node, int]] = []
    waiting = [(node, level)]
    while waiting:
        found, depth = waiting.pop()
        order.append((found, depth))
        below = depth + isinstance(found, syntax.Block)
        waiting.extend((one, below) for one in children(found))
    made: dict[int, str] = {}
    for found, depth in reversed(order):
        made[id(found)] = PRINTED[type(found)](found, made, "\n" + "\t" * depth)
    return made[id(node)]


def _list(nodes: Iterable[syntax.Node], made: Made) -> str:
    return ", ".join(made[id(node)] for node in nodes)


def _text(node: syntax.Text, _: Made, __: str) -> str:
    return verbatim(node.value) if node.form in {"string", "verbatim"} else node.raw


def _creation(node: syntax.Creation, made: Made, _: str) -> str:
    arguments = "" if node.arguments is None else f"({_list(node.arguments, made)})"
    initializer = "" if node.initializer is None else f" {made[id(node.initializer)]}"
    return f"new {node.type}{arguments}{initializer}"


def _initializer(node: syntax.Initializer, made: Made, _: str) -> str:
    return f"{{ {_list(node.items, made)} }}" if node.items else "{ }"


def _access(node: syntax.Access, made: Made, _: str) -> str:
    # `1.x` would be read as one number.
    gap = " " if isinstance(node.target, syntax.Number) else ""
    return made[id(node.target)] + gap + "".join(made[id(link)] for link in node.links)


def _member(node: syntax.MemberAccess, made: Made, _: str) -> str:
    arguments = "" if node.arguments is None else f"({_list(node.arguments, made)})"
    return f"{node.mark}{node.name}{arguments}"


def _unary(node: syntax.Unary, made: Made, _: str) -> str:
    gap = " " if node.operator.isalpha() else ""
    return f"{node.operator}{gap}{made[id(node.operand)]}"


def _binary(node: syntax.Binary, made: Made, _: str) -> str:
    parts = [made[id(node.operands[0])]]
    for operator, operand in zip(node.operators, node.operands[1:], strict=True):
        parts += [operator, made[id(operand)]]
    return " ".join(parts)


def _conditional(node: syntax.Conditional, made: Made, _: str) -> str:
    return f"{made[id(node.condition)]} ? {made[id(node.then)]} : {made[id(node.otherwise)]}"


def _categorisation(node: syntax.Categorisation, made: Made, _: str) -> str:
    conditions = f"{{ {_list(node.conditions, made)} }}" if node.conditions else "{ }"
    return f"{made[id(node.subject)]} -> {made[id(node.type)]} {conditions}"


def _block(node: syntax.Block, made: Made, line: str) -> str:
    return "{" + "".join(f"{line}\t{made[id(one)]}" for one in node.statements) + line + "}"


def _variables(node: syntax.VariableDeclaration, made: Made, _: str) -> str:
    return " ".join([*node.modifiers, node.type, _list(node.variables, made)]) + ";"


def _variable(node: syntax.Variable, made: Made, _: str) -> str:
    return node.name if node.value is None else f"{node.name} = {made[id(node.value)]}"


def _with_value(word: str) -> Callable[[Any, Made, str], str]:
    return lambda node, made, _: f"{word};" if node.value is None else f"{word} {made[id(node.value)]};"


def _yield(node: syntax.Yield, made: Made, _: str) -> str:
    return "yield break;" if node.value is None else f"yield return {made[id(node.value)]};"


def _branch(node: syntax.Branch, made: Made, line: str) -> str:
    return f"if ({made[id(node.condition)]}){line}{made[id(node.body)]}"


def _if(node: syntax.If, made: Made, line: str) -> str:
    text = f"{line}else ".join(made[id(branch)] for branch in node.branches)
    return text if node.otherwise is None else f"{text}{line}else{line}{made[id(node.otherwise)]}"


def _for(node: syntax.For, made: Made, line: str) -> str:
    start = ";" if node.start is None else made[id(node.start)]
    condition = "" if node.condition is None else f" {made[id(node.condition)]}"
    steps = f" {_list(node.steps, made)}" if node.steps else ""
    return f"for ({start}{condition};{steps}){line}{made[id(node.body)]}"


def _foreach(node: syntax.ForEach, made: Made, line: str) -> str:
    return f"foreach ({node.type} {node.name} in {made[id(node.collection)]}){line}{made[id(node.body)]}"


def _catch(node: syntax.Catch, made: Made, line: str) -> str:
    caught = " ".join(word for word in (node.type, node.name) if word)
    return f"catch{f' ({caught})' if caught else ''}{line}{made[id(node.body)]}"


def _try(node: syntax.Try, made: Made, line: str) -> str:
    parts = [f"try{line}{made[id(node.body)]}", *(made[id(one)] for one in node.catches)]
    if node.last is not None:
        parts.append(f"finally{line}{made[id(node.last)]}")
    return line.join(parts)


def _function(node: syntax.Function, made: Made, line: str) -> str:
    parameters = _list(node.parameters, made)
    if node.form == "function":
        head = " ".join(["function", *node.modifiers, f"{node.name}({parameters}) : {node.type}"])
    else:
        head = " ".join([*node.modifiers, node.type, f"{node.name}({parameters})"])
    return f"{head};" if node.body is None else f"{head}{line}{made[id(node.body)]}"


def _parameter(node: syntax.Parameter, made: Made, _: str) -> str:
    head = " ".join([*node.modifiers, node.type, node.name])
    return head if node.default is None else f"{head} = {made[id(node.default)]}"


def _annotation(node: syntax.Annotation, made: Made, _: str) -> str:
    return f"[{node.name}]" if node.bare else f"[{node.name}({_list(node.arguments, made)})]"


PRINTED: dict[type, Callable[[Any, Made, str], str]] = {
    syntax.Text: _text,
    syntax.Number: lambda node, _, __: f"-{node.raw}" if node.negative else node.raw,
    syntax.Truth: lambda node, _, __: "true" if node.value else "false",
    syntax.Null: lambda _, __, ___: "null",
    syntax.Name: lambda node, _, __: node.name,
    syntax.New: lambda node, _, __: f"new {node.type}()",
    syntax.ListExpression: lambda node, made, _: f"[{_list(node.elements, made)}]",
    syntax.Creation: _creation,
    syntax.Initializer: _initializer,
    syntax.Call: lambda node, made, _: f"{node.name}({_list(node.arguments, made)})",
    syntax.Access: _access,
    syntax.MemberAccess: _member,
    syntax.ElementAccess: lambda node, made, _: f"[{made[id(node.index)]}]",
    syntax.Step: lambda node, _, __: node.operator,
    syntax.Unary: _unary,
    syntax.Binary: _binary,
    syntax.Assign: lambda node, made, _: f"{made[id(node.target)]} {node.operator} {made[id(node.value)]}",
    syntax.Conditional: _conditional,
    syntax.Categorisation: _categorisation,
    syntax.Lambda: lambda node, made, _: f"{made[id(node.parameter)]} => {made[id(node.body)]}",
    syntax.Parenthesised: lambda node, made, _: f"({made[id(node.expression)]})",
    syntax.Block: _block,
    syntax.ExpressionStatement: lambda node, made, _: f"{made[id(node.expression)]};",
    syntax.VariableDeclaration: _variables,
    syntax.Variable: _variable,
    syntax.Return: _with_value("return"),
    syntax.Throw: _with_value("throw"),
    syntax.Yield: _yield,
    syntax.Break: lambda _, __, ___: "break;",
    syntax.Continue: lambda _, __, ___: "continue;",
    syntax.Case: lambda node, made, _: f"case {made[id(node.value)]}:",
    syntax.Default: lambda _, __, ___: "default:",
    syntax.If: _if,
    syntax.Branch: _branch,
    syntax.For: _for,
    syntax.ForEach: _foreach,
    syntax.While: lambda node, made, line: f"while ({made[id(node.condition)]}){line}{made[id(node.body)]}",
    syntax.Do: lambda node, made, line: f"do{line}{made[id(node.body)]}{line}while ({made[id(node.condition)]});",
    syntax.Switch: lambda node, made, line: f"switch ({made[id(node.subject)]}){line}{made[id(node.body)]}",
    syntax.Try: _try,
    syntax.Catch: _catch,
    syntax.Function: _function,
    syntax.Parameter: _parameter,
    syntax.Init: lambda node, made, line: f"init{line}{made[id(node.body)]}",
    syntax.Annotation: _annotation,
    syntax.ErrorNode: lambda node, _, __: f"// not read: {node.code}",
}
"""How each kind of node is printed: the node, the texts below it, and the start of a new line at its depth."""

"""What can be changed in a module, one small change at a time: the mutants that `scripts/mutate.py` tries.

Owns the operators. A change is an edit of the text, found by the syntax tree, so that what is shown is what was tried;
one that does not parse or leaves the tree as it was is none. Left out, because no test can judge them: annotations,
decorators, docstrings, `__all__`, `zip(strict=…)` and the sentences that people read. Upper bounds inside of patterns
are left out too: they hold patterns linear, which `tests/support/hostile_texts.py` attacks by time. `return False`
becomes `return True`, and not `return None` besides: nobody asks a truth for more than its truth.
"""

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["Mutant", "applied", "mutants_of"]

_COMPARED: Mapping[type[ast.cmpop], tuple[str, str]] = {
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.In: (r"\bin\b", "not in"),
    ast.NotIn: (r"\bnot\s+in\b", "in"),
    ast.Is: (r"\bis\b", "is not"),
    ast.IsNot: (r"\bis\s+not\b", "is"),
}
_COUNTED: Mapping[type[ast.operator], tuple[str, str]] = {
    ast.Add: (r"\+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: (r"\*", "//"),
    ast.BitOr: (r"\|", "&"),
    ast.BitAnd: ("&", "|"),
}
_TEXT_METHODS = frozenset(
    {"count", "endswith", "find", "lstrip", "partition", "removeprefix", "removesuffix", "rfind", "rpartition"}
    | {"replace", "rstrip", "split", "startswith", "strip"}
)
_EXPRESSIONS = frozenset({"compile", "expression"})
# What guards a pattern: anchors, looking around, and how often at least.
_GUARD = re.compile(
    r"\\[bAZB]|\(\?<?[!=](?:[^()\\]|\\.|\([^()]*\)){0,200}\)|(?<=[\]\w)])\{(\d),|(?<=[\]\w)])\?(?![:P])"
)
_GUARDS = 6
_FEWEST = 3
_UNSEEN = frozenset({"annotation", "returns", "decorator_list", "type_params", "bases", "keywords_of_class"})


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change: where, by which operator, the changed lines before and after, and the edit itself.

    `nth` tells equal changes of one function apart. `line` and `last` are the statement's, counted from one.
    """

    file: str
    function: str
    operator: str
    before: str
    after: str
    nth: int
    line: int
    last: int
    start: int
    end: int
    replacement: str

    @property
    def key(self) -> tuple[str, str, str, str, int]:
        """What stays when lines move."""
        return self.file, self.function, self.before, self.after, self.nth


@dataclass(frozen=True, slots=True)
class _Edit:
    operator: str
    start: int
    end: int
    replacement: str


class _Text:
    """A source text whose syntax nodes are found by offsets of characters."""

    def __init__(self, source: str) -> None:
        self.source = source
        self._lines = source.splitlines(keepends=True)
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line))

    def span(self, node: ast.AST) -> tuple[int, int]:
        """Where an expression or statement stands."""
        if not isinstance(node, ast.expr | ast.stmt) or node.end_lineno is None or node.end_col_offset is None:
            raise TypeError(node)
        return self._at(node.lineno, node.col_offset), self._at(node.end_lineno, node.end_col_offset)

    def of(self, node: ast.AST) -> str:
        """The text of a node."""
        start, end = self.span(node)
        return self.source[start:end]

    def _at(self, line: int, column: int) -> int:
        return self._starts[line - 1] + len(self._lines[line - 1].encode()[:column].decode())

    def between(self, left: ast.AST, right: ast.AST, pattern: str) -> tuple[int, int] | None:
        """Where a token stands between two nodes."""
        end, start = self.span(left)[1], self.span(right)[0]
        found = re.search(pattern, self.source[end:start])
        return (end + found.start(), end + found.end()) if found else None

    def lines(self, start: int, end: int, replacement: str) -> tuple[str, str]:
        """The lines that an edit touches, before and after it."""
        first = self.source.rfind("\n", 0, start) + 1
        last = self.source.find("\n", end)
        last = len(self.source) if last < 0 else last
        after = self.source[first:start] + replacement + self.source[end:last]
        return _joined(self.source[first:last]), _joined(after)


def _joined(lines: str) -> str:
    return " ".join(line.strip() for line in lines.splitlines())


def applied(source: str, mutant: Mutant) -> str:
    """The module's text with the change made."""
    return source[: mutant.start] + mutant.replacement + source[mutant.end :]


def mutants_of(file: str, source: str) -> list[Mutant]:
    """Every change of a module, in its order."""
    text = _Text(source)
    seen: Counter[tuple[str, str, str]] = Counter()
    found = []
    for part, function, statement, edit in _edits(text, ast.parse(source)):
        if not _is_change(text, part, edit):
            continue
        before, after = text.lines(edit.start, edit.end, edit.replacement)
        nth = seen[function, before, after]
        seen[function, before, after] += 1
        place = (statement.lineno, statement.end_lineno or statement.lineno, edit.start, edit.end)
        found.append(Mutant(file, function, edit.operator, before, after, nth, *place, edit.replacement))
    return found


def _is_change(text: _Text, part: ast.stmt, edit: _Edit) -> bool:
    """Whether it still parses, to something else. Only the module's own statement around it is parsed again."""
    start, end = text.span(part)
    changed = text.source[start : edit.start] + edit.replacement + text.source[edit.end : end]
    try:
        return ast.dump(ast.parse(changed)) != ast.dump(ast.parse(text.source[start:end]))
    except SyntaxError:
        return False


def _edits(text: _Text, tree: ast.Module) -> Iterator[tuple[ast.stmt, str, ast.stmt, _Edit]]:
    for part in tree.body:
        for function, statement, edit in _edits_within(text, part):
            yield part, function, statement, edit


def _edits_within(text: _Text, part: ast.stmt) -> Iterator[tuple[str, ast.stmt, _Edit]]:
    waiting: list[tuple[ast.AST, str, ast.stmt]] = [(part, "<module>", part)]
    while waiting:
        node, function, statement = waiting.pop()
        if _is_left_out(node):
            continue
        if isinstance(node, ast.stmt):
            statement = node
        for edit in _OPERATORS.get(type(node), _none)(text, node):
            yield function, _narrow(statement), edit
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            function = node.name if function == "<module>" else f"{function}.{node.name}"
        waiting += [(child, function, statement) for child in reversed(list(_children(node)))]


def _narrow(statement: ast.stmt) -> ast.stmt:
    """For a statement with a body its head, to the end of what it asks: whoever runs the head could notice."""
    if isinstance(statement, ast.If | ast.While | ast.For | ast.With | ast.Match | ast.FunctionDef | ast.ClassDef):
        asked = getattr(statement, "test", getattr(statement, "iter", getattr(statement, "subject", None)))
        head = ast.Pass(lineno=statement.lineno, end_lineno=asked.end_lineno if asked else statement.lineno)
        head.col_offset = statement.col_offset
        return head
    return statement


def _is_left_out(node: ast.AST) -> bool:
    if isinstance(node, ast.Import | ast.ImportFrom | ast.Raise | ast.JoinedStr):
        return True
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    if isinstance(node, ast.keyword):
        return node.arg in ("strict", "remedy", "message")
    if isinstance(node, ast.Assign):
        return any(isinstance(target, ast.Name) and target.id == "__all__" for target in node.targets)
    return False


def _children(node: ast.AST) -> Iterator[ast.AST]:
    for name, value in ast.iter_fields(node):
        if name in _UNSEEN or (name == "keywords" and isinstance(node, ast.ClassDef)):
            continue
        yield from (item for item in (value if isinstance(value, list) else [value]) if isinstance(item, ast.AST))


def _none(_text: _Text, _node: ast.AST) -> Iterator[_Edit]:
    return iter(())


def _compare(text: _Text, node: ast.Compare) -> Iterator[_Edit]:
    sides = [node.left, *node.comparators]
    for left, right, operator in zip(sides, sides[1:], node.ops, strict=False):
        token, other = _COMPARED[type(operator)]
        place = text.between(left, right, token)
        if place:
            yield _Edit("compare", *place, other)
    for side in sides:
        if isinstance(side, ast.Constant) and isinstance(side.value, str) and side.value:
            yield _Edit("text", *text.span(side), '"XX"')


def _logic(text: _Text, node: ast.BoolOp) -> Iterator[_Edit]:
    token, other = (r"\band\b", "or") if isinstance(node.op, ast.And) else (r"\bor\b", "and")
    start, end = text.span(node.values[0])[1], text.span(node.values[-1])[0]
    pieces = []
    for left, right in zip(node.values, node.values[1:], strict=False):
        between = text.source[text.span(left)[1] : text.span(right)[0]]
        pieces += [re.sub(token, other, between, count=1), text.of(right)]
    yield _Edit("and/or", start, end, "".join(pieces[:-1]))
    for value in node.values:
        yield _Edit("operand", *text.span(value), str(isinstance(node.op, ast.And)))


def _condition(text: _Text, node: ast.If | ast.IfExp | ast.While) -> Iterator[_Edit]:
    for word in ("True", "False"):
        if not (isinstance(node, ast.While) and word == "True"):
            yield _Edit("condition", *text.span(node.test), word)


def _filtered(text: _Text, node: ast.comprehension) -> Iterator[_Edit]:
    for test in node.ifs:
        yield _Edit("condition", *text.span(test), "True")
        yield _Edit("condition", *text.span(test), "False")


def _negation(text: _Text, node: ast.UnaryOp) -> Iterator[_Edit]:
    if isinstance(node.op, ast.Not):
        yield _Edit("not", *text.span(node), f"({text.of(node.operand)})")


def _arithmetic(text: _Text, node: ast.BinOp) -> Iterator[_Edit]:
    sides = (node.left, node.right)
    is_text = any(isinstance(side, ast.JoinedStr) or _is_text(side) for side in sides)
    if type(node.op) in _COUNTED and not is_text:
        token, other = _COUNTED[type(node.op)]
        place = text.between(*sides, token)
        if place:
            yield _Edit("arithmetic", *place, other)


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _constant(text: _Text, node: ast.Constant) -> Iterator[_Edit]:
    if isinstance(node.value, bool):
        yield _Edit("constant", *text.span(node), str(not node.value))
    elif isinstance(node.value, int):
        yield _Edit("constant", *text.span(node), str(node.value + 1))


def _returned(text: _Text, node: ast.Return) -> Iterator[_Edit]:
    idle = isinstance(node.value, ast.Constant) and (node.value.value is None or node.value.value is False)
    if node.value is not None and not idle:
        yield _Edit("return", *text.span(node.value), "None")


def _removed(text: _Text, node: ast.AST) -> Iterator[_Edit]:
    given = isinstance(node, ast.Expr) and isinstance(node.value, ast.Yield | ast.YieldFrom)
    yield _Edit("statement", *text.span(node), "yield from ()" if given else "pass")


def _loop(text: _Text, node: ast.AST) -> Iterator[_Edit]:
    yield _Edit("loop", *text.span(node), "break" if isinstance(node, ast.Continue) else "continue")


def _slice(text: _Text, node: ast.Slice) -> Iterator[_Edit]:
    for bound in (node.lower, node.upper):
        if bound is not None:
            yield _Edit("slice", *text.span(bound), "")


def _elements(text: _Text, node: ast.Dict | ast.Set | ast.List | ast.Tuple) -> Iterator[_Edit]:
    """Of a table of three and more the first, the middle and the last row are dropped, one at a time."""
    if isinstance(node, ast.Dict):
        rows: list[tuple[ast.AST, ast.AST]] = [
            (key or value, value) for key, value in zip(node.keys, node.values, strict=True)
        ]
        if any(key is None for key in node.keys):
            return
    else:
        plain = all(isinstance(item, ast.Constant | ast.Attribute | ast.Starred) for item in node.elts)
        if isinstance(node, ast.Tuple) and not plain:
            return
        rows = [(item, item) for item in node.elts]
    if len(rows) < _FEWEST:
        return
    for at in sorted({0, len(rows) // 2, len(rows) - 1}):
        start, end = text.span(rows[at][0])[0], text.span(rows[at][1])[1]
        comma = re.compile(r"\s*,").match(text.source, end)
        yield _Edit("element", start, comma.end() if comma else end, "")


def _called(text: _Text, node: ast.Call) -> Iterator[_Edit]:
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if name in _TEXT_METHODS:
        for argument in node.args:
            if _is_text(argument):
                yield _Edit("text", *text.span(argument), '"XX"')
    if name in _EXPRESSIONS and node.args:
        yield from _pattern(text, node.args[0])
        for flag in node.args[1:]:
            yield _Edit("pattern", *text.span(flag), "0")


def _pattern(text: _Text, node: ast.AST) -> Iterator[_Edit]:
    start, end = text.span(node)
    guards = list(_GUARD.finditer(text.source, start, end))
    step = max(1, -(-len(guards) // _GUARDS))
    for found in guards[::step]:
        replaced = f"{{{int(found[1]) + 1}," if found[1] else ""
        yield _Edit("pattern", *found.span(), replaced)


_OPERATORS: Mapping[type[ast.AST], Callable[[_Text, Any], Iterator[_Edit]]] = {
    ast.AugAssign: _removed,
    ast.BinOp: _arithmetic,
    ast.BoolOp: _logic,
    ast.Break: _loop,
    ast.Call: _called,
    ast.Compare: _compare,
    ast.Constant: _constant,
    ast.Continue: _loop,
    ast.Dict: _elements,
    ast.Expr: _removed,
    ast.If: _condition,
    ast.IfExp: _condition,
    ast.List: _elements,
    ast.Return: _returned,
    ast.Set: _elements,
    ast.Slice: _slice,
    ast.Tuple: _elements,
    ast.UnaryOp: _negation,
    ast.While: _condition,
    ast.comprehension: _filtered,
}

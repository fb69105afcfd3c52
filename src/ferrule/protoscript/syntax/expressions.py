"""Expressions: the values that a memory may say, and the computed ones that only code has.

Owns their nodes. A run of operators of one level is one `Binary` and a chain of members one `Access`, so that the
height of a tree follows the nesting of the text and not its length. Knows nothing of precedence: the parser applies it.
"""

from typing import TYPE_CHECKING, Literal, TypeAlias

from ferrule.protoscript.syntax.spans import Computed, Node, Span, node

if TYPE_CHECKING:
    from ferrule.protoscript.syntax.statements import Block

__all__ = [
    "Access",
    "Assign",
    "Binary",
    "Call",
    "Categorisation",
    "Conditional",
    "Creation",
    "ElementAccess",
    "Expression",
    "Initializer",
    "Lambda",
    "Link",
    "ListExpression",
    "MemberAccess",
    "Name",
    "New",
    "Null",
    "Number",
    "Parenthesised",
    "Step",
    "Text",
    "Truth",
    "Unary",
]


@node
class Text(Node):
    """A string literal. `form` tells `"…"`, `@"…"`, `$"…"`, `$$"…"` and `'…'` apart; `value` is decoded.

    `holes` are the expressions of an interpolated string, in order, with their true spans (which lie inside of this one
    token); their text stays in `value` as it is written.
    """

    form: Literal["string", "verbatim", "interpolated", "protostring", "char"]
    raw: str
    value: str
    span: Span
    holes: tuple["Expression", ...] = ()


@node
class Number(Node):
    """A number literal, with the sign of a leading unary minus folded into `value` (raw keeps the digits only)."""

    form: Literal["int", "double", "decimal", "long", "ulong", "float"]
    raw: str
    value: int | float
    negative: bool
    span: Span


@node
class Truth(Node):
    """`true` or `false`."""

    value: bool
    span: Span


@node
class Null(Node):
    """`null`."""

    span: Span


@node
class Name(Node):
    """A bare name used as a value: a reference to a prototype. Type arguments are part of it: `List<Int>`."""

    name: str
    span: Span


@node
class ListExpression(Node):
    """`[a, b]`."""

    elements: tuple["Expression", ...]
    span: Span


@node
class New(Node):
    """`new Type()` without arguments, size or initializer: an empty object, the only one that is a value."""

    type: str
    span: Span


@node
class Initializer(Node):
    """`{ A = 1, 2, { 3 } }` behind `new Type`: assignments, values or further braces."""

    items: tuple["Expression | Initializer", ...]
    span: Span


@node
class Creation(Computed):
    """`new Type(arguments) { … }`, `new Type` or `new Type[3]`. `arguments` is None without parentheses.

    The text of `type` holds the brackets of an array.
    """

    type: str
    arguments: tuple["Expression", ...] | None
    initializer: Initializer | None
    span: Span

    @property
    def what(self) -> str:
        """`new Type`, or `new array`."""
        return "new array" if self.type.endswith("]") else f"new {self.type}"


@node
class Call(Computed):
    """`Name(arguments)`; the name may have type arguments."""

    name: str
    arguments: tuple["Expression", ...]
    span: Span

    @property
    def what(self) -> str:
        """`call`."""
        return "call"


@node
class MemberAccess(Node):
    """`.Name`, `?.Name` or `.Name(arguments)`; `arguments` is None when nothing is called."""

    mark: Literal[".", "?."]
    name: str
    arguments: tuple["Expression", ...] | None
    span: Span


@node
class ElementAccess(Node):
    """`[index]`."""

    index: "Expression"
    span: Span


@node
class Step(Node):
    """`++` or `--` behind an operand."""

    operator: Literal["++", "--"]
    span: Span


Link: TypeAlias = MemberAccess | ElementAccess | Step


@node
class Access(Computed):
    """`target.A[0].B()++`: a target and what is reached from it, one link behind the other."""

    target: "Expression"
    links: tuple[Link, ...]
    span: Span

    @property
    def what(self) -> str:
        """`member access`, `index` or the operator, after the first link."""
        first = self.links[0]
        if isinstance(first, Step):
            return f"operator `{first.operator}`"
        return "index" if isinstance(first, ElementAccess) else "member access"


@node
class Unary(Computed):
    """A prefix operator: `+ - ! ~ ++ --` or one of the words `await out ref`."""

    operator: str
    operand: "Expression"
    span: Span

    @property
    def what(self) -> str:
        """The operator."""
        return f"operator `{self.operator}`"


@node
class Binary(Computed):
    """`a + b - c`: operands with operators of one level between them, to be grouped from the left.

    `operators[i]` stands behind `operands[i]`; words may be negated (`!typeof`).
    """

    operands: tuple["Expression", ...]
    operators: tuple[str, ...]
    span: Span

    @property
    def what(self) -> str:
        """The first operator."""
        return f"operator `{self.operators[0]}`"


@node
class Assign(Computed):
    """`target = value` and `target += value` inside of code. In a body of a prototype it is an `Assignment`."""

    target: "Expression"
    operator: str
    value: "Expression"
    span: Span

    @property
    def what(self) -> str:
        """The operator."""
        return f"operator `{self.operator}`"


@node
class Conditional(Computed):
    """`condition ? then : otherwise`."""

    condition: "Expression"
    then: "Expression"
    otherwise: "Expression"
    span: Span

    @property
    def what(self) -> str:
        """The operator."""
        return "operator `? :`"


@node
class Categorisation(Computed):
    """`subject -> Type { condition, condition }`: whether the subject is of the type and all conditions hold."""

    subject: "Expression"
    type: "Expression"
    conditions: tuple["Expression", ...]
    span: Span

    @property
    def what(self) -> str:
        """The operator."""
        return "operator `->`"


@node
class Lambda(Computed):
    """`parameter => body`."""

    parameter: "Expression"
    body: "Expression | Block"
    span: Span

    @property
    def what(self) -> str:
        """`lambda`."""
        return "lambda"


@node
class Parenthesised(Computed):
    """`(expression)`."""

    expression: "Expression"
    span: Span

    @property
    def what(self) -> str:
        """`parentheses`."""
        return "parentheses"


Expression: TypeAlias = (
    Text | Number | Truth | Null | Name | ListExpression | New
    | Creation | Call | Access | Unary | Binary | Assign | Conditional | Categorisation | Lambda | Parenthesised
)  # fmt: skip

"""Statements: what code does, read and never run.

Owns their nodes. What stands in a block is `declarations.Code`: a statement, a function, or a part that could not be
read. Knows nothing of where code may stand.
"""

from typing import TYPE_CHECKING

from ferrule.protoscript.syntax.expressions import Expression
from ferrule.protoscript.syntax.spans import Node, Span, Statement, node

if TYPE_CHECKING:
    from ferrule.protoscript.syntax.declarations import Code

__all__ = [
    "Block",
    "Branch",
    "Break",
    "Case",
    "Catch",
    "Continue",
    "Default",
    "Do",
    "ExpressionStatement",
    "For",
    "ForEach",
    "If",
    "Return",
    "Switch",
    "Throw",
    "Try",
    "Variable",
    "VariableDeclaration",
    "While",
    "Yield",
]


@node
class Block(Statement):
    """`{ … }`. Where the language takes one statement instead of a block, `braced` is False and there is just one."""

    statements: tuple["Code", ...]
    braced: bool
    span: Span

    @property
    def what(self) -> str:
        """`block`."""
        return "block"


@node
class ExpressionStatement(Statement):
    """`expression;`."""

    expression: Expression
    span: Span

    @property
    def what(self) -> str:
        """`statement`."""
        return "statement"


@node
class Variable(Node):
    """One name of a variable declaration, with its value."""

    name: str
    value: Expression | None
    span: Span


@node
class VariableDeclaration(Statement):
    """`Type a = 1, b;`, with any of `extern` and `const` before it. At least one variable."""

    modifiers: tuple[str, ...]
    type: str
    variables: tuple[Variable, ...]
    span: Span

    @property
    def what(self) -> str:
        """`variable`, or `extern variable`."""
        return "extern variable" if "extern" in self.modifiers else "variable"


@node
class Return(Statement):
    """`return;` or `return value;`."""

    value: Expression | None
    span: Span


@node
class Throw(Statement):
    """`throw;` or `throw value;`."""

    value: Expression | None
    span: Span


@node
class Yield(Statement):
    """`yield return value;`; `yield break;` has no value."""

    value: Expression | None
    span: Span


@node
class Break(Statement):
    """`break;`."""

    span: Span


@node
class Continue(Statement):
    """`continue;`."""

    span: Span


@node
class Branch(Node):
    """`(condition) body` behind `if` or `else if`."""

    condition: Expression
    body: Block
    span: Span


@node
class If(Statement):
    """`if (…) … else if (…) … else …`: the branches in order, and what is done when none is taken."""

    branches: tuple[Branch, ...]
    otherwise: Block | None
    span: Span


@node
class For(Statement):
    """`for (start; condition; steps) body`; each of the three may be missing."""

    start: "Code | None"
    condition: Expression | None
    steps: tuple[Expression, ...]
    body: Block
    span: Span


@node
class ForEach(Statement):
    """`foreach (Type name in collection) body`."""

    type: str
    name: str
    collection: Expression
    body: Block
    span: Span


@node
class While(Statement):
    """`while (condition) body`."""

    condition: Expression
    body: Block
    span: Span


@node
class Do(Statement):
    """`do { … } while (condition);`."""

    body: Block
    condition: Expression
    span: Span


@node
class Switch(Statement):
    """`switch (subject) body`; `Case` and `Default` are statements of the body."""

    subject: Expression
    body: Block
    span: Span


@node
class Case(Statement):
    """`case value:`, a label."""

    value: Expression
    span: Span


@node
class Default(Statement):
    """`default:`, a label."""

    span: Span


@node
class Catch(Node):
    """`catch`, `catch (Type)` or `catch (Type name)`, and what is done then. "" where nothing is written."""

    type: str
    name: str
    body: Block
    span: Span


@node
class Try(Statement):
    """`try … catch … finally …`; both may be missing, as the reference allows."""

    body: Block
    catches: tuple[Catch, ...]
    last: Block | None
    span: Span

"""Declarations: what a file says, piece by piece in source order.

Owns the nodes of files, namespaces, prototypes, their members, functions, annotations and directives, and the node that
stands for what could not be read. Knows nothing of what a name means: that is the business of `ontology`.
"""

from typing import Literal, TypeAlias

from ferrule.protoscript.syntax.expressions import Expression
from ferrule.protoscript.syntax.spans import Node, Span, node
from ferrule.protoscript.syntax.statements import (
    Block,
    Break,
    Case,
    Continue,
    Default,
    Do,
    ExpressionStatement,
    For,
    ForEach,
    If,
    Return,
    Switch,
    Throw,
    Try,
    VariableDeclaration,
    While,
    Yield,
)

__all__ = [
    "Annotation",
    "Assignment",
    "Code",
    "Directive",
    "ErrorNode",
    "Field",
    "File",
    "Function",
    "Init",
    "Item",
    "Member",
    "Namespace",
    "Parameter",
    "Prototype",
]


@node
class ErrorNode(Node):
    """A part of the text that could not be read, from its first token to its last; `code` says why.

    It may stand wherever an item, a member or a statement may. One with `too-deep`, `too-many-problems` or
    `too-much-skipped` reaches to the end of what was given up.
    """

    code: str
    span: Span


@node
class Annotation(Node):
    """`[Name("argument")]`, kept as data; `bare` tells `[Name]` from `[Name()]`."""

    text: str
    name: str
    arguments: tuple[Expression, ...]
    span: Span
    bare: bool = False


@node
class Field(Node):
    """`Type Name;` or `Type Name = value;`: declares a property, and with a value assigns its default."""

    type: str
    name: str
    value: Expression | None
    modifiers: tuple[str, ...]
    annotations: tuple[Annotation, ...]
    span: Span
    name_span: Span


@node
class Assignment(Node):
    """`Name = value;`: assigns a declared property. `plain` is False when the target is not a simple name."""

    name: str
    value: Expression
    plain: bool
    span: Span
    name_span: Span


@node
class Parameter(Node):
    """`[this] [ref | out] Type name [= default]`."""

    type: str
    name: str
    modifiers: tuple[str, ...]
    default: Expression | None
    span: Span


@node
class Function(Node):
    """`function Name(…) : Type { … }` or, with `form` "method", `Type Name(…) { … }`; no body when it ends with `;`."""

    name: str
    type: str
    parameters: tuple[Parameter, ...]
    body: Block | None
    modifiers: tuple[str, ...]
    annotations: tuple[Annotation, ...]
    form: Literal["function", "method"]
    span: Span
    name_span: Span


@node
class Init(Node):
    """`init { … }`, or `init` before one statement: what would be run when the prototype is made."""

    body: Block
    span: Span


@node
class Prototype(Node):
    """`[partial] prototype Name : Base, Base { … }`; `short` tells `prototype X;` from an empty body."""

    name: str
    bases: tuple[str, ...]
    modifiers: tuple[str, ...]
    annotations: tuple[Annotation, ...]
    members: tuple["Member", ...]
    where: str
    short: bool
    span: Span
    name_span: Span
    base_spans: tuple[Span, ...]

    @property
    def partial(self) -> bool:
        """Whether the declaration adds to an existing prototype."""
        return "partial" in self.modifiers


Member: TypeAlias = Field | Assignment | Function | Init | Prototype | ErrorNode

Code: TypeAlias = (
    Block | ExpressionStatement | VariableDeclaration | Return | Throw | Yield | Break | Continue | If | For | ForEach
    | While | Do | Switch | Case | Default | Try | Function | ErrorNode
)  # fmt: skip


@node
class Directive(Node):
    """`include`, `reference`, `import` or `using`: recorded, never followed by the parser.

    `words` holds the operands in source order (a path without its quotes), `flags` any of `recursive`, `lazy`, `file`
    and `static`.
    """

    kind: Literal["include", "reference", "import", "using", "namespace"]
    text: str
    words: tuple[str, ...]
    span: Span
    flags: tuple[str, ...] = ()


@node
class Namespace(Node):
    """`namespace A.B { … }`: its name is a prefix of the names declared inside."""

    name: str
    items: tuple["Item", ...]
    span: Span


Item: TypeAlias = Directive | Namespace | Prototype | Annotation | Code


@node
class File(Node):
    """One text: what it declares, in source order. `items` holds every top-level node; `prototypes` is a view of it."""

    items: tuple[Item, ...]
    span: Span

    @property
    def prototypes(self) -> tuple[Prototype, ...]:
        """The top-level prototypes, in source order."""
        return tuple(item for item in self.items if isinstance(item, Prototype))

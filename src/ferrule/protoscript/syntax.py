"""The tree of a ProtoScript text: this page is the language reference of the declarative part.

Every node is a frozen value and knows its `Span`; literals keep their raw source text beside the decoded value. What
would need running (function bodies, statements) is kept as an opaque, brace-balanced span of text, visible as such.
Knows nothing of what a name means: that is the business of `ontology`.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

__all__ = [
    "Annotation",
    "Assignment",
    "Directive",
    "Expression",
    "Field",
    "File",
    "Function",
    "Init",
    "Item",
    "ListExpression",
    "Member",
    "Name",
    "Namespace",
    "New",
    "Null",
    "Number",
    "Opaque",
    "OpaqueExpression",
    "Prototype",
    "Span",
    "Text",
    "Truth",
]


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open range of code points, offsets from 0."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Text:
    """A string literal. `form` tells `"…"`, `@"…"`, `$"…"`, `$$"…"` and `'…'` apart; `value` is decoded."""

    form: Literal["string", "verbatim", "interpolated", "protostring", "char"]
    raw: str
    value: str
    span: Span


@dataclass(frozen=True, slots=True)
class Number:
    """A number literal, with the sign of a leading unary minus folded into `value` (raw keeps the digits only)."""

    form: Literal["int", "double", "decimal", "long", "ulong", "float"]
    raw: str
    value: int | float
    negative: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Truth:
    """`true` or `false`."""

    value: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Null:
    """`null`."""

    span: Span


@dataclass(frozen=True, slots=True)
class Name:
    """A bare name used as a value: a reference to a prototype."""

    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class ListExpression:
    """`[a, b]`."""

    elements: tuple["Expression", ...]
    span: Span


@dataclass(frozen=True, slots=True)
class New:
    """`new Type()` without arguments or initializer."""

    type: str
    span: Span


@dataclass(frozen=True, slots=True)
class OpaqueExpression:
    """Any other expression (operators, calls, lambdas): read, never evaluated. `what` names it for people."""

    what: str
    text: str
    span: Span


Expression: TypeAlias = Text | Number | Truth | Null | Name | ListExpression | New | OpaqueExpression


@dataclass(frozen=True, slots=True)
class Annotation:
    """`[Name("argument")]`, kept as data; `bare` tells `[Name]` from `[Name()]`."""

    text: str
    name: str
    arguments: tuple[Expression, ...]
    span: Span
    bare: bool = False


@dataclass(frozen=True, slots=True)
class Field:
    """`Type Name;` or `Type Name = value;`: declares a property, and with a value assigns its default."""

    type: str
    name: str
    value: Expression | None
    modifiers: tuple[str, ...]
    annotations: tuple[Annotation, ...]
    span: Span
    name_span: Span


@dataclass(frozen=True, slots=True)
class Assignment:
    """`Name = value;`: assigns a declared property. `plain` is False when the target is not a simple name."""

    name: str
    value: Expression
    plain: bool
    span: Span
    name_span: Span


@dataclass(frozen=True, slots=True)
class Function:
    """A function or C#-style method; its body is opaque."""

    name: str
    signature: str
    body: str
    annotations: tuple[Annotation, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Init:
    """An `init` block; opaque."""

    body: str
    span: Span


@dataclass(frozen=True, slots=True)
class Opaque:
    """A statement or other construct that would need running."""

    what: str
    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Prototype:
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


Member: TypeAlias = Field | Assignment | Function | Init | Prototype | Opaque


@dataclass(frozen=True, slots=True)
class Directive:
    """`include`, `reference`, `import` or `using`: recorded, never followed by the parser.

    `words` holds the operands in source order (a path without its quotes), `flags` any of `recursive`, `lazy`, `file`
    and `static`.
    """

    kind: Literal["include", "reference", "import", "using", "namespace"]
    text: str
    words: tuple[str, ...]
    span: Span
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Namespace:
    """`namespace A.B { … }`: its name is a prefix of the names declared inside."""

    name: str
    items: tuple["Item", ...]
    span: Span


Item: TypeAlias = Directive | Namespace | Prototype | Function | Annotation | Opaque


@dataclass(frozen=True, slots=True)
class File:
    """One text: what it declares, in source order. `items` holds every top-level node; `prototypes` is a view of it."""

    items: tuple[Item, ...]
    span: Span

    @property
    def prototypes(self) -> tuple[Prototype, ...]:
        """The top-level prototypes, in source order."""
        return tuple(item for item in self.items if isinstance(item, Prototype))

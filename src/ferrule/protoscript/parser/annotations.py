"""An annotation is one call in brackets, kept as data and never made.

Owns `[Name("argument")]` and `[Name]`, and which declaration a pending annotation belongs to: the next one. An
annotation that hangs over other things is a warning, one that belongs to nothing is an error. Knows
nothing of what one does.
"""

from ferrule.protoscript.diagnostics import DiagnosticCode
from ferrule.protoscript.parser.cursor import Cursor, describe
from ferrule.protoscript.parser.types import dotted
from ferrule.protoscript.syntax import Annotation, Expression

__all__ = ["Pending", "annotation"]


def annotation(c: Cursor) -> Annotation:
    """Annotation = "[" dotted [ "(" [ expression { "," expression } ] ")" ] "]" ."""
    first = c.at
    c.enter()
    c.at += 1
    if c.kinds[c.at] != "name" or c.texts[c.at] == "new":
        _not_a_call(c, first)
    name = dotted(c, "the annotation's name")
    arguments: list[Expression] = []
    bare = c.kinds[c.at] != "("
    if not bare:
        c.at += 1
        if c.kinds[c.at] != ")":
            arguments.append(c.expression(c))
            while c.kinds[c.at] == ",":
                c.at += 1
                arguments.append(c.expression(c))
        c.expect(")", "the annotation's arguments")
    if c.kinds[c.at] in _OPERATORS:
        _not_a_call(c, first)
    c.expect("]", "the annotation")
    c.depth -= 1
    return Annotation(c.text(first), name, tuple(arguments), c.span(first), bare)


_OPERATORS = frozenset({".", "=", "?.", "+", "-", "["})


def _not_a_call(c: Cursor, first: int) -> None:
    """Fail at an annotation that is something else than a name or a call; lexical trouble and a bare `]` come first."""
    if c.kinds[c.at] in {"]", "junk", "stray", "unterminated", "open-comment", "end"}:
        c.fail(DiagnosticCode.EXPECTED_NAME, f"expected the annotation's name, not {describe(c)}")
    hint = 'write `[Name("text")]`'
    c.fail(DiagnosticCode.ANNOTATION_NOT_A_CALL, "an annotation is one call", c.span(first), hint=hint)


class Pending:
    """The annotations that wait for their declaration."""

    __slots__ = ("_detached", "_first", "_next", "_waiting")

    def __init__(self) -> None:
        self._waiting: list[Annotation] = []
        self._detached = False
        self._first = self._next = 0

    def add(self, c: Cursor) -> None:
        """Read one more that waits."""
        first = c.at
        found = annotation(c)
        if not self._waiting:
            self._first = first
        self._waiting.append(found)
        self._next = c.at

    def start(self, first: int) -> int:
        """Where a broken construct begins that begins at token `first`, the annotations right before it included."""
        return self._first if self._next == first and not self._waiting else first

    def pass_over(self, c: Cursor) -> None:
        """Something stands between the annotations and their declaration."""
        if self._waiting and not self._detached:
            self._detached = True
            hint = "move it directly above its declaration"
            message = "this annotation does not stand directly before what it annotates"
            c.note(DiagnosticCode.ANNOTATION_DETACHED, message, self._waiting[-1].span, hint=hint, severity="warning")

    def take(self) -> tuple[Annotation, ...]:
        """All that wait, for the declaration that is read now."""
        if not self._waiting:
            return ()
        taken, self._waiting, self._detached = tuple(self._waiting), [], False
        return taken

    def end(self, c: Cursor) -> tuple[Annotation, ...]:
        """The scope ends: what still waits belongs to nothing."""
        for left in self._waiting:
            if c.over():
                break
            message = "nothing follows that this annotation could belong to"
            c.note(DiagnosticCode.DANGLING_ANNOTATION, message, left.span, hint="remove it")
        return self.take()

"""What a definition's members say, for every rule alike: who assigns what, and which texts stand in it.

Owns the walk over members and expressions. Judges nothing.
"""

from collections.abc import Iterator

from ferrule.protoscript import syntax

__all__ = ["assigned_names", "expressions_in", "fields_and_assignments", "span_of", "texts_in", "values_of"]


def fields_and_assignments(tree: syntax.Prototype) -> Iterator[syntax.Field | syntax.Assignment]:
    """The members that a memory may have, in source order."""
    for member in tree.members:
        if isinstance(member, syntax.Field | syntax.Assignment):
            yield member


def values_of(tree: syntax.Prototype) -> Iterator[tuple[str, syntax.Expression]]:
    """Property name and expression of every member that gives a value."""
    for member in fields_and_assignments(tree):
        if member.value is not None:
            yield member.name, member.value


def assigned_names(tree: syntax.Prototype) -> tuple[str, ...]:
    """The properties that a definition gives a value, each once, in source order."""
    return tuple(dict.fromkeys(name for name, _ in values_of(tree)))


def expressions_in(expression: syntax.Expression) -> Iterator[syntax.Expression]:
    """The expression and, for a list, everything in it."""
    waiting = [expression]
    while waiting:
        found = waiting.pop()
        yield found
        if isinstance(found, syntax.ListExpression):
            waiting.extend(reversed(found.elements))


def texts_in(expression: syntax.Expression) -> Iterator[syntax.Text]:
    """Every string literal in an expression."""
    return (found for found in expressions_in(expression) if isinstance(found, syntax.Text))


def span_of(tree: syntax.Prototype, name: str) -> syntax.Span:
    """Where a property is written: its value if it has one, else its name, else the prototype's name."""
    for member in fields_and_assignments(tree):
        if member.name == name:
            return member.value.span if member.value is not None else member.name_span
    return tree.name_span

"""Stored reviews are JSON; these look into them without trusting their shape.

Owns tolerant access to members of an object of design.md section 8. Knows nothing of what is printed.
"""

from collections.abc import Mapping

__all__ = ["Row", "members", "number", "rows", "text", "texts"]

Row = Mapping[str, object]


def text(row: Row, name: str) -> str:
    """A text member; empty when it is absent or null."""
    value = row.get(name)
    return "" if value is None else str(value)


def number(row: Row, name: str) -> int:
    """A whole-number member; 0 when it is absent or something else."""
    value = row.get(name)
    return value if isinstance(value, int) else 0


def rows(row: Row, name: str) -> list[Row]:
    """A member that is a list of objects."""
    value = row.get(name)
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list | tuple) else []


def texts(row: Row, name: str) -> list[str]:
    """A member that is a list of texts."""
    value = row.get(name)
    return [str(item) for item in value] if isinstance(value, list | tuple) else []


def members(row: Row, name: str) -> Row:
    """A member that is an object; empty when it is absent."""
    value = row.get(name)
    return value if isinstance(value, Mapping) else {}

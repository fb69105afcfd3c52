"""What a person has told Ferrule to forget is gone from memory and from what was written about it (D8, D14, R97).

Owns what "forget this" means: which memories it names, and what stays of a review that wrote them. The store keeps the
tombstones. Knows nothing of SQL.
"""

from ferrule.memory.finding import handle_keys
from ferrule.memory.ports import MemoryStore
from ferrule.referents.kinds import NOWHERE, Place

__all__ = ["FORGOTTEN", "forgotten_review", "named"]

FORGOTTEN = "(forgotten)"


def named(store: MemoryStore, session: str, what: str, place: Place = NOWHERE) -> tuple[str, ...]:
    """The session's own memories that a person means: by exact name, else by handle, else by what they are called.

    Words and fragments are not enough: forgetting is never a guess. Permanent and foreign memories are never meant.
    """
    layer = store.layer(session)
    text = what.strip()
    if layer.get(text) is not None:
        return (text,)
    held = [name for key in handle_keys(text, place) for name in layer.holding(key)]
    return tuple(dict.fromkeys(held)) or layer.called(text)


def forgotten_review(review: dict[str, object], name: str) -> dict[str, object]:
    """The JSON form of a review without the values, excerpts and text of one memory that it wrote."""
    written = [item for item in _items(review, "written") if item.get("prototype") == name]
    labels = {name, *(str(item.get("candidate", name)) for item in written)}
    return review | {
        "written": [
            item | {"properties": {}, "handles": [], "definition": FORGOTTEN, "forgotten": True}
            if item in written
            else item
            for item in _items(review, "written")
        ],
        "candidates": [
            item | {"label": name, "aliases": [], "handles": [], "evidence": [], "reason": FORGOTTEN}
            if item.get("label") in labels or item.get("target") == name
            else item
            for item in _items(review, "candidates")
        ],
        "calls": [
            item | {"candidate": name, "arguments": {}} if item.get("candidate") in labels else item
            for item in _items(review, "calls")
        ],
    }


def _items(review: dict[str, object], member: str) -> list[dict[str, object]]:
    items = review.get(member)
    return [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []

"""What a conversation remembers: the session's own memories first, then what its other sessions know besides.

Owns that order, and that nothing is told twice (R87). Knows nothing of how sessions come to be of one conversation.
"""

from collections.abc import Iterable

from ferrule.bridge.details import Details

__all__ = ["with_lineage"]


def with_lineage(own: Iterable[Details], others: Iterable[Iterable[Details]]) -> tuple[Details, ...]:
    """The memories of a session, then those of the others that carry a handle that was not told yet, nearest first.

    Within a conversation a name is one thing: what the session itself says of it stands for what others said before.
    """
    listed = list(own)
    seen = {key for memory in listed for key in _keys(memory)}
    named = {memory.name for memory in listed}
    for memories in others:
        for memory in memories:
            keys = _keys(memory)
            if memory.name not in named and not keys <= seen:
                listed.append(memory)
                named.add(memory.name)
                seen |= keys
    return tuple(listed)


def _keys(memory: Details) -> set[str]:
    return {handle.key or handle.value for handle in memory.handles}

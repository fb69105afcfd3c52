"""When nothing waits any more, the file must show exactly what the plain model says.

Owns the judgement of a finished run: one effect per reviewed turn in its own session, one receipt, one marker, a sound
chain, a file that opens again (INV-I1, I4, I7, R84, R100). Knows nothing of how it came about.
"""

from collections.abc import Iterator

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.memory.receipts import broken_at
from proofs.looking import Look, Snapshot
from proofs.stubs import MEMORY, property_of, value_of

__all__ = ["faults_at_rest"]

_RESTING = frozenset({"done", "parked", "withdrawn"})


def faults_at_rest(look: Look, store: SqliteStore) -> Iterator[str]:
    """What is wrong with a home in which nothing waits."""
    yield from _model(look.now)
    broken = broken_at(store.receipts())
    if broken is not None:
        yield f"receipt {broken} does not follow from the one before it"
    sound = look.sound()
    if sound != "ok":
        yield f"INV-I1: the file is damaged: {sound}"


def _model(now: Snapshot) -> Iterator[str]:
    wanted: dict[tuple[str, str, str], str] = {}
    for (source, turn), order in now.orders.items():
        if order.state not in _RESTING:
            yield f"0 lost: {source} {turn} ended as {order.state}"
        if order.state == "done":
            wanted[source, MEMORY, property_of(order.ordinal)] = value_of(source, turn)
    for place in wanted.keys() | now.values.keys():
        stands = now.values.get(place, "nothing")
        value = wanted.get(place)
        if value is None:
            yield f"INV-I4: {place} is the effect of a turn that was not reviewed"
        elif f'"{value}"' not in stands:
            yield f"INV-I1: {place} should be {value} and is {stands}"

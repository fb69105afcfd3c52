"""When nothing waits any more, the file must show exactly what the plain model says.

Owns the judgement of a finished run: one effect per reviewed turn in its own session, one receipt, one marker, a sound
chain, a file that opens again (INV-I1, I4, I7, R84, R100). Knows nothing of how it came about.
"""

from collections.abc import Iterator

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.memory.receipts import broken_at
from proofs.looking import Look, Snapshot
from proofs.stubs import value_of

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
    """Each reviewed turn has its one value, in its own session; no other turn has any."""
    shown: dict[str, list[tuple[str, str, str]]] = {}
    for place, stands in now.values.items():
        for value in stands.split('"'):
            if value.startswith("/quay/"):
                shown.setdefault(value, []).append(place)
    for (source, turn), order in now.orders.items():
        if order.state not in _RESTING:
            yield f"0 lost: {source} {turn} ended as {order.state}"
        places = shown.pop(value_of(source, turn), [])
        if len(places) != (order.state == "done") or any(place[0] != source for place in places):
            yield f"INV-I4, INV-I7: {source} {turn} is {order.state} and its value stands in {places}"
    yield from (f"INV-I4: {value} is the effect of no turn: {places}" for value, places in shown.items())

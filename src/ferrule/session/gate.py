"""One mutex per source keeps two evaluations of one source apart, and nothing waits for a review under it (R78).

Owns the gate. Whoever holds it may enqueue (a review is a row, not a call) and must leave; a worker that reviews takes
the gate only for its short commit. So no cycle of locks can arise. Knows nothing of what is evaluated.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["EvaluateGate"]


class EvaluateGate:
    """A re-entrant mutex per source session, for one process; the store's lane guards between processes.

    >>> gate = EvaluateGate()
    >>> with gate.of("alpha"):
    ...     pass
    """

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._locks: dict[str, threading.RLock] = {}
        self._users: dict[str, int] = {}

    @contextmanager
    def of(self, source: str) -> Iterator[None]:
        """Hold the source's gate. Never review, never wait for a review, inside."""
        with self._guard:
            lock = self._locks.setdefault(source, threading.RLock())
            self._users[source] = self._users.get(source, 0) + 1
        try:
            with lock:
                yield
        finally:
            with self._guard:
                self._users[source] -= 1
                if not self._users[source]:
                    del self._users[source], self._locks[source]

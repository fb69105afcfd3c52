"""Rooms that one thread at a time may be in: first come, first served, and as often as it likes.

Owns the mutexes of one process behind the evaluate gate. A room exists only while somebody is in it or waits for it, so
nothing grows with the number of sources. A place is handed to the longest waiter by whoever leaves, so nobody is passed
by. A thread that died inside holds nobody up; a forked child starts with every room empty, because the threads that
were inside are not in it. Knows nothing of sources, processes or files.
"""

import os
import threading
import weakref
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

__all__ = ["Entry", "Key", "Rooms"]

Key: TypeAlias = tuple[str, str]


@dataclass(slots=True, eq=False)
class Entry:
    """One way in: a thread that is inside, or waits for its turn."""

    thread: threading.Thread = field(default_factory=threading.current_thread)
    turn: threading.Event | None = None


@dataclass(slots=True)
class _Room:
    """Entries of the one thread inside, those waiting, and what is undone when the last one has left."""

    inside: list[Entry] = field(default_factory=list)
    waiting: deque[Entry] = field(default_factory=deque)
    undone: list[Callable[[], None]] = field(default_factory=list)


class _Guard:
    """The lock of the bookkeeping; entering tells whether this very thread was in the middle of it already."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._here = threading.local()

    def __enter__(self) -> bool:
        depth: int = getattr(self._here, "depth", 0)
        self._here.depth = depth + 1  # before the lock: a signal handler may come between any two steps
        self._lock.acquire()
        return depth > 0

    def __exit__(self, *_: object) -> None:
        self._lock.release()
        self._here.depth -= 1


class Rooms:
    """Re-entrant mutexes by key. `enter` and `leave` are one pair per `Entry`; `leave` may come from any thread."""

    def __init__(self) -> None:
        self._emptied()
        _ALL.add(self)

    def _emptied(self) -> None:
        self._guard = _Guard()
        self._rooms: dict[Key, _Room] = {}

    def __len__(self) -> int:
        return len(self._rooms)

    def enter(self, key: Key, entry: Entry, seconds: float) -> bool:
        """Go in, waiting at most that long; False when it was not this entry's turn by then.

        Also False, at once, when this very thread waits already, or is in the middle of this bookkeeping: a signal
        handler would wait for itself.
        """
        with self._guard as nested:
            if nested:
                return False
            room = self._rooms.setdefault(key, _Room())
            if _inside(room, entry.thread) or (not room.waiting and self._free(room)):
                room.inside.append(entry)
                return True
            if any(other.thread is entry.thread for other in room.waiting):
                return False
            turn = entry.turn = threading.Event()
            room.waiting.append(entry)
        turn.wait(max(0.0, seconds))
        with self._guard:
            if entry in room.inside:
                return True
            first = room.waiting[0] is entry
            room.waiting.remove(entry)
            if first and self._free(room):  # whoever was inside died there
                room.inside.append(entry)
                return True
            return False

    def leave(self, key: Key, entry: Entry) -> None:
        """Go out, or stop waiting; the last one to go undoes what was to be undone and lets the next in."""
        with self._guard:
            room = self._rooms.get(key)
            if room is None:
                return
            if entry in room.waiting:
                room.waiting.remove(entry)
            last = room.inside == [entry]
            undone, room.undone = (room.undone, []) if last else ([], room.undone)
        try:
            for undo in undone:
                undo()
        finally:
            with self._guard:
                if entry in room.inside:
                    room.inside.remove(entry)
                self._handed_over(key, room)

    def undo_at_the_end(self, key: Key, undo: Callable[[], None]) -> None:
        """Call that when the thread that is inside has left altogether."""
        with self._guard:
            self._rooms[key].undone.append(undo)

    def undoes(self, key: Key) -> bool:
        """Whether the one inside has something to undo."""
        with self._guard:
            return bool(self._rooms[key].undone)

    def is_nested(self, key: Key) -> bool:
        """Whether the thread inside went in more than once."""
        with self._guard:
            return len(self._rooms[key].inside) > 1

    def of_thread(self) -> tuple[Key, ...]:
        """The keys of the rooms that the calling thread is in, in the order in which they were made."""
        thread = threading.current_thread()
        with self._guard:
            return tuple(key for key, room in self._rooms.items() if _inside(room, thread))

    def _free(self, room: _Room) -> bool:
        """Whether nobody who lives is inside; what the dead left is undone."""
        if any(entry.thread.is_alive() for entry in room.inside):
            return False
        room.inside.clear()
        undone, room.undone = room.undone, []
        for undo in undone:
            undo()
        return True

    def _handed_over(self, key: Key, room: _Room) -> None:
        while room.waiting and not room.inside:
            following = room.waiting.popleft()
            if following.thread.is_alive() and following.turn is not None:
                room.inside.append(following)
                following.turn.set()
        if not room.inside and not room.waiting and self._rooms.get(key) is room:
            del self._rooms[key]


_ALL: weakref.WeakSet[Rooms] = weakref.WeakSet()


def _empty_all() -> None:
    for rooms in _ALL:
        rooms._emptied()  # noqa: SLF001 - the same module


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_empty_all)


def _inside(room: _Room, thread: threading.Thread) -> bool:
    return any(entry.thread is thread for entry in room.inside)

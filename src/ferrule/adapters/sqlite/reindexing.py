"""Every index of a store is made from its rows, so that it can be made anew when it is damaged (CASE-N01).

Owns that, inside the caller's transaction. Knows nothing of whether the rows are sound.
"""

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ferrule.adapters.sqlite.coding import prototype_from, read_handles
from ferrule.adapters.sqlite.layer import fold_name
from ferrule.adapters.sqlite.memories import indexed
from ferrule.adapters.sqlite.statements import statements
from ferrule.bridge.values import HandleView
from ferrule.ontology.handles import keys_of
from ferrule.ontology.layers import phrases_of
from ferrule.referents.kinds import Handle

__all__ = ["keys_wanted", "reindexed"]

_SQL = statements("repairing")
_MEMORIES = statements("memories")
_CHECKING = statements("checking")
_PUT = {"keys": _MEMORIES["put_key"], "phrases": _MEMORIES["put_phrase"]}
_ORPHANS = ("keys", "phrases", "vectors", "writes", "provenance")


def reindexed(connection: sqlite3.Connection, *, anew: bool) -> Iterator[tuple[str, str]]:
    """Make right what is wrong in the indexes: (name of the memory or nothing, what) of each.

    Args:
        connection: inside a transaction, with rows by name.
        anew: make the word indexes anew in any case; else when one entry of them is wrong or cannot be read.
    """
    for area in _ORPHANS:
        count = connection.execute(_SQL[f"orphaned_{area}"]).rowcount
        if count > 0:
            yield "", f"{count} {area} of memories that are not there"
    for row in list(_all(connection)):
        yield from ((str(row["name"]), what) for what in _marks(connection, row))
    wrong = anew or _unless_readable(lambda: any(_misses(connection, row) for row in _all(connection)))
    if wrong or _unless_readable(lambda: _strays(connection)):
        _words_anew(connection)
        yield "", "words and fragments, made anew from the memories"


def keys_wanted(handles: Sequence[HandleView]) -> tuple[str, ...]:
    """The identity keys under which a memory with these handles is indexed."""
    return keys_of([Handle(one.kind, one.value, one.key, one.property) for one in handles if one.key])


def _all(connection: sqlite3.Connection) -> Iterator[dict[str, Any]]:
    for session in connection.execute(_SQL["sessions"]).fetchall():
        for row in connection.execute(_SQL["memories"], {"session": session["id"]}).fetchall():
            yield dict(row)


def _marks(connection: sqlite3.Connection, row: Mapping[str, Any]) -> Iterator[str]:
    memory = {"memory": row["id"]}
    if row["folded"] != fold_name(row["name"]):
        connection.execute(_SQL["set_folded"], memory | {"folded": fold_name(row["name"])})
        yield "its spelling"
    prototype = prototype_from(row["name"], row["bases"], row["properties"], partial=bool(row["partial"]))
    for what, marks in (("keys", keys_wanted(read_handles(row["handles"]))), ("phrases", phrases_of(prototype))):
        held = [(one["session"], str(one["mark"])) for one in connection.execute(_SQL[what], memory)]
        if sorted(held) != sorted((row["session"], mark) for mark in marks):
            connection.execute(_SQL[f"drop_{what}"], memory)
            connection.executemany(_PUT[what], [memory | {"session": row["session"], "mark": one} for one in marks])
            yield f"its {what}"


def _words_of(row: Mapping[str, Any]) -> tuple[dict[str, str], str]:
    prototype = prototype_from(row["name"], row["bases"], row["properties"], partial=bool(row["partial"]))
    return indexed(row["session"], prototype, read_handles(row["handles"]))


def _words_anew(connection: sqlite3.Connection) -> None:
    for name in ("words", "fragments"):
        connection.execute(_SQL[f"clear_{name}"])
        connection.execute(_SQL[f"make_{name}"])
    for row in _all(connection):
        words, text = _words_of(row)
        connection.execute(_MEMORIES["put_words"], {"memory": row["id"], **words})
        connection.execute(_MEMORIES["put_fragments"], {"memory": row["id"], "text": text})


def _misses(connection: sqlite3.Connection, row: Mapping[str, Any]) -> bool:
    words, text = _words_of(row)
    held = connection.execute(_CHECKING["words"], {"memory": row["id"]}).fetchone()
    fragments = connection.execute(_CHECKING["fragments"], {"memory": row["id"]}).fetchone()
    return held is None or dict(held) != words or fragments is None or fragments["text"] != text


def _strays(connection: sqlite3.Connection) -> bool:
    for name in ("words", "fragments"):
        connection.execute(_SQL[f"whole_{name}"])  # an entry that points nowhere cannot be seen otherwise
    found = (connection.execute(_CHECKING[name]).fetchone() for name in ("stray_words", "stray_fragments"))
    return any(one is not None for one in found)


def _unless_readable(wrong: Callable[[], bool]) -> bool:
    """Whether an index is wrong; one that cannot be read is."""
    try:
        return wrong()
    except (sqlite3.DatabaseError, UnicodeDecodeError):
        return True

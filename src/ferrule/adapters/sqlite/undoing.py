"""A write is undone as if it had not been: what it valued goes, the rest stands, and a receipt says so (D8, D14).

Owns which writes stand and the removal of one, inside the caller's transaction. Nothing that another write valued
changes (INV-I3); the receipts of what was undone stay, followed by one more. Knows nothing of who asked.
"""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import replace

from ferrule.adapters.sqlite.coding import handles_json, properties_json, read_handles
from ferrule.adapters.sqlite.committing import instant
from ferrule.adapters.sqlite.database import Database
from ferrule.adapters.sqlite.forgetting import clean_review, clean_reviews, known_by
from ferrule.adapters.sqlite.memories import reindex, remove_memory, settle_indexes, touch
from ferrule.adapters.sqlite.queueing import known_session
from ferrule.adapters.sqlite.receipts import Verdict, append
from ferrule.adapters.sqlite.sealing import seal
from ferrule.adapters.sqlite.statements import statements
from ferrule.adapters.sqlite.stored import stored_memory, stored_prototype
from ferrule.bridge.values import Receipt
from ferrule.errors import Code, StoreError
from ferrule.memory.forgetting import Gone
from ferrule.memory.ports import StandingWrite
from ferrule.ontology.layers import phrases_of

__all__ = ["standing_writes", "undo_write"]

_SQL = statements("undoing")
_MEMORIES = statements("memories")
_SESSIONS = statements("sessions")


def standing_writes(database: Database, session: int) -> tuple[StandingWrite, ...]:
    """Every accepted write of a session that still stands, oldest first."""
    rows = [dict(row) for row in database.rows(_SQL["standing"], {"session": session})]
    found: dict[int, dict[str, object]] = {}
    for row in rows:
        if row["payload_sha256"] == _digest(row["definition"]):
            found.setdefault(row["id"], row)
    first: dict[object, object] = {}
    count: dict[object, int] = {}
    for row in found.values():
        first.setdefault(row["memory"], row["id"])
        count[row["memory"]] = count.get(row["memory"], 0) + 1
    return tuple(
        _standing(database, row, first=first[row["memory"]] == row["id"], count=count[row["memory"]])
        for row in found.values()
    )


def _standing(database: Database, row: Mapping[str, object], *, first: bool, count: int) -> StandingWrite:
    valued = database.rows(_SQL["valued"], {"write": row["id"]})
    return StandingWrite(
        number=int(str(row["seq"])),
        name=str(row["name"]),
        turn=str(row["turn"]),
        at=str(row["at"]),
        action=str(row["action"]),
        definition=str(row["definition"]),
        properties=tuple(str(one["property"]) for one in valued),
        whole=count == 1,
        held=first and count > 1,
    )


def undo_write(database: Database, source: str, number: int, clock: Callable[[], float]) -> Receipt:
    """Undo the write with that receipt, inside a transaction; the newest receipt is given back.

    What it had under an identity key of its own keeps a tombstone, so that no later turn learns it again (D14).

    Raises:
        StoreError: `STALE_REVISION` when no such write stands, or later ones of its memory stand on it.
    """
    session = known_session(database, source)
    write = next((one for one in standing_writes(database, session) if one.number == number), None)
    if write is None or write.held:
        why = "no longer stands" if write is None else "has later writes that stand on it"
        raise StoreError(f"{source}: the write of receipt {number} {why}", code=Code.STALE_REVISION)
    at, before = instant(clock()), database.number(_SESSIONS["revision"], {"key": source})
    if write.whole:
        gone = known_by(database, session, write.name)
        remove_memory(database, session, write.name, revision=before + 1, at=at)
        clean_reviews(database, session, gone)
    else:
        _take_out(database, session, write, revision=before + 1, at=at)
        clean_review(database, session, write.turn, Gone(write.name))
    settle_indexes(database)
    digest, size = _digest(write.definition), len(write.definition.encode())
    receipt = append(database, Verdict(source, "", "undone", write.name, digest, size, before, before + 1))
    database.run(_SESSIONS["advance"], {"session": session, "revision": before + 1})
    return receipt


def _take_out(database: Database, session: int, write: StandingWrite, *, revision: int, at: str) -> None:
    from ferrule.memory.merge import canonical  # noqa: PLC0415 - who only reads waits for no printer

    row = stored_memory(database, session, write.name)
    old = stored_prototype(database, session, write.name)
    if row is None or old is None:
        raise StoreError(f"{write.name} is gone", code=Code.STALE_REVISION)
    gone = frozenset(write.properties)
    new = replace(old, properties=tuple(prop for prop in old.properties if prop.name not in gone))
    held = read_handles(row["handles"])
    kept = tuple(one for one in held if one.property not in gone)
    keys = sorted({one.key for one in held if one.key} - {one.key for one in kept})
    phrases = [phrase for phrase in phrases_of(old) if phrase not in phrases_of(new)]
    memory = {"memory": row["id"]}
    _drop(database, session, write)
    for statement, marks in (("drop_key", keys), ("drop_phrase", phrases)):
        for mark in marks:
            database.run(_SQL[statement], memory | {"mark": mark})
    stones = [{"session": session, "mark": key, "name": write.name, "at": at} for key in keys]
    database.many(_MEMORIES["put_tombstone"], stones)
    touch(database, session, (*keys, *phrases_of(old)), revision)
    newest = database.row(_SQL["newest_of"], memory)
    facts = dict(row) | {
        "properties": properties_json(new.properties),
        "handles": handles_json(kept),
        "merged": canonical(new),
        "revision": revision,
        **({} if newest is None else dict(newest)),
    }
    database.run(_SQL["put_back"], facts | memory | {"seal": seal(facts)})
    reindex(database, session, int(row["id"]), new, handles=kept)


def _drop(database: Database, session: int, write: StandingWrite) -> None:
    for row in database.rows(_SQL["standing"], {"session": session}):
        if row["seq"] == write.number and row["definition"] == write.definition:
            database.run(_SQL["drop_write"], {"write": row["id"]})


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()

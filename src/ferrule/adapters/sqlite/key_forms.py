"""Identity keys that older normal forms made are made anew, all of a store's at once (CASE-N10, N13, DEC-D14).

Owns that step of a migration: memories, their keys, tombstones and what commits touched, inside the caller's
transaction. Each handle is keyed for the place it was admitted in, as far as its turn is still stored; else the session
and the old key tell what they can. Two memories that meet under one key both stay: nothing is merged. Knows nothing of
how a file is opened or copied.
"""

import json
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ferrule.adapters.sqlite.coding import handles_json, read_handles, unpacked
from ferrule.adapters.sqlite.memories import blind
from ferrule.adapters.sqlite.sealing import seal
from ferrule.adapters.sqlite.sessions import is_sound
from ferrule.adapters.sqlite.statements import statements
from ferrule.bridge.values import HandleView
from ferrule.errors import StoreCorrupt
from ferrule.ontology.handles import keys_of
from ferrule.referents.kinds import KEY_FORMS, Handle, Place
from ferrule.referents.renewing import renewed_key, renewed_marks, renewed_repository

__all__ = ["Renewal", "renew_keys"]

_SQL = statements("key_forms")


@dataclass(frozen=True, slots=True)
class Renewal:
    """What a renewal did: keys that are others now, and paths that were keyed without the place of their turn."""

    renewed: int = 0
    kept: int = 0


def renew_keys(connection: sqlite3.Connection, at: str) -> Renewal:
    """Bring every key of a store to today's forms and say so in the store; twice is once.

    Args:
        connection: inside a transaction.
        at: when, in UTC.

    Raises:
        StoreCorrupt: a memory is damaged; it is named, and nothing may be committed.
    """
    renewed = kept = 0
    for session in list(_rows(connection, "sessions")):
        _renew_repository(connection, session)
        for memory in list(_rows(connection, "memories", session=session["id"])):
            if seal(memory) != memory["seal"]:
                told = f"the memory {memory['name']!r:.80} of {session['key']} is damaged"
                raise StoreCorrupt(f"{told}, so no key was renewed; ferrule memory repair mends or sets it aside")
            others, blindly = _renew_memory(connection, session, memory)
            renewed, kept = renewed + others, kept + blindly
        renewed += _renew_tombstones(connection, session)
    row = {"version": KEY_FORMS, "at": at, "renewed": renewed, "kept": kept}
    connection.execute(_SQL["put_forms"], row)
    return Renewal(renewed, kept)


def _rows(connection: sqlite3.Connection, statement: str, **asked: object) -> Iterator[dict[str, Any]]:
    cursor = connection.execute(_SQL[statement], asked)
    names = [column[0] for column in cursor.description]
    return (dict(zip(names, row, strict=True)) for row in cursor)


def _renew_repository(connection: sqlite3.Connection, session: Mapping[str, Any]) -> None:
    was = session["repository"]
    now = renewed_repository(was) if was else was
    if now != was:
        connection.execute(_SQL["set_repository"], {"repository": now, "session": session["id"]})


def _renew_memory(
    connection: sqlite3.Connection, session: Mapping[str, Any], memory: dict[str, Any]
) -> tuple[int, int]:
    """(keys that are others now, paths keyed without their turn's place) of one memory."""
    before = read_handles(memory["handles"])
    after, kept = [], 0
    for handle in before:
        place, known = _place(connection, session, memory, handle)
        key = renewed_key(handle.kind, handle.value, handle.key, place)
        after.append(replace(handle, key=key))
        kept += not known and key.startswith(("path:/", "path:~")) and bool(session["repository"])
    changed = _changes(connection, memory, before, tuple(after))
    if not changed and tuple(after) == before:
        return 0, kept
    facts = memory | {"handles": handles_json(tuple(after))}
    connection.execute(_SQL["set_handles"], {"handles": facts["handles"], "seal": seal(facts), "memory": memory["id"]})
    for was, marks in changed.items():
        row = {"session": memory["session"], "memory": memory["id"]}
        connection.execute(_SQL["drop_key"], row | {"mark": was})
        connection.executemany(_SQL["put_key"], [row | {"mark": mark} for mark in marks])
        _follow(connection, memory["session"], was, marks)
    return len(changed), kept


def _changes(
    connection: sqlite3.Connection,
    memory: Mapping[str, Any],
    before: tuple[HandleView, ...],
    after: tuple[HandleView, ...],
) -> dict[str, tuple[str, ...]]:
    """The indexed keys of a memory that are others now, with what they become."""
    now: dict[str, tuple[str, ...]] = {}
    for was, handle in zip(before, after, strict=True):
        if was.key:
            now[was.key] = (*now.get(was.key, ()), *_indexed(handle))
    held = [str(row["key"]) for row in _rows(connection, "keys", memory=memory["id"])]
    told = {key: tuple(dict.fromkeys(now.get(key, renewed_marks(key)))) for key in held}
    return {key: marks for key, marks in told.items() if marks and marks != (key,) and key not in marks}


def _indexed(handle: HandleView) -> tuple[str, ...]:
    return keys_of((Handle(handle.kind, handle.value, handle.key, handle.property),))


def _place(
    connection: sqlite3.Connection, session: Mapping[str, Any], memory: Mapping[str, Any], handle: HandleView
) -> tuple[Place, bool]:
    """Where a handle was admitted, and whether its turn still says so; only paths and addresses need it."""
    if not handle.key.startswith(("path:", "url:file:")):
        return Place(), True
    asked = {"session": memory["session"], "memory": memory["id"], "property": handle.property}
    row = next(_rows(connection, "turn_of_property", **asked), None)
    if row is not None and is_sound(row["body"], row["digest"]):
        place = Place(**json.loads(unpacked(row["body"]))["place"])
        return replace(place, repository=renewed_repository(place.repository) if place.repository else None), True
    return Place(cwd=session["cwd"]), False


def _renew_tombstones(connection: sqlite3.Connection, session: Mapping[str, Any]) -> int:
    """What was forgotten stays forgotten: each tombstone stands under the keys of today."""
    count = 0
    for stone in list(_rows(connection, "tombstones", session=session["id"])):
        marks = renewed_marks(stone["mark"], Place(cwd=session["cwd"]))
        if marks == (stone["mark"],):
            continue
        count += 1
        row = {"session": session["id"], "name": stone["name"], "at": stone["at"]}
        connection.execute(_SQL["drop_tombstone"], row | {"mark": stone["mark"]})
        connection.executemany(_SQL["put_tombstone"], [row | {"mark": mark} for mark in marks])
        _follow(connection, session["id"], stone["mark"], marks)
    return count


def _follow(connection: sqlite3.Connection, session: int, was: str, marks: tuple[str, ...]) -> None:
    """A search made before, under the new key, is as stale as under the old one (rule 11)."""
    rows = [{"session": session, "was": blind(was), "now": blind(mark)} for mark in marks]
    connection.executemany(_SQL["follow_touch"], rows)

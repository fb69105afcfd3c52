"""One accepted write becomes rows: the merged memory, its indexes, and where every value came from.

Owns writing and removing a memory's rows, each function inside the caller's transaction. Knows nothing of lanes,
reviews or receipts.
"""

import hashlib
import sqlite3
from dataclasses import dataclass, replace

from ferrule.adapters.sqlite.coding import claim_json, compact, handles_json, properties_json
from ferrule.adapters.sqlite.database import Database
from ferrule.adapters.sqlite.layer import SqliteLayer, fold_name, scoped, word_list
from ferrule.adapters.sqlite.statements import statements
from ferrule.adapters.sqlite.stored import seal, stored_handles
from ferrule.bridge.values import Claim, HandleView, Modality, Role
from ferrule.errors import Code, StoreError
from ferrule.memory.ports import Provenance, StagedWrite, Tombstone
from ferrule.ontology.layers import names_of, phrases_of, texts_of
from ferrule.ontology.values import Prototype

__all__ = [
    "Occasion",
    "banned_names",
    "blind",
    "drop_tombstones",
    "has_tombstones",
    "indexed",
    "last_write",
    "provenance_of",
    "put_write",
    "read_provenance",
    "read_tombstones",
    "read_writes",
    "reindex",
    "remove_memory",
    "settle_indexes",
    "told_write",
    "touch",
    "touched_after",
]

_SQL = statements("memories")


@dataclass(frozen=True, slots=True)
class Occasion:
    """When and by whom something is written: the same for all writes of one commit."""

    session: int
    turn: str
    ordinal: int
    reviewer: str
    revision: int
    at: str


def put_write(database: Database, write: StagedWrite, occasion: Occasion) -> None:
    """Write one accepted definition with its indexes and provenance.

    Raises:
        StoreError: `STALE_REVISION` when the memory was changed since the definition was judged: whatever the road, a
            valued property is never changed or lost (INV-I3).
    """
    layer = SqliteLayer(database, occasion.session)
    name = write.prototype.name
    before = layer.get(name)
    if before is not None and not _keeps(before, write.prototype):
        raise StoreError(f"{name} was changed by somebody else in the meantime", code=Code.STALE_REVISION)
    write = replace(write, handles=_as_admitted(write.handles, stored_handles(database, occasion.session, name)))
    database.run(_SQL["put_memory"], _memory_row(write, occasion))
    row = database.row(_SQL["memory"], {"session": occasion.session, "name": name})
    memory = 0 if row is None else int(row["id"])
    written = database.insert(_SQL["put_write"], _write_row(write, occasion, memory))
    database.many(_SQL["put_provenance"], [_provenance_row(item, written) for item in _provenance(write, before)])
    phrases = tuple(dict.fromkeys((*phrases_of(write.prototype), *write.phrases)))
    for statement, marks in (("put_key", write.keys), ("put_phrase", phrases)):
        marked = [{"session": occasion.session, "mark": mark, "memory": memory} for mark in marks]
        database.many(_SQL[statement], marked)
    touch(database, occasion.session, (*write.keys, *phrases), occasion.revision)
    reindex(database, occasion.session, memory, write.prototype, handles=write.handles, fresh=before is None)


def _keeps(before: Prototype, after: Prototype) -> bool:
    """Whether everything that was valued is still so, with the same value."""
    held = {prop.name: prop.value for prop in after.properties if prop.assigned}
    return before.bases == after.bases and all(
        prop.name in held and held[prop.name] == prop.value for prop in before.properties if prop.assigned
    )


def remove_memory(database: Database, session: int, name: str, *, revision: int, at: str) -> bool:
    """Remove a memory and leave tombstones for its identity keys (DEC-D14); whether there was one of that name.

    A memory without an identity key of its own is remembered as forgotten by its folded phrases.
    """
    row = database.row(_SQL["memory"], {"session": session, "name": name})
    if row is None:
        return False
    memory = {"memory": int(row["id"])}
    keys = [str(found["key"]) for found in database.rows(_SQL["keys_of"], memory)]
    phrases = [str(found["phrase"]) for found in database.rows(_SQL["phrases_of"], memory)]
    marks = [{"session": session, "mark": mark, "name": name, "at": at} for mark in keys or phrases]
    database.many(_SQL["put_tombstone"], marks)
    touch(database, session, (*keys, *phrases), revision)
    for statement in ("drop_words", "drop_fragments", "drop_memory"):
        database.run(_SQL[statement], memory)
    return True


def settle_indexes(database: Database) -> None:
    """Rewrite the word indexes, so that what was removed from them is gone from the file (R97)."""
    database.run(_SQL["settle_words"])
    database.run(_SQL["settle_fragments"])


def read_provenance(database: Database, session: int, name: str) -> tuple[Provenance, ...]:
    """Provenance of every value of one memory, oldest first."""

    def read() -> tuple[Provenance, ...]:
        row = database.row(_SQL["memory"], {"session": session, "name": name})
        rows = [] if row is None else database.rows(_SQL["provenance"], {"memory": int(row["id"])})
        return tuple(map(provenance_of, rows))

    return database.kept(("provenance", session, name), read)


def provenance_of(row: sqlite3.Row) -> Provenance:
    """Where one value came from, of its row."""
    return Provenance(
        property=row["property"],
        turn=row["turn"],
        ordinal=row["ordinal"],
        modality=Modality(row["modality"]),
        by_user=bool(row["by_user"]),
        by_action=bool(row["by_action"]),
    )


def last_write(database: Database, session: int, name: str) -> tuple[str, str]:
    """(turn key, modality) of the memory's last write; empty strings for a person's own or an unknown memory."""

    def read() -> tuple[str, str]:
        row = database.row(_SQL["memory"], {"session": session, "name": name})
        return told_write(None if row is None else database.row(_SQL["last_write"], {"memory": int(row["id"])}))

    return database.kept(("last_write", session, name), read)


def told_write(last: sqlite3.Row | None) -> tuple[str, str]:
    """(turn key, modality) of a write's row; empty strings where there is none or a person wrote."""
    return ("", "") if last is None or last["person"] else (str(last["turn"]), str(last["modality"]))


def read_writes(database: Database, session: int) -> tuple[tuple[str, str], ...]:
    """(prototype, definition) of every accepted write that still stands, oldest first."""
    rows = database.rows(_SQL["writes"], {"session": session})
    return tuple((str(row["name"]), str(row["definition"])) for row in rows)


def read_tombstones(database: Database, session: int, source: str, marks: tuple[str, ...]) -> tuple[Tombstone, ...]:
    """The tombstones among these marks; all of the session when none is given."""
    rows = [] if marks else database.rows(_SQL["tombstones"], {"session": session})
    for mark in dict.fromkeys(marks):
        rows += database.rows(_SQL["tombstone"], {"session": session, "mark": mark})
    return tuple(Tombstone(session=source, key=row["mark"], name=row["name"], at=row["at"]) for row in rows)


def has_tombstones(database: Database, session: int) -> bool:
    """Whether anything was forgotten in a session: most have nothing, and need not be asked mark by mark."""
    return database.row(_SQL["any_tombstone"], {"session": session}) is not None


def banned_names(database: Database, session: int, key: str) -> tuple[str, ...]:
    """Names of what was forgotten under an identity key or a prototype name."""
    rows = database.rows(_SQL["banned_names"], {"session": session, "key": key})
    return tuple(str(row["name"]) for row in rows)


def drop_tombstones(database: Database, session: int, key: str) -> int:
    """Lift tombstones by identity key or prototype name; returns how many."""
    return max(0, database.run(_SQL["drop_tombstones"], {"session": session, "key": key}))


def touched_after(database: Database, session: int, revision: int, marks: tuple[str, ...]) -> bool:
    """Whether a commit after that revision touched one of these identity keys or folded phrases."""
    asked = ({"session": session, "mark": blind(mark), "revision": revision} for mark in marks)
    return any(database.row(_SQL["touched_after"], values) for values in asked)


def _as_admitted(handles: tuple[HandleView, ...], before: tuple[HandleView, ...]) -> tuple[HandleView, ...]:
    """An older handle keeps the identity key that its own turn gave it: another place would give another key."""
    keys = {(handle.property, handle.value): handle.key for handle in before}
    return tuple(replace(handle, key=keys.get((handle.property, handle.value), handle.key)) for handle in handles)


def _memory_row(write: StagedWrite, occasion: Occasion) -> dict[str, str | int]:
    prototype = write.prototype
    row: dict[str, str | int] = {
        "session": occasion.session,
        "name": prototype.name,
        "folded": fold_name(prototype.name),
        "partial": int(prototype.partial),
        "bases": compact(list(prototype.bases)),
        "properties": properties_json(prototype.properties),
        "handles": handles_json(write.handles),
        "merged": write.merged,
        "turn": occasion.turn,
        "ordinal": occasion.ordinal,
        "modality": write.modality.value,
        "revision": occasion.revision,
    }
    return row | {"seal": seal(row)}


def _write_row(write: StagedWrite, occasion: Occasion, memory: int) -> dict[str, str | int]:
    return {
        "memory": memory,
        "turn": occasion.turn,
        "ordinal": occasion.ordinal,
        "action": write.action,
        "definition": write.definition,
        "modality": write.modality.value,
        "reviewer": occasion.reviewer,
        "candidate": write.candidate,
        "person": int(write.person),
        "revision": occasion.revision,
        "at": occasion.at,
        "excerpts": compact([list(excerpt) for excerpt in write.excerpts]),
    }


@dataclass(frozen=True, slots=True)
class _Origin:
    property: str
    modality: Modality
    by_user: bool
    by_action: bool
    evidence: str


def _provenance(write: StagedWrite, before: Prototype | None) -> list[_Origin]:
    """One row for each property that this write valued; what a person writes is theirs in any case."""
    claims = {claim.property: claim for claim in write.claims}
    intents = {own for own, role, _ in write.excerpts if role == Role.INTENT.value}
    found: list[_Origin] = []
    for prop in write.prototype.properties:
        old = before.own(prop.name) if before is not None else None
        if not prop.assigned or (old is not None and old.assigned):
            continue
        claim: Claim | None = claims.get(prop.name)
        modality = write.modality if claim is None else claim.modality
        found.append(
            _Origin(
                property=prop.name,
                modality=modality,
                by_user=write.person or prop.name in intents,
                by_action=claim is not None and modality.rung > Modality.REPORTED.rung,
                evidence="[]" if claim is None else claim_json(claim),
            )
        )
    return found


def _provenance_row(origin: _Origin, write: int) -> dict[str, str | int]:
    return {
        "write": write,
        "property": origin.property,
        "modality": origin.modality.value,
        "by_user": int(origin.by_user),
        "by_action": int(origin.by_action),
        "evidence": origin.evidence,
    }


def blind(mark: str) -> str:
    """The digest of a touched key: these rows outlive the memory, so they must not tell what it was (R97)."""
    return hashlib.sha256(mark.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def touch(database: Database, session: int, marks: tuple[str, ...], revision: int) -> None:
    """Note that a commit touched these identity keys or folded phrases."""
    rows = [{"session": session, "mark": blind(mark), "revision": revision} for mark in dict.fromkeys(marks)]
    database.many(_SQL["touch"], rows)


def reindex(
    database: Database,
    session: int,
    memory: int,
    prototype: Prototype,
    *,
    handles: tuple[HandleView, ...],
    fresh: bool = False,
) -> None:
    """Let the word and fragment indexes hold a memory as it stands; what it meant to a model no longer holds.

    `fresh` when they hold nothing of it yet.
    """
    for statement in () if fresh else ("drop_words", "drop_fragments", "drop_vector"):
        database.run(_SQL[statement], {"memory": memory})
    words, text = indexed(session, prototype, handles)
    database.run(_SQL["put_words"], {"memory": memory, **words})
    database.run(_SQL["put_fragments"], {"memory": memory, "text": text})


def indexed(session: int, prototype: Prototype, handles: tuple[HandleView, ...]) -> tuple[dict[str, str], str]:
    """What the word index, column by column, and the fragment index hold of a memory."""
    names = names_of(prototype)
    values = [text for prop in prototype.properties for text in texts_of(prop.value)]
    columns = {"named": (prototype.name,), "called": names, "valued": values}
    words = {column: " ".join(scoped(session, word_list(*texts))) for column, texts in columns.items()}
    return words, "\n".join(dict.fromkeys((prototype.name, *names, *(handle.value for handle in handles))))

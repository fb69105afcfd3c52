"""A session's memories are read for recall alone: no lock of the home, no schema, one query for each session.

Owns opening a store only to read it, so that a client that starts never waits for a writer, a migration or a check, and
the way from rows to what recall tells. Knows nothing of ranking, budgets or clients.
"""

import json
import sqlite3
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ferrule.adapters.sqlite.kin import find_session, kin_of, session_id, session_of
from ferrule.adapters.sqlite.looking import Looking
from ferrule.adapters.sqlite.sealing import seal
from ferrule.adapters.sqlite.statements import SCHEMA_VERSION, statements
from ferrule.bridge.details import Details, HandleView, Looked, told_state
from ferrule.referents.kinds import HandleKind
from ferrule.session.source import SourceSession

__all__ = ["Remembered", "reading"]

FILE_NAME = "ferrule.sqlite3"
BUSY_SECONDS = 0.25
MOST = 1000
_LAST_TURNS = 30
_LATER = "AtTurn"
_LIFECYCLE = '"LifecycleState'
_SQL = statements("memories")
_SESSIONS = statements("sessions")
_RECEIPTS = statements("receipts")
_TOLD_BY = frozenset({"intent", "outcome", "action"})


class Remembered:
    """The sessions of one store and what each remembers."""

    def __init__(self, database: Looking) -> None:
        self._database = database

    def session(self, key: str) -> SourceSession | None:
        """The stored session, or None."""
        return find_session(self._database, key)

    def kin(self, key: str) -> tuple[SourceSession, ...]:
        """The other members of a session's lineage in its repository, nearest first (R87)."""
        return tuple(session for _, session in kin_of(self._database, key))

    def memories(self, key: str) -> tuple[Details, ...]:
        """The memories of a session, newest first, with the handles that stand now; a damaged one is left out."""
        return self.conversation((key,))[0]

    def conversation(self, keys: Sequence[str]) -> tuple[tuple[Details, ...], ...]:
        """As `memories` for each of some sessions of one conversation, the one that asks first, the nearest next.

        What one of them adds to a thing that another one knows is one thing, told once, where it stands first.
        """
        groups = [self._rows(key) for key in keys]
        named: dict[str, list[sqlite3.Row]] = {}
        for row in (row for group in groups for row in group):
            named.setdefault(row["name"], []).append(row)
        return tuple(
            tuple(self._details(named[row["name"]]) for row in group if named[row["name"]][0] is row)
            for group in groups
        )

    def _rows(self, key: str) -> list[sqlite3.Row]:
        number = session_id(self._database, key)
        rows = self._database.rows(_SQL["recalled"], {"session": number or 0, "limit": MOST})
        return [row for row in rows if seal(dict(row)) == row["seal"]]

    def sources(self) -> tuple[SourceSession, ...]:
        """Every session but companions, the one with the newest turn first."""
        return tuple(session_of(dict(row)) for row in self._database.rows(_SESSIONS["sessions"], {"hidden": 0}))

    def looked_at(self, keys: Sequence[str]) -> tuple[tuple[Looked, ...], ...]:
        """What the reviews of a conversation's last thirty turns looked at, the newest of the first session first.

        Only what the person or the outcome names or a call acted on: its handle is cited from their words. A damaged
        review is left out.
        """
        found: list[tuple[Looked, ...]] = []
        for key in keys:
            asked = {"session": session_id(self._database, key) or 0, "limit": _LAST_TURNS - len(found)}
            found += [tuple(_looked(row["body"])) for row in self._database.rows(_RECEIPTS["latest_bodies"], asked)]
            if len(found) >= _LAST_TURNS:
                break
        return tuple(found)

    def forgotten(self, key: str) -> tuple[str, ...]:
        """Identity keys, phrases and names that a person had forgotten in a session (D14)."""
        rows = self._database.rows(_SQL["tombstones"], {"session": session_id(self._database, key) or 0})
        return tuple(str(row[column]) for row in rows for column in ("mark", "name"))

    def _details(self, parts: Sequence[sqlite3.Row]) -> Details:
        """One thing, of which a session that stands further behind says only what one before it does not."""
        row = parts[0]
        handles: dict[str, HandleView] = {}
        for part in parts:
            for kind, value, own, key in json.loads(part["handles"]):
                handles.setdefault(own, HandleView(HandleKind(kind), value, own, key))
        told = tuple(handles.values())
        if any(_LATER in part["properties"] for part in parts):
            told = self._standing(parts, told)
        return Details(
            call="",
            name=row["name"],
            known=True,
            bases=tuple(json.loads(row["bases"])),
            layer="session",
            handles=told,
            modality="" if row["person"] else _state(parts),
            turn="" if row["person"] else row["turn"],
            at=row["at"] or "",
        )

    def _standing(self, parts: Sequence[sqlite3.Row], handles: tuple[HandleView, ...]) -> tuple[HandleView, ...]:
        """Of handles that had other values before, those that stand now, under their family's name."""
        from ferrule.ontology.current import current_view, family  # noqa: PLC0415 - for what changed only
        from ferrule.ontology.values import Property  # noqa: PLC0415 - see above

        origins = {
            found["property"]: _Origin(found["ordinal"], bool(found["by_user"]), bool(found["by_action"]))
            for found in self._database.rows(_SQL["provenance"], {"memory": parts[0]["id"]})
        }
        properties: dict[str, Property] = {}
        for part in parts:
            for name, kind, value, declares, assigned in json.loads(part["properties"]):
                one = Property(name=name, type=kind, value=_comparable(value), declares=declares, assigned=assigned)
                properties.setdefault(name, one)
        carriers = {value.carried_by for value in current_view(tuple(properties.values()), origins)}
        return tuple(
            HandleView(handle.kind, handle.value, family(handle.property), handle.key)
            for handle in handles
            if handle.property in carriers
        )


def _state(parts: Sequence[sqlite3.Row]) -> str:
    """How real the thing is, or what became of it, as the nearest session says."""
    row = parts[0]
    if _LIFECYCLE not in row["properties"]:
        return str(row["modality"])
    return told_state(row["modality"], ((own[0], own[2]) for own in json.loads(row["properties"])))


@dataclass(frozen=True, slots=True)
class _Origin:
    """Where one value came from."""

    ordinal: int
    by_user: bool
    by_action: bool


def _looked(body: str) -> Iterator[Looked]:
    """The strong candidates of one stored review and what its turn took away, each with its first handle.

    None of a review that cannot be read.
    """
    with suppress(ValueError, TypeError, KeyError, AttributeError):
        for one in json.loads(body)["candidates"]:
            told = any(cited["proves"] == "handle" and cited["role"] in _TOLD_BY for cited in one["evidence"])
            gone = one["modality"] == "deleted"
            if told and (one["strong"] or gone) and one.get("handles"):
                first = one["handles"][0]
                handle = HandleView(HandleKind(first["kind"]), first["value"], "", first["key"])
                yield Looked(handle, float(one["score"]), gone)


def _comparable(value: Any) -> Any:  # noqa: ANN401 - any JSON value: which of them stands is told by equality alone
    return tuple(map(_comparable, value)) if isinstance(value, list) else value


@contextmanager
def reading(home: Path) -> Iterator[Remembered | None]:
    """What a home remembers, open for reading until the block ends; None where there is nothing that can be read.

    Nothing is made, migrated or checked. A store of another version is not read: whoever works with it says so.

    Raises:
        sqlite3.Error: it is damaged, or busy for longer than a quarter of a second.
    """
    path = home / FILE_NAME
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            yield None
            return
    except OSError:
        yield None
        return
    address = f"{path.absolute().as_uri()}?mode=ro"
    connection = sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False, timeout=BUSY_SECONDS)
    try:
        connection.execute("PRAGMA trusted_schema = OFF")
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        yield Remembered(Looking(connection, path)) if version == SCHEMA_VERSION else None
    finally:
        connection.close()

"""The embedded store: both ports on one file, one transaction per effect.

Owns the file of one home for the life of one process, and the memories' part; sessions, attachments and lanes have
their own. What each method does stands in the module it calls; the store only opens transactions, hands the clock in,
and lets the head of the receipts follow a commit. Knows nothing of rules.
"""

import math
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from ferrule.adapters.sqlite import committing, memories, receipts, sessions
from ferrule.adapters.sqlite.entries import Entries
from ferrule.adapters.sqlite.home import drop_copies, sync_head
from ferrule.adapters.sqlite.layer import SqliteLayer
from ferrule.adapters.sqlite.opening import Connect, connect_file, open_database
from ferrule.adapters.sqlite.statements import SCHEMA_VERSION, statements
from ferrule.adapters.sqlite.store_attachments import SqliteAttachments, SqliteEvents
from ferrule.adapters.sqlite.store_kin import SqliteKin
from ferrule.adapters.sqlite.store_lanes import SqliteCatchUp, SqliteLanes, SqliteStandings
from ferrule.adapters.sqlite.store_overview import SqliteOverview
from ferrule.adapters.sqlite.store_searching import SqliteSearching
from ferrule.adapters.sqlite.store_sessions import SqliteSessions
from ferrule.adapters.sqlite.store_undoing import SqliteUndoing
from ferrule.adapters.sqlite.stored import stored_definition, stored_handles, stored_prototypes
from ferrule.bridge.values import HandleView, Receipt
from ferrule.companion.ports import CompanionStore
from ferrule.memory.ports import Entry, MemoryStore, Provenance, ReviewCommit, StagedWrite, Tombstone
from ferrule.ontology.values import LayerName, Prototype
from ferrule.referents.kinds import KEY_FORMS
from ferrule.session.source import LaneClaim

__all__ = ["RETENTION_SECONDS", "SqliteStore"]

RETENTION_SECONDS = 14 * 24 * 3600.0
_QUEUING_SECONDS = 60.0
_NO_SESSION = 0  # row ids start at 1


class SqliteStore(
    SqliteSessions,
    SqliteKin,
    SqliteAttachments,
    SqliteEvents,
    SqliteLanes,
    SqliteStandings,
    SqliteCatchUp,
    SqliteOverview,
    SqliteSearching,
    SqliteUndoing,
    MemoryStore,
    CompanionStore,
):
    """The store of one Ferrule home.

    Args:
        home: the home folder; made when missing. The file is `<home>/ferrule.sqlite3`.
        clock: seconds since the epoch.
        retention_seconds: how long the text of turns is kept; 0 drops it as soon as the turn is reviewed (D13).
        connect: how to connect; tests pass connections that fail at a chosen statement.

    Raises:
        StoreError: the home cannot be used; see `opening.open_database`.
    """

    def __init__(
        self,
        home: Path,
        clock: Callable[[], float],
        *,
        retention_seconds: float = RETENTION_SECONDS,
        connect: Connect = connect_file,
    ) -> None:
        self.home = home
        self._clock = clock
        self._database = open_database(home, connect)
        self._retention = retention_seconds
        self._given = False
        self._entries = Entries()
        ready = False
        try:
            told = (self._database.notice, receipts.check_head(self._database, home))
            self.notice = "; ".join(one for one in told if one)
            drop_copies(home, self._kept_since())
            if sessions.has_old_bodies(self._database, self._kept_since()):
                with self._database.transaction():
                    sessions.drop_old_bodies(self._database, self._kept_since())
            ready = True
        finally:
            if not ready:
                self._database.close()

    def _kept_since(self) -> float:
        # A turn that was just stored may not be queued yet: it has a minute, whatever the retention.
        return self._clock() - max(self._retention, _QUEUING_SECONDS)

    def is_at_work(self) -> bool:
        """Whether the calling thread is in the middle of anything here, as a signal handler may find it."""
        return self._database.is_at_work()

    def is_inside(self) -> bool:
        """Whether the calling thread is inside a transaction, where nobody may be called (CASE-M07)."""
        return self._database.is_inside()

    def is_current(self) -> bool:
        """Whether this still is the home's file, in the version that this process knows (a newer one migrates it)."""
        known = (("PRAGMA user_version", SCHEMA_VERSION), (statements("key_forms")["forms"], KEY_FORMS))
        return not self._database.is_replaced() and all(self._database.number(asked) == own for asked, own in known)

    def close(self) -> None:
        """Close the file; the head of what was given here is synced first."""
        if self._given:
            sync_head(self.home)
        self._database.close()

    # -- memories

    def layer(self, session: str) -> SqliteLayer:
        """The session layer."""
        return SqliteLayer(self._database, self._number(session))

    def _number(self, session: str) -> int:
        return sessions.session_id(self._database, session) or _NO_SESSION

    def lineage(self, session: str) -> tuple[SqliteLayer, ...]:
        """Layers of the other members of the session's lineage, nearest first."""
        members = self._kin(session)[1:]
        return tuple(SqliteLayer(self._database, number, LayerName.LINEAGE) for _, number in members)

    def _kin(self, session: str) -> tuple[tuple[str, int], ...]:
        """(key, row id) of the session itself, first, and of the other members of its lineage; empty when unknown."""
        return self._database.kept(("kin", session), lambda: self._read_kin(session))

    def _read_kin(self, session: str) -> tuple[tuple[str, int], ...]:
        own = sessions.session_id(self._database, session)
        kin = sessions.kin_of(self._database, session)
        return () if own is None else ((session, own), *((other.key, number) for number, other in kin))

    def revision(self, session: str) -> int:
        """The session's revision; 0 while nothing was written."""
        asked = partial(self._database.number, statements("sessions")["revision"], {"key": session})
        return self._database.kept(("revision", session), asked)

    def touched_after(self, session: str, revision: int, keys: Sequence[str]) -> bool:
        """Whether a commit after `revision` touched one of these identity keys or folded phrases."""
        own = sessions.session_id(self._database, session)
        return own is not None and memories.touched_after(self._database, own, revision, tuple(keys))

    def tombstones(self, session: str, keys: Sequence[str]) -> tuple[Tombstone, ...]:
        """The tombstones among these identity keys or folded phrases, the lineage's included (D14)."""
        if not keys:
            return ()
        kin = self._kin(session)
        return tuple(
            stone
            for key, number in kin
            if self._has_tombstones(number)
            for stone in memories.read_tombstones(self._database, number, key, tuple(keys))
        )

    def _has_tombstones(self, number: int) -> bool:
        return self._database.kept(("tombstones", number), lambda: memories.has_tombstones(self._database, number))

    def all_tombstones(self, session: str) -> tuple[Tombstone, ...]:
        """Everything that was forgotten in a session and its lineage."""
        kin = self._kin(session)
        return tuple(
            stone for key, number in kin for stone in memories.read_tombstones(self._database, number, key, ())
        )

    def provenance(self, session: str, name: str) -> tuple[Provenance, ...]:
        """Provenance of every value of one memory, oldest first."""
        own = sessions.session_id(self._database, session)
        return memories.read_provenance(self._database, own, name) if own else ()

    def handles(self, session: str, name: str) -> tuple[HandleView, ...]:
        """The handles of one memory."""
        return stored_handles(self._database, self._number(session), name)

    def definition(self, session: str, name: str) -> str:
        """The merged canonical definition of one memory, or empty."""
        return stored_definition(self._database, self._number(session), name)

    def recent(self, session: str, limit: int) -> tuple[str, ...]:
        """Names of the session's memories, the newest revision first."""
        return self.layer(session).recent(limit)

    def prototypes(self, session: str) -> tuple[Prototype, ...]:
        """Every memory of a session as a merged prototype, oldest first."""
        return stored_prototypes(self._database, self._number(session))

    def entries(self, session: str) -> tuple[Entry, ...]:
        """Every memory of a session as its entry in the readable file, oldest first."""
        return self._entries.of(self._database, self._number(session))

    def definitions(self, session: str) -> tuple[tuple[str, str], ...]:
        """(name, merged canonical definition) of every memory, oldest first."""
        rows = self._database.rows(statements("memories")["definitions"], {"source": session})
        return tuple((str(row["name"]), str(row["merged"])) for row in rows)

    def writes(self, session: str) -> tuple[tuple[str, str], ...]:
        """(prototype, definition) of every accepted write that still stands, oldest first."""
        return memories.read_writes(self._database, self._number(session))

    def turn_of(self, session: str, name: str) -> tuple[str, str]:
        """(turn key, modality) of the memory's last write; empty strings for a person's own."""
        return memories.last_write(self._database, self._number(session), name)

    # -- commits

    def commit(self, commit: ReviewCommit, claim: LaneClaim) -> tuple[Receipt, ...]:
        """Commit one review under its claim."""
        if self._retention > 0:
            return self._followed(committing.commit_review(self._database, commit, claim, self._clock))
        with self._database.unit():
            given = self._followed(committing.commit_review(self._database, commit, claim, self._clock))
            sessions.drop_body(self._database, commit.session, commit.turn)
        return given

    def commit_person(self, session: str, write: StagedWrite, *, turn: tuple[int, str] | None = None) -> Receipt:
        """Commit a person's own memory, or what a person had judged as a critic's on that turn."""
        receipt = committing.commit_person(self._database, session, write, self._clock, turn=turn)
        return self._followed((receipt,))[0]

    def commit_people(self, session: str, writes: Sequence[StagedWrite], seen: int) -> tuple[Receipt, ...]:
        """Commit a person's own memories together, judged on the revision `seen`."""
        return self._followed(committing.commit_people(self._database, session, writes, self._clock, seen=seen))

    def forget(self, session: str, names: Sequence[str]) -> tuple[Receipt, ...]:
        """Remove memories and leave tombstones for their keys."""
        given = self._followed(committing.forget_memories(self._database, session, names, self._clock))
        if given:
            self._database.afterwards(lambda: drop_copies(self.home, math.inf))
            # Earlier pages also stand in the write-ahead log; what a reader still holds is emptied at the last close.
            self._database.afterwards(lambda: self._database.rows("PRAGMA wal_checkpoint(TRUNCATE)"))
        return given

    def attest(self, session: str, verdict: str, writes: Sequence[tuple[str, str]]) -> tuple[Receipt, ...]:
        """Give receipts for (prototype, text) that a person had written elsewhere."""
        return self._followed(committing.attest_writes(self._database, session, verdict, writes))

    def unforget(self, session: str, key: str) -> int:
        """Lift tombstones by identity key or prototype name, the lineage's included; returns how many."""
        count, given = committing.lift_tombstones(self._database, self._kin(session), key)
        self._followed(given)
        return count

    def _followed(self, given: tuple[Receipt, ...]) -> tuple[Receipt, ...]:
        # Inside a unit the head waits for the unit's commit: it must never know more than the database.
        self._given = True
        self._database.afterwards(lambda: receipts.follow_head(self.home, given))
        return given

    # -- receipts

    def receipts(self, session: str | None = None) -> tuple[Receipt, ...]:
        """The receipt chain, oldest first."""
        return receipts.read_receipts(self._database, session)

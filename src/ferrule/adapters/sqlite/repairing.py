"""What is damaged in a store is rebuilt from what is sound, or set aside with the reason; the rest is served as ever.

Owns the repair, inside the caller's transaction (CASE-N01, N09): rows by `rebuilding`, indexes by `reindexing`, and the
rule for what receipts and rows say differently. What no receipt attests is set aside; what a receipt attests and is
gone is said to be gone. No receipt is changed, and every step leaves one. Knows nothing of files and of who asked.
"""

import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace

from ferrule.adapters.sqlite.coding import compact, prototype_from
from ferrule.adapters.sqlite.home import Head
from ferrule.adapters.sqlite.layer import fold_name
from ferrule.adapters.sqlite.rebuilding import (
    Completed,
    Stored,
    digest_of,
    rebuilt_definition,
    rebuilt_row,
    standing_receipts,
)
from ferrule.adapters.sqlite.reindexing import reindexed
from ferrule.adapters.sqlite.sealing import seal
from ferrule.adapters.sqlite.sessions import is_sound
from ferrule.adapters.sqlite.statements import statements
from ferrule.bridge.values import Receipt
from ferrule.errors import Code, StoreCorrupt
from ferrule.memory.receipts import GENESIS, broken_at, link

__all__ = ["Aside", "Mended", "Repair", "session_folders", "set_aside"]

_SQL = statements("repairing")
_RECEIPTS = statements("receipts")


@dataclass(frozen=True, slots=True)
class Mended:
    """One step of a repair.

    Attributes:
        what: `rebuilt`, `reindexed`, `set aside`, `dropped`, `reconciled` or `left`.
        area: `file`, `memory`, `write`, `index`, `turn` or `receipts`.
        session: whose, or empty.
        name: of the memory or turn, or empty.
        reason: in words.
    """

    what: str
    area: str
    session: str
    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Aside:
    """What a repair took out because nothing told what it was: of which session, what, since when, and why."""

    session: str
    what: str
    name: str
    reason: str
    at: str


def set_aside(connection: sqlite3.Connection, source: str | None = None) -> tuple[Aside, ...]:
    """What repairs have set aside, oldest first; of one session when asked."""
    return tuple(Aside(**dict(row)) for row in connection.execute(_SQL["aside"], {"source": source}))


def session_folders(connection: sqlite3.Connection) -> dict[str, str | None]:
    """The working folder of each session, as far as it is known."""
    return {str(row[0]): row[1] for row in connection.execute("SELECT key, cwd FROM sessions")}


class Repair:
    """One repair of one store; `steps` tells what was done and what is left.

    Args:
        complete: types and handles of a prototype, as a session's ontology tells them.
        at: when, in UTC.
        head: the last receipt that was given, as the file beside the store says; None when that is not known.
    """

    def __init__(self, complete: Completed, at: str, head: Head | None = None) -> None:
        self._complete = complete
        self._at = at
        self._head = head
        self.steps: list[Mended] = []

    def __call__(self, connection: sqlite3.Connection) -> None:
        """Repair what can be repaired, inside a transaction."""
        connection.row_factory = sqlite3.Row
        self.steps.clear()
        self._structure(connection)
        broken = broken_at(_receipt(row) for row in connection.execute(statements("checking")["chain"]))
        if broken is not None:
            told = f"receipt {broken} does not follow from the one before it; nothing mends a chain: restore a backup"
            self._say("left", "receipts", "", "", told)
        self._cut(connection)
        changed = False
        for session in connection.execute(_SQL["sessions"]).fetchall():
            done = _Session(self, connection, session, attests=broken is None)
            changed = done.mended(self._complete) or changed
        for name, what in reindexed(connection, anew=changed):
            self._say("reindexed", "index", "", name, what)

    def _cut(self, connection: sqlite3.Connection) -> None:
        """Receipts whose rows are lost, with what they attested: the chain says so itself and goes on."""
        given = self._head and connection.execute(_RECEIPTS["at"], {"seq": self._head.seq}).fetchone()
        if self._head is not None and given and given["hash"] != self._head.hash:
            told = f"receipt {self._head.seq} is not the one that was given: this is another store, or another history"
            raise StoreCorrupt(told, code=Code.LEDGER_BROKEN)
        last = connection.execute(_RECEIPTS["last"]).fetchone()
        there = 0 if last is None else int(last["seq"])
        if self._head is None or self._head.seq <= there:
            return
        told = f"{self._head.seq} receipts were given, and {there} are there: the end is lost with what it told"
        self._say("reconciled", "receipts", "", "", f"{told}; a backup may have it")
        _give(connection, {"session": "", "verdict": "cut", "prototype": ""}, "", self._head.hash)

    def _structure(self, connection: sqlite3.Connection) -> None:
        """SQLite's own indexes, made anew from the tables where one of them is wrong."""
        if connection.execute("PRAGMA integrity_check(1)").fetchone()[0] == "ok":
            return
        connection.execute("REINDEX")
        self._say("reindexed", "file", "", "", "SQLite's own indexes, made anew from the tables")

    @property
    def changes(self) -> bool:
        """Whether anything was changed, and not only told."""
        return any(step.what != "left" for step in self.steps)

    @property
    def at(self) -> str:
        """When, in UTC."""
        return self._at

    def _say(self, *step: str) -> None:
        self.steps.append(Mended(*step))


class _Session:
    """The repair of one session."""

    def __init__(self, repair: Repair, connection: sqlite3.Connection, session: sqlite3.Row, *, attests: bool) -> None:
        self._repair = repair
        self._connection = connection
        self._id = int(session["id"])
        self._key = str(session["key"])
        self._attests = attests
        rows = connection.execute(_SQL["receipts"], {"source": self._key})
        self._attested = standing_receipts(one for one in map(_receipt, rows) if one.hash == link(one))
        self._aside: set[str] = set()

    def mended(self, complete: Completed) -> bool:
        """Rows, writes, receipts and turns; whether any row was changed."""
        changed = False
        for row in self._connection.execute(_SQL["memories"], {"session": self._id}).fetchall():
            stored = self._stored(row)
            sound = seal(stored.row) == stored.row["seal"]
            changed = changed or not sound
            if (sound or self._rebuilt(stored, complete)) and self._attests:
                self._reconciled(stored)
        if self._attests:
            self._gone()
        self._turns()
        if changed or self._aside:
            self._connection.execute(_SQL["advance"], {"session": self._id})
        return changed or bool(self._aside)

    def _stored(self, row: sqlite3.Row) -> Stored:
        memory = {"memory": row["id"]}
        writes = tuple(dict(one) for one in self._connection.execute(_SQL["writes"], memory))
        keys = tuple(str(one["mark"]) for one in self._connection.execute(_SQL["keys"], memory))
        return Stored(self._key, dict(row), writes, keys)

    def _rebuilt(self, stored: Stored, complete: Completed) -> bool:
        """Whether a damaged row is again what was written; it is set aside otherwise."""
        found = rebuilt_row(stored, self._attested, complete)
        if found is None:
            self._put_aside(stored, "it is damaged, and nothing that is sound tells what it was")
            return False
        facts, proof = found
        self._connection.execute(_SQL["set_memory"], facts | {"folded": fold_name(facts["name"])})
        stored.row.update(facts)
        self._say("rebuilt", "memory", facts["name"], f"proven by {proof}")
        self._give("repaired", facts["name"], facts["merged"])
        return True

    def _put_aside(self, stored: Stored, reason: str) -> None:
        name = str(stored.row["name"])
        content = compact({"memory": stored.row, "writes": list(stored.writes)})
        aside = {"session": self._key, "what": "memory", "name": name, "reason": reason, "at": self._repair.at}
        self._connection.execute(_SQL["put_aside"], aside | {"content": content})
        self._connection.execute(_SQL["drop_memory"], {"memory": stored.row["id"]})
        self._aside.add(name)
        self._say("set aside", "memory", name, reason)
        self._give("set-aside", name, content)

    def _reconciled(self, stored: Stored) -> None:
        """The rule for one memory whose row is sound (CASE-N09)."""
        name = str(stored.row["name"])
        given = Counter(self._attested.pop(name, []))
        if not given:
            self._put_aside(stored, "no receipt attests that it was ever written")
            return
        there = Counter(digest_of(str(write["definition"])) for write in stored.writes)
        missing, loose = given - there, there - given
        for write in stored.writes:
            digest = digest_of(str(write["definition"]))
            if not loose[digest]:
                continue
            loose -= Counter([digest])
            missing -= Counter([self._mended_write(stored, write, list(missing.elements()))])
        for digest in missing.elements():
            self._give("lost", name, "", digest)
            self._say("reconciled", "receipts", name, "a receipt attests a write that is not there any more")

    def _mended_write(self, stored: Stored, write: Mapping[str, object], missing: Sequence[str]) -> str:
        """The digest that the write has now; a receipt says so when it had none."""
        row, name = stored.row, str(stored.row["name"])
        prototype = prototype_from(name, row["bases"], row["properties"], partial=bool(row["partial"]))
        rows = self._connection.execute(_SQL["valued"], {"write": write["id"]})
        text = rebuilt_definition(prototype, write, [str(one["property"]) for one in rows], missing)
        if text is None:
            self._give("reconciled", name, str(write["definition"]))
            self._say("reconciled", "receipts", name, "one of its writes had no receipt; its row is sound")
            return ""
        self._connection.execute(_SQL["set_definition"], {"definition": text, "write": write["id"]})
        self._say("rebuilt", "write", name, "of what it valued, proven by its receipt")
        return digest_of(text)

    def _gone(self) -> None:
        """Receipts of memories that are not there: said once, in the chain itself."""
        for name in self._attested.keys() - self._aside:
            self._give("set-aside", name, "")
            self._say("reconciled", "receipts", name, "receipts attest it, and it is not there")

    def _turns(self) -> None:
        for row in self._connection.execute(_SQL["bodies"], {"session": self._id}).fetchall():
            if not is_sound(row["body"], row["digest"]):
                self._connection.execute(_SQL["drop_body"], {"turn": row["id"]})
                told = "its text is damaged and was dropped; import its transcript again"
                self._say("dropped", "turn", str(row["key"]), told)

    def _say(self, what: str, area: str, name: str, reason: str) -> None:
        self._repair.steps.append(Mended(what, area, self._key, name, reason))

    def _give(self, verdict: str, name: str, text: str, digest: str = "") -> None:
        facts = {"session": self._key, "verdict": verdict, "prototype": name}
        _give(self._connection, facts, text, digest)


def _give(connection: sqlite3.Connection, facts: Mapping[str, str], text: str, digest: str = "") -> None:
    """A receipt of what was done."""
    last = connection.execute(_RECEIPTS["last"]).fetchone()
    row = connection.execute(statements("sessions")["revision"], {"key": facts["session"]}).fetchone()
    revision = 0 if row is None else int(row[0])
    receipt = Receipt(
        seq=1 if last is None else int(last["seq"]) + 1,
        previous=GENESIS if last is None else str(last["hash"]),
        hash="",
        turn="",
        code="",
        payload_sha256=digest or digest_of(text),
        payload_length=len(text.encode("utf-8", "surrogatepass")),
        revision_before=revision,
        revision_after=revision,
        **facts,
    )
    connection.execute(_RECEIPTS["put"], asdict(replace(receipt, hash=link(receipt))))


def _receipt(row: sqlite3.Row) -> Receipt:
    return Receipt(**dict(row))

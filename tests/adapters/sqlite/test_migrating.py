"""A store of an older version becomes one of the newest with all that it held, or stays what it was."""

import sqlite3
import time
from dataclasses import asdict, replace
from pathlib import Path
from typing import TypeAlias

import pytest
from lane_cases import SOURCE, claim_next, nothing_due, review, standing
from store_cases import Clock, Entity, a_child, a_session, a_write

from ferrule.adapters.sqlite.home import Head, write_head
from ferrule.adapters.sqlite.opening import APPLICATION_ID, open_database
from ferrule.adapters.sqlite.statements import SCHEMA_VERSION, migration
from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.bridge.values import Receipt
from ferrule.errors import Code, StoreError, StoreVersion
from ferrule.memory.receipts import GENESIS, link
from ferrule.session.source import InstructionState, Origin

NOW = Clock().now
FACTS = ("key", "profile", "parent", "lineage", "hidden", "archived", "client", "title", "cwd", "repository")
# source, archived, (ordinal, state, attempts, reason)…, leased at, leased until
Lane: TypeAlias = tuple[str, bool, tuple[tuple[int, str, int, str], ...], float, float]
LANES: tuple[Lane, ...] = (
    ("desk:second", False, ((1, "waiting", 0, ""),), 0.0, 0.0),
    (
        SOURCE.key,
        False,
        ((1, "done", 1, "nothing"), (2, "failed", 2, "model away"), (3, "waiting", 0, ""), (4, "parked", 5, "no text")),
        NOW - 90,
        0.0,
    ),
    ("desk:held", False, ((1, "claimed", 1, ""),), NOW - 5, NOW + 25),
    ("desk:dead", False, ((1, "claimed", 1, ""),), NOW - 900, NOW - 870),
    ("desk:idle", False, ((1, "done", 1, "nothing"),), NOW - 90, 0.0),
    ("desk:archived", True, ((1, "waiting", 0, ""),), 0.0, 0.0),
)


def a_receipt(connection: sqlite3.Connection, source: str, turn: str) -> Receipt:
    """The next receipt of the chain, for a turn in which nothing qualified."""
    last = connection.execute("SELECT seq, hash FROM receipts ORDER BY seq DESC LIMIT 1").fetchone() or (0, GENESIS)
    receipt = Receipt(last[0] + 1, last[1], "", source, turn, "nothing", "", "", "ab" * 32, 0, 0)
    return replace(receipt, hash=link(receipt))


def put(connection: sqlite3.Connection, table: str, **row: object) -> int:
    """Insert one row as version 1 did."""
    names = ", ".join(row)
    marks = ", ".join(f":{name}" for name in row)
    return connection.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", row).lastrowid or 0  # noqa: S608


def fill(connection: sqlite3.Connection, session: int, lane: Lane) -> None:
    """One lane of version 1 with its instructions, reviews and receipts."""
    source, _, turns, leased_at, until = lane
    waiting = sum(state in {"waiting", "claimed", "failed"} for _, state, _, _ in turns)
    row = {"session": session, "pending": waiting, "leased_at": leased_at, "lease_until": until, "epoch": 3}
    put(connection, "lanes", **row)
    for ordinal, state, attempts, reason in turns:
        facts = {"session": session, "turn": f"t{ordinal}", "ordinal": ordinal}
        told = {"origin": "import", "state": state, "attempts": attempts, "reason": reason}
        put(connection, "instructions", **facts, **told, companion=f"{source}-online-memory-critic")
        if state == "done":
            review = {"outcome": "nothing", "body": "{}", "marker": f"marker {ordinal}", "reviewer": "r", "revision": 0}
            put(connection, "reviews", **facts, **review, at="2030-03-17T17:46:40+00:00")
            put(connection, "receipts", **asdict(a_receipt(connection, source, f"t{ordinal}")))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home whose file was made by version 1 and nobody else."""
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    connection = sqlite3.connect(home / "ferrule.sqlite3", isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("BEGIN")
    for statement in migration(1):
        connection.execute(statement)
    for lane in LANES:
        source = a_session(lane[0])
        for session in (source, a_child(source)):
            facts = {name: getattr(session, name) for name in FACTS}
            facts |= {"hidden": int(session.hidden), "archived": int(lane[1] and session is source)}
            found = put(connection, "sessions", **facts)
            if session is source:
                fill(connection, found, lane)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute("PRAGMA user_version = 1")
    connection.execute("COMMIT")
    last = connection.execute("SELECT seq, hash FROM receipts ORDER BY seq DESC LIMIT 1").fetchone()
    connection.close()
    write_head(home, Head(*last))
    return home


def content(path: Path, version: int) -> list[list[tuple[object, ...]]]:
    """What both versions hold alike, row by row."""
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA user_version").fetchone() == (version,)
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    state = "CASE WHEN state IN ('claimed', 'failed') THEN 'waiting' ELSE state END"
    asked = (
        "SELECT * FROM sessions",
        "SELECT * FROM receipts",
        "SELECT * FROM reviews",
        "SELECT session, epoch FROM lanes",
        f"SELECT id, session, companion, turn, ordinal, origin, {state}, attempts, reason FROM instructions",  # noqa: S608
    )
    rows = [sorted(connection.execute(query).fetchall(), key=repr) for query in asked]
    connection.close()
    return rows


def test_everything_of_version_1_is_in_version_2(home: Path) -> None:
    """CASE-N13: and a copy of the old file stands beside, as it was."""
    file = home / "ferrule.sqlite3"
    before = content(file, 1)
    copy = home / "ferrule.sqlite3.v1"
    SqliteStore(home, time.time).close()
    assert content(file, SCHEMA_VERSION) == before
    assert content(copy, 1) == before
    assert copy.stat().st_mode & 0o077 == 0


def test_the_copy_outlives_neither_the_retention_nor_what_is_forgotten(home: Path) -> None:
    """R97, DEC-D13: text that must go from the store does not stay in its copy."""
    copy = home / "ferrule.sqlite3.v1"
    SqliteStore(home, time.time).close()
    SqliteStore(home, time.time).close()
    assert copy.exists()
    SqliteStore(home, lambda: time.time() + 15 * 24 * 3600).close()
    assert not copy.exists()
    copy.write_bytes(b"a copy")
    store = SqliteStore(home, time.time)
    store.commit_person(SOURCE.key, a_write(Entity("Mine", "/mine")))
    assert copy.exists()
    store.forget(SOURCE.key, ["Mine"])
    assert not copy.exists()
    store.close()


def test_a_copy_is_never_written_through_a_link(home: Path, tmp_path: Path) -> None:
    """CASE-E07: whatever stands in its place, nothing outside is touched and nothing is migrated."""
    outside = tmp_path / "outside"
    outside.write_bytes(b"theirs")
    (home / "ferrule.sqlite3.v1").symlink_to(outside)
    with pytest.raises(StoreError) as caught:
        SqliteStore(home, Clock())
    assert caught.value.code is Code.UNSAFE_PATH
    assert outside.read_bytes() == b"theirs"


def test_lanes_that_waited_are_due_and_rested_ones_rest(home: Path) -> None:
    """CASE-N13, R98: first queued, first served, whoever had claimed it; the archived one waits."""
    store = SqliteStore(home, Clock())
    assert (standing(store, "desk:archived").due, standing(store, "desk:idle").due) == (None, None)
    served = [claim_next(store) for _ in range(4)]
    assert [one.source for one in served] == ["desk:second", SOURCE.key, "desk:held", "desk:dead"]
    assert {one.epoch for one in served} == {4}
    assert nothing_due(store)
    for held in served:
        review(store, held)
    assert claim_next(store).instruction.turn == "t3"
    store.archive("desk:archived", archived=False)
    assert claim_next(store).source == "desk:archived"
    store.close()


def test_what_was_reviewed_and_what_failed_is_still_told(home: Path) -> None:
    """CASE-N13, R84, CASE-L01: counts, the last turn, the failure, the parked turn."""
    store = SqliteStore(home, Clock())
    lane = standing(store)
    assert (lane.waiting, lane.parked, lane.reviewed, lane.last_turn, lane.last_outcome) == (2, 1, 1, "t1", "nothing")
    assert (lane.last_error, lane.last_at) == ("no text", "2030-03-17T17:46:40+00:00")
    assert [one.source for one in store.lanes()][:2] == ["desk:idle", SOURCE.key]
    assert {one.state for one in store.instructions(SOURCE.key)} == {
        InstructionState.DONE,
        InstructionState.WAITING,
        InstructionState.PARKED,
    }
    assert store.unpark(SOURCE.key) == 1
    assert store.withdraw(SOURCE.key, [Origin.IMPORT]) == 3
    store.close()


def test_a_worker_of_version_1_commits_nothing_after_the_migration(home: Path) -> None:
    """INV-I1: its statements fail; its turn is claimed anew, with a higher epoch and the attempt counted."""
    old = sqlite3.connect(home / "ferrule.sqlite3")
    store = SqliteStore(home, Clock())
    for statement in ("SELECT pending, leased_at FROM lanes", "UPDATE lanes SET pending = 0"):
        with pytest.raises(sqlite3.OperationalError):
            old.execute(statement)
    old.close()
    held = store.claim("desk:held", lease_seconds=30.0)
    assert held is not None
    assert (held.epoch, held.instruction.attempts) == (4, 2)
    store.close()


def test_a_migration_that_breaks_leaves_version_1(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """CASE-N13: one transaction; the next opening starts anew."""
    before = content(home / "ferrule.sqlite3", 1)
    for stop in range(len(migration(2))):
        broken = (*migration(2)[:stop], "CREATE NONSENSE")
        monkeypatch.setattr("ferrule.adapters.sqlite.opening.migration", lambda _, broken=broken: broken)
        with pytest.raises(StoreError):
            SqliteStore(home, Clock())
    monkeypatch.undo()
    assert content(home / "ferrule.sqlite3", 1) == before
    SqliteStore(home, Clock()).close()


def test_the_events_of_version_2_are_in_version_3_in_their_order(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """CASE-N10, R92: what waits is dispatched, what is known stays known."""
    monkeypatch.setattr("ferrule.adapters.sqlite.opening.SCHEMA_VERSION", 2)
    open_database(home).close()
    old = sqlite3.connect(home / "ferrule.sqlite3")
    told = [(name, "desk:open", state) for name, state in (("b", "received"), ("a", "received"), ("c", "settled"))]
    for name, source, state in told:
        words = {"id": name, "type": "turn.completed", "source": source, "target": "", "occurred": "", "turn": "t1"}
        words |= {"digest": "d", "state": state, "outcome": "", "code": "", "reason": ""}
        put(old, "events", **words, attempts=0, due=0.0, stamped_at=1.0)
    old.commit()
    old.close()
    monkeypatch.undo()
    store = SqliteStore(home, Clock())
    assert [event.envelope.id for event in store.received_events(9)] == ["b", "a"]
    assert [store.event("desk:open", name) is not None for name in ("a", "b", "c", "d")] == [True, True, True, False]
    store.close()


def test_code_that_knows_version_1_alone_refuses_version_2(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """CASE-N12: an older Ferrule reads nothing and writes nothing."""
    SqliteStore(home, Clock()).close()
    before = (home / "ferrule.sqlite3").read_bytes()
    monkeypatch.setattr("ferrule.adapters.sqlite.opening.SCHEMA_VERSION", 1)
    with pytest.raises(StoreVersion, match="this one knows 1"):
        SqliteStore(home, Clock())
    assert (home / "ferrule.sqlite3").read_bytes() == before


def test_a_migrated_store_and_a_new_one_have_the_same_tables(home: Path, tmp_path: Path) -> None:
    """CASE-N10: by whichever road a file came to version 2."""
    SqliteStore(home, Clock()).close()
    SqliteStore(tmp_path / "new", Clock()).close()
    schemas = []
    for file in (home / "ferrule.sqlite3", tmp_path / "new" / "ferrule.sqlite3"):
        connection = sqlite3.connect(file)
        schemas.append(connection.execute("SELECT type, name, sql FROM sqlite_master ORDER BY name").fetchall())
        connection.close()
    assert schemas[0] == schemas[1]

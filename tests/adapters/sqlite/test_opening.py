"""A store is opened only when it is what it should be."""

import errno
import hashlib
import os
import sqlite3
import stat
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from store_cases import IMPORT, LEASE, Clock, Entity, a_child, a_commit, a_session, a_turn, a_write, claimed, fill_disk

from ferrule.adapters.sqlite.opening import APPLICATION_ID, SETTINGS
from ferrule.adapters.sqlite.statements import SCHEMA_VERSION, migration
from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.errors import Code, StoreCorrupt, StoreError, StoreVersion

SOURCE = a_session()
# Text that does not deflate to nothing.
NOISE = "".join(hashlib.sha256(str(n).encode()).hexdigest() for n in range(20_000))


def filled(home: Path) -> SqliteStore:
    """A store with one memory and its receipt."""
    store = SqliteStore(home, Clock())
    store.put_session(SOURCE)
    store.put_turns([a_turn()])
    store.enqueue(SOURCE, a_child(SOURCE), [(1, "t1")], IMPORT)
    claim = claimed(store.claim(SOURCE.key, lease_seconds=LEASE))
    store.commit(a_commit(a_turn(), a_write(Entity("ParserNotes", "docs/parser.md"))), claim)
    return store


def edit(home: Path, *statements: str) -> None:
    """Change the file behind Ferrule's back."""
    connection = sqlite3.connect(home / "ferrule.sqlite3", isolation_level=None)
    for statement in statements:
        connection.execute(statement)
    connection.close()


def refused(home: Path) -> StoreError:
    """The error that opening gives: one line."""
    with pytest.raises(StoreError) as caught:
        SqliteStore(home, Clock())
    assert "\n" not in str(caught.value)
    assert str(home) in str(caught.value)
    return caught.value


# -- settings and versions


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, _, value in SETTINGS])
def test_every_setting_is_in_force(tmp_path: Path, name: str, value: object) -> None:
    """INV-I2: WAL with FULL, foreign keys, a busy timeout, no trusted schema, deleted content overwritten."""
    store = SqliteStore(tmp_path / "home", Clock())
    row = store._database.row(f"PRAGMA {name}")
    assert row is not None
    assert row[0] == value
    store.close()


def test_a_setting_that_is_not_taken_is_refused(tmp_path: Path) -> None:
    """INV-I2: settings are read back; memory databases, for one, take no WAL."""
    with pytest.raises(StoreError, match="journal_mode"):
        SqliteStore(tmp_path / "home", Clock(), connect=lambda _: sqlite3.connect(":memory:", isolation_level=None))


def test_a_new_store_carries_its_marks(tmp_path: Path) -> None:
    """CASE-N12: application id and version, so that nobody has to guess."""
    filled(tmp_path / "home").close()
    connection = sqlite3.connect(tmp_path / "home" / "ferrule.sqlite3")
    assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
    assert connection.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)
    connection.close()


def test_a_newer_store_is_refused_and_left_alone(tmp_path: Path) -> None:
    """CASE-N12: read nothing, write nothing, say what to do."""
    filled(tmp_path / "home").close()
    edit(tmp_path / "home", f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    before = (tmp_path / "home" / "ferrule.sqlite3").read_bytes()
    with pytest.raises(StoreVersion, match="newer Ferrule"):
        SqliteStore(tmp_path / "home", Clock())
    assert (tmp_path / "home" / "ferrule.sqlite3").read_bytes() == before


@pytest.mark.parametrize(
    "content",
    [b"", b"not a database at all, but long enough to look at" * 40, b"SQLite format 3\x00" + b"\xff" * 4000],
    ids=["empty", "text", "header-only"],
)
def test_what_is_no_store_is_refused_unless_it_is_empty(tmp_path: Path, content: bytes) -> None:
    """CASE-N01: an empty file is a store that was never begun; anything else is not ours to overwrite."""
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    (home / "ferrule.sqlite3").write_bytes(content)
    if not content:
        SqliteStore(home, Clock()).close()
        return
    assert refused(home).code is Code.STORE_CORRUPT
    assert (home / "ferrule.sqlite3").read_bytes() == content


def test_another_programs_database_is_refused(tmp_path: Path) -> None:
    """CASE-N01: application id decides, also when it has none."""
    for mark in ("PRAGMA application_id = 7", "CREATE TABLE theirs (x)"):
        home = tmp_path / mark[:6]
        home.mkdir(mode=0o700)
        edit(home, mark)
        assert isinstance(refused(home), StoreCorrupt)


def test_a_failing_migration_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """CASE-N13: a migration is one transaction; the next opening starts anew."""
    good = migration(1)
    monkeypatch.setattr("ferrule.adapters.sqlite.opening.migration", lambda _: (*good[:-1], "CREATE NONSENSE"))
    refused(tmp_path / "home")
    monkeypatch.undo()
    filled(tmp_path / "home").close()


# -- missing, cut, changed


def test_a_store_is_never_made_anew_over_its_history(tmp_path: Path) -> None:
    """CASE-N04: the head of the receipts tells that there was one."""
    filled(tmp_path / "home").close()
    for path in (tmp_path / "home").glob("ferrule.sqlite3*"):
        path.unlink()
    error = refused(tmp_path / "home")
    assert error.code is Code.STORE_CORRUPT
    assert not (tmp_path / "home" / "ferrule.sqlite3").exists()


def test_a_cut_tail_of_receipts_shows(tmp_path: Path) -> None:
    """CASE-N09, LEDGER_BROKEN: the head is kept in a second place."""
    filled(tmp_path / "home").close()
    edit(tmp_path / "home", "DROP TRIGGER receipts_never_leave", "DELETE FROM receipts")
    assert refused(tmp_path / "home").code is Code.LEDGER_BROKEN


def test_a_rewritten_last_receipt_shows(tmp_path: Path) -> None:
    """LEDGER_BROKEN: the head knows the hash, not only the number."""
    filled(tmp_path / "home").close()
    edit(tmp_path / "home", "DROP TRIGGER receipts_never_change", "UPDATE receipts SET hash = 'x'")
    assert refused(tmp_path / "home").code is Code.LEDGER_BROKEN


@pytest.mark.parametrize("replaced", [False, True])
def test_a_store_that_was_removed_or_replaced_takes_no_more_writes(tmp_path: Path, *, replaced: bool) -> None:
    """INV-I2: what would be acknowledged here nobody would find there; the new home's head is not touched either."""
    home = tmp_path / "home"
    old = filled(home)
    home.rename(tmp_path / "away")
    new = filled(home) if replaced else None
    head = (home / "receipts.head").read_text(encoding="ascii") if replaced else ""
    with pytest.raises(StoreError, match="removed or replaced"):
        old.put_turns([a_turn(2)])
    with pytest.raises(StoreError, match="removed or replaced"):
        old.forget(SOURCE.key, ["ParserNotes"])
    assert not old.is_current()
    old.close()
    if new is not None:
        assert new.is_current()
        assert new.turn_keys(SOURCE.key) == ((1, "t1"),)
        assert (home / "receipts.head").read_text(encoding="ascii") == head
        new.close()


def test_receipts_cannot_be_changed_by_accident(tmp_path: Path) -> None:
    """LEDGER_BROKEN: append-only also for a statement of our own."""
    filled(tmp_path / "home").close()
    for statement in ("UPDATE receipts SET code = 'x'", "DELETE FROM receipts"):
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            edit(tmp_path / "home", statement)


def test_a_head_that_lags_is_caught_up(tmp_path: Path) -> None:
    """INV-I2: a process may die between commit and head; what was committed stands."""
    filled(tmp_path / "home").close()
    head = tmp_path / "home" / "receipts.head"
    current = head.read_text(encoding="ascii")
    head.write_text("0 " + "0" * 64 + "\n", encoding="ascii")
    SqliteStore(tmp_path / "home", Clock()).close()
    assert head.read_text(encoding="ascii") == current


def test_a_missing_head_is_told_and_written_anew_after_a_check(tmp_path: Path) -> None:
    """CASE-N09: the chain is checked from its start, then anchored again; a broken one is refused."""
    filled(tmp_path / "home").close()
    (tmp_path / "home" / "receipts.head").unlink()
    store = SqliteStore(tmp_path / "home", Clock())
    assert "1 receipts were checked" in store.notice
    store.close()
    assert (tmp_path / "home" / "receipts.head").exists()
    (tmp_path / "home" / "receipts.head").unlink()
    edit(tmp_path / "home", "DROP TRIGGER receipts_never_change", "UPDATE receipts SET prototype = 'Other'")
    assert refused(tmp_path / "home").code is Code.LEDGER_BROKEN


# -- files


def test_files_are_private_whatever_the_umask(tmp_path: Path) -> None:
    """CASE-E11: 0600 in 0700, for database, write-ahead log and head alike."""
    for umask in (0o000, 0o077, 0o022):
        old = os.umask(umask)
        try:
            store = filled(tmp_path / f"home-{umask:o}")
        finally:
            os.umask(old)
        home = tmp_path / f"home-{umask:o}"
        assert stat.S_IMODE(home.stat().st_mode) == 0o700
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in home.iterdir()}
        assert set(modes.values()) == {0o600}, modes
        store.close()


def symlink(path: Path, outside: Path) -> None:
    """A link to a file outside."""
    outside.write_bytes(b"")
    path.symlink_to(outside)


def dangling(path: Path, outside: Path) -> None:
    """A link to nothing."""
    path.symlink_to(outside)


def hard_link(path: Path, outside: Path) -> None:
    """A second name of a file outside."""
    outside.write_bytes(b"")
    os.link(outside, path)


def pipe(path: Path, _outside: Path) -> None:
    """A pipe nobody reads."""
    os.mkfifo(path)


def folder(path: Path, _outside: Path) -> None:
    """A folder of that name."""
    path.mkdir()


@pytest.mark.parametrize("name", ["ferrule.sqlite3", "ferrule.sqlite3-wal", "receipts.head"])
@pytest.mark.parametrize("trap", [symlink, dangling, hard_link, pipe, folder])
def test_a_trap_in_place_of_a_file_is_not_followed(
    tmp_path: Path, name: str, trap: Callable[[Path, Path], None]
) -> None:
    """CASE-E07: links, pipes and folders are refused, nothing outside is touched, nothing blocks."""
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    outside = tmp_path / "outside"
    trap(home / name, outside)
    assert refused(home).code is Code.UNSAFE_PATH
    assert not outside.exists() or outside.read_bytes() == b""


def test_a_home_that_is_a_file_or_open_to_all_is_refused(tmp_path: Path) -> None:
    """CASE-E12: start refused with the reason."""
    (tmp_path / "file").write_text("x", encoding="utf-8")
    assert refused(tmp_path / "file").code is Code.UNSAFE_PATH
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    assert "anybody may write" in str(refused(tmp_path / "open"))


# -- a failing disk


def test_a_full_disk_is_one_clear_line_and_leaves_the_old(tmp_path: Path) -> None:
    """CASE-K01: IO_FAILED with the errno's name; what was there stands; it works again once there is room."""
    store = filled(tmp_path / "home")
    fill_disk(store)
    big = a_turn(2, user=NOISE)
    with pytest.raises(StoreError, match="ENOSPC") as caught:
        store.put_turns([big])
    assert caught.value.code is Code.IO_FAILED
    assert store.turn_keys(SOURCE.key) == ((1, "t1"),)
    store._database.number("PRAGMA max_page_count = 100000")
    assert store.put_turns([big]) == 1
    store.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="limits a forked child")
def test_a_file_size_limit_is_like_a_full_disk(tmp_path: Path) -> None:
    """CASE-K01, K08: a short write, then EFBIG: nothing half-written, and the process lives."""
    import resource

    filled(tmp_path / "home").close()

    def limited() -> int:
        sys.dont_write_bytecode = True  # the limit would cut it, and later processes would read it
        resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, resource.RLIM_INFINITY))
        store = SqliteStore(tmp_path / "home", Clock())
        try:
            store.put_turns([a_turn(2, user=NOISE)])
        except StoreError as error:
            told = "EFBIG" in str(error) or "ENOSPC" in str(error)
            return 0 if told and store.put_turns([a_turn(3)]) == 1 else 2
        return 3

    assert in_a_child(limited) == 0
    store = SqliteStore(tmp_path / "home", Clock())
    assert store.turn_keys(SOURCE.key) == ((1, "t1"), (3, "t3"))
    store.close()


@pytest.mark.skipif(not hasattr(os, "setuid") or os.getuid() != 0, reason="needs root to become somebody else")
@pytest.mark.parametrize("mode", [0o700, 0o500])
def test_without_permission_the_start_is_refused(tmp_path: Path, mode: int) -> None:
    """CASE-K12: root ignores mode bits, so another user tries: an owned but read-only home, and somebody else's."""
    home = tmp_path / "home"
    home.mkdir()
    tmp_path.chmod(0o755)
    for parent in tmp_path.parents:
        if parent == Path(tempfile.gettempdir()):
            break
        parent.chmod(parent.stat().st_mode | 0o055)
    if mode == 0o500:
        os.chown(home, 65534, 65534)
    home.chmod(mode)

    def as_nobody() -> int:
        os.setgid(65534)
        os.setuid(65534)
        try:
            SqliteStore(home, Clock())
        except StoreError as error:
            wanted = errno.errorcode[errno.EACCES] if mode == 0o500 else "another user"
            return 0 if wanted in str(error) else 2
        return 3

    assert in_a_child(as_nobody) == 0
    assert list(home.iterdir()) == []


def in_a_child(work: Callable[[], int]) -> int:
    """Run in a forked child; its exit code."""
    child = os.fork()
    if child == 0:
        code = 99
        try:
            code = work()
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)

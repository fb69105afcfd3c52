"""A failure of the system that passes leaves nothing behind: found by the campaign `python -m proofs errors`."""

import sqlite3
from importlib import resources
from pathlib import Path

import pytest
from backup_cases import backup, filled
from store_cases import Clock, a_session

from ferrule.adapters.sqlite import backing_up
from ferrule.adapters.sqlite.checking import faults, viewed
from ferrule.adapters.sqlite.home import FILE_NAME
from ferrule.adapters.sqlite.opening import connect_file
from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.errors import StoreCorrupt, StoreError
from ferrule.referents.tables import reader


def for_reading(path: Path) -> sqlite3.Connection:
    """What SQLite falls back to when a file cannot be opened for writing at that moment."""
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None, check_same_thread=False
    )


def test_a_store_that_could_only_be_opened_for_reading_for_a_moment_is_refused(tmp_path: Path) -> None:
    """CASE-K01, CASE-K07: SQLite opens such a file for reading, for good; opened again it takes writes."""
    SqliteStore(tmp_path / "home", Clock()).close()
    with pytest.raises(StoreError, match="EACCES"):
        SqliteStore(tmp_path / "home", Clock(), connect=for_reading)
    store = SqliteStore(tmp_path / "home", Clock())
    store.put_session(a_session())
    store.close()


def test_opening_waits_for_nobody_who_writes(tmp_path: Path) -> None:
    """CASE-M08: the look whether it may be written leaves the file as it is and takes no turn."""
    SqliteStore(tmp_path / "home", Clock()).close()
    other = connect_file(tmp_path / "home" / "ferrule.sqlite3")
    other.execute("BEGIN IMMEDIATE")
    SqliteStore(tmp_path / "home", Clock()).close()
    other.rollback()
    other.close()


def test_a_backup_whose_store_cannot_be_read_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """CASE-K07: an error of SQLite between two checks is an error of ours, with the file's name."""
    home = filled(tmp_path / "home")

    def failing(_: sqlite3.Connection) -> None:
        error = sqlite3.DatabaseError("database disk image is malformed")
        error.sqlite_errorname = "SQLITE_CORRUPT"
        raise error

    monkeypatch.setattr(backing_up, "counted", failing)
    with pytest.raises(StoreCorrupt, match="copy"):
        backup(home, tmp_path / "copy.sqlite3")
    assert [path.name for path in tmp_path.iterdir()] == ["home"]


def test_a_shipped_table_that_cannot_be_read_now_is_read_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """CASE-K07: too many open files while a rule reads its table is IO_FAILED with the errno's name."""
    reader.table.cache_clear()

    def failing(_: object) -> None:
        raise OSError(24, "Too many open files")

    with monkeypatch.context() as patched:
        patched.setattr(resources, "files", failing)
        with pytest.raises(StoreError, match="EMFILE"):
            reader.table("kinds")
    names = [path.stem for path in (Path(reader.__file__).parent).glob("*.toml")]
    assert reader.table(names[0])


def test_what_sqlite_finds_is_told_in_one_line(tmp_path: Path) -> None:
    """CASE-N01: it tells several things in lines of their own; a refusal is one line."""
    file = filled(tmp_path / "home") / FILE_NAME
    content = bytearray(file.read_bytes())
    content[5 * 4096 + 3 : 5 * 4096 + 5] = bytes([0, 77])  # more cells than there are in the sixth page
    file.write_bytes(content)
    with viewed(file) as connection:
        told = [fault.message for fault in faults(connection, file, None)]
    assert any(message.startswith("SQLite: ") for message in told)
    assert not any("\n" in message for message in told)

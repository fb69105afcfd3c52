"""What was read is kept while the file stands still, and not a moment longer."""

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from ferrule.adapters.sqlite.database import Database
from ferrule.adapters.transcripts.reader import read_text
from ferrule.errors import InternalError, StoreError
from ferrule.wiring.home import throw_away_home
from ferrule.wiring.reviewing import review_session

COUNT = "SELECT count(*) FROM things"
# A review of one edited file in a new session makes 118 statements; it made 169 when nothing was kept.
MOST_STATEMENTS = 125


def connected(path: Path) -> sqlite3.Connection:
    """A bare connection, as any process has one."""
    return sqlite3.connect(path, isolation_level=None, check_same_thread=False)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file with one empty table."""
    path = tmp_path / "things.sqlite3"
    connection = connected(path)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("CREATE TABLE things (name TEXT)")
    connection.close()
    return path


@pytest.fixture
def database(file: Path) -> Iterator[Database]:
    """The file, opened as the store opens it."""
    opened = Database(connected(file), file)
    yield opened
    opened.close()


def count(database: Database) -> int:
    """How many things there are, kept while the file stands still."""
    return database.kept("how many", lambda: database.number(COUNT))


def change_and_fail(database: Database, statement: str, seen: int) -> None:
    """Change the table, see the change, and take it back by raising."""
    with database.transaction():
        database.run(statement)
        assert count(database) == seen
        raise ValueError("undone")


def test_what_was_read_is_not_read_again_while_nothing_changes(database: Database) -> None:
    """One question, asked twice of a file that stands still, is one read (R35)."""
    reads: list[int] = []
    for _ in range(3):
        database.kept("how many", lambda: reads.append(1))
    assert reads == [1]


def test_a_change_of_its_own_or_of_another_process_is_seen_at_once(database: Database, file: Path) -> None:
    """Whoever changes the file, the next question is asked of the changed one (INV-I1)."""
    assert count(database) == 0
    with database.transaction():
        database.run("INSERT INTO things VALUES ('own')")
        assert count(database) == 1
    assert count(database) == 1
    other = connected(file)
    other.execute("INSERT INTO things VALUES ('theirs')")
    other.close()
    assert count(database) == 2


def test_what_was_read_of_what_is_undone_is_forgotten(database: Database) -> None:
    """A rolled-back part or transaction leaves no answer behind (INV-I1)."""
    with database.unit():
        database.run("INSERT INTO things VALUES ('stays')")
        with pytest.raises(ValueError, match="undone"):
            change_and_fail(database, "INSERT INTO things VALUES ('goes')", 2)
        assert count(database) == 1
    with pytest.raises(ValueError, match="undone"):
        change_and_fail(database, "DELETE FROM things", 0)
    assert count(database) == 1


def test_one_look_sees_the_file_as_of_one_time(database: Database, file: Path) -> None:
    """No commit of another process comes between the questions of one answer; its mark tells that one came (R35)."""
    other = connected(file)
    with database.looking() as before:
        first = database.number(COUNT)
        other.execute("INSERT INTO things VALUES ('theirs')")
        assert (database.number(COUNT), count(database)) == (first, first)
    with database.looking() as after:
        assert count(database) == first + 1
    with database.looking() as again:
        assert after == again != before
    other.close()


def test_nothing_is_changed_while_looking(database: Database) -> None:
    """A look is for reading: a change or a transaction inside is our own mistake."""
    with database.looking():
        with pytest.raises(InternalError):
            database.run("DELETE FROM things")
        with pytest.raises(InternalError), database.transaction():
            pass
    with database.transaction():
        database.run("INSERT INTO things VALUES ('later')")
    assert count(database) == 1


def test_a_review_asks_the_store_a_bounded_number_of_questions() -> None:
    """Statements of one reviewed turn: counted, for each costs more than what it answers (R35, R48)."""
    call = {"file_path": "/srv/shop/src/basket.py", "old_string": "a", "new_string": "b"}
    row = {
        "session_key": "claude-code:looking",
        "profile": "buffaly-agent",
        "turn_key": "t1",
        "cwd": "/srv/shop",
        "user": {"text": "Fix the rounding in src/basket.py please."},
        "outcome": {"text": "Fixed: `src/basket.py` rounds half up now."},
        "tool_results": [{"call_id": "c1", "tool": "Edit", "arguments": call, "result": "updated", "ok": True}],
    }
    statements: list[str] = []
    with throw_away_home() as home:
        (session,) = read_text(json.dumps(row), scrub=home.scrub)
        home.store._database._connection.set_trace_callback(statements.append)
        report = review_session(home, session, progress=lambda _: None)
        home.store._database._connection.set_trace_callback(None)
    reviews = report.review["reviews"]
    assert isinstance(reviews, list)
    assert reviews[0]["outcome"] == "wrote"
    assert sum(not made.startswith("--") for made in statements) <= MOST_STATEMENTS  # the rest is SQLite's own


class Sour(sqlite3.Connection):
    """A connection whose next commit fails before anything happens."""

    fails = False

    def execute(self, sql: str, parameters: object = (), /) -> sqlite3.Cursor:
        """As ever, but for that one commit."""
        if sql == "COMMIT" and self.fails:
            self.fails = False
            raise sqlite3.OperationalError("disk I/O error")
        return super().execute(sql, parameters)  # type: ignore[arg-type]


def test_a_look_that_cannot_be_closed_stays_open_for_nobody(file: Path) -> None:
    """The failure is told; the next transaction begins as ever (simulation, seed 50140)."""
    connection = sqlite3.connect(file, isolation_level=None, check_same_thread=False, factory=Sour)
    database = Database(connection, file)
    try:
        with pytest.raises(StoreError), database.looking():
            connection.fails = True
        assert not database.is_inside()
        with database.transaction():
            database.run("INSERT INTO things VALUES ('kept')")
        assert count(database) == 1
    finally:
        database.close()

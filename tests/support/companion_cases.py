"""A home with one source of several turns, the events it sends, and what a store holds row by row."""

import hashlib
import json
import sqlite3
from collections.abc import Callable
from pathlib import Path

from store_cases import Clock, a_session, a_turn

from ferrule.adapters.sqlite.opening import connect_file
from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.companion.answers import Attached, Attachment
from ferrule.companion.attaching import Terms, attach
from ferrule.session.source import Origin, SourceSession
from ferrule.session.turn import Turn

SOURCE = a_session()
CHILD_KEY = f"{SOURCE.key}-online-memory-critic"


def said_turn(ordinal: int, session: str = SOURCE.key) -> Turn:
    """A completed turn whose texts nobody else's turn has."""
    return a_turn(ordinal, session, user=f"please do thing {ordinal}", outcome=f"thing {ordinal} is done")


def a_home(folder: Path, clock: Clock, *, turns: int = 9, session: SourceSession = SOURCE) -> SqliteStore:
    """A store with that source and so many turns of it."""
    store = SqliteStore(folder / "home", clock)
    store.put_session(session)
    store.put_turns([said_turn(ordinal, session.key) for ordinal in range(1, turns + 1)])
    return store


def attached(store: SqliteStore, turn: str, clock: Clock, *, terms: Terms | None = None) -> Attached:
    """Attach by hand, which must succeed."""
    answer = attach_to(store, turn, clock, terms=terms)
    assert isinstance(answer, Attached), answer
    return answer


def attach_to(
    store: SqliteStore, turn: str, clock: Clock, *, source: str = SOURCE.key, terms: Terms | None = None
) -> Attachment:
    """Attach by hand."""
    return attach(store, source, turn, Origin.MANAGEMENT, terms=terms, now=clock())


def event_form(event: str, turn: str, **changed: object) -> dict[str, object]:
    """The JSON object of a `turn.completed` event; keys given replace its own, one given as None is left out."""
    form = {
        "EventId": event,
        "EventType": "turn.completed",
        "SourceSessionKey": SOURCE.key,
        "TargetSessionKey": CHILD_KEY,
        "OccurredUtc": "2030-03-17T17:46:40Z",
        "Data": {"TurnKey": turn},
    } | changed
    return {key: value for key, value in form.items() if value is not None}


def event(event_id: str, turn: str, **changed: object) -> bytes:
    """The bytes of such an event."""
    return json.dumps(event_form(event_id, turn, **changed)).encode()


def state_digest(store: SqliteStore) -> str:
    """A digest over every row of every table: two states with the same digest are the same."""
    database = store._database
    tables = [str(row["name"]) for row in database.rows("SELECT name FROM sqlite_master WHERE type = 'table'")]
    rows = {table: sorted(repr(tuple(row)) for row in database.rows(f'SELECT * FROM "{table}"')) for table in tables}  # noqa: S608 - names from the schema
    return hashlib.sha256(repr(sorted(rows.items())).encode()).hexdigest()


def counted(store: SqliteStore, table: str) -> int:
    """The number of rows of a table."""
    return store._database.number(f"SELECT count(*) FROM {table}")  # noqa: S608 - a test's own word


def tracing(seen: list[str]) -> Callable[[Path], sqlite3.Connection]:
    """How to connect so that every statement, with its values, is told."""

    def connect(path: Path) -> sqlite3.Connection:
        connection = connect_file(path)
        connection.set_trace_callback(seen.append)
        return connection

    return connect

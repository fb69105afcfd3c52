"""A store whose keys were made by older normal forms is brought to today's, or stays what it was."""
# ruff: noqa: E501 - a table of cases keeps one case a line

import os
import shutil
import sqlite3
import time
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from counted import connect, counted, failing_at, killed_at
from store_cases import IMPORT, LEASE, Clock, a_child, a_commit, a_property, a_session, a_turn, claimed

from ferrule.adapters.sqlite.checking import faults, viewed
from ferrule.adapters.sqlite.home import read_head
from ferrule.adapters.sqlite.opening import connect_file, open_database
from ferrule.adapters.sqlite.statements import SCHEMA_VERSION
from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.bridge.values import HandleView, Modality
from ferrule.errors import Code, StoreCorrupt, StoreError, StoreVersion
from ferrule.memory.merge import canonical
from ferrule.memory.ports import StagedWrite
from ferrule.ontology.layers import phrases_of
from ferrule.ontology.values import LayerName, Prototype
from ferrule.referents.forms import identity_key
from ferrule.referents.kinds import KEY_FORMS, HandleKind
from ferrule.wiring.repairing import repaired

K = HandleKind
SOURCE = replace(a_session(), cwd="/w", repository="git.example/owner/w")
TURN = a_turn()  # in /w, of git.example/owner/w


@dataclass(frozen=True)
class Thing:
    """A memory with one handle, under the key that the first forms gave it, and the key of today."""

    name: str
    kind: HandleKind
    prop: str
    value: str
    old: str
    now: str


THINGS = (
    Thing("Notes", K.URL, "DocumentUrl", "file:///w/docs/a.md", "url:file:///w/docs/a.md", "path:git.example/owner/w:docs/a.md"),
    Thing("Shop", K.DATABASE_ID, "DatabaseId", "postgresql://DB.example.org:5432/shop", "database:postgresql://DB.example.org:5432/shop", "database:postgres://db.example.org/shop"),
    Thing("Books", K.URL, "SiteUrl", "https://bücher.example", "url:https://bücher.example", "url:https://xn--bcher-kva.example"),
    Thing("Plan", K.FILESYSTEM_PATH, "DocumentPath", "C:\\Work\\Plan.md", "path:C:/Work/Plan.md", "path:C:/work/plan.md"),
    Thing("Same", K.FILESYSTEM_PATH, "DocumentPath", "c:/work/PLAN.md", "path:C:/work/PLAN.md", "path:C:/work/plan.md"),
    Thing("Plain", K.FILESYSTEM_PATH, "DocumentPath", "docs/b.md", "path:git.example/owner/w:docs/b.md", "path:git.example/owner/w:docs/b.md"),
)  # fmt: skip
GONE = Thing(
    "Gone", K.OTHER_ID, "RegistryId", "HKLM\\Software\\Tool", "id:HKLM\\Software\\Tool", "id:HKLM\\software\\tool"
)
ITEM = Thing("Item", K.PULL_REQUEST, "PullRequest", "#3", "pr:bitbucket.org/a/b:3", "mr:bitbucket.org/a/b:3")


def write_of(thing: Thing) -> StagedWrite:
    """An admitted write as the first forms keyed it."""
    held = Prototype(thing.name, ("Document",), (a_property(thing.prop, thing.value),), LayerName.SESSION)
    handles = (HandleView(thing.kind, thing.value, thing.prop, thing.old),)
    text = canonical(held)
    return StagedWrite(
        held, "created", text, text, handles, (thing.old,), phrases_of(held), Modality.CREATED, (), (), thing.name
    )


def fill(home: Path) -> SqliteStore:
    """A home whose memories and tombstones stand under old keys; the store is open."""
    store = SqliteStore(home, Clock())
    store.put_session(SOURCE)
    store.put_turns([TURN])
    store.enqueue(SOURCE, a_child(SOURCE), [(1, TURN.key)], IMPORT)
    claim = claimed(store.claim(SOURCE.key, lease_seconds=LEASE))
    store.commit(a_commit(TURN, *(write_of(one) for one in (*THINGS, GONE, ITEM))), claim)
    store.forget(SOURCE.key, ["Gone", "Item"])
    return store


def age(home: Path, *, version: int = 3) -> None:
    """Let the file say that the first forms made its keys: as version 3 did, or as version 4 would."""
    connection = sqlite3.connect(home / "ferrule.sqlite3")
    if version == 3:
        for what in (
            "TABLE key_forms",
            "TABLE set_aside",
            "TABLE vectors",
            "INDEX memories_of_base",
        ):  # of versions 4 to 6
            connection.execute(f"DROP {what}")
        connection.execute("PRAGMA user_version = 3")
    else:
        connection.execute("UPDATE key_forms SET version = 1")
    connection.commit()
    connection.close()


@pytest.fixture
def home(in_memory: Path) -> Path:
    """A home of version 3."""
    fill(in_memory / "home").close()
    age(in_memory / "home")
    return in_memory / "home"


def content(file: Path) -> list[object]:
    """What is remembered, keys apart: it is the same before and after."""
    connection = connect_file(file)
    asked = (
        "SELECT id, name, folded, partial, bases, properties, merged, turn, ordinal, modality, revision FROM memories",
        "SELECT * FROM writes",
        "SELECT * FROM provenance",
        "SELECT * FROM phrases",
        "SELECT rowid, * FROM words",
        "SELECT rowid, * FROM fragments",
        "SELECT * FROM reviews",
        "SELECT * FROM receipts",
        "SELECT id, key, body FROM turns",
        "SELECT DISTINCT session, name FROM tombstones",
    )
    rows: list[object] = [sorted(connection.execute(query).fetchall(), key=repr) for query in asked]
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()
    return rows


def keys(file: Path) -> list[object]:
    """Everything that a renewal changes."""
    connection = connect_file(file)
    asked = ("memory_keys", "touched", "tombstones", "memories", "sessions")
    rows: list[object] = [connection.execute(f"SELECT * FROM {table}").fetchall() for table in asked]  # noqa: S608
    connection.close()
    return rows


def test_what_stood_under_an_old_key_is_found_under_the_key_of_today(home: Path) -> None:
    """CASE-N10, R33, DEC-D14: memories, tombstones and what commits touched; the content is the same, a copy beside."""
    file = home / "ferrule.sqlite3"
    before, old = content(file), keys(file)
    store = SqliteStore(home, time.time)
    assert "keys were made anew" in store.notice
    assert "ferrule.sqlite3.v3" in store.notice
    layer = store.layer(SOURCE.key)
    for thing in THINGS:
        assert thing.name in layer.holding(thing.now), thing
        assert identity_key(thing.kind, thing.value, TURN.place)[0] == thing.now
        assert thing.now == thing.old or thing.name not in layer.holding(thing.old)
        assert store.handles(SOURCE.key, thing.name)[0].key == thing.now
        assert store.touched_after(SOURCE.key, 0, [thing.now])
    assert [stone.name for stone in store.tombstones(SOURCE.key, [GONE.now, ITEM.now])] == ["Gone", "Item"]
    assert not store.tombstones(SOURCE.key, [GONE.old, ITEM.old])
    renewed = content(file)
    assert store.unforget(SOURCE.key, "Item") == 2, "a pull request and an issue: the old key did not tell them apart"
    store.close()
    assert renewed[:-1] == before[:-1]
    assert content(home / "ferrule.sqlite3.v3") == before
    assert keys(home / "ferrule.sqlite3.v3") == old


def test_two_that_meet_under_one_key_both_stay_and_are_told(home: Path) -> None:
    """CASE-N10: nothing is merged."""
    store = SqliteStore(home, Clock())
    assert store.layer(SOURCE.key).holding("path:C:/work/plan.md") == ("Plan", "Same")
    store.close()
    file = home / "ferrule.sqlite3"
    with viewed(file) as connection:
        found = list(faults(connection, file, read_head(home)))
    assert [(one.code, one.area, one.name) for one in found] == [(None, "key", "Plan, Same")]
    assert "path:C:/work/plan.md" in found[0].message


def test_a_second_opening_renews_nothing(home: Path) -> None:
    """CASE-N10: once is enough, and renewing what is renewed changes nothing."""
    file = home / "ferrule.sqlite3"
    SqliteStore(home, Clock()).close()
    once = keys(file)
    again = SqliteStore(home, Clock())
    assert again.notice == ""
    again.close()
    age(home, version=4)
    SqliteStore(home, time.time).close()
    assert keys(file) == once
    assert (home / f"ferrule.sqlite3.v{SCHEMA_VERSION}-keys1").exists()


def test_a_path_whose_turn_is_gone_keeps_what_path_and_session_tell(home: Path) -> None:
    """CASE-N10, DEC-D13: the place went with the turn's text; that is said."""
    connection = sqlite3.connect(home / "ferrule.sqlite3")
    connection.execute("UPDATE turns SET body = NULL")
    connection.commit()
    connection.close()
    store = SqliteStore(home, Clock())
    assert store.layer(SOURCE.key).holding("path:/w/docs/a.md") == ("Notes",)
    assert store.layer(SOURCE.key).holding("path:git.example/owner/w:docs/b.md") == ("Plain",)
    assert "1 paths kept a key without their repository" in store.notice
    store.close()


def test_a_damaged_memory_keeps_the_whole_store_as_it_was_and_is_named(home: Path) -> None:
    """CASE-N13: nothing is renewed, nothing is lost, the remedy is said."""
    file = home / "ferrule.sqlite3"
    connection = sqlite3.connect(file)
    connection.execute("UPDATE memories SET merged = 'x' WHERE name = 'Same'")
    connection.commit()
    connection.close()
    before = (content(file), keys(file))
    with pytest.raises(StoreCorrupt, match=r"'Same' of desk:alpha.*memory repair") as caught:
        SqliteStore(home, Clock())
    assert caught.value.code is Code.STORE_CORRUPT
    assert (content(file), keys(file)) == before


def test_a_repair_tells_its_copy_also_where_one_of_that_name_was_there(home: Path) -> None:
    """CASE-N01, CASE-N13: whoever could not open an older store has such a copy already; the repair's takes its place."""
    connection = sqlite3.connect(home / "ferrule.sqlite3")
    connection.execute("UPDATE memories SET merged = 'x' WHERE name = 'Same'")
    connection.commit()
    connection.close()
    with pytest.raises(StoreCorrupt):
        SqliteStore(home, Clock())
    (there,) = home.glob("ferrule.sqlite3.v*")
    there.write_bytes(b"an older copy")
    done = repaired(home, lambda _plan: True)
    assert done.done
    assert done.copy == there
    assert there.read_bytes().startswith(b"SQLite format 3")


def test_keys_of_newer_forms_are_refused(home: Path) -> None:
    """CASE-N12: an older Ferrule would write keys that nothing asks for."""
    store = SqliteStore(home, Clock())
    assert store.is_current()
    other = sqlite3.connect(home / "ferrule.sqlite3")
    other.execute("INSERT INTO key_forms VALUES (?, '', 0, 0)", (KEY_FORMS + 1,))
    other.commit()
    other.close()
    assert not store.is_current()
    store.close()
    before = (home / "ferrule.sqlite3").read_bytes()
    with pytest.raises(StoreVersion, match=f"this one knows {KEY_FORMS}"):
        SqliteStore(home, Clock())
    assert (home / "ferrule.sqlite3").read_bytes() == before


def renew(home: Path) -> None:
    """Open it on a counted connection."""
    open_database(home, connect).close()


def test_a_failure_at_any_statement_of_the_renewal_leaves_the_store_as_it_was(home: Path) -> None:
    """CASE-N13, INV-I1: fail the Nth statement, for every N; the next opening does it."""
    file, spare = home / "ferrule.sqlite3", home.with_name("spare")
    shutil.copytree(home, spare)
    count, before, old = counted(lambda: renew(spare)), content(file), keys(file)
    assert count > 60
    for number in range(1, count + 1):
        with pytest.raises(StoreError):
            failing_at(number, lambda: renew(home))
        assert (content(file), keys(file)) == (before, old), number
    store = SqliteStore(home, Clock())
    assert store.layer(SOURCE.key).holding(THINGS[0].now) == ("Notes",)
    store.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills a forked child")
def test_a_kill_at_any_statement_of_the_renewal_leaves_before_or_after(home: Path) -> None:
    """CASE-N10, CASE-N13, INV-I1, CASE-J01: never a third state; opened again, everything is under today's keys."""
    spare = home.with_name("spare")
    shutil.copytree(home, spare)
    count, before, old = (
        counted(lambda: renew(spare)),
        content(home / "ferrule.sqlite3"),
        keys(home / "ferrule.sqlite3"),
    )
    new = keys(spare / "ferrule.sqlite3")
    seen = []
    for number in range(1, count + 2):
        place = home.with_name(f"home-{number}")
        shutil.copytree(home, place)
        killed_at(number, lambda place=place: renew(place))  # type: ignore[misc]
        file = place / "ferrule.sqlite3"
        assert content(file) == before, number
        seen.append(keys(file))
        assert seen[-1] in (old, new), number
        SqliteStore(place, Clock()).close()
        assert (content(file), keys(file)) == (before, new), number
        shutil.rmtree(place)
    assert old in seen
    assert new in seen

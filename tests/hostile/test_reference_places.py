"""The cases of group E by their ids, on a home that remembers things: keys, paths and links never lead elsewhere."""

import json
import os
import shutil
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from critic_cases import SESSION, said_turn, write
from hostile_cases import Arena, permanent, seeded
from reject_oracle import standard_accept, standard_error
from store_cases import a_session

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.adapters.transcripts.reader import read_text
from ferrule.bridge.values import Accepted
from ferrule.errors import Code, UsageError
from ferrule.memory.artifact import artifact_path
from ferrule.memory.nlmemory import NLMemory
from ferrule.session.keys import validate_session_key, validate_turn_key

OPEN_TO_ALL = 0o777


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[Arena]:
    """A home that remembers a tide gauge and an almanac."""
    made = seeded(tmp_path / "home")
    yield made
    made.store.close()


def a_line(key: str) -> str:
    """One completed turn of a session of that key, as it comes in from outside."""
    turn = {
        "session_key": key,
        "profile": "buffaly-agent",
        "turn_key": "t1",
        "user": {"text": "The tide gauge lives in /srv/quay/tide/gauge.py."},
        "outcome": {"text": "Yes."},
        "tool_results": [],
    }
    return json.dumps(turn)


LEADING_OUT = ("../x", "a/../../b", "/etc/x", "", ".", "..", "a\\b", "a\x00b", "a\nb", "x" * 225)
DEVICES = ("CON", "nul.txt", "COM1", "aux", "Prn", "lpt9.log")


@pytest.mark.parametrize("key", [*LEADING_OUT, *DEVICES])
def test_no_key_leads_out_of_its_place_or_names_a_device(arena: Arena, key: str) -> None:
    """CASE-E01, CASE-E03, CASE-C06: `BAD_KEY` on the way in, and nothing is read or written."""
    with pytest.raises(UsageError) as told:
        validate_session_key(key)
    assert told.value.code is Code.BAD_KEY
    standard_error(arena, lambda: read_text(a_line(key), scrub=str), "BAD_KEY")


def test_two_keys_that_differ_in_case_only_are_two_sessions_on_any_disk(arena: Arena) -> None:
    """CASE-E04: emulated, for no such disk is here: their folders are two even where a disk folds case."""
    other = SESSION.swapcase()
    arena.store.put_session(a_session(other))
    mine, theirs = (artifact_path(arena.home, key) for key in (SESSION, other))
    assert str(mine).casefold() != str(theirs).casefold()
    assert arena.store.layer(other).names() == ()
    NLMemory(arena.store, permanent(), arena.home).project(SESSION)
    assert not theirs.exists()


@pytest.mark.parametrize("key", ["a:b", "a b", "", "a\x00b"])
def test_no_turn_key_is_read_otherwise_than_it_was_written(arena: Arena, key: str) -> None:
    """CASE-E01: a colon or a blank would end it in a result marker."""
    standard_error(arena, lambda: validate_turn_key(key), "BAD_KEY")


def test_a_folder_that_became_a_link_is_not_written_into(arena: Arena, tmp_path: Path) -> None:
    """CASE-E05: `UNSAFE_PATH`, the target untouched, and memory goes on."""
    outside = tmp_path / "outside"
    outside.mkdir()
    folder = artifact_path(arena.home, SESSION).parent
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.symlink_to(outside)
    memory = NLMemory(arena.store, permanent(), arena.home)
    standard_error(arena, lambda: memory.project(SESSION), "UNSAFE_PATH")
    assert list(outside.iterdir()) == []


def linked(path: Path, outside: Path) -> None:
    """A link to a file outside."""
    path.symlink_to(outside)


def dangling(path: Path, outside: Path) -> None:
    """A link to nothing."""
    path.symlink_to(outside.with_name("nothing"))


def hard(path: Path, outside: Path) -> None:
    """A second name of a file outside."""
    os.link(outside, path)


def pipe(path: Path, _outside: Path) -> None:
    """A named pipe that nobody reads."""
    os.mkfifo(path)


def device(path: Path, _outside: Path) -> None:
    """A link to a device: a node of its own needs a right that tests do not have."""
    path.symlink_to(os.devnull)


@pytest.mark.parametrize("trap", [linked, dangling, hard, pipe, device])
def test_a_trap_in_the_files_place_is_not_written_through(
    arena: Arena, tmp_path: Path, trap: Callable[[Path, Path], None]
) -> None:
    """CASE-E07: `UNSAFE_PATH`, no block on a pipe, and what it leads to is as before."""
    outside = tmp_path / "victim"
    outside.write_text("theirs", encoding="utf-8")
    path = artifact_path(arena.home, SESSION)
    shutil.rmtree(path.parent, ignore_errors=True)
    path.parent.mkdir(parents=True)
    trap(path, outside)
    memory = NLMemory(arena.store, permanent(), arena.home)
    standard_error(arena, lambda: memory.project(SESSION), "UNSAFE_PATH")
    assert outside.read_text(encoding="utf-8") == "theirs"
    assert not (tmp_path / "nothing").exists()


def test_a_path_outside_of_the_workspace_is_kept_as_text_and_never_opened(arena: Arena, tmp_path: Path) -> None:
    """CASE-E10, INV-I5: evidence is enough, the file is there and nobody looks into it."""
    outside = tmp_path / "elsewhere" / "report.md"
    outside.parent.mkdir()
    outside.write_text("never read", encoding="utf-8")
    os.utime(outside, (1, 1))
    turn = said_turn(f"Write the tide report into {outside} .", "Done.", write(str(outside)), ordinal=4)
    door = arena.open(turn)
    text = f'prototype TideReport : Document {{ FilePath = @"{outside}"; }}'
    standard_accept(arena, door, arena.proposal(door, text), {"FilePath": str(outside)})
    assert outside.stat().st_atime == 1


@pytest.mark.parametrize("mask", [0o000, 0o077])
def test_what_is_written_is_its_owners_alone_whatever_the_umask(tmp_path: Path, mask: int) -> None:
    """CASE-E11: files 0600, folders 0700, the projection included."""
    before = os.umask(mask)
    arena = Arena(tmp_path / "home")
    try:
        assert isinstance(arena.benign(), Accepted)
        NLMemory(arena.store, permanent(), arena.home).project(SESSION)
    finally:
        os.umask(before)
        arena.store.close()
    modes: dict[bool, set[int]] = {True: set(), False: set()}
    for path in (arena.home, *arena.home.rglob("*")):
        modes[path.is_dir()].add(stat.S_IMODE(path.stat().st_mode))
    assert modes == {True: {0o700}, False: {0o600}}


def test_a_home_that_anybody_may_write_to_is_not_opened(arena: Arena, tmp_path: Path) -> None:
    """CASE-E12: refused with the reason; what it holds is read by nobody until its owner has looked."""
    other = tmp_path / "other"
    shutil.copytree(arena.home, other)
    other.chmod(OPEN_TO_ALL)
    told = standard_error(arena, lambda: SqliteStore(other, lambda: 0.0), "UNSAFE_PATH")
    assert str(other) in str(told)


def test_the_beginning_of_a_name_or_key_is_no_name_or_key(arena: Arena) -> None:
    """CASE-E14: exact in looking and in forgetting, for sessions and for memories."""
    before = arena.state()
    other = a_session(SESSION[:-1])
    arena.store.put_session(other)
    assert arena.store.layer(other.key).names() == ()
    assert arena.store.forget(SESSION, ["Tide", "TideGaug", "tidegauge", "TideGauge2"]) == ()
    assert arena.store.forget(other.key, ["TideGauge"]) == ()
    memory = NLMemory(arena.store, permanent(), arena.home)
    assert memory.meant(SESSION, ["Tide", "/srv/quay/tide", "/srv/quay/tide/gauge.p"]) == ()
    assert arena.state() == before

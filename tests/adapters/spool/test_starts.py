"""Which session goes on from which, as far as the client's own process tells; two terminals are never mixed."""

import json
import os
from pathlib import Path

import pytest
from start_cases import CLIENTS, SOURCES, start_of

from ferrule.adapters.spool.starts import Start, elders, note_start, read_start

NOW = 1_900_000_000.0
CLAUDE = "claude-code"


def note(home: Path, process: str, *starts: tuple[str, str], cwd: str = "/w/shop", client: str = CLAUDE) -> None:
    """Note starts of one process, each a session and a source."""
    home.mkdir(exist_ok=True)
    for session, source in starts:
        note_start(home, Start(client, session, source, cwd), process, NOW)


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("source", SOURCES)
def test_a_start_is_read_from_either_client(client: str, source: str) -> None:
    """R65: whatever the source; both clients say it in the same members."""
    raw = json.dumps(start_of(client, "s1", source)).encode()
    assert read_start(client, raw) == Start(client, "s1", source, "/w/shop", "/nowhere/s1.jsonl")


def test_a_start_for_a_reason_of_tomorrow_is_still_a_start() -> None:
    """A client may add sources; nothing is linked by one that is not known."""
    found = read_start(CLAUDE, json.dumps(start_of(CLAUDE, "s1", "teleport", transcript_path=None)).encode())
    assert found == Start(CLAUDE, "s1", "", "/w/shop")


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"null",
        b"[]",
        b"{",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"session_id": "a", "session_id": "b", "cwd": "/w", "hook_event_name": "SessionStart"}',
        json.dumps(start_of(CLAUDE, "s1", hook_event_name="Stop")).encode(),
        json.dumps(start_of(CLAUDE, "s1", agent_id="a1")).encode(),
        json.dumps(start_of(CLAUDE, "")).encode(),
        json.dumps(start_of(CLAUDE, "a b")).encode(),
        json.dumps(start_of(CLAUDE, "a\nb")).encode(),
        json.dumps(start_of(CLAUDE, "s" * 201)).encode(),
        json.dumps(start_of(CLAUDE, "s1", session_id=7)).encode(),
        json.dumps(start_of(CLAUDE, "s1", cwd=None)).encode(),
        json.dumps(start_of(CLAUDE, "s1", cwd="/w\x00")).encode(),
        json.dumps(start_of(CLAUDE, "s1", cwd="/" * 5000)).encode(),
        json.dumps(start_of(CLAUDE, "s1", more="x" * 300_000)).encode(),
    ],
)
def test_what_is_no_start_of_a_main_session_is_nothing(raw: bytes) -> None:
    """CASE-A05: a payload is somebody else's writing: taken as documented, or not at all."""
    assert read_start(CLAUDE, raw) is None


def test_another_client_has_no_starts() -> None:
    """Only the clients whose words are known."""
    assert read_start("gemini-cli", json.dumps(start_of(CLAUDE, "s1")).encode()) is None


@pytest.mark.parametrize("source", ["clear", "fork", "compact"])
def test_a_process_that_clears_or_forks_goes_on_from_its_session(tmp_path: Path, source: str) -> None:
    """R87, design section 7: the new id names no former one; the client's own process does."""
    note(tmp_path, "p1", ("a", "startup"), ("b", source), ("b", "compact"), ("c", source))
    assert [elders(tmp_path, CLAUDE, one) for one in "abc"] == [(), ("a",), ("b", "a")]


@pytest.mark.parametrize("source", ["startup", "resume", ""])
def test_a_start_that_says_nothing_of_going_on_links_nothing(tmp_path: Path, source: str) -> None:
    """Another conversation taken up in the same terminal is another conversation."""
    note(tmp_path, "p1", ("a", "startup"), ("b", source))
    assert elders(tmp_path, CLAUDE, "b") == ()


def test_two_terminals_in_one_repository_are_not_mixed(tmp_path: Path) -> None:
    """INV-I7: each clears its own conversation, in any interleaving."""
    note(tmp_path, "left", ("a", "startup"))
    note(tmp_path, "right", ("x", "startup"))
    note(tmp_path, "left", ("b", "clear"))
    note(tmp_path, "right", ("y", "clear"))
    note(tmp_path, "left", ("c", "clear"))
    assert (elders(tmp_path, CLAUDE, "c"), elders(tmp_path, CLAUDE, "y")) == (("b", "a"), ("x",))


def test_a_process_that_has_several_conversations_links_nothing(tmp_path: Path) -> None:
    """INV-I7: an editor's server starts many; which of them was cleared nobody can say."""
    note(tmp_path, "server", ("a", "startup"), ("x", "startup"), ("b", "clear"))
    note(tmp_path, "other", ("d", "resume"), ("e", "resume"), ("d", "compact"), ("f", "clear"))
    assert (elders(tmp_path, CLAUDE, "b"), elders(tmp_path, CLAUDE, "f")) == ((), ())


def test_a_conversation_taken_up_by_resume_goes_on_from_that_one(tmp_path: Path) -> None:
    """R87: the last one that the process was in."""
    note(tmp_path, "p1", ("a", "startup"), ("old", "resume"), ("b", "clear"))
    assert elders(tmp_path, CLAUDE, "b") == ("old",)


def test_nothing_is_linked_across_folders_clients_or_unknown_processes(tmp_path: Path) -> None:
    """Design section 7: in one repository; and never by guess."""
    note(tmp_path, "p1", ("a", "startup"))
    note(tmp_path, "p1", ("b", "clear"), cwd="/w/docs")
    note(tmp_path, "p1", ("c", "clear"), client="codex")
    note(tmp_path, "", ("d", "startup"), ("e", "clear"))
    found = [elders(tmp_path, client, one) for client, one in ((CLAUDE, "b"), ("codex", "c"), (CLAUDE, "e"))]
    assert found == [(), (), ()]


def test_what_a_transcript_says_needs_no_process(tmp_path: Path) -> None:
    """R87: a fork's own file names its origin, which stands above everything else."""
    note(tmp_path, "p1", ("a", "startup"))
    for process in ("p1", ""):
        start = Start("codex", f"fork-{process}", "fork", "/elsewhere")
        note_start(tmp_path, start, process, NOW, origin="origin")
    assert [elders(tmp_path, "codex", f"fork-{one}") for one in ("p1", "")] == [("origin",), ("origin",)]


def test_a_process_long_gone_links_nothing(tmp_path: Path) -> None:
    """A number may be given again; after a month nobody is the same."""
    note_start(tmp_path, Start(CLAUDE, "a", "startup", "/w"), "p1", NOW - 40 * 24 * 3600)
    note_start(tmp_path, Start(CLAUDE, "b", "clear", "/w"), "p1", NOW)
    assert elders(tmp_path, CLAUDE, "b") == ()


def test_a_ring_of_sessions_ends(tmp_path: Path) -> None:
    """Whatever somebody wrote into the file."""
    for one, other in (("a", "b"), ("b", "c"), ("c", "a")):
        note_start(tmp_path, Start(CLAUDE, one, "fork", "/w"), "", NOW, origin=other)
    assert elders(tmp_path, CLAUDE, "a") == ("b", "c")


def test_the_file_is_private_and_bounded(tmp_path: Path) -> None:
    """D13: names and places only, kept as short as it serves."""
    home = tmp_path / "home"
    for number in range(600):
        note(home, f"p{number}", (f"s{number}", "startup"), cwd="/w/" + "x" * 300)
    file = home / "spool" / "starts.jsonl"
    assert file.stat().st_mode & 0o077 == 0
    assert file.stat().st_size <= 128 * 1024
    assert json.loads(file.read_text(encoding="ascii").splitlines()[-1])["session"] == "s599"
    assert [path.name for path in file.parent.iterdir()] == ["starts.jsonl"]


def test_a_start_that_comes_again_is_noted_once(tmp_path: Path) -> None:
    """Clients run a hook twice when it stands in two places."""
    note(tmp_path, "p1", ("a", "startup"), ("a", "startup"))
    assert len((tmp_path / "spool" / "starts.jsonl").read_bytes().splitlines()) == 1


@pytest.mark.parametrize("line", [b"null", b"{}", b"[" * 9000, b'{"client": 1}', b"\xff", b'"' + b"x" * 90_000])
def test_lines_of_somebody_else_are_passed_over(tmp_path: Path, line: bytes) -> None:
    """CASE-A05: what is no note of ours is none."""
    note(tmp_path, "p1", ("a", "startup"))
    file = tmp_path / "spool" / "starts.jsonl"
    file.write_bytes(file.read_bytes() + line + b"\n")
    note(tmp_path, "p1", ("b", "clear"))
    assert elders(tmp_path, CLAUDE, "b") == ("a",)


@pytest.mark.parametrize("kind", ["link", "fifo", "folder"])
def test_what_stands_in_the_files_place_is_left_alone(tmp_path: Path, kind: str) -> None:
    """CASE-E07: nothing is followed, waited for or raised; only the link is lost."""
    spool = tmp_path / "spool"
    spool.mkdir()
    file, aim = spool / "starts.jsonl", tmp_path / "aim"
    if kind == "link":
        file.symlink_to(aim)
    elif kind == "fifo":
        os.mkfifo(file)
    else:
        file.mkdir()
    note(tmp_path, "p1", ("a", "startup"), ("b", "clear"))
    assert elders(tmp_path, CLAUDE, "b") == ()
    assert not aim.exists()


def test_a_folder_that_anybody_may_write_to_is_not_used(tmp_path: Path) -> None:
    """CASE-E11: links between sessions are not for others to make."""
    home = tmp_path / "home"
    home.mkdir()
    home.chmod(0o777)
    note(home, "p1", ("a", "startup"))
    assert not (home / "spool").exists()

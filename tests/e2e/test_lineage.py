"""One conversation in several sessions: each reads what the others learned, and strangers read nothing."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hook_cases import Claude, Codex
from slice_cases import CREATED, PULL, handles, work
from spool_desk import Desk, desk_over
from start_cases import LONG, start_of

from ferrule.bridge.marks import recall_open
from ferrule.errors import FerruleError
from ferrule.wiring.greeting import greeting
from ferrule.wiring.home import open_home
from ferrule.wiring.recalling import reader_of

FIRST, SECOND = "5f1c0b7e-0000-4000-8000-000000000001", "5f1c0b7e-0000-4000-8000-000000000002"
WORK = Path(__file__).parents[2] / "src"


CLIENT = """
import json, subprocess, sys

call = (
    "import sys; from ferrule.wiring.greeting import greeting; "
    "sys.stdout.write(greeting('claude-code', sys.stdin.buffer.read(), sys.argv[1]))"
)
told = []
for start in json.load(sys.stdin):
    words = [sys.executable, "-c", call, sys.argv[1]]
    done = subprocess.run(words, input=json.dumps(start).encode(), capture_output=True, check=True)
    told.append(done.stdout.decode())
print(json.dumps(told))
"""


def key(session: str) -> str:
    """The key of a Claude Code session."""
    return f"claude-code:{session}"


def greeted(home: Path, session: str, source: str, client: str = "claude-code", **more: object) -> str:
    """What a session is told when it starts."""
    return greeting(client, json.dumps(start_of(client, session, source, **more)).encode(), str(home))


def terminal(home: Path, *starts: dict[str, Any]) -> list[str]:
    """What these sessions are told that start in one client, one after the other, in a terminal of its own."""
    done = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", CLIENT, str(home)],
        input=json.dumps(starts).encode(),
        capture_output=True,
        timeout=LONG,
        check=True,
        env={**os.environ, "PYTHONPATH": str(WORK)},
    )
    found: list[str] = json.loads(done.stdout)
    return found


@pytest.fixture
def first(tmp_path: Path, ferrule: Callable[..., Any], transcript: Callable[..., Any]) -> Any:  # noqa: ANN401 - as above
    """A reviewed session in /w/shop that opened a pull request."""
    script = work(transcript)
    assert ferrule("review", str(script.written(tmp_path))).code == 0
    return script


@pytest.fixture
def desk(home: Path, first: object) -> Iterator[Desk]:
    """The same home with the chore of a worker over its spool."""
    assert first is not None
    with open_home(home) as opened:
        yield desk_over(opened)


def clears(home: Path) -> list[str]:
    """The conversation of the first session goes on in the second: in one process of the client, after /clear."""
    return terminal(home, start_of("claude-code", FIRST), start_of("claude-code", SECOND, "clear"))


def cleared(folder: Path, session: str = SECOND) -> Claude:
    """What the agent does after /clear: nothing in its transcript names the session before."""
    talk = Claude(folder, session=session, cwd="/w/shop").asks("Write docs/retry.md about the retry policy.")
    talk.calls("Write", CREATED.format("/w/shop/docs/retry.md"), file_path="/w/shop/docs/retry.md", content="x")
    return talk.says("I wrote `docs/retry.md` about `src/retry/policy.py`.").written()


def test_a_cleared_session_goes_on_with_what_the_conversation_knew(
    tmp_path: Path, home: Path, ferrule: Callable[..., Any], desk: Desk
) -> None:
    """R65 R66 R87: told before its first turn, linked by its client's process, and nothing is learned twice."""
    before, text = clears(home)
    assert PULL in before
    assert text.startswith(recall_open(key(SECOND)))
    assert PULL in text
    talk = cleared(tmp_path / "later")
    desk.report(talk)
    assert desk.chore() is None
    assert ferrule("worker", "--once").code == 0
    own = handles(ferrule("memory", "list", "--session", key(SECOND), "--json").rows())
    assert any(value.endswith("docs/retry.md") for value in own)
    assert not any(value.endswith("policy.py") or value == PULL for value in own)
    both = greeted(home, SECOND, "compact")
    assert "docs/retry.md" in both
    assert PULL in both
    assert [session.key for session in desk.home.store.kin(key(SECOND))] == [key(FIRST)]


def test_a_later_import_does_not_untie_a_cleared_session(
    tmp_path: Path, home: Path, ferrule: Callable[..., Any], desk: Desk
) -> None:
    """R87: the transcript alone knows nothing of the session before; what its client's start told stays."""
    clears(home)
    talk = cleared(tmp_path / "later")
    desk.report(talk)
    desk.chore()
    assert ferrule("review", str(talk.path)).code == 0
    assert PULL in greeted(home, SECOND, "resume")


def test_two_terminals_in_one_repository_stay_apart(home: Path, first: object) -> None:
    """INV-I7 R87: another conversation in the same folder clears, and is told nothing of this one."""
    assert first is not None
    here = terminal(home, start_of("claude-code", FIRST), start_of("claude-code", SECOND, "clear"))
    there = terminal(home, start_of("claude-code", "other-1"), start_of("claude-code", "other-2", "clear"))
    assert [PULL in text for text in (*here, *there)] == [True, True, False, False]


def test_a_conversation_goes_on_in_another_folder_of_its_repository(
    tmp_path: Path, home: Path, ferrule: Callable[..., Any], transcript: Callable[..., Any]
) -> None:
    """R87: `/clear` below the root is the same conversation; in another repository below it, it is another one's."""
    shop = tmp_path / "shop"
    for folder in (shop / ".git", shop / "src", shop / "vendor" / "docs" / ".git"):
        folder.mkdir(parents=True)
    assert ferrule("review", str(work(lambda: transcript(cwd=str(shop))).written(tmp_path))).code == 0
    below, elsewhere = (
        terminal(
            home,
            start_of("claude-code", FIRST, cwd=str(shop)),
            start_of("claude-code", session, "clear", cwd=str(shop / folder)),
        )[1]
        for session, folder in ((SECOND, "src"), ("third", "vendor/docs"))
    )
    assert PULL in below
    assert elsewhere == ""


def test_a_conversation_taken_to_another_repository_is_told_nothing_there(home: Path, first: object) -> None:
    """Design section 7: in one repository."""
    assert first is not None
    away = start_of("claude-code", SECOND, "clear", cwd="/w/docs")
    assert terminal(home, start_of("claude-code", FIRST), away)[1] == ""


def test_what_the_lineage_knows_is_added_to_in_the_own_session(
    tmp_path: Path,
    ferrule: Callable[..., Any],
    first: Any,  # noqa: ANN401 - as above
) -> None:
    """R65, design section 7: more about a known thing goes as `partial` into the own session, the origin stays."""
    before = ferrule("memory", "export", "--session", key(FIRST)).out
    name = next(
        row["name"]
        for row in ferrule("memory", "list", "--session", key(FIRST), "--json").rows()
        if any(handle["value"] == PULL for handle in row["handles"])
    )
    fork = first
    fork.session = SECOND
    fork.lines = [line | {"sessionId": SECOND, "forkedFrom": {"sessionId": FIRST}} for line in fork.lines]
    fork.user(f"Merge {PULL}.")
    fork.call("Bash", "Merged pull request #41", command="gh pr merge 41 --squash")
    fork.says(f"Merged {PULL}.")
    assert ferrule("review", str(fork.written(tmp_path / "fork"))).code == 0
    own = tmp_path / "own.pts"
    own.write_text(f'partial prototype {name} {{ String MergeRule = "squash"; }}', encoding="utf-8")
    assert ferrule("memory", "write", str(own), "--session", key(SECOND)).code == 0
    part = ferrule("memory", "export", "--session", key(SECOND)).out
    assert f"partial prototype {name}" in part
    assert PULL not in part
    assert ferrule("memory", "export", "--session", key(FIRST)).out == before
    assert PULL in ferrule("context", "--session", key(SECOND)).out


def test_a_thing_that_moved_in_a_fork_is_told_once_and_where_it_is(
    tmp_path: Path, home: Path, ferrule: Callable[..., Any], transcript: Callable[..., Any]
) -> None:
    """R45 R65 R87: the critic adds to what the origin knows, in the fork's own session; both roads tell the same."""
    remote, old, new = "git@github.com:larkspur-labs/atlas.git", "/w/shop/atlas", "/srv/work/atlas"
    shown = f"origin\t{remote} (fetch)\norigin\t{remote} (push)"
    origin = transcript().user(f"Please clone {remote} into {old}, that is the repository I will work in.")
    origin.call(
        "Bash", f"Cloning into '{old}'...\n{shown}", command=f"git clone {remote} {old} && git -C {old} remote -v"
    )
    origin.says(f"The atlas repository is cloned: its checkout is `{old}` and its remote is `{remote}`.")
    assert ferrule("review", str(origin.written(tmp_path))).code == 0
    fork = transcript(SECOND)
    fork.lines = [line | {"sessionId": SECOND, "forkedFrom": {"sessionId": FIRST}} for line in origin.lines]
    fork.user(f"My home disk is full. Move the atlas repository to {new} please.")
    fork.call("Bash", f"{new}\n{shown}", command=f"mv {old} {new} && git -C {new} rev-parse --show-toplevel")
    fork.says(
        f"The atlas repository moved to `{new}`; the old checkout `{old}` is gone. Its remote is still `{remote}`."
    )
    assert ferrule("review", str(fork.written(tmp_path / "fork"))).code == 0
    part = ferrule("memory", "export", "--session", key(SECOND)).out
    assert "partial prototype" in part
    assert (new in part, old in part, remote in part) == (True, False, False)
    text = ferrule("context", "--session", key(SECOND)).out
    (line,) = (line for line in text.splitlines() if line.startswith("- "))
    assert (new in line, old in line, remote in line) == (True, False, True)
    quick = greeted(home, SECOND, "resume").splitlines()
    (same,) = (line for line in quick if line.startswith("- "))
    assert sorted(same.split(": ", 1)[1].split("; ")) == sorted(line.split(": ", 1)[1].split("; "))
    assert old in ferrule("context", "--session", key(FIRST)).out


@pytest.mark.parametrize("road", ["hook", "review"])
def test_a_fork_that_names_nobody_is_known_by_the_turns_that_it_copied(
    home: Path, ferrule: Callable[..., Any], desk: Desk, road: str
) -> None:
    """R87: `claude --resume ID --fork-session` gives copied lines the new id, and the ids of the turns stay."""
    before = Claude(home.parent / "before", session="0a" * 18, cwd="/w/shop").asks("Open a pull request.")
    before.calls("Bash", PULL, command="gh pr create --fill").says(f"I opened {PULL} for the retry policy.").written()
    assert ferrule("review", str(before.path)).code == 0
    fork = Claude(home.parent / "fork", session=SECOND, cwd="/w/shop")
    fork.lines, fork.prompts = [line | {"sessionId": SECOND} for line in before.lines], before.prompts
    fork.asks("Thanks!").says("You're welcome!").written()
    stranger = Claude(home.parent / "stranger", session="0b" * 18, cwd="/w/shop").asks("Hi.").says("Hello.").written()
    for talk in (fork, stranger):
        if road == "hook":
            desk.report(talk)
            assert desk.chore() is None
        else:
            assert ferrule("review", str(talk.path)).code == 0
    assert [one.key for one in desk.home.store.kin(key(SECOND))] == [key("0a" * 18)]
    assert "ferrule context --session" in ferrule("memory", "list", "--session", key(SECOND)).out
    assert desk.home.store.kin(key("0b" * 18)) == ()
    assert "ferrule context" not in ferrule("memory", "list", "--session", key("0b" * 18)).out
    assert PULL in greeted(home, SECOND, "resume")


@pytest.mark.parametrize("named", ["the session before", "nobody", "a stranger's", "no key"])
def test_a_fork_of_a_compacted_session_is_known_by_what_was_told_there(home: Path, desk: Desk, named: str) -> None:
    """R87: nothing of a turn is copied from before the summary; the text of our own hook after it is, with its key."""
    texts = {"the session before": recall_open(key(FIRST)), "nobody": "Hello.", "a stranger's": "<other>", "no key": ""}
    texts["no key"] = recall_open("claude-code:" + "x/" * 90)
    fork = Claude(home.parent / "fork", session=SECOND, cwd="/w/shop").asks("Go on.").says("I go on.")
    told = {"type": "hook_additional_context", "content": [texts[named]], "hookName": "SessionStart"}
    line = {"type": "attachment", "uuid": "0d" * 18, "sessionId": SECOND, "attachment": told, "cwd": "/w/shop"}
    fork.lines.insert(0, {**line, "parentUuid": None, "isSidechain": False})
    fork.lines[1]["parentUuid"] = "0d" * 18
    fork.written()
    desk.report(fork)
    assert desk.chore() is None
    known = named == "the session before"
    assert [one.key for one in desk.home.store.kin(key(SECOND))] == [key(FIRST)] * known
    assert (PULL in greeted(home, SECOND, "compact")) is known


def test_a_codex_fork_reads_its_origin_from_its_first_moment(
    tmp_path: Path, home: Path, ferrule: Callable[..., Any]
) -> None:
    """R87: the fork's file names its origin before anything is said in it."""
    codex = Codex(tmp_path / "codex", cwd="/w/shop").asks("Open a pull request for the retry policy.")
    codex.calls("gh pr create --fill", PULL).says(f"I opened {PULL} for the retry policy.").completes().written()
    assert ferrule("review", str(codex.path)).code == 0
    fork = Codex(tmp_path / "codex", thread="019a0000-0000-7000-8000-00000000000c", cwd="/w/shop")
    fork.lines[0]["payload"]["forked_from_id"] = codex.thread
    fork.written()
    text = greeted(home, fork.thread, "fork", "codex", transcript_path=str(fork.path))
    assert text.startswith(recall_open(f"codex:{fork.thread}"))
    assert PULL in text
    stranger = Codex(tmp_path / "codex", thread="019a0000-0000-7000-8000-00000000000d", cwd="/w/shop").written()
    assert greeted(home, stranger.thread, "startup", "codex", transcript_path=str(stranger.path)) == ""


def test_the_tools_serve_a_session_that_is_not_stored_yet(home: Path, desk: Desk) -> None:
    """R87: the key that the text tells is known to the tools at once: what it goes on from, and shared knowledge."""
    clears(home)
    reader = reader_of(desk.home, key(SECOND))
    assert reader.source == key(SECOND)
    (found,) = (memory for memory in reader.list() if any(handle.value == PULL for handle in memory.handles))
    assert found.layer == "lineage"
    assert [memory.name for memory in reader.search(PULL)] == [found.name]
    shown = reader.details(found.name)
    assert PULL in shown.definition
    assert reader.review_of(shown.turn) is not None
    assert reader.schema("Repository")
    assert desk.home.store.session(key(SECOND)) is None


def test_an_unknown_session_is_served_to_nobody(home: Path, desk: Desk) -> None:
    """R87 CASE-O12: a key that no client's start named is as unknown as ever."""
    greeted(home, "other", "startup")
    for name in ("claude-code:other", "claude-code:nobody", "nobody", "", "claude-code:"):
        with pytest.raises(FerruleError):
            reader_of(desk.home, name)


def test_the_tools_show_a_lineage_with_its_own_words(
    tmp_path: Path, home: Path, ferrule: Callable[..., Any], desk: Desk
) -> None:
    """R87: a stored member's reader gives definition, turn and evidence of what another member learned."""
    clears(home)
    desk.report(cleared(tmp_path / "later"))
    desk.chore()
    assert ferrule("worker", "--once").code == 0
    reader = reader_of(desk.home, key(SECOND))
    (found,) = reader.search(PULL)
    assert (found.layer, PULL in found.definition) == ("lineage", True)
    assert reader.review_of(found.turn) is not None
    names = [memory.name for memory in reader.list()]
    assert len(names) == len(set(names)) > 1

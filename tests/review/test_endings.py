"""What becomes of a known thing is added to its memory, though the thing itself is not wanted anew."""

# ruff: noqa: E501 - a row of the table is one line

import pytest
from critic_cases import SESSION, Desk, Said, bash, dispositions, edit, said_turn, write

from ferrule.adapters.sqlite.remembered import reading
from ferrule.bridge.values import Disposition
from ferrule.memory.reader import MemoryReader

TREE = "/srv/quay.worktrees/tide"
ADDED = bash(f"git worktree add {TREE} -b feat/tide", "Preparing worktree (new branch 'feat/tide')")
PULL = "https://git.example/harbor/quay/pull/12"
OPENED = bash("gh pr create --fill", PULL)
NOTE = "/srv/quay/docs/tide-notes.md"

# what the first turn makes, what a later one says and does, the memory, the line that it gets
CHANGED: list[tuple[str, tuple[str, str, list[Said]], tuple[str, str, list[Said]], str, str]] = [
    (
        "a worktree that is removed on the way",
        ("Use a worktree of its own for that.", f"The worktree is `{TREE}`.", [ADDED]),
        ("tidy up, we are done with the tides", "All tidy.", [bash(f"git worktree remove {TREE}")]),
        "TideWorktree",
        'LifecycleState = @"deleted"',
    ),
    (
        "a branch that is deleted on the way",
        ("Create a new branch for it", "Created `feat/tide`.", [bash("git checkout -b feat/tide", "Switched to a new branch 'feat/tide'")]),
        ("tidy up", "All tidy.", [bash("git branch -d feat/tide", "Deleted branch feat/tide (was 1a2b3c4).")]),
        "FeatTideBranch",
        'LifecycleState = @"deleted"',
    ),
    (
        "a pull request that is merged, as the forge says",
        ("open a PR for it", f"Opened {PULL}.", [OPENED]),
        ("ship it", "Shipped.", [bash("gh pr merge 12 --squash", "✓ Squashed and merged pull request #12")]),
        "PullRequest12",
        'LifecycleState = @"merged"',
    ),
    (
        "a pull request that is merged, as the outcome says in another language",
        ("mach einen PR auf", f"Offen: {PULL}.", [OPENED]),
        ("rein damit", "PR #12 ist gemergt, der Zweig ist weg.", [bash("gh pr merge 12 --squash", "")]),
        "PullRequest12",
        'LifecycleState = @"gemergt"',
    ),
    (
        "a pull request that the user merged elsewhere",
        ("open a PR for it", f"Opened {PULL}.", [OPENED]),
        ("PR #12 is merged now, what comes next?", "The changelog is next.", []),
        "PullRequest12",
        'LifecycleState = @"merged"',
    ),
    (
        "an issue that is closed",
        ("work on issue #31 first", "Issue #31 is about the cache. I looked at it.", [bash("gh issue view 31", "title: slow tide")]),
        ("close it", "Closed #31.", [bash("gh issue close 31", "✓ Closed issue #31 (slow tide): it is closed")]),
        "Issue31",
        'LifecycleState = @"closed"',
    ),
    (
        "a file that moves on the way",
        ("write down what we know in docs/tide-notes.md", "Wrote `docs/tide-notes.md`.", [write(NOTE)]),
        ("tidy the docs", "Done.", [bash("git mv docs/tide-notes.md docs/archive/tide-notes.md")]),
        "TideNotesMd",
        'FilePathAtTurn2 = @"/srv/quay/docs/archive/tide-notes.md"',
    ),
]  # fmt: skip


@pytest.mark.parametrize("row", CHANGED, ids=[row[0] for row in CHANGED])
def test_a_memory_is_told_what_became_of_the_thing(
    desk: Desk, row: tuple[str, tuple[str, str, list[Said]], tuple[str, str, list[Said]], str, str]
) -> None:
    """R38, R45, DEC-D10: deleted, merged, closed, moved, each with its evidence, and nothing of before is touched."""
    why, (user, outcome, calls), (then, said, done), name, line = row
    desk.review(said_turn(user, outcome, *calls))
    before = desk.memory()[name]
    draft, _ = desk.review(said_turn(then, said, *done, ordinal=2))
    assert not desk.refused, why
    assert line in desk.memory()[name], why
    assert all(old in desk.memory()[name] for old in before.splitlines() if "=" in old)
    assert Disposition.EXISTING_AUGMENT in dispositions(draft.decisions).values()


UNCHANGED: list[tuple[str, str, str, list[Said]]] = [
    ("a condition", "once PR #12 is merged, we release", "Noted.", []),
    ("a question", "is PR #12 merged?", "PR #12 is not merged yet.", [bash("gh pr view 12", "state: OPEN")]),
    ("a merge to come", "merge it", "It merges itself.", [bash("gh pr merge 12 --auto", "Pull request #12 will be automatically merged via squash")]),
    ("a failed merge", "merge it", "The merge failed.", [bash("gh pr merge 12", "not mergeable", ok=False)]),
    ("another one that was merged", "PR #11 is merged, and #12?", "#12 waits for a review.", []),
]  # fmt: skip


@pytest.mark.parametrize("row", UNCHANGED, ids=[row[0] for row in UNCHANGED])
def test_what_is_only_wished_or_failed_changes_no_memory(desk: Desk, row: tuple[str, str, str, list[Said]]) -> None:
    """R47, R63: a plan, a condition, a question and a failed call end nothing."""
    _, user, outcome, calls = row
    desk.review(said_turn("open a PR for it", f"Opened {PULL}.", OPENED))
    before = desk.memory()["PullRequest12"]
    desk.review(said_turn(user, outcome, *calls, ordinal=2))
    assert desk.memory()["PullRequest12"] == before


def test_the_same_end_is_told_once(desk: Desk) -> None:
    """R37, R66: a second turn that says so adds nothing."""
    desk.review(said_turn("open a PR for it", f"Opened {PULL}.", OPENED))
    desk.review(said_turn("ship it", "Merged #12.", bash("gh pr merge 12", "✓ Merged pull request #12"), ordinal=2))
    before = desk.memory()
    desk.review(said_turn("PR #12 is merged now, isn't it?", "Yes, #12 is merged.", ordinal=3))
    assert desk.memory() == before


def test_what_comes_back_after_deletion_is_there_again(desk: Desk) -> None:
    """R45: the current state is the latest one."""
    make = bash("git checkout -b feat/tide", "Switched to a new branch 'feat/tide'")
    desk.review(said_turn("Create a new branch for it", "Created `feat/tide`.", make))
    desk.review(said_turn("tidy up", "Ok.", bash("git branch -D feat/tide", "Deleted branch feat/tide"), ordinal=2))
    desk.review(said_turn("again, please", "Created `feat/tide` again.", make, ordinal=3))
    assert 'LifecycleStateAtTurn3 = @"created"' in desk.memory()["FeatTideBranch"]


def test_what_is_merged_stays_merged_until_it_is_opened_again(desk: Desk) -> None:
    """R45: a comment changes nothing of it; opening it again does."""
    desk.review(said_turn("open a PR for it", f"Opened {PULL}.", OPENED))
    desk.review(
        said_turn("close it", "PR #12 is closed.", bash("gh pr close 12", "✓ Closed pull request #12"), ordinal=2)
    )
    before = desk.memory()["PullRequest12"]
    assert 'LifecycleState = @"closed"' in before
    desk.review(
        said_turn("say why on PR #12", "Commented on PR #12.", bash("gh pr comment 12 -b x", f"{PULL}#c1"), ordinal=3)
    )
    assert desk.memory()["PullRequest12"] == before
    desk.review(
        said_turn(
            "reopen PR #12", "PR #12 is open again.", bash("gh pr reopen 12", "✓ Reopened pull request #12"), ordinal=4
        )
    )
    assert "LifecycleStateAtTurn4" in desk.memory()["PullRequest12"]


def test_every_reader_is_told_that_it_is_merged(desk: Desk) -> None:
    """R45, R87: the list, and the text that an agent gets after its context was cut."""
    desk.review(said_turn("open a PR for it", f"Opened {PULL}.", OPENED))
    desk.review(said_turn("ship it", "Merged #12.", bash("gh pr merge 12", "✓ Merged pull request #12"), ordinal=2))
    listed = [memory.modality for memory in MemoryReader(desk.store, desk.permanent, SESSION).list()]
    with reading(desk.home) as remembered:
        assert remembered is not None
        assert [memory.modality for memory in remembered.memories(SESSION)] == listed == ["merged"]


FOLDER = "/srv/quay/docs/notes"


@pytest.mark.parametrize(
    ("move", "path", "name"),
    [
        (f"git mv {FOLDER} /srv/quay/docs/archive", "/srv/quay/docs/archive/tide-plan.md", "TidePlanMd"),
        (f"git mv {FOLDER} /srv/quay/docs/archive", "/srv/quay/docs/other/tide-plan.md", "OtherTidePlanMd"),
    ],
)
def test_a_file_is_known_again_in_its_renamed_folder(desk: Desk, move: str, path: str, name: str) -> None:
    """R33, R34, R45: the memory of the folder tells where the file was; any other folder has a file of its own."""
    desk.review(
        said_turn(
            f"Keep the folder {FOLDER} in mind, we will need it.", f"Noted: `{FOLDER}`.", bash(f"ls {FOLDER}", "a.md")
        )
    )
    desk.review(
        said_turn(
            "write docs/notes/tide-plan.md",
            "Wrote `docs/notes/tide-plan.md`.",
            write(f"{FOLDER}/tide-plan.md"),
            ordinal=2,
        )
    )
    desk.review(
        said_turn("rename the folder notes to archive", "`docs/notes` is `docs/archive` now.", bash(move), ordinal=3)
    )
    short = path.removeprefix("/srv/quay/")
    desk.review(said_turn(f"add the tides to {short}", f"Added them to `{short}`.", edit(path), ordinal=4))
    assert not desk.refused
    assert f'@"{path}"' in desk.memory()[name]

"""Where a turn happened, read from evidence."""

import pytest

from ferrule.referents.kinds import Place
from ferrule.session.place import normal_remote, place_of
from ferrule.session.turn import ToolCall

REMOTES = [
    ("git@github.com:Larkspur/Atlas.git", "github.com/larkspur/atlas"),
    ("https://github.com/larkspur/atlas", "github.com/larkspur/atlas"),
    ("https://user:secret@github.com/larkspur/atlas.git", "github.com/larkspur/atlas"),
    ("ssh://git@git.example.org:2222/team/atlas.git", "git.example.org/team/atlas"),
    ("https://github.com", None),
    ("https://www.github.com/larkspur/atlas/", "github.com/larkspur/atlas"),
    ("git@work:larkspur/atlas.git", None),  # an alias of this machine is no identity
    ("../sibling", None),
    ("C:/larkspur/atlas", None),
    ("file:///srv/git/atlas.git", None),
    ("", None),
]


def shell(command: str, result: str, *, ok: bool | None = True) -> ToolCall:
    """A shell call."""
    return ToolCall("c1", "Bash", {"command": command}, result, ok)


@pytest.mark.parametrize(("remote", "expected"), REMOTES)
def test_spellings_of_a_remote_are_one_repository(remote: str, expected: str | None) -> None:
    """DEC-D9: scheme, user, port, `.git` and case do not tell repositories apart."""
    assert normal_remote(remote) == expected


def test_the_root_is_what_git_says_not_what_a_path_looks_like() -> None:
    """Design section 3: without evidence there is no root."""
    call = shell("git rev-parse --show-toplevel", "/w/atlas\n")
    assert place_of("/w/atlas/src", [call]).root == "/w/atlas"
    assert place_of("/w/atlas/src", []).root is None
    assert place_of("/elsewhere", [call]).root is None


def test_the_repository_is_read_from_remotes_and_pushes() -> None:
    """Design section 3: `git remote -v`, `git remote get-url`, the `To` line of a push."""
    shown = "origin\tgit@github.com:larkspur/atlas.git (fetch)\norigin\tgit@github.com:larkspur/atlas.git (push)"
    for call in (
        shell("git remote -v", shown),
        shell("git remote get-url origin", "https://github.com/larkspur/atlas\n"),
        shell("git push", "To github.com:larkspur/atlas.git\n   1..2  main -> main"),
    ):
        assert place_of("/w/atlas", [call]).repository == "github.com/larkspur/atlas"


def test_another_repositorys_remote_is_not_this_ones() -> None:
    """R23: a command that went elsewhere, or failed, proves nothing about here."""
    shown = "origin\tgit@github.com:larkspur/other.git (fetch)"
    assert place_of("/w", [shell("cd ../other && git remote -v", shown)]).repository is None
    assert place_of("/w", [shell("git -C ../other remote -v", shown)]).repository is None
    assert place_of("/w", [shell("git remote -v", shown, ok=False)]).repository is None


WORKTREES = [
    ("/w/atlas/.worktrees/fix-1", None, "/w/atlas/.worktrees/fix-1"),
    ("/w/atlas/.worktrees/mira/fix-1/src", "mira/fix-1", "/w/atlas/.worktrees/mira/fix-1"),
    ("/w/atlas/.worktrees/mira/fix-1", None, None),
    ("/w/atlas.worktrees/fix-1", None, "/w/atlas.worktrees/fix-1"),
    ("/w/atlas/.claude/worktrees/fix-1", None, "/w/atlas/.claude/worktrees/fix-1"),
    ("D:\\atlas\\.worktrees\\fix-1", None, "D:\\atlas\\.worktrees\\fix-1"),
    ("/w/worktreesome/fix", None, None),
]


@pytest.mark.parametrize(("cwd", "branch", "root"), WORKTREES)
def test_a_folder_of_worktrees_names_the_root(cwd: str, branch: str | None, root: str | None) -> None:
    """Design section 3: a worktree's name may hold slashes when it is the branch's."""
    assert place_of(cwd, [], branch=branch).root == root


def test_the_place_of_the_turn_before_still_holds_in_the_same_folder() -> None:
    """Design section 3: a later turn need not ask git again; another folder is another question."""
    before = Place("/w/atlas", "/w/atlas", "github.com/larkspur/atlas")
    assert place_of("/w/atlas", [], before=before) == before
    assert place_of("/w/other", [], before=before) == Place("/w/other")

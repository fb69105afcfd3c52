"""Sameness of handles: identity keys and normal forms."""
# ruff: noqa: E501 - tables of cases keep one case a line

import pytest

from ferrule.referents.forms import identity_key, normal_form, same_commit
from ferrule.referents.kinds import NOWHERE, HandleKind, Place
from ferrule.referents.locations import same_file_tail

K = HandleKind
REPO = Place(cwd="/home/ann/work/tool/cli", root="/home/ann/work/tool", repository="github.com/Ann/Tool")
TREE = Place(
    cwd="/home/ann/work/tool/.worktrees/fix",
    root="/home/ann/work/tool/.worktrees/fix",
    repository="github.com/ann/tool",
)
WINDOWS = Place(cwd="d:\\work\\tool", root="D:/work/tool/", repository="github.com/ann/tool")
GIT_BASH = Place(cwd="/d/work/tool", root="D:\\work\\tool", repository="github.com/ann/tool")
LAB = Place(repository="gitlab.com/group/sub/tool")

FAMILIES = [
    ("path:github.com/ann/tool:cli/main.go", [
        (K.FILESYSTEM_PATH, "main.go", REPO),
        (K.FILESYSTEM_PATH, "./main.go", REPO),
        (K.FILESYSTEM_PATH, "cli/main.go", REPO),
        (K.FILESYSTEM_PATH, "../cli/main.go", REPO),
        (K.FILESYSTEM_PATH, "/home/ann/work/tool/cli/main.go:12:4", REPO),
        (K.FILESYSTEM_PATH, "`/home/ann/work/tool//cli/main.go`", REPO),
        (K.FILESYSTEM_PATH, "/home/ann/work/tool/.worktrees/fix/cli/main.go", REPO),
        (K.FILESYSTEM_PATH, "/home/ann/work/tool/.claude/worktrees/x/cli/main.go", REPO),
        (K.FILESYSTEM_PATH, "cli/main.go", TREE),
        (K.FILESYSTEM_PATH, "/home/ann/work/tool/cli/main.go", TREE),
        (K.FILESYSTEM_PATH, "/home/ann/work/tool/.worktrees/fix/cli/main.go", TREE),
        (K.FILESYSTEM_PATH, "/home/ann/work/tool/.worktrees/other/cli/main.go", TREE),
        (K.PROMPT_PATH, "cli/main.go#L4-L9", REPO),
        (K.FILESYSTEM_PATH, "D:\\work\\tool\\cli\\main.go", WINDOWS),
        (K.FILESYSTEM_PATH, "d:/work/tool/cli/main.go", WINDOWS),
        (K.FILESYSTEM_PATH, "cli\\main.go", WINDOWS),
        (K.FILESYSTEM_PATH, "/d/work/tool/cli/main.go", WINDOWS),
        (K.FILESYSTEM_PATH, "/mnt/d/work/tool/cli/main.go", WINDOWS),
        (K.FILESYSTEM_PATH, "D:/work/tool/cli/main.go", GIT_BASH),
        (K.FILESYSTEM_PATH, "cli/main.go", GIT_BASH),
        (K.FILESYSTEM_PATH, "cli/main.go", Place(repository="github.com/ann/tool")),
    ]),
    ("path:/home/ann/work/tool", [
        (K.REPOSITORY_ROOT, "/home/ann/work/tool/", REPO),
        (K.FILESYSTEM_PATH, "..", REPO),
        (K.REPOSITORY_ROOT, "/home/ann/work/tool", NOWHERE),
        (K.REPOSITORY_ROOT, "~/work/tool", REPO),
    ]),
    ("path:/home/ann/work/tool/.worktrees/fix", [
        (K.REPOSITORY_ROOT, "/home/ann/work/tool/.worktrees/fix", TREE),
        (K.FILESYSTEM_PATH, "/home/ann/work/tool/.worktrees/fix/", REPO),
    ]),
    ("path:/srv/tool/src/a.py", [
        (K.FILESYSTEM_PATH, "/srv/tool__worktrees/x/src/a.py", NOWHERE),
        (K.FILESYSTEM_PATH, "/srv/tool.worktrees/x/src/a.py", NOWHERE),
        (K.FILESYSTEM_PATH, "file:///srv/tool/src/a.py", NOWHERE),
    ]),
    ("path://box/share/a.md", [(K.FILESYSTEM_PATH, "\\\\box\\share\\a.md", NOWHERE), (K.FILESYSTEM_PATH, "//box/share/a.md", NOWHERE)]),
    ("path:D:/work/a.md", [(K.FILESYSTEM_PATH, "/d/work/a.md", WINDOWS), (K.FILESYSTEM_PATH, "D:\\work\\a.md", GIT_BASH), (K.FILESYSTEM_PATH, "d:\\\\work\\\\a.md", NOWHERE), (K.FILESYSTEM_PATH, "D:\\work\\.\\a.md", NOWHERE)]),
    ("path:/d/work/a.md", [(K.FILESYSTEM_PATH, "/d/work/a.md", NOWHERE), (K.FILESYSTEM_PATH, "/d/work/a.md", REPO)]),
    ("path:/dev/a", [(K.FILESYSTEM_PATH, "/dev/a", WINDOWS)]),
    ("path:~/work", [(K.FILESYSTEM_PATH, "~/work/", NOWHERE), (K.FILESYSTEM_PATH, "~/./work", Place(repository="github.com/ann/tool"))]),
    ("repo:github.com/ann/tool", [
        (K.URL, "https://github.com/Ann/Tool.git", NOWHERE),
        (K.URL, "https://www.github.com/ann/tool/", NOWHERE),
        (K.URL, "git@github.com:ann/tool.git", NOWHERE),
        (K.URL, "ssh://git@github.com/ann/tool", NOWHERE),
        (K.URL, "github.com:ann/tool.git", NOWHERE),
        (K.REPOSITORY_ID, "ann/tool", NOWHERE),
        (K.REPOSITORY_ID, "github:ann/tool", NOWHERE),
        (K.REPOSITORY_ID, "tool", REPO),
    ]),
    ("pr:github.com/ann/tool:12", [
        (K.PULL_REQUEST, "#12", REPO),
        (K.PULL_REQUEST, "12", REPO),
        (K.PULL_REQUEST, "PR#12", REPO),
        (K.PULL_REQUEST, "PR 12", REPO),
        (K.PULL_REQUEST, "ann/tool#12", NOWHERE),
        (K.PULL_REQUEST, "ann/tool/pull/12", NOWHERE),
        (K.URL, "https://github.com/Ann/Tool/pull/12/files#diff-1", NOWHERE),
        (K.ISSUE, "issue 12", REPO),
        (K.URL, "https://github.com/ann/tool/issues/12#issuecomment-9", NOWHERE),
        (K.URL, "https://api.github.com/repos/ann/tool/pulls/12", NOWHERE),
    ]),
    ("pr::12", [(K.PULL_REQUEST, "#12", NOWHERE), (K.ISSUE, "12", NOWHERE)]),
    ("mr:gitlab.com/group/sub/tool:9", [
        (K.PULL_REQUEST, "!9", LAB),
        (K.URL, "https://gitlab.com/group/sub/tool/-/merge_requests/9", NOWHERE),
    ]),
    ("issue:gitlab.com/group/sub/tool:9", [(K.ISSUE, "#9", LAB)]),
    ("task:OPS-7", [
        (K.TASK_ID, "OPS-7", REPO),
        (K.ISSUE, "ops-7", NOWHERE),
        (K.URL, "https://linear.app/team/issue/OPS-7/title", NOWHERE),
        (K.URL, "https://ann.atlassian.net/browse/OPS-7", NOWHERE),
    ]),
    ("task:github.com/ann/tool:008", [(K.TASK_ID, "task#008", REPO), (K.TASK_ID, "Task 008", REPO)]),
    ("sha:0a1b2c3d", [(K.COMMIT_SHA, "0A1B2C3D", REPO), (K.URL, "https://github.com/ann/tool/commit/0a1b2c3d", NOWHERE)]),
    ("branch:github.com/ann/tool:fix/x", [
        (K.BRANCH, "fix/x", REPO),
        (K.BRANCH, "origin/fix/x", REPO),
        (K.BRANCH, "refs/heads/fix/x", REPO),
        (K.URL, "https://github.com/ann/tool/tree/fix/x", NOWHERE),
    ]),
    ("tag:github.com/ann/tool:v1.2", [(K.TAG, "v1.2", REPO), (K.URL, "https://github.com/ann/tool/releases/tag/v1.2", NOWHERE)]),
    ("cmd:gh pr view 12 --web", [(K.COMMAND, "$ gh pr view 12 \\\n    --web", REPO), (K.COMMAND, "`gh pr  view 12 --web`", NOWHERE)]),
    ("url:https://example.org/a?b=1", [
        (K.URL, "HTTPS://Example.org:443/a/?b=1", NOWHERE),
        (K.URL, "https://ann:x@example.org/a?b=1", NOWHERE),
    ]),
    ("package:@ann/tool", [(K.PACKAGE_ID, "@ann/tool", NOWHERE), (K.PACKAGE_ID, "npm:@Ann/Tool@1.2.3", NOWHERE)]),
    ("package:requests", [(K.PACKAGE_ID, "requests==2.31.0", NOWHERE), (K.PACKAGE_ID, "requests", NOWHERE)]),
    ("host:db.example.org", [(K.HOST, "DB.example.org", NOWHERE), (K.HOST, "https://db.example.org/x", NOWHERE)]),
    ("secret:DEPLOY_KEY", [(K.SECRET_NAME, "DEPLOY_KEY", REPO)]),
]  # fmt: skip

CASES = [(key, *case) for key, cases in FAMILIES for case in cases]


@pytest.mark.parametrize(("key", "kind", "value", "place"), CASES, ids=[f"{case[1]} {case[2]}" for case in CASES])
def test_two_spellings_of_one_handle_have_one_key(key: str, kind: HandleKind, value: str, place: Place) -> None:
    """R33, DEC-D9, R65."""
    assert identity_key(kind, value, place)[0] == key


DIFFERENT = [
    ((K.FILESYSTEM_PATH, "src/a.py"), (K.FILESYSTEM_PATH, "src/b.py"), REPO),
    ((K.FILESYSTEM_PATH, "/srv/a"), (K.FILESYSTEM_PATH, "/srv/A"), NOWHERE),
    ((K.REPOSITORY_ROOT, "/home/ann/work/tool"), (K.REPOSITORY_ROOT, "/home/ann/work/tool/.worktrees/fix"), REPO),
    ((K.PULL_REQUEST, "#1"), (K.PULL_REQUEST, "#11"), REPO),
    ((K.PULL_REQUEST, "#12"), (K.PULL_REQUEST, "bob/tool#12"), REPO),
    ((K.URL, "http://localhost:5173"), (K.URL, "http://localhost:5174"), NOWHERE),
    ((K.BRANCH, "fix/x"), (K.TAG, "fix/x"), REPO),
    ((K.PULL_REQUEST, "!9"), (K.ISSUE, "#9"), LAB),
    ((K.COMMAND, "make check"), (K.COMMAND, "make  checks"), NOWHERE),
]


@pytest.mark.parametrize(("one", "other", "place"), DIFFERENT)
def test_two_things_never_share_a_key(one: tuple[HandleKind, str], other: tuple[HandleKind, str], place: Place) -> None:
    """R34, CASE-E14."""
    assert identity_key(*one, place) != identity_key(*other, place)


def test_a_joined_path_is_marked_as_derived() -> None:
    """DEC-D9."""
    assert identity_key(K.FILESYSTEM_PATH, "main.go", REPO)[1]
    assert not identity_key(K.FILESYSTEM_PATH, "/home/ann/work/tool/cli/main.go", REPO)[1]
    assert not identity_key(K.FILESYSTEM_PATH, "main.go", NOWHERE)[1]


def test_unicode_spellings_of_a_path_are_one() -> None:
    """DEC-D9, CASE-C08."""
    composed, decomposed = "/srv/gr\u00f6\u00dfe.md", "/srv/gro\u0308\u00dfe.md"
    assert identity_key(K.FILESYSTEM_PATH, composed) == identity_key(K.FILESYSTEM_PATH, decomposed)


def test_the_normal_form_stays_readable() -> None:
    """DEC-D9."""
    assert normal_form(K.FILESYSTEM_PATH, "main.go", REPO) == "/home/ann/work/tool/cli/main.go"
    assert normal_form(K.FILESYSTEM_PATH, "src\\a.go", WINDOWS) == "D:/work/tool/src/a.go"
    assert normal_form(K.URL, "HTTPS://Example.org/a/", NOWHERE) == "https://example.org/a"
    assert normal_form(K.COMMAND, "$ make   check", NOWHERE) == "make check"


def test_a_short_sha_is_the_start_of_the_long_one() -> None:
    """DEC-D6."""
    assert same_commit("0a1b2c3", "0A1B2C3D4e5f6a7b8c9d0a1b2c3d4e5f6a7b8c9d")
    assert not same_commit("0a1b2c3", "0a1b2c4d")
    assert not same_commit("0a1b", "0a1b2c3d")


def test_a_tail_is_a_whole_number_of_components() -> None:
    """CASE-E14."""
    assert same_file_tail("core/a.py", "/srv/src/core/a.py")
    assert not same_file_tail("ore/a.py", "/srv/src/core/a.py")

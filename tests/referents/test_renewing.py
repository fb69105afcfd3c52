"""Keys of older normal forms become today's, and today's stay what they are."""
# ruff: noqa: E501 - tables of cases keep one case a line, and name folders that nobody opens

import hashlib

import pytest

from ferrule.referents.forms import identity_key
from ferrule.referents.kinds import KEY_FORMS, NOWHERE, HandleKind, Place
from ferrule.referents.renewing import renewed_key, renewed_marks, renewed_repository

K = HandleKind
P = K.FILESYSTEM_PATH
HERE = Place(cwd="/home/ann/work/tool/cli", root="/home/ann/work/tool", repository="github.com/ann/tool")
WINDOWS = Place(cwd="D:/work/Tool", root="D:/work/Tool", repository="github.com/ann/tool")
VALUES = [
    (P, "src/a.py"), (P, "/home/ann/work/tool/cli/a.py"), (P, "/home/ann/work/tool"), (P, "$HOME/x"), (P, "~bob/x"), (P, "../../../x"),
    (P, "C:\\My Work\\a.md"), (P, "\\\\BOX\\Share\\a.md"), (P, "\\\\wsl$\\Ubuntu\\A.py"), (P, "/private/tmp/x"), (P, "/srv/My\\ Notes/a.md:12"),
    (K.URL, "file:///srv/tool/a%2Epy"), (K.URL, "https://BÜCHER.example:443/x/"), (K.URL, "https://example.org/%7Eann/%e4%b8%ad#L3"),
    (K.URL, "git@ssh.dev.azure.com:v3/org/project/repo"), (K.URL, "https://github.com/ann/tool/pull/12/files"), (K.URL, "https://x.example/browse/ENT-98"),
    (K.URL, "https://bitbucket.org/ann/tool/pull-requests/3/diff"), (K.URL, "https://gitlab.example.org/a/b/c/-/issues/4"),
    (K.REPOSITORY_ID, "tool"), (K.REPOSITORY_ID, "other/tool"), (K.PULL_REQUEST, "#12"), (K.ISSUE, "12"), (K.TASK_ID, "task 7"), (K.TASK_ID, "ent-98"),
    (K.BRANCH, "refs/remotes/origin/fix/x"), (K.TAG, "refs/tags/v1"), (K.COMMIT_SHA, "1A2B3C4D"), (K.HOST, "bücher.example."), (K.HOST, "db.example.org:5432"),
    (K.DATABASE_ID, "jdbc:postgresql://DB.example.org:5432/shop"), (K.DATABASE_ID, "shop"), (K.PACKAGE_ID, "npm:@ann/tool@1.2"), (K.PACKAGE_ID, "ghcr.io/ann/tool:main"),
    (K.SECRET_NAME, "${{ secrets.DEPLOY_KEY }}"), (K.OTHER_ID, "HKEY_LOCAL_MACHINE\\SOFTWARE\\Tool\\"), (K.OTHER_ID, "a:b"), (K.COMMAND, "$ make  x"),
    (K.SESSION_KEY, "desk:alpha"), (K.DOCUMENT_ID, "Doc-1"), (K.SITE_ID, "s1"),
]  # fmt: skip
CASES = [
    (identity_key(kind, value, place)[0], place, kind, value) for place in (NOWHERE, HERE) for kind, value in VALUES
]
OLD = [
    # (kind, value, key by the first forms, place, key now)
    (K.URL, "file:///srv/tool/a.py", "url:file:///srv/tool/a.py", NOWHERE, "path:/srv/tool/a.py"),
    (K.URL, "file:///home/ann/work/tool/cli/a.py", "url:file:///home/ann/work/tool/cli/a.py", HERE, "path:github.com/ann/tool:cli/a.py"),
    (K.URL, "https://bücher.example/x", "url:https://bücher.example/x", NOWHERE, "url:https://xn--bcher-kva.example/x"),
    (K.HOST, "bücher.example", "host:bücher.example", HERE, "host:xn--bcher-kva.example"),
    (P, "C:\\My Work\\A.md", "path:C:/My Work/A.md", NOWHERE, "path:C:/my work/a.md"),
    (P, "d:\\WORK\\tool\\cli\\A.go", "path:D:/WORK/tool/cli/A.go", WINDOWS, "path:github.com/ann/tool:cli/A.go"),
    (P, "/private/tmp/x", "path:/private/tmp/x", HERE, "path:/tmp/x"),
    (P, "$HOME/x", "path:github.com/ann/tool:cli/$HOME/x", HERE, "path:/home/ann/x"),
    (P, "$HOME/x", "path:/srv/$HOME/x", NOWHERE, "path:~/x"),
    (K.DATABASE_ID, "postgresql://DB.example.org:5432/shop", "database:postgresql://DB.example.org:5432/shop", NOWHERE, "database:postgres://db.example.org/shop"),
    (K.PACKAGE_ID, "ghcr.io/ann/tool:1.2", "package:ghcr.io/ann/tool:1.2", NOWHERE, "package:ghcr.io/ann/tool"),
    (K.OTHER_ID, "HKLM\\Software\\Tool", "id:HKLM\\Software\\Tool", NOWHERE, "id:HKLM\\software\\tool"),
    (K.SECRET_NAME, "$DEPLOY_KEY", "secret:$DEPLOY_KEY", NOWHERE, "secret:DEPLOY_KEY"),
    (K.URL, "https://dev.azure.com/o/p/_git/r", "repo:dev.azure.com/o/p", NOWHERE, "repo:dev.azure.com/o/p/r"),
    (K.PULL_REQUEST, "#12", "pr:bitbucket.org/ann/tool:12", NOWHERE, "mr:bitbucket.org/ann/tool:12"),
    (K.ISSUE, "#12", "pr:bitbucket.org/ann/tool:12", HERE, "issue:bitbucket.org/ann/tool:12"),
    (K.BRANCH, "fix/x", "branch:ssh.github.com/ann/tool:fix/x", NOWHERE, "branch:github.com/ann/tool:fix/x"),
    # What a turn knew better than the value alone stays known.
    (P, "a.py", "path:github.com/ann/tool:other/a.py", NOWHERE, "path:github.com/ann/tool:other/a.py"),
    (P, "a.py", "path:github.com/ann/tool:other/a.py", HERE, "path:github.com/ann/tool:other/a.py"),
    (P, "../x/a.py", "path:/srv/x/a.py", HERE, "path:/srv/x/a.py"),
    (P, "a.py", "path:D:/Work/Tool/src/a.py", WINDOWS, "path:github.com/ann/tool:src/a.py"),
    (P, "/home/ann/work/tool/a.py", "path:root-commit:12ab:a.py", NOWHERE, "path:root-commit:12ab:a.py"),
    (K.BRANCH, "fix", "branch:root-commit:12ab:fix", HERE, "branch:root-commit:12ab:fix"),
    (K.OTHER_ID, "12", "pr:github.com/ann/tool:12", HERE, "pr:github.com/ann/tool:12"),
    (K.TASK_ID, "7", "task:github.com/ann/tool:7", NOWHERE, "task:github.com/ann/tool:7"),
    (K.TYPED_REFERENCE, "Tool", "", HERE, ""),
]  # fmt: skip


@pytest.mark.parametrize("case", OLD, ids=[f"{case[2]} in {case[3].cwd}" for case in OLD])
def test_an_old_key_becomes_the_key_of_today(case: tuple[HandleKind, str, str, Place, str]) -> None:
    """CASE-N10, R33: and once renewed it stays."""
    kind, value, old, place, now = case
    assert renewed_key(kind, value, old, place) == now
    assert renewed_key(kind, value, now, place) == now


@pytest.mark.parametrize(("key", "place", "kind", "value"), CASES, ids=[case[0] for case in CASES])
def test_a_key_of_today_stays(key: str, place: Place, kind: HandleKind, value: str) -> None:
    """CASE-N10: renewing twice is renewing once, with the place and with the key alone."""
    assert renewed_key(kind, value, key, place) == key
    assert renewed_marks(key, place) == (key,)


@pytest.mark.parametrize(
    ("mark", "now"),
    [
        ("url:file:///srv/a.py", ("path:/srv/a.py",)),
        ("path:C:/Work/A.md", ("path:C:/work/a.md",)),
        ("path:ssh.github.com/ann/tool:A.py", ("path:github.com/ann/tool:A.py",)),
        ("pr:bitbucket.org/ann/tool:3", ("mr:bitbucket.org/ann/tool:3", "issue:bitbucket.org/ann/tool:3")),
        ("pr:github.com/ann/tool:3", ("pr:github.com/ann/tool:3",)),
        ("pr::12", ("pr::12",)),
        ("repo::tool", ("repo::tool",)),
        ("task:ENT-98", ("task:ENT-98",)),
        ("tag:altssh.gitlab.com/a/b:v1", ("tag:gitlab.com/a/b:v1",)),
        ("cmd:make x:y", ("cmd:make x:y",)),
        ("sha:1a2b3c4", ("sha:1a2b3c4",)),
        ("shopwebmodule", ("shopwebmodule",)),
    ],
)
def test_a_tombstone_holds_under_the_keys_of_today(mark: str, now: tuple[str, ...]) -> None:
    """DEC-D14: nothing but the key is left of what was forgotten."""
    assert renewed_marks(mark) == now


@pytest.mark.parametrize("repository", ["github.com/ann/tool", "root-commit:12ab", "git.example.org/tool", ""])
def test_a_repository_of_today_stays(repository: str) -> None:
    """R65."""
    assert renewed_repository(repository) == repository


def test_whoever_changes_the_forms_raises_their_number() -> None:
    """CASE-N10: else stores keep keys that nothing asks for any more. New rows in the table are no change of the forms."""
    told = "\n".join(f"{kind} {value} {place} {identity_key(kind, value, place)[0]}" for _, place, kind, value in CASES)
    assert (KEY_FORMS, hashlib.sha256(told.encode()).hexdigest()[:16]) == (2, "23a58387c3ecf521")

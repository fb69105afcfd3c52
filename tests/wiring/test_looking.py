"""Whether a place is still there, asked of a real folder and a real git."""

import subprocess
from pathlib import Path

import pytest

from ferrule.bridge.values import HandleView
from ferrule.referents.kinds import HandleKind
from ferrule.wiring.looking import looking


def told(cwd: str | None, kind: HandleKind, value: str) -> bool | None:
    """What is found out about one place of a session that worked in that folder."""
    with looking(cwd) as check:
        return check(HandleView(kind, value, "P"))


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with one commit on `trunk`, one file, one tag."""
    root = tmp_path_factory.mktemp("shop")
    (root / "here.py").write_text("x = 1\n", encoding="utf-8")
    (root / "sub").mkdir()
    name = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
    for words in (["init", "-q", "-b", "trunk"], ["add", "."], [*name, "commit", "-q", "-m", "first"], ["tag", "v1"]):
        command = ["git", "-C", str(root), *words]
        subprocess.run(command, check=True, capture_output=True)  # noqa: S603 - git on a folder of our own
    return root


@pytest.mark.parametrize(
    ("kind", "value", "there"),
    [
        (HandleKind.FILESYSTEM_PATH, "here.py", True),
        (HandleKind.FILESYSTEM_PATH, "gone.py", False),
        (HandleKind.FILESYSTEM_PATH, "a\x00b", None),
        (HandleKind.FILESYSTEM_PATH, "/no/such/machine/file.py", None),
        (HandleKind.BRANCH, "trunk", True),
        (HandleKind.BRANCH, "feat/merged-away", False),
        (HandleKind.BRANCH, "--upload-pack=x", None),
        (HandleKind.TAG, "v1", True),
        (HandleKind.COMMIT_SHA, "0123456789abcdef0123456789abcdef01234567", False),
        (HandleKind.PULL_REQUEST, "acme/shop#1", None),
    ],
)
def test_a_place_is_there_gone_or_unknown(
    repository: Path, kind: HandleKind, value: str, *, there: bool | None
) -> None:
    """Only a plain no of the file system or of git counts as gone."""
    assert told(str(repository), kind, value) is there


def test_a_path_relative_to_the_repository_is_found_from_below(repository: Path) -> None:
    """Identity keys are repository-relative; a session may work in a folder below the root."""
    assert told(str(repository / "sub"), HandleKind.FILESYSTEM_PATH, "here.py") is True


def test_nothing_can_be_told_of_a_session_from_elsewhere() -> None:
    """A transcript of another machine: its folder is not here, so nothing of it is called gone."""
    assert told("/no/such/place", HandleKind.FILESYSTEM_PATH, "a.py") is None
    assert told(None, HandleKind.BRANCH, "trunk") is None

"""Which repository a folder is in, told by its files as git itself would tell it."""

import os
import subprocess
from pathlib import Path

import pytest

from ferrule.adapters.repositories.roots import main_root, places_of, says_off

WHO = {f"GIT_{who}_{what}": "x" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}


def git(folder: Path, *words: str) -> None:
    """Run git there."""
    around = {"PATH": os.environ["PATH"], "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1", **WHO}
    subprocess.run(["git", *words], cwd=folder, env=around, check=True, capture_output=True, timeout=30)  # noqa: S603, S607


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A repository with a linked worktree elsewhere."""
    shop = tmp_path / "shop"
    (shop / "src" / "deep").mkdir(parents=True)
    git(shop, "init", "-q")
    git(shop, "commit", "-q", "--allow-empty", "-m", "A start")
    (tmp_path / "away").mkdir()
    git(shop, "worktree", "add", "-q", str(tmp_path / "away" / "tree"))
    (tmp_path / "away" / "tree" / "src").mkdir()
    return shop


def test_a_folder_belongs_to_its_main_worktree_wherever_it_stands(shop: Path, tmp_path: Path) -> None:
    """Inside, in a linked worktree, by a link: the same repository."""
    (tmp_path / "link").symlink_to(shop / "src")
    for folder in (shop, shop / "src" / "deep", tmp_path / "away" / "tree" / "src", tmp_path / "link" / "deep"):
        assert main_root(str(folder)) == shop
        assert shop in places_of(str(folder))


def test_a_folder_without_a_repository_is_its_own(tmp_path: Path) -> None:
    """Also one that is not there."""
    assert main_root(str(tmp_path)) == tmp_path
    gone = tmp_path / "gone" / "for good"
    assert main_root(str(gone)) == gone
    assert gone in places_of(str(gone))


@pytest.mark.parametrize(
    "text", ["", "gitdir:", "gitdir: \x00", "gitdir: /nowhere", "nothing", "gitdir: ../../../..", "x" * 10_000]
)
def test_what_stands_in_a_strange_file_leads_nowhere(tmp_path: Path, text: str) -> None:
    """CASE-E07: whoever owns the folder wrote it; the folder itself counts all the same."""
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / ".git").write_text(text)
    assert main_root(str(tmp_path / "work")) == tmp_path / "work"
    assert tmp_path / "work" in places_of(str(tmp_path / "work"))


def test_a_folder_that_only_claims_to_be_a_worktree_is_none(shop: Path, tmp_path: Path) -> None:
    """INV-I7: the repository has to know it too, or a stranger's folder would pass for a part of it."""
    (tmp_path / "stranger").mkdir()
    (tmp_path / "stranger" / ".git").write_text(f"gitdir: {shop / '.git' / 'worktrees' / 'tree'}\n")
    assert main_root(str(tmp_path / "stranger")) == tmp_path / "stranger"
    assert shop not in places_of(str(tmp_path / "stranger"))


def test_a_pipe_in_its_place_holds_nobody_up(tmp_path: Path) -> None:
    """CASE-E07: it is not waited on."""
    os.mkfifo(tmp_path / ".git")
    assert main_root(str(tmp_path)) == tmp_path


def test_the_file_that_says_off_is_found_from_everywhere_in_the_repository(shop: Path, tmp_path: Path) -> None:
    """In the root of either worktree; a folder below says it for itself."""
    tree = tmp_path / "away" / "tree"
    assert says_off(str(shop / "src")) is None
    (shop / "src" / ".ferrule").mkdir()
    (shop / "src" / ".ferrule" / "off").touch()
    assert says_off(str(shop / "src")) == shop / "src" / ".ferrule" / "off"
    assert says_off(str(shop)) is None
    (shop / ".ferrule").mkdir()
    (shop / ".ferrule" / "off").symlink_to("nowhere")
    for folder in (shop, shop / "src" / "deep", tree / "src"):
        assert says_off(str(folder)) == shop / ".ferrule" / "off"

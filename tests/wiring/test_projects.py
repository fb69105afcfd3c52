"""Where a project begins, and what of it is part of a session's permanent layer."""

from pathlib import Path

import pytest
from project_cases import REMOTE, STAGING, checkout, ontology, worktree

from ferrule.adapters.projects.ontology import MAX_ENTRIES, read_ontology
from ferrule.adapters.projects.places import git_root, main_root, origin_of
from ferrule.adapters.projects.records import Trusted, put_recall, put_trusted, recalling, trusted
from ferrule.adapters.projects.writing import Change, put_files
from ferrule.errors import Code, StoreError
from ferrule.ontology.layers import InMemoryLayer
from ferrule.session.repository import neighbours
from ferrule.session.source import SourceSession
from ferrule.wiring.neighbourhood import checkout_of, is_wide
from ferrule.wiring.projects import Trust, projects_of, standing


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A checkout with one definition of its own."""
    place = checkout(tmp_path / "shop")
    ontology(place, Staging=STAGING)
    return place


def test_a_project_is_the_nearest_folder_that_git_keeps(root: Path, tmp_path: Path) -> None:
    """A folder that is gone still has its parents; what is no path has no project."""
    (root / "src").mkdir()
    tree = worktree(root, root / ".worktrees" / "retry")
    for path in (root, root / "src", root / "src" / "gone" / "deep"):
        assert git_root(str(path)) == root
    assert git_root(str(tree / "src")) == tree
    assert (main_root(tree), main_root(root)) == (root, root)
    assert (origin_of(tree), origin_of(root)) == (REMOTE, REMOTE)
    for nowhere in (None, "", "src", "~/x", "/a\x00b", str(tmp_path)):
        assert git_root(nowhere) is None


@pytest.mark.parametrize("text", ["", "gitdir:", "gitdir: /nowhere", "gitdir: ../../..", "x" * 200_000, "gitdir: \x00"])
def test_a_git_file_that_leads_nowhere_is_a_checkout_of_its_own(tmp_path: Path, text: str) -> None:
    """R94: a cloned file can say anything; it moves trust nowhere."""
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / ".git").write_text(text)
    assert main_root(tmp_path / "shop") == tmp_path / "shop"
    assert origin_of(tmp_path / "shop") == ""


def test_a_folder_that_only_claims_to_be_a_worktree_is_none(root: Path, tmp_path: Path) -> None:
    """INV-I7: both sides have to say so, or a stranger's folder would be told what the checkout's sessions know."""
    tree = worktree(root, tmp_path / "shop-retry")
    (tmp_path / "evil").mkdir()
    (tmp_path / "evil" / ".git").write_text((tree / ".git").read_text())
    module = root / ".git" / "modules" / "lib"
    module.mkdir(parents=True)
    (root / "lib").mkdir()
    (root / "lib" / ".git").write_text(f"gitdir: {module}\n")
    assert main_root(tmp_path / "evil") == tmp_path / "evil"
    assert main_root(root / "lib") == root / "lib"
    put_recall(tmp_path / "home", root, on=True)
    assert not is_wide(tmp_path / "home", str(tmp_path / "evil"))


def test_where_nothing_was_trusted_the_layer_is_the_homes_own_and_nothing_is_looked_at(
    root: Path, tmp_path: Path
) -> None:
    """R65: no cost and no notice for whoever never used it."""
    projects = projects_of(tmp_path / "home", (), ())
    assert not projects.decided()
    assert projects.layer(str(root)) is projects.permanent
    assert projects.notices() == ()
    assert standing(tmp_path / "home", root).trust is Trust.UNTRUSTED
    assert standing(tmp_path / "home", tmp_path).trust is Trust.NONE


def test_a_trusted_file_is_reached_by_every_spelling_of_its_path(root: Path, tmp_path: Path) -> None:
    """R65: relative in the file; in a session absolute, or by the repository's name."""
    text = 'prototype RetryTest : SourceFile { FilePath = "tests/test_retry.py"; }'
    ontology(root, Staging=text)
    put_trusted(tmp_path / "home", Trusted(root, "", {"Staging.pts": text}))
    (tmp_path / "link").symlink_to(root)
    projects = projects_of(tmp_path / "home", (), ())
    layer = projects.layer(str(root / "src"))
    for key in ("path:github.com/acme/shop:tests/test_retry.py", f"path:{root}/tests/test_retry.py"):
        assert layer.holding(key) == ("RetryTest",)
    spelled = projects.layer(str(tmp_path / "link"))
    assert spelled.holding(f"path:{tmp_path / 'link'}/tests/test_retry.py") == ("RetryTest",)
    assert projects.layer(str(root)) is projects.layer(str(root))
    assert isinstance(layer, InMemoryLayer)


def test_a_base_that_no_longer_fits_is_told_and_the_project_left_out(root: Path, tmp_path: Path) -> None:
    """R86: a trusted file never keeps a command from working."""
    text = "prototype Odd : GoneType;"
    ontology(root, Staging=text)
    put_trusted(tmp_path / "home", Trusted(root, "", {"Staging.pts": text}))
    projects = projects_of(tmp_path / "home", (), ())
    assert projects.layer(str(root)) is projects.permanent
    assert "GoneType is not known" in projects.notices()[0]


def test_a_folder_of_too_many_files_is_not_read_at_all(root: Path) -> None:
    """CASE-E05: bounded, and the same whatever order a disk gives."""
    place = root / ".ferrule" / "ontology" / "many"
    place.mkdir()
    for number in range(MAX_ENTRIES + 1):
        (place / f"f{number}.pts").write_text("// x\n")
    found = read_ontology(root)
    assert [text.name for text in found.texts] == ["Staging.pts"]
    assert [one.name for one in found.unread] == ["many/"]


def test_a_file_that_changed_since_it_was_shown_is_not_replaced(root: Path) -> None:
    """DEC-D8: what is written is what was looked at; nothing of it otherwise."""
    changes = [Change("New.pts", None, "// new\n"), Change("Staging.pts", "// other\n", "// mine\n")]
    with pytest.raises(StoreError) as refused:
        put_files(root, changes)
    assert refused.value.code is Code.STALE_REVISION
    assert [file.name for file in (root / ".ferrule" / "ontology").iterdir()] == ["Staging.pts"]
    put_files(root, [Change("New.pts", None, "// new\n"), Change("Staging.pts", STAGING, "// mine\n")])
    assert (root / ".ferrule" / "ontology" / "Staging.pts").read_text() == "// mine\n"


def test_decisions_are_private_files_of_their_own(root: Path, tmp_path: Path) -> None:
    """DEC-D8: one does not touch the other."""
    home = tmp_path / "home"
    assert put_recall(home, root, on=True)
    assert not put_recall(home, root, on=True)
    put_trusted(home, Trusted(root, "2030-01-01T00:00:00+00:00", {"A.pts": "// a\n"}))
    assert put_recall(home, root, on=False)
    assert not recalling(home, root)
    held = trusted(home, root)
    assert held is not None
    assert held.texts == {"A.pts": "// a\n"}


def test_neighbours_are_proved_and_never_guessed(root: Path, tmp_path: Path) -> None:
    """INV-I7, R87: two different remotes are two repositories even in one folder; an unknown one is nobody's."""

    def session(key: str, cwd: Path | None, repository: str | None = None, *, hidden: bool = False) -> SourceSession:
        return SourceSession(key, "buffaly-agent", cwd=str(cwd) if cwd else None, repository=repository, hidden=hidden)

    tree = worktree(root, tmp_path / "shop-retry")
    others = [
        session("same folder", root),
        session("worktree", tree),
        session("same remote", None, "GitHub.com/acme/shop"),
        session("other remote", root, "github.com/acme/farm"),
        session("nowhere", None),
        session("elsewhere", tmp_path),
        session("companion", root, hidden=True),
    ]
    found = neighbours(session("own", root, "github.com/acme/shop"), others, checkout_of)
    assert [one.key for one in found] == ["same folder", "worktree", "same remote"]
    assert neighbours(session("own", None), others, checkout_of) == ()
    put_recall(tmp_path / "home", root, on=True)
    wide = [is_wide(tmp_path / "home", str(path)) for path in (root, tree, tmp_path)]
    assert wide == [True, True, False]

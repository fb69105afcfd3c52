"""Slices of the campaigns with real disks: power cuts, full and read-only ones, limits; skipped with the reason."""

from pathlib import Path

import pytest
from proofs.children import brood
from proofs.deeds import SOURCE, Bench
from proofs.powers import KINDS, cannot_mount, cuts

from proofs import fullness, limiting, powers


@pytest.fixture
def mounts() -> None:
    """Skip where nothing can be mounted; asked when a test runs, for the answer is a mount."""
    if reason := cannot_mount():
        pytest.skip(f"needs a mount: {reason}")


@pytest.mark.real
@pytest.mark.usefixtures("mounts")
@pytest.mark.parametrize("kind", KINDS)
def test_an_acknowledged_write_outlives_a_power_cut(kind: str) -> None:
    """CASE-J04, CASE-J05, INV-I2: the file system is shut down right after an acknowledgement, and amid writes."""
    if reason := powers.missing(kind):
        pytest.skip(reason)
    found = cuts(kind, 6, seed=4)
    assert (found["cuts"], found["lost"], found["unsound"]) == (6, 0, 0)
    assert found["acknowledged"] >= 6


@pytest.mark.real
@pytest.mark.usefixtures("mounts")
def test_a_write_that_is_acknowledged_before_it_is_durable_is_found() -> None:
    """CASE-J04: the judge of the power cuts can fail: `synchronous=NORMAL` loses what it acknowledged."""
    assert cuts("ext4", 4, seed=1, relaxed=True)["lost"]


@pytest.mark.real
@pytest.mark.usefixtures("mounts")
@pytest.mark.parametrize("number", range(3), ids=["full", "no more files", "read-only"])
def test_a_disk_that_takes_nothing_is_told_and_good_again_after(number: int) -> None:
    """CASE-K01, CASE-K05, INV-I1: a small file system in memory, and one that turns read-only under an open store."""
    _, try_it, _ = limiting.DISKS[number]
    with brood() as family:
        assert try_it(family) == []


@pytest.mark.parametrize("number", [3, 4], ids=["size limit", "full log"])
def test_a_limit_of_the_process_is_like_a_full_disk_and_a_full_log_is_nothing(number: int) -> None:
    """CASE-K08, CASE-K10: no file may grow beyond a size; nothing can be said on standard output and error."""
    _, try_it, _ = limiting.DISKS[number]
    with brood() as family:
        assert try_it(family) == []


@pytest.mark.real
def test_a_home_that_this_user_may_not_use_is_refused_in_clear_words() -> None:
    """CASE-K12: as another user, because root is not held by modes."""
    if reason := limiting.cannot_be_another():
        pytest.skip(reason)
    with brood() as family:
        assert limiting.not_ours(family) == []


def test_memory_that_runs_out_in_a_write_leaves_it_whole() -> None:
    """CASE-J08: with an address space that ends a little further each time."""
    with brood() as family:
        found, wrong = limiting.memory_short(family, 20)
    assert wrong == []
    assert 0 < found["refused"] < found["limits"] == 20


@pytest.mark.real
def test_a_process_that_the_kernel_kills_for_want_of_memory_lost_nothing() -> None:
    """CASE-J08, INV-I2: killed in the middle of writes; what was acknowledged is there."""
    if reason := limiting.cannot_group():
        pytest.skip(reason)
    with brood() as family:
        assert limiting.memory_gone(family, 2) == (2, [])


def test_what_is_missing_or_not_said_on_a_bad_disk_is_found(tmp_path: Path) -> None:
    """CASE-K01: the judge of the disks can fail: an acknowledged write that is gone, a refusal of another kind."""
    bench = Bench(tmp_path / "home")
    bench.store.put_session(SOURCE)
    bench.close()
    assert any("lost" in one for one in fullness.kept(bench.home, 3))
    assert list(fullness.judged(["INTERNAL: a bug", "reads 3", "went on"], lasts=False))
    assert list(fullness.judged(["IO_FAILED: full (ENOSPC)", "reads 3", "IO_FAILED: full"], lasts=False))
    assert list(fullness.judged(["IO_FAILED: full (ENOSPC)", "reads 3", "went on"], lasts=False)) == []

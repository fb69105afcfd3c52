"""Slices of the campaigns that kill and break a write at every call of the system, and plants that they must find."""

from collections import Counter
from pathlib import Path

import pytest
from proofs.children import brood
from proofs.failing import broken_everywhere, faults_for
from proofs.scenes import staged_scenes, workshop
from proofs.tracing import Call, calls_of, missing

from proofs import calling, failing

pytestmark = pytest.mark.real


@pytest.fixture(autouse=True)
def traces() -> None:
    """Skip where nothing can be traced."""
    if reason := missing():
        pytest.skip(f"needs strace: {reason}")


def test_each_deed_killed_at_any_call_is_there_or_not() -> None:
    """CASE-J01, CASE-J07, INV-I1, INV-I2, R100: seven deeds in three states of a home; never a third state."""
    rows = list(calling.calls(most=5))
    assert [row.violations for row in rows] == [0] * 7
    assert all("kills" in row.runs for row in rows)


def test_a_deed_in_two_halves_is_found() -> None:
    """CASE-J01: the judge of the kills can fail: two transactions where one is promised."""
    (row,) = calling.calls(("two halves",), ("some",), most=40)
    assert row.violations


def test_each_deed_broken_at_any_call_is_told_whole_and_works_again() -> None:
    """CASE-K01, CASE-K06, CASE-K07, CASE-K08, INV-I1: EIO, ENOSPC, EDQUOT, EFBIG, EMFILE, EACCES and more."""
    rows = list(failing.errors(most=12))
    assert [row.violations for row in rows] == [0] * 7


def broken_at(deed: str, *names: str) -> Counter[str]:
    """A deed, broken at its calls of these names."""
    with workshop("test") as folder, brood() as family:
        (scene,) = staged_scenes(family, folder, (deed,), ("some",))
        return broken_everywhere(family, scene, only=names)


def test_after_a_failed_sync_the_store_takes_nothing_until_it_is_opened_again() -> None:
    """CASE-K03: read-only, no second sync of what failed, whole when it is opened and checked."""
    found = broken_at("write", "fdatasync")
    assert (found["wrong"], found["lost"] > 0) == (0, True)


def test_an_error_that_nobody_is_told_of_is_found() -> None:
    """CASE-K01: the judge of the errors can fail: a refusal that is taken for an acknowledgement."""
    assert broken_at("swallowed", "fdatasync")["wrong"]


def test_a_sync_that_is_tried_once_more_is_found() -> None:
    """CASE-K03: the judge of the syncs can fail: a second sync that succeeds proves nothing."""
    assert broken_at("synced again", "fdatasync")["wrong"]


def test_each_call_has_the_faults_that_the_system_gives_it() -> None:
    """CASE-K07, CASE-K08: once and for ever; what only interrupts is tried once."""
    found = [(fault.what, fault.for_ever) for fault in faults_for(Call("pwrite64", 3, "", "", injected=False))]
    assert {("error=ENOSPC", True), ("error=EDQUOT", False), ("error=EFBIG", True), ("retval=0", False)} <= {*found}
    assert ("error=EINTR", True) not in found
    assert {fault.what for fault in faults_for(Call("openat", 1, "", "", injected=False))} >= {"error=EMFILE"}


def test_a_trace_is_read_as_strace_writes_it(tmp_path: Path) -> None:
    """CASE-K06: numbers count the calls of one name; an injected call is marked."""
    log = tmp_path / "trace"
    log.write_text(
        '10 openat(AT_FDCWD, "/h/a", O_RDWR) = 3</h/a>\n'
        "10 fdatasync(3</h/a>) = -1 EIO (Input/output error) (INJECTED)\n"
        "10 fdatasync(3</h/a>) = 0\n10 +++ exited with 0 +++\n",
        encoding="ascii",
    )
    found = calls_of(log)
    assert [(call.name, call.number, call.injected) for call in found] == [
        ("openat", 1, False),
        ("fdatasync", 1, True),
        ("fdatasync", 2, False),
    ]

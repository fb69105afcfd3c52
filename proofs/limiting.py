"""A process that may not enter, or has no memory left in the middle of a write, leaves the home whole and says why.

Owns the campaign `disk`: its list, and the limits of users and memory (CASE-K12, J08). Knows nothing of full disks.
"""

import mmap
import os
import resource
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.errors import FerruleError
from proofs.children import Brood, brood
from proofs.deeds import SOURCE, Bench, definition
from proofs.fullness import full_disk, full_log, kept, no_more_files, read_only, size_limit
from proofs.judging_homes import wrong_at_rest
from proofs.powers import cannot_mount
from proofs.scenes import Scene, staged_scenes, workshop
from proofs.sheets import Sheet, new_sheet
from proofs.tables import Row
from proofs.trials import ACKED, attempt

__all__ = ["DISKS", "cannot_be_another", "cannot_group", "disk", "memory_gone", "memory_short", "not_ours"]

_NOBODY = 65534
_PATIENCE = 60.0
_GROUPS = Path("/sys/fs/cgroup/memory")
_MEBIBYTE = 1024 * 1024
_GROUP_BYTES = 48 * _MEBIBYTE
_MOST_BLOCKS = 100
_BLOCKS = (16 * 1024, 1024, 200)  # for the system's own stock, and for the interpreter's


def _as_nobody(page: Path, home: Path) -> None:
    """A process of another user that tries to open the home: the only way to see modes, which root ignores."""
    sheet = Sheet(page)
    os.setgroups([])
    os.setresgid(_NOBODY, _NOBODY, _NOBODY)
    os.setresuid(_NOBODY, _NOBODY, _NOBODY)
    try:
        SqliteStore(home, time.time).close()
        sheet.tell(["opened"])
    except FerruleError as error:
        sheet.tell([f"{error.code}: {error}"])
    except OSError as error:
        sheet.tell([f"!{type(error).__name__}: {error}"])
    os._exit(0)


def not_ours(family: Brood) -> list[str]:
    """CASE-K12: a home of somebody else, one below a closed folder, a closed file: refused in clear words."""
    wrong = []
    with workshop("nobody") as folder:
        folder.chmod(0o755)
        home = folder / "home"
        bench = Bench(home, time.time())
        bench.store.put_session(SOURCE)
        bench.close()
        cases: tuple[tuple[str, Callable[[], None], str], ...] = (
            ("a home of another user", lambda: None, "belongs to another user"),
            ("a file of another user", lambda: os.chown(home, _NOBODY, _NOBODY), "EACCES"),
            ("a closed folder above", lambda: folder.chmod(0o700), "(EACCES)"),
        )
        for name, spoil, said in cases:
            spoil()
            answers = _told_by(family, folder, home)
            if not answers or said not in answers[0] or answers[0].startswith("!"):
                wrong.append(f"{name}: {answers}")
    return wrong


def cannot_be_another() -> str:
    """Why no process can be one of another user here, or empty."""
    return "" if hasattr(os, "geteuid") and os.geteuid() == 0 else "only root can become another user"


def _told_by(family: Brood, folder: Path, home: Path) -> list[str]:
    with new_sheet(folder / "sheet") as sheet:
        child = family.start(_as_nobody, folder / "sheet", home)
        family.finish(child, _PATIENCE)
        family.dismiss(child)
        return sheet.told()


def _short_of_memory(page: Path, name: str, home: Path, blocks: int) -> None:
    """A process whose memory is used up but for so many blocks; it does one deed."""
    sheet, bench = Sheet(page), Bench(home)
    used = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * mmap.PAGESIZE
    resource.setrlimit(resource.RLIMIT_AS, (used + 2 * _MEBIBYTE, resource.RLIM_INFINITY))
    hoard: list[bytes] = []
    for size in _BLOCKS:
        with suppress(MemoryError):
            while True:
                hoard.append(bytes(size))
    del hoard[: blocks // 4]
    del hoard[len(hoard) - 20 * blocks :]
    answer = attempt(bench, name)
    hoard.clear()
    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    sheet.tell([answer])
    os._exit(0)


def memory_short(family: Brood, count: int) -> tuple[Counter[str], list[str]]:
    """CASE-J08: memory runs out at one place after the other; before or after, never a third, and it works on."""
    wrong: list[str] = []
    found: Counter[str] = Counter()
    with workshop("memory") as folder:
        for scene in staged_scenes(family, folder, ("review", "write"), ("some",)):
            for blocks in range(0, _MOST_BLOCKS, -(-2 * _MOST_BLOCKS // count)):
                answer, faults = _with_little(family, scene, blocks)
                found.update({"limits": 1, "refused": answer != ACKED})
                wrong += [f"{scene.deed} with {blocks} blocks: {one}" for one in faults]
    return found, wrong


def _with_little(family: Brood, scene: Scene, blocks: int) -> tuple[str, list[str]]:
    with scene.fresh() as home, new_sheet(home.with_name("sheet")) as sheet:
        child = family.start(_short_of_memory, home.with_name("sheet"), scene.deed, home, blocks)
        family.finish(child, _PATIENCE)
        family.dismiss(child)
        answer = next(iter(sheet.told()), "nothing: the process died")
        return answer, [*scene.third(home, acked=answer == ACKED), *wrong_at_rest(home, scene.deed)]


def _writing_and_growing(page: Path, home: Path, group: Path) -> None:
    """A process of a group with little memory that writes and grows until the kernel kills it."""
    sheet, bench = Sheet(page), Bench(home, time.time())
    bench.store.put_session(SOURCE)
    (group / "cgroup.procs").write_text(str(os.getpid()), encoding="ascii")
    held = []
    number = 0
    while True:
        bench.memory.write(SOURCE.key, definition(f"Thing{number}"))
        sheet.count = number = number + 1
        held.append(b"x" * _MEBIBYTE)


@contextmanager
def _group() -> Iterator[Path]:
    """A group of processes with little memory."""
    group = _GROUPS / f"ferrule-{os.getpid()}"
    group.mkdir()
    try:
        (group / "memory.limit_in_bytes").write_text(str(_GROUP_BYTES), encoding="ascii")
        yield group
    finally:
        group.rmdir()


def cannot_group() -> str:
    """Why the memory of a group cannot be limited here, or empty."""
    try:
        with _group():
            return ""
    except OSError as error:
        return f"no group of processes with limited memory can be made here ({error.strerror})"


def memory_gone(family: Brood, count: int) -> tuple[int, list[str]]:
    """CASE-J08: the kernel kills a process for want of memory while it writes; what was acknowledged stays."""
    killed = 0
    wrong: list[str] = []
    with _group() as group, workshop("oom") as folder:
        for number in range(count):
            home = folder / f"home{number}"
            with new_sheet(folder / "sheet") as sheet:
                child = family.start(_writing_and_growing, folder / "sheet", home, group)
                killed += family.finish(child, _PATIENCE) == -9  # noqa: PLR2004 - SIGKILL
                family.dismiss(child)
                wrong += kept(home, sheet.count - 1)
    return killed, wrong


def disk(count: int) -> Iterator[Row]:
    """Every disk and limit; those of memory so many times."""
    reason = cannot_mount()
    with brood() as family:
        for what, try_it, mounts in DISKS:
            if mounts and reason:
                yield Row(what, "0", None, note=f"skipped: {reason}")
            else:
                yield _row(what, "1", try_it(family))
        if os.geteuid() == 0:
            yield _row("K12: a home that this user may not use is refused in clear words", "3", not_ours(family))
        else:
            yield Row(
                "K12: a home that this user may not use", "0", None, note="skipped: only root can be another user"
            )
        found, wrong = memory_short(family, count)
        yield _row("J08: memory runs out in a write", f"{found['limits']} limits", wrong, f"{found['refused']} refused")
        if reason := cannot_group():
            yield Row("J08: killed by the kernel for want of memory", "0", None, note=f"skipped: {reason}")
        else:
            killed, wrong = memory_gone(family, max(1, count // 5))
            yield _row("J08: killed by the kernel for want of memory", f"{killed} kills", wrong)


DISKS: tuple[tuple[str, Callable[[Brood], list[str]], bool], ...] = (
    ("K01: a full disk, then room again in the same process", full_disk, True),
    ("K01: no file can be made any more, then again", no_more_files, True),
    ("K05: the file system becomes read-only under an open store", read_only, True),
    ("K08: no file may grow any more, then again", size_limit, False),
    ("K10: nothing can be said, what is to be remembered is", full_log, False),
)


def _row(what: str, runs: str, wrong: list[str], note: str = "") -> Row:
    for one in wrong[:5]:
        print(f"{what}: {one}", flush=True)
    return Row(what, runs, len(wrong), note=note)

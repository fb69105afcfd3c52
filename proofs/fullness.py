"""A disk that is full, has no more files, became read-only, or refuses by a limit: told, whole, and good again after.

Owns the disks of the campaign `disk` (CASE-K01, K05, K08, K10): a small file system in memory, one in a file, a limit
of size, a log that takes nothing. Knows nothing of faults that are only played.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ferrule.bridge.values import Accepted
from ferrule.errors import Code, FerruleError
from proofs.children import Brood
from proofs.deeds import SOURCE, Bench, definition
from proofs.judging_homes import faults_of_file
from proofs.powers import done, mounted
from proofs.scenes import workshop
from proofs.sheets import Sheet, new_sheet

__all__ = ["full_disk", "full_log", "judged", "kept", "no_more_files", "read_only", "size_limit"]

_PATIENCE = 60.0
_MOST = 5000
_READY, _TOLD, _AGAIN = 1, 2, 3
_ROOM = 512 * 1024


def _written(bench: Bench, number: int) -> None:
    """One memory of some size, and the readable file."""
    text = definition(f"Thing{number}").replace(" }", f' Description = @"{"w" * 600}"; }}')
    answer = bench.memory.write(SOURCE.key, text)
    if not isinstance(answer, Accepted):
        raise TypeError(f"the rules refuse it: {answer}")
    bench.memory.project(SOURCE.key)


def _write_until(page: Path, home: Path, limit: str) -> None:
    """A process that writes until it is refused, waits until it may go on, and writes once more with the same store."""
    sheet, bench = Sheet(page), Bench(home, time.time())
    bench.store.put_session(SOURCE)
    _written(bench, 0)
    answers: list[str] = []
    if limit:
        resource.setrlimit(resource.RLIMIT_FSIZE, (_ROOM, resource.RLIM_INFINITY))
    sheet.stage = _READY
    sheet.wait(_READY)
    number = 1
    try:
        while number < _MOST:
            _written(bench, number)
            sheet.count = number
            number += 1
    except FerruleError as error:
        answers.append(f"{error.code}: {error}")
    answers.append(_names_or_refusal(bench))
    sheet.tell(answers)
    sheet.stage = _TOLD
    sheet.wait(_AGAIN)
    if limit:
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    try:
        _written(bench, _MOST)
        bench.close()
        answers.append("went on")
    except FerruleError as error:
        answers.append(f"{error.code}: {error}")
    sheet.tell(answers)
    os._exit(0)


def _names_or_refusal(bench: Bench) -> str:
    try:
        return f"reads {len(bench.names())}"
    except FerruleError as error:
        return f"{error.code}: {error}"


def _filled_up(
    family: Brood,
    home: Path,
    *,
    spoil: Callable[[], None],
    mend: Callable[[], None],
    limit: str = "",
    lasts: bool = False,
) -> list[str]:
    """Let a process write until it is refused; what is wrong. `lasts`: the disk stays as it is for that process."""
    page = Path(tempfile.mkdtemp(prefix="ferrule-sheet-")) / "sheet"
    with new_sheet(page) as sheet:
        child = family.start(_write_until, page, home, limit)
        try:
            _await(lambda: sheet.stage >= _READY or not child.is_alive())
            spoil()
            sheet.allow(_READY)
            _await(lambda: sheet.stage >= _TOLD or not child.is_alive())
            if not lasts:
                mend()
            sheet.allow(_AGAIN)
            _await(lambda: not child.is_alive())
            answers, acked = sheet.told(), sheet.count
        finally:
            family.dismiss(child)
    page.parent.rmdir()
    if lasts:
        mend()
    return [*judged(answers, lasts=lasts), *kept(home, acked)]


def judged(answers: list[str], *, lasts: bool) -> Iterator[str]:
    """What is wrong with what the process said: refused, read, went on."""
    if len(answers) < 3:  # noqa: PLR2004 - refused, read, went on
        yield f"it did not get to its end: {answers}"
        return
    refused, reads, on = answers[0], answers[1], answers[-1]
    if not refused.startswith(Code.IO_FAILED):
        yield f"refused by {refused}"
    if not reads.startswith("reads"):
        yield f"reading does not work meanwhile: {reads}"
    if not lasts and on != "went on":
        yield f"it does not go on afterwards: {on}"


def kept(home: Path, acked: int) -> Iterator[str]:
    """What is wrong with a home in which `Thing0` to `Thing<acked>` were acknowledged."""
    bench = Bench(home, time.time())
    try:
        lost = {f"Thing{number}" for number in range(acked + 1)} - {*bench.names()}
        bench.close()
        if lost:
            yield f"{len(lost)} acknowledged writes are lost"
        yield from faults_of_file(home)
    except FerruleError as error:
        yield f"{error.code}: {error}"


def _await(over: Callable[[], bool]) -> None:
    ends = time.monotonic() + _PATIENCE
    while not over() and time.monotonic() < ends:
        time.sleep(0.002)


@contextmanager
def _small(options: str) -> Iterator[Path]:
    """A small file system in memory."""
    folder = Path(tempfile.mkdtemp(prefix="ferrule-small-"))
    done("mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder))
    try:
        yield folder
    finally:
        done("umount", str(folder))
        folder.rmdir()


def full_disk(family: Brood) -> list[str]:
    """CASE-K01: writes fall short, then fail; once there is room the same process goes on."""
    with _small("size=1m") as folder:
        ballast = folder / "ballast"
        ballast.write_bytes(bytes(100_000))
        return _filled_up(family, folder / "home", spoil=lambda: None, mend=ballast.unlink)


def no_more_files(family: Brood) -> list[str]:
    """CASE-K01: no file can be made, so the readable file cannot be replaced."""
    with _small("size=8m,nr_inodes=40") as folder:

        def spoil() -> None:
            with suppress(OSError):
                for number in range(100):
                    (folder / f"file{number}").touch()

        def mend() -> None:
            for number in range(10):
                (folder / f"file{number}").unlink(missing_ok=True)

        return _filled_up(family, folder / "home", spoil=spoil, mend=mend)


def read_only(family: Brood) -> list[str]:
    """CASE-K05: the file system turns read-only under an open store; what was acknowledged is there afterwards."""
    with mounted("ext4") as disk:

        def mend() -> None:
            disk.unmount()
            disk.mount()

        def spoil() -> None:
            done("mount", "-o", "remount,abort", str(disk.place))

        return _filled_up(family, disk.place / "home", spoil=spoil, mend=mend, lasts=True)


def size_limit(family: Brood) -> list[str]:
    """CASE-K08: no file may grow beyond a size; once it may, the same process goes on."""
    with workshop("limit") as folder:
        return _filled_up(family, folder / "home", spoil=lambda: None, mend=lambda: None, limit="size")


def full_log(family: Brood) -> list[str]:  # noqa: ARG001 - like the others
    """CASE-K10: what is said cannot be written anywhere; what is to be remembered is."""
    with workshop("log") as folder, open("/dev/full", "w", encoding="ascii") as full:  # noqa: PTH123 - a device
        home = folder / "home"
        draft = folder / "draft.pts"
        draft.write_text(definition("Almanac").replace("DocumentPath", "FilePath"), encoding="utf-8")
        bench = Bench(home, time.time())
        bench.store.put_session(SOURCE)
        bench.close()
        command = [sys.executable, "-m", "ferrule", "memory", "write", str(draft), "--home", str(home)]
        # S603: our own interpreter
        ended = subprocess.run(  # noqa: S603
            command, check=False, stdout=full, stderr=full, stdin=subprocess.DEVNULL, timeout=60
        )
        wrong = [f"killed by signal {-ended.returncode}"] if ended.returncode < 0 else []
        if bench.names() != ("Almanac",):
            wrong.append(f"it remembers {bench.names()} and ended with {ended.returncode}")
        bench.close()
        return [*wrong, *faults_of_file(home)]

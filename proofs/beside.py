"""Processes side by side on one home: distinct writes, the same property, a stopped holder, forks, copies, leftovers.

Owns those parts of the campaign `together` (CASE-J07, J12, J13, M01, M02, M08, M12). Knows nothing of signals.
"""

import os
import shutil
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TypeAlias

from ferrule.adapters.sqlite.home import FILE_NAME
from ferrule.bridge.values import Accepted, Refused
from ferrule.errors import Code, FerruleError, StoreError
from ferrule.memory.artifact import artifact_path
from proofs.children import Brood, brood
from proofs.deeds import SOURCE, Bench, definition
from proofs.judging_homes import faults_of_file
from proofs.scenes import workshop
from proofs.sheets import Sheet, new_sheet

__all__ = ["copies", "distinct_writes", "forked", "leftovers", "missing_from", "rivals", "stopped_holder"]

Work: TypeAlias = "tuple[Callable[..., None], tuple[object, ...]]"

_PATIENCE = 120.0
_LONGEST_WAIT = 8.0  # a writer waits five seconds for another


def begun(folder: Path) -> Path:
    """A home with a session and nothing else."""
    bench = Bench(folder / "home", time.time())
    bench.store.put_session(SOURCE)
    bench.close()
    return bench.home


def _write_part(page: Path, home: Path, number: int, count: int) -> None:
    """Write so many things of one's own, from two threads, while a timer's signal comes in all the time."""
    sheet, bench = Sheet(page), Bench(home, time.time())
    signal.signal(signal.SIGALRM, lambda *_: None)
    _ = bench.store
    sheet.stage = 1
    sheet.wait(1)
    signal.setitimer(signal.ITIMER_REAL, 0.003, 0.003)

    def write(part: range) -> None:
        for at in part:
            bench.memory.write(SOURCE.key, definition(f"Thing{number}x{at}"))

    thread = threading.Thread(target=write, args=(range(1, count, 2),))
    thread.start()
    write(range(0, count, 2))
    thread.join()
    signal.setitimer(signal.ITIMER_REAL, 0)
    bench.close()
    sheet.count = count
    os._exit(0)


def distinct_writes(processes: int, total: int) -> list[str]:
    """CASE-M02, CASE-M12: each write of each process is there, with one receipt."""
    each = total // processes
    with workshop("writes") as folder, brood() as family, ExitStack() as stack:
        home = begun(folder)
        sheets = _side_by_side(family, stack, folder, [(_write_part, (home, at, each)) for at in range(processes)])
        wrong = [f"process {at} wrote {sheet.count}" for at, sheet in enumerate(sheets) if sheet.count != each]
        wanted = {f"Thing{number}x{at}" for number in range(processes) for at in range(each)}
        return [*wrong, *missing_from(home, wanted)]


def missing_from(home: Path, wanted: set[str]) -> Iterator[str]:
    """What is wrong with a home that should remember exactly these, with one receipt each."""
    bench = Bench(home, time.time())
    names, receipts = bench.names(), bench.store.receipts()
    bench.close()
    if {*names} != wanted or len(names) != len(wanted):
        yield f"{len(wanted)} written, {len(names)} kept"
    if len(receipts) != len(wanted):
        yield f"{len(receipts)} receipts for {len(wanted)} writes"
    yield from faults_of_file(home)


def _side_by_side(family: Brood, stack: ExitStack, folder: Path, works: Sequence[Work]) -> list[Sheet]:
    """Start processes that begin together, and wait until all have ended; each gets a page of its own first."""
    pages = [folder / f"sheet{at}" for at in range(len(works))]
    sheets = [stack.enter_context(new_sheet(page)) for page in pages]
    children = [family.start(work, page, *words) for page, (work, words) in zip(pages, works, strict=True)]
    for sheet, child in zip(sheets, children, strict=True):
        while sheet.stage < 1 and child.is_alive():
            time.sleep(0.001)
    for sheet in sheets:
        sheet.allow(1)
    for child in children:
        family.finish(child, _PATIENCE)
    return sheets


def _fill_same(page: Path, home: Path, number: int, rounds: int) -> None:
    """Give each thing its notes; how often it was first, and how often it was told that somebody else was."""
    sheet, bench = Sheet(page), Bench(home, time.time())
    _ = bench.store
    sheet.stage = 1
    sheet.wait(1)
    told: Counter[str] = Counter()
    for at in range(rounds):
        text = f'partial prototype Thing{at} {{ Description = @"of process {number}"; }}'
        try:
            answer = bench.memory.write(SOURCE.key, text)
        except StoreError as error:
            told[f"{error.code}"] += 1
            continue
        if isinstance(answer, Accepted):
            told["won"] += 1
        else:
            told["+".join(one.code for one in answer.refusals) if isinstance(answer, Refused) else "unchanged"] += 1
    bench.close()
    sheet.count = told.pop("won", 0)
    sheet.tell([f"{code} {count}" for code, count in told.items()])
    os._exit(0)


def rivals(rounds: int) -> list[str]:
    """CASE-M01: exactly one is accepted in each round, the other is told why not."""
    with workshop("rivals") as folder, brood() as family, ExitStack() as stack:
        home = begun(folder)
        bench = Bench(home, time.time())
        for at in range(rounds):
            bench.memory.write(SOURCE.key, definition(f"Thing{at}"))
        bench.close()
        sheets = _side_by_side(family, stack, folder, [(_fill_same, (home, at, rounds)) for at in range(2)])
        won = sum(sheet.count for sheet in sheets)
        allowed = (Code.ALREADY_VALUED, Code.STALE_REVISION)
        other = [told for sheet in sheets for told in sheet.told() if not told.startswith(allowed)]
        wrong = [f"{won} accepted in {rounds} rounds"] if won != rounds else []
        return [*wrong, *other, *faults_of_file(home)]


def _hold(page: Path, home: Path) -> None:
    """Begin a transaction, and wait for ever."""
    sheet, bench = Sheet(page), Bench(home, time.time())
    with bench.store.unit():
        bench.store.put_session(SOURCE)
        sheet.stage = 1
        sheet.wait(2)
    bench.close()
    sheet.count = 1
    os._exit(0)


def _try(page: Path, home: Path, number: int) -> None:
    sheet, bench = Sheet(page), Bench(home, time.time())
    began = time.monotonic()
    try:
        bench.memory.write(SOURCE.key, definition(f"Late{number}"))
        answer = "written"
    except FerruleError as error:
        answer = f"{error.code}"
    sheet.tell([answer, f"{time.monotonic() - began:.2f}"])
    sheet.stage = 1
    os._exit(0)


def stopped_holder(tries: int = 8) -> list[str]:
    """CASE-M08: whoever holds the lock is stopped: others end with a refusal in time; afterwards all is well."""
    with workshop("stopped") as folder, brood() as family, ExitStack() as stack:
        home = begun(folder)
        held = stack.enter_context(new_sheet(folder / "holder"))
        holder = family.start(_hold, folder / "holder", home)
        while held.stage < 1:
            time.sleep(0.001)
        family.stop(holder)
        sheets = _side_by_side(family, stack, folder, [(_try, (home, at)) for at in range(tries)])
        wrong = []
        for sheet in sheets:
            code, took = sheet.told() or ["nothing", "0"]
            if code not in {Code.IO_FAILED, Code.BUDGET} or float(took) > _LONGEST_WAIT + tries:
                wrong.append(f"ended with {code} after {took} s")
        family.go_on(holder)
        held.allow(2)
        family.finish(holder, _PATIENCE)
        wrong += [] if held.count else ["the holder could not go on"]
        return [*wrong, *missing_from(home, set())]


def _fork_and_write(page: Path, home: Path) -> None:
    """A host with an open store forks; both write."""
    sheet, bench = Sheet(page), Bench(home, time.time())
    _ = bench.store
    for at in range(4):
        pid = os.fork()
        if pid == 0:
            code = 3
            try:
                bench.memory.write(SOURCE.key, definition(f"Child{at}"))
            except StoreError:
                code = 0
            finally:
                os._exit(code)
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        bench.memory.write(SOURCE.key, definition(f"Parent{at}"))
        sheet.tell([*sheet.told(), f"{code}"])
    bench.close()
    sheet.count = 1
    os._exit(0)


def forked() -> list[str]:
    """CASE-J12: the child is refused, the parent is unaffected."""
    with workshop("forked") as folder, brood() as family, new_sheet(folder / "sheet") as sheet:
        home = begun(folder)
        family.finish(family.start(_fork_and_write, folder / "sheet", home), _PATIENCE)
        wrong = [f"a child ended with {code}" for code in sheet.told() if code != "0"]
        wrong += [] if sheet.count else ["the parent could not go on"]
        return [*wrong, *missing_from(home, {f"Parent{at}" for at in range(4)})]


def _write_on(page: Path, home: Path) -> None:
    sheet, bench = Sheet(page), Bench(home, time.time())
    number = 0
    while True:
        bench.memory.write(SOURCE.key, definition(f"Thing{number}"))
        sheet.count = number = number + 1


def copies(count: int) -> list[str]:
    """CASE-J13: a copy, file by file, while a process writes: it opens and is true, or says that it is damaged."""
    with workshop("copies") as folder, brood() as family, new_sheet(folder / "sheet") as sheet:
        home = begun(folder)
        child = family.start(_write_on, folder / "sheet", home)
        wrong: list[str] = []
        for at in range(count):
            before = sheet.count
            while sheet.count < before + 3 and child.is_alive():
                time.sleep(0.0005)
            copy = folder / f"copy{at}"
            shutil.copytree(home, copy)
            wrong += [f"copy {at}: {one}" for one in _untrue(copy)]
            shutil.rmtree(copy)
        family.dismiss(child)
        return [*wrong, *faults_of_file(home)]


def _untrue(home: Path) -> Iterator[str]:
    """Values that nobody wrote; a copy that says that it is damaged is right."""
    bench = Bench(home, time.time())
    try:
        for name in bench.names():
            held = bench.store.layer(SOURCE.key).get(name)
            values = {} if held is None else {prop.name: prop.value for prop in held.properties}
            if values.get("DocumentPath") != f"/quay/{name}.md":
                yield f"{name} has {values}"
        bench.close()
    except StoreError as error:
        if error.code not in {Code.STORE_CORRUPT, Code.LEDGER_BROKEN}:
            yield f"{error.code}: {error}"
    except FerruleError as error:
        yield f"{error.code}: {error}"


def leftovers() -> list[str]:
    """CASE-J07: parts, locks and half a head that dead processes left: worked on beside, never read as data."""
    with workshop("leftovers") as folder:
        home = begun(folder)
        bench = Bench(home, time.time())
        bench.memory.write(SOURCE.key, definition("Almanac"))
        bench.memory.project(SOURCE.key)
        bench.close()
        forged = definition("Forged")
        shown = artifact_path(home, SOURCE.key)
        (shown.parent / f".SessionMemory.pts.{os.getpid()}").write_text(forged, encoding="utf-8")
        (home / f".{FILE_NAME}.abcdef012345.part").write_text(forged, encoding="utf-8")
        (home / "worker.lock").write_text("4194304\n", encoding="ascii")
        stage = home / ".restoring-dead"
        stage.mkdir()
        shutil.copy(home / FILE_NAME, stage / FILE_NAME)
        head = home / "receipts.head"
        wrong: list[str] = []
        for text in (b"", bytes(85)):
            head.write_bytes(text)
            bench.memory.write(SOURCE.key, definition(f"After{len(text)}"))
            bench.memory.project(SOURCE.key)
            bench.close()
            wrong += list(missing_from(home, {"Almanac", "After0", *({"After85"} if text else set())}))
        if "Forged" in shown.read_text(encoding="utf-8"):
            wrong.append("a leftover was read as data")
        return wrong

"""Every call fails, once and for ever: the refusal names it, nothing is half done, and the process works on.

Owns the campaign `errors` (CASE-K01, K03, K06, K07, K08): which error is tried at which call, and the judgement of what
the process says and leaves. Knows nothing of kills.
"""

import re
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence

from ferrule.errors import Code
from proofs.children import Brood, brood
from proofs.deeds import DEEDS, deed_of
from proofs.judging_homes import wrong_at_rest
from proofs.scenes import Scene, staged_scenes, workshop
from proofs.tables import Row
from proofs.tracing import Call, Fault, missing
from proofs.trials import ACKED, LOST, MARK, Trial, trial

__all__ = ["broken_everywhere", "errors", "faults_for"]

_ROOM = ("ENOSPC", "EDQUOT")
_SYNCS = ("fsync", "fdatasync")
# Each error where the system gives it. What is interrupted or would block passes by itself, so it is tried once only:
# Python and SQLite ask again for as long as it lasts.
_ERRORS = {
    "openat": ("EMFILE", "ENFILE", "EACCES", "EIO", "ENOSPC"),
    "write": ("EIO", "EFBIG", *_ROOM),
    "pwrite64": ("EIO", "EFBIG", *_ROOM),
    "pread64": ("EIO",),
    "fsync": ("EIO", *_ROOM),
    "fdatasync": ("EIO", *_ROOM),
    "rename": ("EIO", "EXDEV", "ENOSPC"),
    "renameat": ("EIO", "EXDEV", "ENOSPC"),
    "link": ("EIO", "EXDEV", "EACCES"),
    "unlink": ("EIO", "EACCES"),
}
_OTHERS = ("EIO", "EACCES", "ENOSPC")
_PASSING = {
    "openat": ("EINTR",),
    "write": ("EINTR",),
    "pwrite64": ("EINTR", "EAGAIN"),
    "pread64": ("EINTR",),
    "ftruncate": ("EINTR",),
}
_SHOWN = 8
_NAMED = re.compile(r"\bE[A-Z]{2,}\b|SQLITE_[A-Z]+")
_STORE = re.compile(r"/home/(ferrule\.sqlite3(?:-wal)?)>")


def faults_for(call: Call) -> Iterator[Fault]:
    """Every fault that is tried at one call.

    A count of 0 is a disk that took nothing; other short counts need a real disk (`disk`): a faked one claims what was
    not written.
    """
    for name in _ERRORS.get(call.name, _OTHERS):
        for lasts in (False, True):
            yield Fault(call.name, call.number, f"error={name}", lasts)
    for name in _PASSING.get(call.name, ()):
        yield Fault(call.name, call.number, f"error={name}")
    if call.name == "pwrite64":
        yield Fault(call.name, call.number, "retval=0")


def errors(
    names: Sequence[str] = tuple(DEEDS), states: Sequence[str] = ("some",), *, most: int | None = None
) -> Iterator[Row]:
    """Break each deed at each call by each error; with `most`, so many faults of each deed, evenly spread."""
    if reason := missing():
        yield Row("an error at every call", "0", None, note=f"skipped: {reason}")
        return
    found: dict[str, Counter[str]] = {}
    with workshop("errors") as folder, brood() as family:
        for scene in staged_scenes(family, folder, tuple(names), tuple(states)):
            found.setdefault(scene.deed, Counter()).update(broken_everywhere(family, scene, most=most))
    for name, counted in found.items():
        runs = f"{counted['faults']} faults at {counted['points']} calls"
        note = (
            f"{counted['refused']} refused, {counted['acked']} acknowledged; {counted['lost']} failed syncs made the "
            f"store read-only until it was opened again; {counted['missed']} not met"
        )
        yield Row(f"{name}: told, whole, and works again in the same process", runs, counted["wrong"], note=note)


def broken_everywhere(
    family: Brood, scene: Scene, *, most: int | None = None, only: Sequence[str] = ()
) -> Counter[str]:
    """Break one deed at each of its calls, or only at calls of some names."""
    every = [fault for call in scene.calls if call.name in only or not only for fault in faults_for(call)]
    found = Counter({"points": len(scene.calls)})
    for fault in every[:: 1 if most is None else max(1, len(every) // most)]:
        done, wrong = _broken(family, scene, fault)
        found["faults"] += 1
        found["missed"] += not done.injected
        found["acked" if done.acked else "refused"] += 1
        found["lost"] += any(LOST in answer for answer in done.answers)
        found["wrong"] += bool(wrong)
        if wrong and found["wrong"] <= _SHOWN:
            print(f"{scene.deed} in {scene.state}, {fault.expression}: {'; '.join(wrong)}", flush=True)
    return found


def _broken(family: Brood, scene: Scene, fault: Fault) -> tuple[Trial, list[str]]:
    with scene.fresh() as home:
        seen = home.parent.with_name("seen")

        def between() -> None:
            shutil.copytree(home.parent, seen)

        try:
            done = trial(family, home, scene.deed, fault, again=True, between=between)
            wrong = [*_answers(done, fault), *_synced_again(done, scene), *scene.third(seen / "home", acked=done.acked)]
        except TimeoutError as error:
            return Trial((), -1, ()), [str(error)]
        finally:
            shutil.rmtree(seen, ignore_errors=True)
        wrong += [*scene.third(home, acked=True), *wrong_at_rest(home, scene.deed)]
        return done, wrong


def _answers(done: Trial, fault: Fault) -> Iterator[str]:
    """What was said: one clear line that names the failure, and in the end that it is done."""
    first = next(iter(done.answers), "nothing")
    if first != ACKED and not _is_clear(first, fault):
        yield f"answered {first[:300]}"
    if done.exit or done.answers[-1:] != (ACKED,):
        yield f"ended with {done.exit} and did not work again: {[answer[:300] for answer in done.answers[1:]]}"


def _is_clear(answer: str, fault: Fault) -> bool:
    """A line with the code and the error's name. SQLite takes a page that cannot be read for a damaged file system."""
    if fault.call == "pread64" and answer.startswith(f"{Code.STORE_CORRUPT.value}: "):
        return "\n" not in answer
    return answer.startswith(f"{Code.IO_FAILED.value}: ") and bool(_NAMED.search(answer)) and "\n" not in answer


def _synced_again(done: Trial, scene: Scene) -> Iterator[str]:
    """CASE-K03: a file of the store that failed to sync is not synced again until the store is closed.

    A deed that opens the file by itself closes it at once when that happens.
    """
    failed = ""
    if deed_of(scene.deed).reopens:
        return
    for call in done.calls:
        if MARK in call.text:
            return
        if call.name in _SYNCS and (name := _STORE.search(call.text)):
            if failed and name[0] == failed:
                yield f"{name[1]} was synced again after a failure"
                return
            failed = name[0] if call.injected else failed

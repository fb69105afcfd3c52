"""A home is looked over: can it be written, does a worker take what clients report, and is its store sound.

Owns those checks and the words of what they find. Nothing is changed. Knows nothing of clients' files.
"""

import os
import re
import shlex
import stat
import sys
import time
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from ferrule.adapters.laptop.log import LOG_FILE
from ferrule.adapters.laptop.waking import SWITCH
from ferrule.adapters.spool.folder import Spool
from ferrule.adapters.spool.notes import notes
from ferrule.adapters.sqlite.home import FILE_NAME
from ferrule.errors import FerruleError, StoreError, UsageError
from ferrule.wiring.doctor_findings import Finding, Patient, note, problem
from ferrule.wiring.home import open_home
from ferrule.wiring.scrubbing import detector_fault
from ferrule.wiring.settings import SETTINGS_FILE, read_settings, unknown_settings
from ferrule.wiring.silencing import silence_of
from ferrule.wiring.working import worker_standing

__all__ = ["heard_of", "looked_over_home"]

MOUNTS = Path("/proc/self/mounts")
FAR = frozenset({"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "glusterfs", "fuse.sshfs", "fuse.rclone"})
LEAST_FREE = 32 * 1024**2
WAITED_SECONDS = 600.0
_TAIL = 64 * 1024
_MOST_EDITED = 1000
_BEGAN = re.compile(r" worker \S+ began$")
_TROUBLE = re.compile(r"failed|Traceback|[A-Z][A-Za-z]*Error|could not|is a bug in Ferrule|cannot be")


def looked_over_home(home: Path, now: float | None = None) -> Patient:
    """What there is to say of a home; never raises."""
    found = tuple(_findings(home, time.time() if now is None else now))
    return Patient("home", "Home", str(home), found)


def heard_of(home: Path) -> Counter[str]:
    """How many sessions of each client the home knows; none where its store cannot be read."""
    if not (home / FILE_NAME).exists():
        return Counter()
    try:
        with open_home(home, make=False) as opened:
            return Counter(one.key.partition(":")[0] for one in opened.store.sessions())
    except FerruleError:
        return Counter()


def _findings(home: Path, now: float) -> Iterator[Finding]:
    if os.environ.get(SWITCH, "").strip().casefold() == "off":
        fix = f"unset {SWITCH} where your client starts"
        yield problem("worker-off", f"{SWITCH}=off in this environment: no worker is started", fix)
    if not home.exists():
        yield note("no-home", "there is no home yet; it is made when something is first reported")
        return
    if (refused := _folder(home)) is not None:
        yield refused
        return
    yield from _system(home)
    yield from _settings(home)
    yield from _quiet(home)
    yield from _store(home)
    yield from _edited(home)
    yield from _spool(home, now)
    yield from _worker(home)


def _edited(home: Path) -> Iterator[Finding]:
    """Projections that somebody edited are kept beside the new ones: nobody should have to find that out (CASE-N08)."""
    kept = list(islice(home.glob("sessions/*/artifacts/nl-memory/SessionMemory.edited-*.pts"), _MOST_EDITED))
    if kept:
        text = f"{_counted(len(kept), 'memory file')} edited by hand and kept, not read; one is {kept[0]}"
        yield note("edited-files", text, f"ferrule memory import {shlex.quote(str(kept[0]))}, or remove it")


def _folder(home: Path) -> Finding | None:
    """Whether the hook would write here at all."""
    quoted = shlex.quote(str(home))
    facts = home.stat()
    if not stat.S_ISDIR(facts.st_mode):
        return problem("home-no-folder", "something else stands where the home should be", f"move {quoted} away")
    if sys.platform != "win32" and facts.st_uid != os.geteuid():
        fix = f"sudo chown -R $(id -u) {quoted}"
        return problem("home-owner", "the home belongs to another user, so the hook writes nothing", fix)
    if sys.platform != "win32" and facts.st_mode & stat.S_IWOTH:
        return problem("home-open", "everybody may write into the home: the hook refuses", f"chmod 700 {quoted}")
    if os.statvfs(home).f_flag & getattr(os, "ST_RDONLY", 1):
        return problem("home-read-only", "the home is on a read-only file system", "choose another: --home PATH")
    if not facts.st_mode & stat.S_IWUSR or not os.access(home, os.W_OK | os.X_OK):
        return problem("home-not-writable", "the home cannot be written", f"chmod 700 {quoted}")
    return None


def _system(home: Path) -> Iterator[Finding]:
    kind = _kind_of(home)
    if kind in FAR:
        fix = "choose a local folder: ferrule install CLIENT --home PATH"
        yield problem("home-far", f"the home is on a network file system ({kind}), where SQLite is not safe", fix)
    facts = os.statvfs(home)
    if facts.f_bavail * facts.f_frsize < LEAST_FREE:
        yield problem("disk-full", "the disk of the home is nearly full: reviews fail until there is room", "make room")


def _kind_of(home: Path) -> str:
    """The kind of the file system that holds the home; empty where the system does not tell."""
    try:
        rows = MOUNTS.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return ""
    place, best, kind = str(home.resolve()), "", ""
    for row in rows:
        words = row.split(" ")
        point = words[1].replace("\\040", " ") if len(words) > 2 else ""  # noqa: PLR2004 - device, point, kind
        if (place == point or place.startswith(point.rstrip("/") + "/")) and len(point) >= len(best):
            best, kind = point, words[2]
    return kind


def _settings(home: Path) -> Iterator[Finding]:
    try:
        settings = read_settings(home)
        unknown = unknown_settings(home)
    except UsageError as error:
        yield problem("settings", str(error), "mend that line; nothing is reviewed until then")
        return
    if unknown:
        named = ", ".join(f"{name:.40}" for name in unknown[:3])
        text = f"{home / SETTINGS_FILE} names what is no setting and changes nothing: {named}"
        yield problem("settings-unknown", text, "mend or remove it")
    if fault := detector_fault(home, settings.detector):
        text = f"texts are scrubbed by Ferrule's own rules alone: {fault}"
        yield problem("detector", text, f"mend it, or remove `detector` from {home / SETTINGS_FILE}")


def _quiet(home: Path) -> Iterator[Finding]:
    """Whether a person has said that nothing of this folder is captured."""
    try:
        silence = silence_of(home, [os.getcwd()])  # noqa: PTH109 - a folder that is gone raises alike
    except (UsageError, OSError):  # told as what is wrong with the settings; or nobody is anywhere
        return
    if silence is not None:
        yield note("quiet-here", f"nothing of this folder is captured: {silence}")


def _store(home: Path) -> Iterator[Finding]:
    if not (home / FILE_NAME).exists():
        return
    try:
        with open_home(home, make=False):
            return
    except StoreError as error:
        yield problem(
            "store", f"{error} [{error.code}]", "move the file away for a new one, or bring back a copy of it"
        )
    except FerruleError as error:
        yield problem("ontology", f"{error} [{error.code}]", "mend it; nothing is reviewed until then")


def _spool(home: Path, now: float) -> Iterator[Finding]:
    spool = Spool(home)
    waiting = spool.waiting()
    age = _oldest(spool.path, now)
    worker = worker_standing(home)
    if waiting and age > WAITED_SECONDS and not worker.running:
        one, it = ("waits", "it") if waiting == 1 else ("wait", "them")
        text = f"{_counted(waiting, 'reported turn')} {one} and no worker takes {it}, the oldest for {_span(age)}"
        yield problem("spool-waits", text, f"ferrule worker --once --home {shlex.quote(str(home))}")
    if dropped := spool.dropped():
        text = f"{_counted(dropped, 'report')} found the spool full and were lost"
        yield problem(
            "spool-full", text, f"run a worker (ferrule worker), then rm {shlex.quote(str(spool.path))}/.dropped"
        )
    strange = spool.strange()
    if strange:
        shapes = sorted({f"{one.client or '?'} {one.event or '?'} {one.shape}" for one in strange if one is not None})
        text = (
            f"{_counted(len(strange), 'payload')} of a shape that this Ferrule does not know: {', '.join(shapes[:3])}"
        )
        fix = f"upgrade Ferrule, or report the shape; then rm -r {shlex.quote(str(spool.path / 'unknown'))}"
        yield problem("unknown-shapes", text, fix)
    left = [one for one in notes(home) if not one.waiting]
    if left:
        last = left[-1]
        text = (
            f"{_counted(len(left), 'reported turn')} not reviewed; the last ({last.client} {last.turn}): {last.reason}"
        )
        yield note("not-reviewed", text)


def _oldest(spool: Path, now: float) -> float:
    """For how long the oldest report waits, in seconds."""
    try:
        with os.scandir(spool) as entries:
            times = [int(entry.name[:20]) / 1e9 for entry in entries if entry.name[:20].isdigit()]
    except OSError:
        return 0.0
    return now - min(times, default=now)


def _worker(home: Path) -> Iterator[Finding]:
    worker = worker_standing(home)
    if worker.trouble:
        yield problem("worker-trouble", f"the worker is in trouble: {worker.trouble}", "see worker.log in the home")
    line = _last_trouble(home / LOG_FILE)
    if line:
        yield problem("worker-log", f"the worker's log ends in trouble: {line}", f"see {home / LOG_FILE}")


def _last_trouble(path: Path) -> str:
    """The last line of trouble of the worker that began last; empty when there is none, or a worker began since."""
    try:
        with path.open("rb") as file:
            file.seek(max(path.stat().st_size - _TAIL, 0))
            rows = file.read(_TAIL).decode("utf-8", "replace").splitlines()
    except OSError:
        return ""
    found = ""
    for row in rows:
        if _BEGAN.search(row):
            found = ""
        elif _TROUBLE.search(row) and ": not queued, " not in row and ": waits, " not in row:
            found = row
    return found[:200]


def _counted(number: int, one: str) -> str:
    return f"{number} {one if number == 1 else one + 's'}"


def _span(seconds: float) -> str:
    hours = int(seconds // 3600)
    return f"{hours} h" if hours else f"{int(seconds // 60)} min"

"""The turns of a benchmark: looked over once before anything begins, then read one by one by each lane.

Owns which labelled turns a run has and in which order, the digests that say what it is of, and the reading of a turn.
Knows nothing of lanes or scoring.
"""

import hashlib
import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ferrule.adapters.transcripts.reader import read_text
from ferrule.errors import Code, UnreadableInput, UsageError
from ferrule.evaluation.bench import BenchTurn, Unread
from ferrule.evaluation.metrics_lane import Judged
from ferrule.evaluation.records import label_of, read_rows
from ferrule.evaluation.records_turns import facts_of
from ferrule.referents.secrets.detect import scrub

__all__ = ["SHIPPED", "Chosen", "Survey", "bench_turns", "digest_of", "scrub_of", "survey"]

SHIPPED = Path(__file__).resolve().parents[1] / "samples" / "bench"
_CHUNK = 1024 * 1024

Scrub = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Chosen:
    """Which of the labelled turns a run is of: the first `limit`, or just these ids; all when neither is given."""

    limit: int | None = None
    only: tuple[str, ...] = ()

    def json_form(self) -> dict[str, object]:
        """As it stands in `run.json`."""
        return {"limit": self.limit, "only": sorted(set(self.only)) or None}


@dataclass(frozen=True, slots=True)
class Survey:
    """What a run is of, before it begins.

    Attributes:
        turns: the file of turns.
        judged: the labelled turns of this run, in the order of that file; labelled ones that it lacks come last.
        of_turns: path, digest and count, as in `run.json`.
        of_labels: the same of the labels.
    """

    turns: Path
    judged: Judged
    of_turns: Mapping[str, object]
    of_labels: Mapping[str, object]

    @property
    def ids(self) -> tuple[str, ...]:
        """The turns' ids, in order."""
        return tuple(label.id for label in self.judged.labels)


def survey(turns: Path, labels: Path, chosen: Chosen) -> Survey:
    """Look over both files.

    Raises:
        UnreadableInput: one cannot be read as what it should be, or has a turn twice.
        UsageError: no turn is left, or `only` names one that is not labelled.
    """
    marked = _once(labels, read_rows(labels))
    strange = next((name for name, row in marked.items() if not isinstance(row.get("entities"), list)), None)
    if not marked or strange is not None:
        raise UnreadableInput(f"{labels} holds no labels" if not marked else f"{labels}: {strange} is no label")
    found = _once(turns, _rows(turns), marked)
    if not found:
        raise UsageError(f"no turn of {turns} has a label in {labels}", code=Code.BAD_TOOL_ARGS)
    ids = _choice((*found, *(name for name in marked if name not in found)), chosen, labels)
    judged = Judged(
        tuple(label_of(marked[name]) for name in ids),
        tuple(facts_of(found.get(name, {"id": name}), marked[name]) for name in ids),
    )
    return Survey(
        turns,
        judged,
        {"file": str(turns.resolve()), "sha256": digest_of(turns), "count": sum(name in found for name in ids)},
        {"file": str(labels.resolve()), "sha256": digest_of(labels), "count": len(ids)},
    )


def _once(
    path: Path, rows: Iterator[Mapping[str, object]], wanted: Collection[str] | None = None
) -> dict[str, Mapping[str, object]]:
    found: dict[str, Mapping[str, object]] = {}
    for row in rows:
        name = str(row["id"])
        if wanted is not None and name not in wanted:
            continue
        if name in found:
            raise UnreadableInput(f"{path} has the turn {name} twice")
        found[name] = row
    return found


def _choice(ids: Sequence[str], chosen: Chosen, labels: Path) -> tuple[str, ...]:
    unknown = [name for name in chosen.only if name not in ids]
    if unknown:
        raise UsageError(f"--only: {labels} has no label for {', '.join(unknown[:5])}", code=Code.BAD_TOOL_ARGS)
    kept = [name for name in ids if not chosen.only or name in chosen.only]
    return tuple(kept if chosen.limit is None else kept[: chosen.limit])


def _rows(path: Path) -> Iterator[Mapping[str, object]]:
    """What is needed of each turn before it is read: its id and where it comes from, not its text."""
    for where, line in _lines(path):
        row = _object(line, where)
        kept = {name: row[name] for name in ("source", "session_key", "cwd", "language") if name in row}
        yield {**kept, "id": _name(row)}


def _lines(path: Path) -> Iterator[tuple[str, str]]:
    try:
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    yield f"{path}: line {number}", line
    except (OSError, UnicodeDecodeError) as error:
        words = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise UnreadableInput(f"{path} cannot be read: {words or error}", code=Code.IO_FAILED) from error


def _object(line: str, where: str) -> Mapping[str, object]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise UnreadableInput(f"{where} is not JSON") from error
    if not isinstance(row, dict):
        raise UnreadableInput(f"{where} is not an object")
    return row


def _name(row: Mapping[str, object]) -> str:
    return str(row.get("id") or row.get("turn_key") or "")


def bench_turns(path: Path, clean: Scrub) -> Callable[[Sequence[str]], Iterator[Unread]]:
    """A finder of the turns with given ids, read scrubbed, in the order of the file.

    It raises `UnreadableInput` when the file became unreadable since it was looked over.
    """

    def found(wanted: Sequence[str]) -> Iterator[Unread]:
        left = set(wanted)
        for where, line in _lines(path):
            if not left:
                return
            name = _name(_object(line, where))
            if name in left:
                left.remove(name)
                yield Unread(name, partial(_turn, name, line, where, clean))

    return found


def _turn(name: str, line: str, where: str, clean: Scrub) -> BenchTurn:
    try:
        (session,) = read_text(line, scrub=clean, name=where)
    except (UnreadableInput, UsageError) as error:
        return BenchTurn(name, None, str(error))
    if not session.turns:
        return BenchTurn(name, None, session.skipped[0].reason if session.skipped else "no turn")
    return BenchTurn(name, session.turns[0])


def scrub_of(path: Path) -> Scrub:
    """What takes secrets out of these turns: with the same marks in every run, which nobody can check without the file.

    A home's own key would give the marks, and so what is written, another form each time (D13).

    Raises:
        UnreadableInput: it cannot be read.
    """
    key = bytes.fromhex(digest_of(path, before=b"ferrule bench marks\0"))
    return lambda text: scrub(text, key)


def digest_of(path: Path, *, before: bytes = b"") -> str:
    """SHA-256 of a file, in hex, as if these bytes stood before it.

    Raises:
        UnreadableInput: it cannot be read.
    """
    digest = hashlib.sha256(before)
    try:
        with path.open("rb") as file:
            while chunk := file.read(_CHUNK):
                digest.update(chunk)
    except OSError as error:
        raise UnreadableInput(f"{path} cannot be read: {error.strerror}", code=Code.IO_FAILED) from error
    return digest.hexdigest()

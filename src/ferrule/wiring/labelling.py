"""The desk where a person labels turns: the turns, what was labelled before, and the two files that both become.

Owns reading the turns, going on where one stopped, saving (both files whole or not at all, the turn before its label)
and that nobody overwrites what another page or process has just saved. Rows of the files that belong to no turn of the
desk stay as they are. Knows nothing of HTTP or of how a label is checked.
"""

import hashlib
import json
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from io import BytesIO
from pathlib import Path

from ferrule.errors import Code, StoreError, UsageError
from ferrule.evaluation.candidates import candidates_in
from ferrule.evaluation.labelling import (
    GRADES,
    KINDS,
    MODALITIES,
    TYPES,
    Subject,
    label_row,
    said_in,
    spots_of,
    turn_row,
)
from ferrule.evaluation.records import read_rows
from ferrule.evaluation.runs_files import alone, put_whole
from ferrule.wiring.home import Home
from ferrule.wiring.reading import Unreadable, sessions_at

__all__ = ["LABELS", "TURNS", "LabelDesk", "Saved", "desk_of", "folder_held", "subjects_at"]

TURNS, LABELS = "turns.jsonl", "labels.jsonl"
MOST_TURNS = 2000
_TITLE = 120
_SHOWN = 400_000
_PRIVATE = 0o700

Json = dict[str, object]


@dataclass(frozen=True, slots=True)
class Saved:
    """What became of a save: `state` is `saved`, `faulty` (with `faults`), or `stale`: somebody saved in between."""

    state: str
    faults: Sequence[Json] = ()


def subjects_at(
    home: Home, paths: Sequence[str], *, form: str | None, progress: Callable[[str], None]
) -> tuple[tuple[Subject, ...], tuple[str, ...]]:
    """The completed turns of all transcripts, scrubbed (D13), each once, at most 2000; and what was not read.

    Raises:
        UsageError: no such path or format; nothing completed stands there.
        UnreadableInput: a file is no transcript, or a folder holds none.
    """
    found: dict[str, Subject] = {}
    remarks: list[str] = []
    for path in paths:
        for session in sessions_at(home, path, BytesIO(), progress=progress, form=form):
            if isinstance(session, Unreadable):
                remarks.append(f"{session.file} was passed over: {session.reason}")
                continue
            file = f"{session.format}/{Path(session.file or path).name}"
            for turn in session.turns:
                subject = Subject(session.session, turn, file)
                found.setdefault(subject.id, subject)
    if not found:
        raise UsageError("there is no completed turn to label", code=Code.TURN_NOT_COMPLETED)
    kept = tuple(found.values())[:MOST_TURNS]
    if len(kept) < len(found):
        remarks.append(
            f"only the first {MOST_TURNS} of {len(found)} turns are shown; name fewer transcripts for the rest"
        )
    return kept, tuple(remarks)


def desk_of(subjects: Sequence[Subject], out: Path) -> "LabelDesk":
    """A desk over a folder, with what was labelled there before.

    Raises:
        UnreadableInput: a file in the folder is not what it should be; nothing was changed.
    """
    kept = tuple({str(row["id"]): row for row in _rows(out / name)} for name in (TURNS, LABELS))
    return LabelDesk(subjects, out, *kept)


def _rows(path: Path) -> Iterator[Mapping[str, object]]:
    if path.exists():
        yield from read_rows(path)


@contextmanager
def folder_held(out: Path) -> Iterator[None]:
    """The folder of labels as this process's own, made private when it is new.

    Raises:
        UsageError: another process works on it.
        StoreError: it cannot be made.
    """
    try:
        out.mkdir(mode=_PRIVATE, parents=True, exist_ok=True)
    except OSError as problem:
        raise StoreError(f"{out}: {problem.strerror or problem}", code=Code.IO_FAILED) from problem
    with alone(out):
        yield


class LabelDesk:
    """Turns in order, and their labels. Calls from several threads are taken one at a time.

    Args:
        subjects: the turns.
        out: the folder of the two files; made when something is saved first.
        turns: rows of turns by id, as they stand in the folder.
        labels: rows of labels by id.
    """

    def __init__(
        self,
        subjects: Sequence[Subject],
        out: Path,
        turns: Mapping[str, Mapping[str, object]],
        labels: Mapping[str, Mapping[str, object]],
    ) -> None:
        self.out = out
        self._subjects = tuple(subjects)
        self._turns, self._labels = dict(turns), dict(labels)
        self._lock = threading.RLock()

    def __len__(self) -> int:
        return len(self._subjects)

    def done(self) -> int:
        """How many of the turns have a label, once a save that is under way is done."""
        with self._lock:
            return sum(subject.id in self._labels for subject in self._subjects)

    def overview(self) -> Json:
        """The list of turns with their state, the words to choose from, and where the files are."""
        with self._lock:
            rows = [_brief(number, one, self._labels.get(one.id)) for number, one in enumerate(self._subjects)]
        words: Json = {"types": TYPES, "kinds": KINDS, "modalities": MODALITIES, "grades": GRADES}
        return {"turns": rows, "words": words, "out": str(self.out)}

    def turn(self, number: int) -> Json | None:
        """One turn with its label; the texts of its calls come one by one. None when there is no such turn."""
        subject = self._at(number)
        if subject is None:
            return None
        turn = subject.turn
        calls = [
            {"tool": call.tool, "about": _about(call.arguments), "ok": call.ok, "size": len(call.result or "")}
            for call in turn.calls
        ]
        said: Json = {"user": turn.user, "steering": turn.steering, "outcome": turn.outcome}
        place: Json = {"cwd": turn.place.cwd, "branch": turn.branch, "file": subject.file}
        with self._lock:
            label = self._labels.get(subject.id)
            return {**_brief(number, subject, label), **said, **place, "calls": calls, "label": label}

    def call(self, number: int, index: int) -> Json | None:
        """Arguments and result of one call, whole up to 400,000 characters each."""
        subject = self._at(number)
        if subject is None or not 0 <= index < len(subject.turn.calls):
            return None
        call = subject.turn.calls[index]
        arguments = call.arguments
        shown = arguments if isinstance(arguments, str) else json.dumps(dict(arguments), ensure_ascii=False, indent=1)
        return {"arguments": shown[:_SHOWN], "result": None if call.result is None else call.result[:_SHOWN]}

    def candidates(self, number: int) -> list[Json] | None:
        """What the turn shows and could be labelled."""
        subject = self._at(number)
        if subject is None:
            return None
        return [
            {
                "label": one.label,
                "type": one.type,
                "modality": one.modality,
                "roles": one.roles,
                "handles": [{"kind": kind, "value": value} for kind, value in one.handles],
            }
            for one in candidates_in(subject.turn, said_in(subject.turn))
        ]

    def spots(self, number: int, value: str) -> list[Json] | None:
        """Where a value stands in a turn: role, offsets, and the call's number."""
        subject = self._at(number)
        return None if subject is None else [asdict(spot) for spot in spots_of(said_in(subject.turn), value)]

    def save(self, number: int, revision: str, draft: object) -> Saved | None:
        """Save a label, or take it away when the draft is None; None when there is no such turn.

        Raises:
            StoreError: a file cannot be written; what was saved before is still there.
        """
        subject = self._at(number)
        if subject is None:
            return None
        row = None if draft is None else label_row(subject, draft)
        if isinstance(row, tuple):
            return Saved("faulty", [asdict(fault) for fault in row])
        with self._lock:
            if _revision(self._labels.get(subject.id)) != revision:
                return Saved("stale")
            turns, labels = dict(self._turns), dict(self._labels)
            if row is None:
                turns.pop(subject.id, None)
                labels.pop(subject.id, None)
            else:
                turns[subject.id], labels[subject.id] = turn_row(subject), row
            self._write(turns, labels)
        return Saved("saved")

    def _write(self, turns: dict[str, Mapping[str, object]], labels: dict[str, Mapping[str, object]]) -> None:
        """A label never stands without its turn: the turn comes first, and goes last."""
        files = [(TURNS, turns), (LABELS, labels)]
        for name, rows in files if len(turns) >= len(self._turns) else reversed(files):
            put_whole(self.out / name, _lines(rows.values()))
        self._turns, self._labels = turns, labels

    def _at(self, number: int) -> Subject | None:
        return self._subjects[number] if 0 <= number < len(self._subjects) else None


def _brief(number: int, subject: Subject, label: Mapping[str, object] | None) -> Json:
    return {
        "n": number,
        "title": " ".join(subject.turn.user.split())[:_TITLE],
        "session": subject.session.key,
        "ordinal": subject.turn.ordinal,
        "state": "open" if label is None else str(label.get("expect", "write")),
        "revision": _revision(label),
    }


def _revision(label: Mapping[str, object] | None) -> str:
    return "" if label is None else hashlib.sha256(_line(label).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _about(arguments: object) -> str:
    """The first text among the arguments, as one short line."""
    values = [arguments] if isinstance(arguments, str) else []
    if isinstance(arguments, Mapping):
        values = [value for value in arguments.values() if isinstance(value, str)]
    return " ".join((values[0] if values else "")[: 4 * _TITLE].split())[:_TITLE]


def _line(row: Mapping[str, object]) -> str:
    return json.dumps(row, ensure_ascii=False)


def _lines(rows: Iterable[Mapping[str, object]]) -> str:
    return "".join(f"{_line(row)}\n" for row in rows)

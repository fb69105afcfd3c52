"""The page of a run, made from the files in its folder and from the turns that it names, and put beside them.

Owns which files are read, whether the turns are still those of the run, and the scrubbing of what is shown. Knows
nothing of markup.
"""

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ferrule.errors import Code, StoreError, UnreadableInput, UsageError
from ferrule.evaluation.bench import Unread
from ferrule.evaluation.report.page import MOST_CASES, Run, page_of, values_wanted
from ferrule.evaluation.report.reading import lanes_of, members, rows, text
from ferrule.evaluation.report.texts import TurnText, TurnTexts, text_of
from ferrule.evaluation.runs import METRICS, REPORT, read_metrics
from ferrule.evaluation.runs_files import alone, put_whole
from ferrule.wiring.benching_turns import bench_turns, digest_of, scrub_of
from ferrule.wiring.benching_ways import AMNESIA, SEQUENCE

__all__ = ["ReportRequest", "Reported", "write_report"]

_MOST_BYTES = 64 * 1024**2
_MOST_CASES = 20_000
_NAMED = 5


@dataclass(frozen=True, slots=True)
class ReportRequest:
    """What is asked for.

    Attributes:
        out: the folder of a run.
        most_cases: so many turns that went wrong get a card, the gravest first.
    """

    out: Path
    most_cases: int = MOST_CASES


@dataclass(frozen=True, slots=True)
class Reported:
    """What came of it: the page's place and size in bytes, how many cases it shows of how many, and what is missing."""

    path: Path
    size: int
    shown: int
    cases: int
    remark: str = ""


def write_report(request: ReportRequest, *, progress: Callable[[str], None]) -> Reported:
    """Make `report.html` in a run's folder anew from what is there.

    Raises:
        UsageError: the number of cases is wrong, there is nothing to tell, or another process works on that folder.
        UnreadableInput: a file of figures is damaged.
        StoreError: the folder cannot be written.
    """
    if not 1 <= request.most_cases <= _MOST_CASES:
        raise UsageError(f"--cases is a number from 1 to {_MOST_CASES}", code=Code.BAD_TOOL_ARGS)
    out = request.out
    if not any((out / name).is_file() for name in (METRICS, SEQUENCE, AMNESIA)):
        raise UsageError(f"{out} holds no finished run; `ferrule bench --out {out}` makes one")
    with alone(out):
        progress("reading figures")
        metrics = read_metrics(out) if (out / METRICS).is_file() else None
        texts = TurnTexts() if metrics is None else _texts(metrics, request, progress)
        progress("drawing")
        run = Run(metrics, _object(out / SEQUENCE), _object(out / AMNESIA), texts, request.most_cases)
        page = page_of(run)
        put_whole(out / REPORT, page.html)
    size = len(page.html.encode("utf-8", errors="backslashreplace"))
    return Reported(out / REPORT, size, len(page.deck.shown), page.deck.every, texts.remark)


def _object(path: Path) -> Mapping[str, object] | None:
    """The figures of another way of working; None when there are none."""
    try:
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
    except FileNotFoundError:
        return None
    except OSError as problem:
        raise UnreadableInput(f"{path} cannot be read: {problem.strerror}", code=Code.IO_FAILED) from problem
    if len(data) > _MOST_BYTES:
        raise UnreadableInput(f"{path} is larger than {_MOST_BYTES // 1024**2} MB", code=Code.TOO_LARGE)
    try:
        value = json.loads(data.decode("utf-8", errors="replace"))
    except (ValueError, RecursionError) as problem:
        raise UnreadableInput(f"{path} is not JSON") from problem
    if not isinstance(value, dict):
        raise UnreadableInput(f"{path} is not an object")
    return value


def _texts(metrics: Mapping[str, object], request: ReportRequest, progress: Callable[[str], None]) -> TurnTexts:
    """The text of the turns that the page shows; where they are gone or others, why there is none."""
    wanted = values_wanted(metrics, request.most_cases)
    if not wanted:
        return TurnTexts()
    place, digest = _turns_of(metrics)
    if place is None:
        return TurnTexts(remark="The run does not say which file its turns are in, so that cards come without text.")
    if not place.is_file():  # neither gone nor something that never ends, as a device
        return TurnTexts(remark=f"{place} is not there any more, so that cards come without text.")
    progress("reading turns")
    try:
        if digest_of(place) != digest:
            return TurnTexts(
                remark=f"{place} has changed since the run (its digest differs), so that cards come without text."
            )
        return _read(bench_turns(place, scrub_of(place))(list(wanted)), wanted, _broken(metrics))
    except (UnreadableInput, StoreError) as problem:
        return TurnTexts(remark=f"The turns cannot be read any more, so that cards come without text: {problem}")


def _turns_of(metrics: Mapping[str, object]) -> tuple[Path | None, str]:
    run = metrics.get("run")
    turns = run.get("turns") if isinstance(run, Mapping) else None
    file = turns.get("file") if isinstance(turns, Mapping) else None
    digest = turns.get("sha256") if isinstance(turns, Mapping) else None
    return (Path(file) if isinstance(file, str) and file and "\0" not in file else None), str(digest)


def _broken(metrics: Mapping[str, object]) -> set[str]:
    """Turns that broke every lane that read them: reading them again would break this too."""
    lanes = [lane for lane in lanes_of(metrics).values() if text(members(lane, "lane"), "kind") != "file"]
    return set.intersection(*map(_bugs, lanes)) if lanes else set()


def _bugs(lane: Mapping[str, object]) -> set[str]:
    return {text(row, "id") for row in rows(lane, "failed") if text(row, "code") == Code.INTERNAL.value}


def _read(turns: Iterable[Unread], wanted: Mapping[str, Sequence[str]], broken: Collection[str]) -> TurnTexts:
    found: dict[str, TurnText] = {}
    for item in turns:
        turn = item.read().turn if item.id not in broken else None
        if turn is not None:
            found[item.id] = text_of(turn, wanted[item.id])
    lacking = [name for name in wanted if name not in found]
    named = ", ".join(lacking[:_NAMED]) + (" …" if len(lacking) > _NAMED else "")
    remark = f"Without text, since their file holds no such turn that can be read: {named}." if lacking else ""
    return TurnTexts(found, remark)

"""A benchmark makes every row once, keeps each as soon as it is done, and lives through rows that fail."""

import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from ferrule.errors import Code, StoreError, UnreadableInput, UsageError
from ferrule.evaluation.bench import BenchLane, BenchTurn, LaneAtWork, Unread, Work, run_lanes
from ferrule.evaluation.lanes import Lane
from ferrule.evaluation.records import read_labels
from ferrule.evaluation.rows import Row, RowOutcome, row_of
from ferrule.evaluation.rows_journal import read_journal
from ferrule.evaluation.runs import ROWS, lane_folder
from ferrule.session.turn import Turn

IDS = ("one", "two", "three")


def bench_turn(key: str) -> BenchTurn:
    """A turn that says next to nothing."""
    return BenchTurn(key, Turn(key=key, session="s", ordinal=1, user="u", outcome="o"))


class Critic:
    """A lane that notes what it is asked for; `failing` turns raise what they are given."""

    def __init__(self, name: str = "lane", **failing: BaseException) -> None:
        self.name, self.failing = name, failing
        self.asked: list[str] = []
        self.opened = 0
        self.unreadable = ""

    def read(self, name: str) -> BenchTurn:
        if self.unreadable == name:
            raise RecursionError
        return bench_turn(name)

    def review(self, item: BenchTurn) -> Row:
        self.asked.append(item.id)
        if item.id in self.failing:
            raise self.failing[item.id]
        return Row(item.id, RowOutcome.NOTHING, reason=f"seen by {self.name}")

    @contextmanager
    def open(self) -> Iterator[LaneAtWork]:
        self.opened += 1

        def turns(wanted: Sequence[str]) -> Iterable[Unread]:
            return [Unread(name, partial(self.read, name)) for name in wanted if name != "absent"]

        yield LaneAtWork(turns, self.review)

    def lane(self) -> BenchLane:
        return BenchLane(Lane(self.name, "scripted"), self.open)


def rows_at(out: Path, name: str = "lane") -> list[Row]:
    """The rows of a lane's journal."""
    return list(read_journal(lane_folder(out, name) / ROWS, IDS)[0])


def test_every_turn_is_reviewed_once_and_a_second_start_reviews_nothing(tmp_path: Path) -> None:
    """R71, R89: finished rows are never made again, and a lane without missing rows is not even opened."""
    critic = Critic()
    (first,) = run_lanes([critic.lane()], tmp_path, Work(IDS))
    (again,) = run_lanes([critic.lane()], tmp_path, Work(IDS))
    assert (critic.asked, critic.opened) == (list(IDS), 1)
    assert first.rows == again.rows == tuple(rows_at(tmp_path))
    assert (first.kept, again.kept) == (0, 3)


def test_a_stopped_run_goes_on_behind_its_last_row(tmp_path: Path) -> None:
    """R89: whatever ends it, what was finished is kept."""
    stopped = Critic(two=KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        run_lanes([stopped.lane()], tmp_path, Work(IDS))
    assert [row.id for row in rows_at(tmp_path)] == ["one"]
    critic = Critic()
    (found,) = run_lanes([critic.lane()], tmp_path, Work(IDS))
    assert critic.asked == ["two", "three"]
    assert ([row.id for row in found.rows], found.kept) == (list(IDS), 1)


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (StoreError("the disk is full", code=Code.IO_FAILED), "IO_FAILED", "the disk is full"),
        (UsageError("no such turn"), "BAD_KEY", "no such turn"),
        (ValueError("SECRET text of a turn"), "INTERNAL", "a bug in the reviewer: ValueError"),
    ],
)
def test_a_failing_row_is_kept_as_failed_and_the_run_goes_on(
    tmp_path: Path, error: Exception, code: str, words: str
) -> None:
    """R89: its code and reason are told, a bug's own text is not: it may quote the turn (D13)."""
    (found,) = run_lanes([Critic(two=error).lane()], tmp_path, Work(IDS))
    failed = found.rows[1]
    assert (failed.outcome, failed.code, failed.reason) == (RowOutcome.FAILED, code, words)
    assert [row.outcome for row in found.rows].count(RowOutcome.NOTHING) == 2


def test_a_turn_that_a_reader_chokes_on_is_a_failed_row_too(tmp_path: Path) -> None:
    """R89: a turn is read within its row."""
    critic = Critic()
    critic.unreadable = "two"
    (found,) = run_lanes([critic.lane()], tmp_path, Work(IDS))
    assert (found.rows[1].outcome, found.rows[1].code) == (RowOutcome.FAILED, "INTERNAL")
    assert critic.asked == ["one", "three"]


def test_failed_rows_are_tried_again_only_when_asked(tmp_path: Path) -> None:
    """The last row of a turn counts."""
    run_lanes([Critic(two=StoreError("full")).lane()], tmp_path, Work(IDS))
    quiet, retried = Critic(), Critic()
    run_lanes([quiet.lane()], tmp_path, Work(IDS))
    (found,) = run_lanes([retried.lane()], tmp_path, Work(IDS, retry_failed=True))
    assert (quiet.asked, retried.asked) == ([], ["two"])
    assert [row.outcome for row in found.rows] == [RowOutcome.NOTHING] * 3
    assert [row.id for row in rows_at(tmp_path)] == [*IDS, "two"]


def test_a_turn_that_never_comes_is_skipped(tmp_path: Path) -> None:
    """R76: a labelled turn that the turns lack is told of."""
    (found,) = run_lanes([Critic().lane()], tmp_path, Work(("one", "absent")))
    assert (found.rows[1].outcome, found.rows[1].reason) == (RowOutcome.SKIPPED, "not among the turns")


def test_lanes_run_beside_each_other_with_one_row_in_flight_each(tmp_path: Path) -> None:
    """Two lanes that wait for each other within a row both end; within a lane rows never overlap."""
    meet = threading.Barrier(2, timeout=20)
    inside: dict[str, int] = {"a": 0, "b": 0}
    most: dict[str, int] = {"a": 0, "b": 0}

    class Meeting(Critic):
        def review(self, item: BenchTurn) -> Row:
            inside[self.name] += 1
            most[self.name] = max(most[self.name], inside[self.name])
            meet.wait()
            inside[self.name] -= 1
            return super().review(item)

    lanes = [Meeting("a").lane(), Meeting("b").lane()]
    found = run_lanes(lanes, tmp_path, Work(IDS, jobs=2))
    assert [lane.lane.name for lane in found] == ["a", "b"]
    assert most == {"a": 1, "b": 1}
    assert [row.id for row in rows_at(tmp_path, "b")] == list(IDS)


def test_a_lane_that_cannot_go_on_stops_the_others_behind_their_row(tmp_path: Path) -> None:
    """R89: the folder of one lane cannot be written; the run ends with that error and the other's rows stay."""
    (tmp_path / "lanes").mkdir()
    (tmp_path / "lanes" / "b").write_text("in the way", encoding="utf-8")
    with pytest.raises(StoreError):
        run_lanes([Critic("a").lane(), Critic("b").lane()], tmp_path, Work(IDS, jobs=2))
    ids = [row.id for row in rows_at(tmp_path, "a")]
    assert ids == list(IDS[: len(ids)])


@pytest.mark.parametrize("tail", [b'{"id": "two", "outc', b'{"id": "two"}\n', b"\xff\xfe\n", b"[]\n", b"null\n"])
def test_a_torn_or_damaged_line_is_as_if_it_had_not_been(tmp_path: Path, tail: bytes) -> None:
    """R89: the turn is reviewed again, and the next line is not glued to the torn one."""
    run_lanes([Critic().lane()], tmp_path, Work(("one",)))
    path = lane_folder(tmp_path, "lane") / ROWS
    whole = path.read_bytes()
    path.write_bytes(whole + tail)
    critic = Critic()
    (found,) = run_lanes([critic.lane()], tmp_path, Work(IDS))
    assert (critic.asked, found.dropped) == (["two", "three"], 1)
    assert path.read_bytes().startswith(whole)
    assert [row_of(line) is not None for line in path.read_text(encoding="utf-8").splitlines()] == [True] * 3


def test_an_unwritable_folder_is_one_clear_error(tmp_path: Path) -> None:
    """R89."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(StoreError):
        run_lanes([Critic().lane()], tmp_path / "file" / "out", Work(IDS))


@pytest.mark.parametrize("text", ["{", "[]\n", '{"x": 1}\n'])
def test_a_broken_label_file_is_one_clear_error(text: str, tmp_path: Path) -> None:
    """R89."""
    path = tmp_path / "labels.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UnreadableInput):
        read_labels(path)

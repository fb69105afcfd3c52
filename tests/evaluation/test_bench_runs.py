"""A run's folder says what it is of, is worked on by one process, and lives through kill -9 at any point."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from ferrule.errors import StoreError, UnreadableInput, UsageError
from ferrule.evaluation.runs import METRICS, RUN, open_run, read_metrics
from ferrule.evaluation.runs_files import alone, put_whole

WHAT: dict[str, object] = {
    "format": 1,
    "ferrule": "1",
    "code": "c",
    "started": "2026-01-01",
    "turns": {"file": "/a", "sha256": "t", "count": 3},
    "labels": {"file": "/b", "sha256": "l", "count": 3},
    "chosen": {"limit": None, "only": None},
    "ontology": "",
    "lanes": [{"name": "embedded", "kind": "embedded", "argument": "", "settings": {}, "about": {"weights": "w"}}],
}


def started_process(script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A Python process of its own, ended."""
    command = [sys.executable, "-c", script, *arguments]
    return subprocess.run(command, check=False, capture_output=True, encoding="utf-8")  # noqa: S603 - our own script


def started(out: Path) -> Path:
    """A run with one row."""
    open_run(out, WHAT)
    (out / "lanes" / "embedded").mkdir(parents=True)
    rows = out / "lanes" / "embedded" / "rows.jsonl"
    rows.write_text("{}\n", encoding="utf-8")
    return rows


def test_the_same_run_is_gone_on_with_wherever_its_files_lie_now(tmp_path: Path) -> None:
    """R89: what counts is what the files hold, not where they are or when it began."""
    rows = started(tmp_path)
    moved = {**WHAT, "started": "2027", "turns": {"file": "/elsewhere", "sha256": "t", "count": 3}}
    assert open_run(tmp_path, moved) is True
    assert rows.exists()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"ferrule": "2"}, "another version"),
        ({"code": "d"}, "other reviewing code"),
        ({"turns": {"file": "/a", "sha256": "u", "count": 3}}, "other turns"),
        ({"labels": {"file": "/b", "sha256": "m", "count": 3}}, "other labels"),
        ({"chosen": {"limit": 2, "only": None}}, "another choice of turns"),
        ({"ontology": "o"}, "another ontology"),
        ({"lanes": []}, "other lanes or settings"),
        ({"ferrule": "2", "ontology": "o"}, "another version of Ferrule and another ontology"),
    ],
)
def test_a_run_of_something_else_is_refused_and_left_as_it_is(
    tmp_path: Path, change: dict[str, object], words: str
) -> None:
    """R89: one line that says what differs and what to do."""
    rows = started(tmp_path)
    before = (tmp_path / RUN).read_bytes()
    with pytest.raises(UsageError, match=words) as refused:
        open_run(tmp_path, {**WHAT, **change})
    assert "--fresh" in str(refused.value)
    assert (rows.exists(), (tmp_path / RUN).read_bytes()) == (True, before)


def test_fresh_forgets_the_run_and_nothing_else(tmp_path: Path) -> None:
    """Files that no run made stay."""
    rows = started(tmp_path)
    own = tmp_path / "lanes" / "embedded" / "notes.txt"
    own.write_text("mine", encoding="utf-8")
    assert open_run(tmp_path, {**WHAT, "code": "d"}, fresh=True) is False
    assert (rows.exists(), own.exists()) == (False, True)
    assert json.loads((tmp_path / RUN).read_text(encoding="utf-8"))["code"] == "d"


def test_rows_without_a_run_are_of_nobody_knows_what_and_go(tmp_path: Path) -> None:
    """R89: a crash between forgetting a run and beginning the next leaves this."""
    rows = started(tmp_path)
    (tmp_path / RUN).unlink()
    assert open_run(tmp_path, WHAT) is False
    assert not rows.exists()


@pytest.mark.parametrize("text", ["{", "[]", '{"format": 99}'])
def test_a_damaged_or_newer_run_is_refused(tmp_path: Path, text: str) -> None:
    """R89: never guessed."""
    (tmp_path / RUN).write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match="--fresh"):
        open_run(tmp_path, WHAT)


def test_a_second_process_is_kept_out(tmp_path: Path) -> None:
    """One row in flight per lane, also when the same command is started twice."""
    script = "import sys; from pathlib import Path; from ferrule.evaluation.runs_files import alone\n"
    script += "with alone(Path(sys.argv[1])): pass\n"
    command = (script, str(tmp_path))
    with alone(tmp_path):
        refused = started_process(*command)
    assert "another `ferrule bench` works on" in refused.stderr
    assert started_process(*command).returncode == 0


def test_a_file_that_cannot_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    """R89: and nothing beside it."""
    (tmp_path / "folder").mkdir()
    with pytest.raises(StoreError):
        put_whole(tmp_path / "folder", "text")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


@pytest.mark.parametrize("text", [None, "{", '{"figures": {}}', '{"format": 2, "lanes": {}}'])
def test_a_baseline_that_is_none_is_one_clear_error(tmp_path: Path, text: str | None) -> None:
    """R89: also the file of an older Ferrule."""
    if text is not None:
        (tmp_path / METRICS).write_text(text, encoding="utf-8")
    with pytest.raises(UnreadableInput, match=str(METRICS)):
        read_metrics(tmp_path)


KILLED = '''
import json, os, signal, sys
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from ferrule.evaluation import runs_files, rows_journal
from ferrule.evaluation.bench import BenchLane, BenchTurn, LaneAtWork, Unread, Work, run_lanes
from ferrule.evaluation.lanes import Lane
from ferrule.evaluation.rows import Row, RowOutcome
from ferrule.evaluation.runs import open_run
from ferrule.evaluation.runs_files import put_whole

IDS = tuple(f"t{number}" for number in range(3))

@contextmanager
def opened():
    yield LaneAtWork(lambda ids: [Unread(name, partial(BenchTurn, name, None)) for name in ids],
                     lambda item: Row(item.id, RowOutcome.NOTHING, reason="seen " + item.id))

def work(out):
    open_run(out, {"format": 1, "ferrule": "1"})
    lanes = [BenchLane(Lane(name, "scripted"), opened) for name in ("a", "b")]
    found = run_lanes(lanes, out, Work(IDS))
    put_whole(out / "metrics.json", json.dumps([[row.id for row in lane.rows] for lane in found]))

def mortal(out, point):
    """Work on it, and be killed just before the point-th time that something is to last."""
    left = [point]
    def counted(function):
        def call(*args):
            left[0] -= 1
            if not left[0]:
                os.kill(os.getpid(), signal.SIGKILL)
            return function(*args)
        return call
    os.fsync = counted(os.fsync)
    os.replace, Path.replace = counted(os.replace), counted(Path.replace)
    work(out)

def child(function, *args):
    pid = os.fork()
    if not pid:
        try:
            function(*args)
        finally:
            os._exit(0)
    return os.waitpid(pid, 0)[1]

def files(out):
    return {str(path.relative_to(out)): path.read_text() for path in sorted(out.rglob("*")) if path.is_file()}

base = Path(sys.argv[1])
work(base / "whole")
expected = files(base / "whole")
point, differing = 1, []
while os.WIFSIGNALED(child(mortal, base / str(point), point)):
    assert child(mortal, base / str(point), 3) is not None  # killed once more, early in the second start
    work(base / str(point))
    if files(base / str(point)) != expected:
        differing.append(point)
    point += 1
print(json.dumps({"points": point - 1, "differing": differing, "whole": files(base / str(point)) == expected}))
'''


@pytest.mark.skipif(sys.platform == "win32", reason="needs fork and SIGKILL")
def test_killed_at_any_point_and_started_again_it_ends_as_an_undisturbed_run(tmp_path: Path) -> None:
    """R89: kill -9 before each thing that is made to last, another early in the next start, then the same files."""
    ran = started_process(KILLED, str(tmp_path))
    assert ran.returncode == 0, ran.stderr
    told = json.loads(ran.stdout)
    assert (told["differing"], told["whole"]) == ([], True)
    assert told["points"] >= 15

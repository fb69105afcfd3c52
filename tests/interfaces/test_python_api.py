"""Ferrule inside a host's program: values for what is expected, one exception tree for misuse, nothing that waits."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from follow_cases import CHILD, SOURCE, event, held, turn

import ferrule as package
from ferrule import (
    Attached,
    Code,
    Declined,
    Delivered,
    Detached,
    Duplicate,
    Ferrule,
    Ignored,
    Noted,
    Queued,
    Received,
    StoreError,
    UsageError,
    Wake,
    Wish,
)
from ferrule.session.events import sign
from ferrule.session.subscriptions import Delivery


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Ferrule]:
    """An open home; no worker is started."""
    monkeypatch.setenv("FERRULE_WORKER", "off")
    with Ferrule(tmp_path / "home") as ferrule:
        yield ferrule


@pytest.fixture(scope="module")
def unchanged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Ferrule, Path]]:
    """One attached home for everything that may not change it."""
    place = tmp_path_factory.mktemp("unchanged") / "home"
    with Ferrule(place) as ferrule:
        attached(ferrule)
        yield ferrule, place


def attached(host: Ferrule, *, wish: Wish | None = None) -> Attached:
    """A host that attached on the third of three turns."""
    for number in (1, 2, 3):
        assert host.deliver(turn(number)) == Delivered(SOURCE, f"k{number}")
    answer = host.attach(SOURCE, "k3", wish)
    assert isinstance(answer, Attached)
    return answer


def test_a_host_attaches_and_its_next_turns_are_reviewed_once_each(host: Ferrule) -> None:
    """R73, R75, R79, R80, R81, R84, R92: without a worker, in this process; no history, no second review."""
    assert attached(host).subscription.first_ordinal == 4
    answers = [host.dispatch(event(number), turn=turn(number)) for number in (4, 5, 4)]
    assert [type(answer) for answer in answers] == [Queued, Queued, Duplicate]
    assert isinstance(host.dispatch(event(1)), Ignored)
    other = event(6, EventType="heartbeat.tick", Data={})
    assert isinstance(host.dispatch(other, turn=turn(6)), Ignored)
    reviews = host.review_pending()
    assert [(review["session"], review["turn"]) for review in reviews] == [
        (SOURCE, {"key": f"k{number}", "ordinal": number}) for number in (3, 4, 5)
    ]
    assert host.review_pending() == ()
    standing = host.status(SOURCE)
    assert (standing.turns, standing.reviewed, standing.lane.waiting) == (5, 3, 0)


def test_nothing_waits_for_a_review_under_the_evaluate_gate(host: Ferrule) -> None:
    """R77, R78, CASE-M05: attach, feedback and dispatch from inside an evaluation; the review comes afterwards."""
    attached(host)
    with host.evaluating(SOURCE) as evaluation:
        assert evaluation.without == ""
        assert isinstance(host.feedback(SOURCE, "k2", "up"), Attached)
        assert isinstance(host.dispatch(event(4), turn=turn(4)), Queued)
        with pytest.raises(UsageError, match="while this thread evaluates desk 1"):
            host.review_pending()
    assert [review["outcome"] for review in host.review_pending()] == ["wrote", "wrote", "wrote"]


def test_a_hung_reviewer_holds_nobody_up(host: Ferrule) -> None:
    """R77, INV-I8: with the lane in the hands of a worker that hangs, everything is answered as ever."""
    attached(host)
    store = host.opened().store
    claim = store.claim(SOURCE, lease_seconds=3600, worker="hung")
    assert claim is not None
    assert isinstance(host.dispatch(event(4), turn=turn(4)), Queued)
    assert isinstance(host.feedback(SOURCE, "k2", "up"), Attached)
    assert host.review_pending() == ()
    assert host.status(SOURCE).lane.holder == "hung"
    assert host.detach(SOURCE) == Detached(SOURCE, withdrawn=2), "what a worker holds is finished"


def test_every_opinion_and_every_end_is_a_value(host: Ferrule) -> None:
    """R72, R96: feedback, pause, resume, detach."""
    attached(host)
    assert host.feedback(SOURCE, "k1", "down") == Noted(SOURCE, "k1", "down")
    paused = host.pause(SOURCE)
    assert (paused.paused, paused.waiting) == (True, 1)  # type: ignore[union-attr]
    assert host.review_pending() == ()
    assert host.resume(SOURCE).paused is False  # type: ignore[union-attr]
    assert host.detach(SOURCE) == Detached(SOURCE, withdrawn=1)
    assert host.detach(SOURCE) == Detached(SOURCE, was_attached=False)
    assert isinstance(host.dispatch(event(4), turn=turn(4)), Ignored)


def test_a_turn_without_a_number_is_the_next_to_arrive(host: Ferrule) -> None:
    """Design section 8: also when older turns were never stored, and when it is delivered twice."""
    assert isinstance(host.deliver(turn(50, ordinal=50)), Delivered)
    assert isinstance(host.attach(SOURCE, "k50"), Attached)
    host.deliver(turn(51))
    host.deliver(turn(51))
    host.deliver(turn(52))
    queued = [host.dispatch(event(number)) for number in (51, 52)]
    assert [answer.instruction.ordinal for answer in queued if isinstance(answer, Queued)] == [51, 52]


@pytest.mark.parametrize(
    ("form", "code"),
    [
        (turn(1, outcome={"text": ""}), Code.TURN_NOT_COMPLETED),
        (turn(1, profile="level-2"), Code.NOT_ATTACHABLE),
        (turn(1, parent_key="desk 0"), Code.NOT_ATTACHABLE),
        (turn(1, session_key=CHILD), Code.NOT_ATTACHABLE),
    ],
)
def test_a_delivery_that_is_declined_leaves_nothing(
    tmp_path: Path, host: Ferrule, form: dict[str, object], code: Code
) -> None:
    """R9, R10, R11, R12, R76: not even the session."""
    before = held(tmp_path / "home")
    answer = host.deliver(form)
    assert isinstance(answer, Declined)
    assert answer.code is code
    assert held(tmp_path / "home") == before


def test_a_webhook_needs_its_signature_and_a_stored_event_its_worker(tmp_path: Path, host: Ferrule) -> None:
    """CASE-I04, R79: over the bytes as they came; `queue-input` is received and dispatched by who reviews."""
    attached(host, wish=Wish(delivery=Delivery.WEBHOOK))
    raw = json.dumps(event(4)).encode()
    key = (tmp_path / "home" / "webhook.key").read_bytes().strip()
    assert isinstance(host.dispatch(raw, road="webhook", turn=turn(4)), Declined)
    assert isinstance(host.dispatch(raw + b" ", road="webhook", signature=sign(key, raw), turn=turn(4)), Declined)
    assert isinstance(host.dispatch(raw, road="webhook", signature=sign(key, raw), turn=turn(4)), Queued)
    assert isinstance(host.attach(SOURCE, "k3", Wish(delivery=Delivery.QUEUE_INPUT)), Attached)
    assert host.dispatch(event(5), road="queue-input", turn=turn(5)) == Received("e5", SOURCE, "k5")
    assert [review["turn"] for review in host.review_pending(SOURCE)] == [
        {"key": f"k{number}", "ordinal": number} for number in (3, 4, 5)
    ]


MISUSE = {
    "no such opinion": lambda host: host.feedback(SOURCE, "k1", "great"),
    "no such road": lambda host: host.dispatch(event(4), road="pigeon"),
    "another turn than the event's": lambda host: host.dispatch(event(4), turn=turn(5)),
    "a turn of another session": lambda host: host.dispatch(event(4), turn=turn(4, session_key="other")),
    "no turn": lambda host: host.deliver({"hello": "world"}),
    "a turn that is no JSON": lambda host: host.deliver(turn(1, artifacts={1, 2})),
    "a turn with a bad key": lambda host: host.deliver(turn(1, session_key="../x")),
    "an envelope that is no JSON": lambda host: host.dispatch({"EventId": object()}),
    "a time to live of nothing": lambda host: host.attach(SOURCE, "k1", Wish(ttl=0)),
    "a time to live that is no number": lambda host: host.attach(SOURCE, "k1", Wish(ttl=float("nan"))),
    "no such session": lambda host: host.status("nobody"),
    "nothing for a turn": lambda host: host.deliver(None),
    "a number for an envelope": lambda host: host.dispatch(7),
    "a list for an envelope": lambda host: host.dispatch([]),
    "a number for a session": lambda host: host.status(7),
}


@pytest.mark.parametrize("name", MISUSE)
def test_misuse_is_a_usage_error_and_changes_nothing(unchanged: tuple[Ferrule, Path], name: str) -> None:
    """R89: one exception tree, a stable code, a sentence."""
    host, place = unchanged
    before = held(place)
    with pytest.raises(UsageError) as raised:
        MISUSE[name](host)
    assert str(raised.value)
    assert held(place) == before


ODD_EVENTS: dict[str, tuple[str | bytes, Code]] = {
    "no JSON": (b"{", Code.BAD_TOOL_ARGS),
    "binary": (bytes(range(256)), Code.BAD_TOOL_ARGS),
    "huge": (b'{"EventId": "' + b"x" * 70_000 + b'"}', Code.TOO_LARGE),
    "deep": (b"[" * 5000, Code.TOO_DEEP),
    "a list": (b"[]", Code.BAD_TOOL_ARGS),
    "no turn": (json.dumps(event(4, Data={})), Code.BAD_TOOL_ARGS),
    "a number for a key": (json.dumps(event(4, EventId=7)), Code.BAD_TOOL_ARGS),
    "a key twice": (json.dumps(event(4))[:-1] + ', "EventId": "e5"}', Code.BAD_TOOL_ARGS),
    "a session that is a path": (json.dumps(event(4, SourceSessionKey="../x")), Code.BAD_KEY),
    "an unknown session": (json.dumps(event(4, SourceSessionKey="nobody", TargetSessionKey="")), Code.NOT_ATTACHABLE),
    "another target": (json.dumps(event(4, TargetSessionKey="other")), Code.WRONG_SESSION),
    "an unknown turn": (json.dumps(event(4)), Code.TURN_NOT_COMPLETED),
}


@pytest.mark.parametrize("name", ODD_EVENTS)
def test_an_event_that_is_none_is_declined_and_changes_nothing(unchanged: tuple[Ferrule, Path], name: str) -> None:
    """R82, R89, R92, CASE-H05, CASE-L05: each has one code, and uses up no id."""
    host, place = unchanged
    before = held(place)
    raw, code = ODD_EVENTS[name]
    answer = host.dispatch(raw)
    assert isinstance(answer, Declined)
    assert answer.code is code
    assert held(place) == before


NUMBERS: dict[str, Callable[[Ferrule], object]] = {
    "a number for a turn": lambda host: host.attach(SOURCE, 3),  # type: ignore[arg-type]
    "a number for an opinion's turn": lambda host: host.feedback(SOURCE, 3, "down"),  # type: ignore[arg-type]
    "a number for a session": lambda host: host.attach(7),  # type: ignore[arg-type]
    "detaching a number": lambda host: host.detach(7),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("name", NUMBERS)
def test_a_number_names_nothing_and_is_declined(unchanged: tuple[Ferrule, Path], name: str) -> None:
    """R76, R89: as an ordinal in place of a key, which a host without a type checker writes first."""
    host, place = unchanged
    before = held(place)
    answer = NUMBERS[name](host)
    assert isinstance(answer, Declined)
    assert answer.code in {Code.NOT_ATTACHABLE, Code.TURN_NOT_COMPLETED}
    assert held(place) == before


def test_a_declined_event_may_come_again(host: Ferrule) -> None:
    """R92: with its turn, or once its turn was delivered."""
    attached(host)
    for number in (4, 5):
        assert isinstance(host.dispatch(event(number)), Declined)
    assert isinstance(host.dispatch(event(4), turn=turn(4)), Queued)
    host.deliver(turn(5))
    assert isinstance(host.dispatch(event(5)), Queued)


def test_threads_that_attach_at_once_make_one_child_and_one_instruction(tmp_path: Path, host: Ferrule) -> None:
    """R74, CASE-F11, CASE-M12: ten threads on one open home."""
    host.deliver(turn(1))
    answers: list[object] = []
    threads = [threading.Thread(target=lambda: answers.append(host.attach(SOURCE, "k1"))) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert sorted(answer.already for answer in answers if isinstance(answer, Attached)) == [False] + [True] * 9
    rows = held(tmp_path / "home")
    assert [len(rows[name]) for name in ("instructions", "subscriptions", "sessions")] == [1, 1, 2]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_forked_child_is_told_to_open_its_own(host: Ferrule) -> None:
    """CASE-J12: every method but `wake` raises a clear error there; the parent goes on."""
    host.deliver(turn(1))
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        said = "nothing"
        try:
            os.close(read)
            woken = host.wake()
            host.close()
            host.attach(SOURCE, "k1")
        except StoreError as error:
            said = f"{woken.wake.value}: {error}"
        finally:
            os.write(write, said.encode())
            os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        assert pipe.read() == "failed: this home was opened before a fork; open it again in this process"
    os.waitpid(child, 0)
    assert isinstance(host.attach(SOURCE, "k1"), Attached)


def test_a_closed_home_says_so_and_wake_never_raises(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """R77, INV-I8: a wake costs the host nothing, whatever is wrong."""
    monkeypatch.setenv("FERRULE_WORKER", "off")
    host = Ferrule(tmp_path / "home")
    assert host.wake().wake is Wake.OFF
    host.close()
    host.close()
    assert host.wake().wake is Wake.FAILED
    for use in (host.sessions, host.review_pending, lambda: host.attach(SOURCE, "k1")):
        with pytest.raises(UsageError, match="closed"):
            use()


def test_importing_ferrule_loads_nothing_else() -> None:
    """Design section 1: a hook that imports the package pays for one file; a name loads what it needs."""
    code = (
        "import sys; before = set(sys.modules); import ferrule; print(sorted(set(sys.modules) - before));"
        "ferrule.Declined; print('sqlite3' in sys.modules, 'rich' in sys.modules);"
        "ferrule.Ferrule; print('rich' in sys.modules, 'pydantic' in sys.modules, 'ferrule.review.embedded.reviewer'"
        " in sys.modules)"
    )
    told = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=60
    )
    assert told.stdout.splitlines() == ["['ferrule']", "False False", "False False False"]


def test_the_lazy_names_are_the_declared_ones() -> None:
    """What type checkers see is what there is, and nothing more is pretended."""
    stub = Path(package.__file__).with_suffix(".pyi").read_text(encoding="utf-8")
    declared = {line.rpartition(" as ")[2] for line in stub.splitlines() if line.startswith("from ")}
    names = set(vars(package)["__all__"])
    assert declared == names - {"__version__"}
    assert all(getattr(package, name) is not None for name in names)
    assert set(dir(package)) == names
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        package.Nothing  # type: ignore[attr-defined]  # noqa: B018 - asking is the test

"""Several processes and one home: one write at a time per source, nothing lost, nobody held up for ever."""

import os
import signal
import threading
from collections.abc import Callable
from contextlib import ExitStack
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
from door_cases import SOURCE
from gate_cases import PATIENT, forked, heard
from gated_homes import TURNS, Held, a_home, critic_with, watched

from ferrule.bridge.values import Accepted, Refused
from ferrule.companion.answers import Attached
from ferrule.companion.attaching import attach
from ferrule.companion.worker import work_lane
from ferrule.errors import Code, FerruleError, GateBusy, InternalError, StoreError
from ferrule.memory.nlmemory import NLMemory
from ferrule.session import gate as gating
from ferrule.session.source import Origin
from ferrule.wiring.critic import memory_of
from ferrule.wiring.home import Home

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="works with forked processes")
KEY = SOURCE.key
NOW = 2_000_000_000.0
ROUNDS = 40
WRITERS, EACH = 8, 50


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests of what is kept, not of how long one waits: a busy machine makes nobody give up."""
    monkeypatch.setattr(gating, "WAIT_SECONDS", 60.0)


def document(name: str, *, path: bool = True) -> str:
    """A document of a person's own."""
    line = f'\tDocumentPath = @"/srv/{name}.md";\n' if path else ""
    return f'prototype {name} : Document\n{{\n\tEntityName = @"{name}";\n{line}}}\n'


def sound(home: Home, count: int) -> None:
    """As many memories as were accepted, and receipts, database and file agree about them."""
    memory = memory_of(home)
    memory.project(KEY)
    assert len(home.store.layer(KEY).names()) == count
    assert len(home.store.receipts()) == count
    assert memory.verify(KEY).ok


def verdict(memory: NLMemory, text: str) -> str:
    """What came of a write, in one word."""
    try:
        answer = memory.write(KEY, text)
    except StoreError as error:
        return error.code
    if isinstance(answer, Refused):
        return answer.refusals[0].code
    return "accepted" if isinstance(answer, Accepted) else "unchanged"


@pytest.mark.usefixtures("patient")
def test_two_processes_that_set_the_same_free_property_are_told_apart(tmp_path: Path) -> None:
    """CASE-M01, INV-I3: exactly one of each round is accepted; the other learns that the property has a value."""
    folder = tmp_path / "home"

    def setting(mine: str) -> Callable[[Connection], None]:
        def work(pipe: Connection) -> None:
            with a_home(folder) as home:
                memory = memory_of(home)
                pipe.send("ready")
                while (name := heard(pipe)) != "end":
                    text = f'partial prototype {name}\n{{\n\tDocumentPath = @"/srv/{name}/{mine}.md";\n}}\n'
                    pipe.send(verdict(memory, text))

        return work

    with a_home(folder) as home:
        memory = memory_of(home)
        for number in range(ROUNDS):
            assert verdict(memory, document(f"Page{number}", path=False)) == "accepted"
        with forked(setting("left")) as left, forked(setting("right")) as right:
            pair = (left, right)
            assert [child.says() for child in pair] == ["ready", "ready"]
            for number in range(ROUNDS):
                for child in pair:
                    child.pipe.send(f"Page{number}")
                said = sorted(str(child.says()) for child in pair)
                assert said[1] == "accepted"
                assert said[0] in {Code.ALREADY_VALUED, Code.STALE_REVISION}
            for child in pair:
                child.pipe.send("end")
            assert [child.ended() for child in pair] == [0, 0]
        assert len(home.store.receipts()) == 2 * ROUNDS
        values = [dict(home.store.definitions(KEY))[f"Page{number}"] for number in range(ROUNDS)]
        assert all(("/left.md" in text) != ("/right.md" in text) for text in values)
        assert memory.project(KEY) is None
        assert memory.verify(KEY).ok


@pytest.mark.usefixtures("patient")
def test_eight_processes_keep_every_one_of_four_hundred_writes(tmp_path: Path) -> None:
    """CASE-M02, R100: a bare replace of a file keeps a third of them."""
    folder = tmp_path / "home"

    def writing(number: int) -> Callable[[Connection], None]:
        def work(pipe: Connection) -> None:
            with a_home(folder) as home:
                memory = memory_of(home)
                pipe.send("ready")
                heard(pipe)
                said = {verdict(memory, document(f"Sheet{number}x{count}")) for count in range(EACH)}
                pipe.send(said)

        return work

    with a_home(folder) as home, ExitStack() as stack:
        children = [stack.enter_context(forked(writing(number))) for number in range(WRITERS)]
        assert [child.says() for child in children] == ["ready"] * WRITERS
        for child in children:
            child.pipe.send("go")
        assert [child.says() for child in children] == [{"accepted"}] * WRITERS
        assert [child.ended() for child in children] == [0] * WRITERS
        sound(home, WRITERS * EACH)


@pytest.mark.parametrize("inside", ["the gate", "a store transaction under the gate"])
def test_a_stopped_process_in_the_gate_lets_others_end_in_bounded_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, inside: str
) -> None:
    """CASE-M08, INV-I8: a writer gets BUDGET, the source evaluates without the gate, and afterwards all is sound."""
    monkeypatch.setattr(gating, "WAIT_SECONDS", 0.05)
    folder = tmp_path / "home"

    def holding(pipe: Connection) -> None:
        with a_home(folder) as home, home.gate.of(KEY):
            if inside == "the gate":
                pipe.send("held")
                heard(pipe)
            else:
                with home.store.unit():
                    pipe.send("held")
                    heard(pipe)
        with a_home(folder) as home:
            pipe.send(verdict(memory_of(home), document("Late")))

    with a_home(folder) as home, watched(home):
        memory = memory_of(home)
        with forked(holding) as other:
            assert other.says() == "held"
            other.stopped()
            with pytest.raises(GateBusy) as caught:
                memory.write(KEY, document("Early"))
            assert caught.value.code is Code.BUDGET
            with home.gate.evaluating(KEY, seconds=0, patience=0.05) as evaluation:
                assert evaluation.without != ""
                assert home.store.layer(KEY).names() == ()
            other.signal(signal.SIGCONT)
            other.pipe.send("go")
            assert other.says() == "accepted"
            assert other.ended() == 0
        assert verdict(memory, document("Early")) == "accepted"
        sound(home, 2)


def test_a_critic_that_is_stopped_in_the_middle_of_a_review_holds_nothing_that_the_source_needs(tmp_path: Path) -> None:
    """INV-I8, R77, CASE-M05: gate and store are had at once, without waiting; its turn waits for the lease to end."""
    folder = tmp_path / "home"

    def reviewing(pipe: Connection) -> None:
        with a_home(folder) as home:
            reviewer = Held(home)
            thread = threading.Thread(target=lambda: list(work_lane(critic_with(home, reviewer), KEY)), daemon=True)
            thread.start()
            assert reviewer.began.acquire(timeout=PATIENT)
            pipe.send("thinking")
            heard(pipe)

    with a_home(folder, TURNS[:1]) as home, watched(home):
        assert isinstance(attach(home.store, KEY, "t1", Origin.MANAGEMENT, now=NOW), Attached)
        with forked(reviewing) as critic:
            assert critic.says() == "thinking"
            critic.stopped()
            with home.gate.evaluating(KEY, seconds=0, patience=0) as evaluation:
                assert evaluation.without == ""
                home.store.put_turns(TURNS[1:2])
                assert isinstance(attach(home.store, KEY, "t2", Origin.MANAGEMENT, now=NOW), Attached)
                assert home.store.lane(KEY) is not None
            assert verdict(memory_of(home), document("Mine")) == "accepted"
            critic.killed()
        lane = home.store.lane(KEY)
        assert lane is not None
        assert (lane.waiting, lane.reviewing) == (2, "t1"), "the lease of the dead one runs out by itself"


class Mixed:
    """A process that writes in three threads while signals come; a handler writes too, or what it was refused later."""

    def __init__(self, folder: Path, number: int) -> None:
        self.folder, self.number = folder, number
        self.answers: list[str] = []
        self.refused: list[str] = []
        self.errors: list[str] = []
        self.handling = False
        self.handled = 0

    def __call__(self, pipe: Connection) -> None:
        """The work of the process."""
        with a_home(self.folder) as home:
            self.memory = memory_of(home)
            signal.signal(signal.SIGUSR1, self.handler)
            with home.gate.of(KEY), home.store.unit():
                signal.raise_signal(signal.SIGUSR1)
            pipe.send("ready")
            threads = [threading.Thread(target=self.writing, args=(mark,)) for mark in ("A", "B")]
            for thread in threads:
                thread.start()
            self.writing("Main")
            for thread in threads:
                thread.join()
            signal.signal(signal.SIGUSR1, signal.SIG_IGN)
            for name in self.refused:
                self.write(name)
            pipe.send((len(self.answers), sorted({*self.answers, *self.errors}), len(self.refused)))

    def write(self, name: str) -> None:
        """One memory of its own name."""
        self.answers.append(type(self.memory.write(KEY, document(name))).__name__)

    def writing(self, mark: str) -> None:
        """What one thread writes."""
        for row in range(8):
            self.write(f"Sheet{self.number}x{mark}x{row}")

    def handler(self, _signal: int, _frame: object) -> None:
        """Comes in the middle of whatever the main thread does, but not of itself."""
        if self.handling or self.handled > 8:
            return
        self.handled += 1
        self.handling = True
        name = f"Signal{self.number}x{len(self.answers)}x{len(self.refused)}"
        try:
            self.write(name)
        except (InternalError, GateBusy):
            self.refused.append(name)
        except FerruleError as error:
            self.errors.append(str(error))
        finally:
            self.handling = False


@pytest.mark.usefixtures("patient")
def test_threads_processes_and_signal_handlers_together_lose_nothing(tmp_path: Path) -> None:
    """CASE-M12, CASE-M02: a handler that comes in the middle of a commit is refused, else it writes like anybody."""
    folder = tmp_path / "home"
    with a_home(folder) as home, ExitStack() as stack:
        children = [stack.enter_context(forked(Mixed(folder, number))) for number in range(3)]
        assert [child.says() for child in children] == ["ready"] * 3
        step = threading.Event()
        while not all(child.pipe.poll() for child in children):
            for child in children:
                if not child.pipe.poll():
                    child.signal(signal.SIGUSR1)
            step.wait(0.01)
        said = [child.says() for child in children]
        assert [child.ended() for child in children] == [0, 0, 0]
        assert [row[1] for row in said] == [["Accepted"]] * 3  # type: ignore[index]
        assert all(row[2] >= 1 for row in said), "the one inside a transaction was let in"  # type: ignore[index]
        sound(home, sum(row[0] for row in said))  # type: ignore[index]

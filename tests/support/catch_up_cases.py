"""A source with stored turns, a reviewer that only notes what it saw, and a batch run with no real waiting."""

from collections.abc import Callable, Iterator, Sequence

from companion_cases import SOURCE, said_turn
from door_cases import permanent

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.bridge.door import Door
from ferrule.companion.answers import Declined
from ferrule.companion.catching_up import Plan, Step, begin, plan, run_all
from ferrule.companion.worker import Critic
from ferrule.errors import ModelError
from ferrule.memory.desk import MemoryDesk
from ferrule.review.port import Limits, ReviewDraft
from ferrule.session.imported import ImportedSession
from ferrule.session.source import SourceSession


class Noting:
    """A reviewer that writes nothing, notes each turn, and fails or does something on the turns it is told to."""

    name = "noting-1"

    def __init__(self, *, failing: Sequence[str] = (), then: Callable[[str], object] = str) -> None:
        self.failing = list(failing)
        self.reviewed: list[str] = []
        self._then = then

    def review(self, door: Door, limits: Limits) -> ReviewDraft:  # noqa: ARG002 - bounded by its script
        """Note the turn."""
        turn = door.read_turn().turn
        self.reviewed.append(turn)
        if turn in self.failing:
            raise ModelError("the model is not there")
        self._then(turn)
        return ReviewDraft((), (), "as told")


def critic(store: SqliteStore, reviewer: Noting) -> Critic:
    """What a batch works with."""
    return Critic(store, MemoryDesk(store, permanent()), reviewer, cpu=lambda: 0.0)


def never_rest(seconds: float) -> None:
    """In these cases nobody else holds the lane."""
    raise AssertionError(f"waited {seconds} s for nobody")


def planned(store: SqliteStore, source: str = SOURCE.key) -> Plan:
    """The plan, which must not be declined."""
    found = plan(store, source)
    assert not isinstance(found, Declined), found
    return found


def begun(store: SqliteStore, source: str = SOURCE.key) -> Plan:
    """The begun batch."""
    found = begin(store, source)
    assert not isinstance(found, Declined), found
    return found


def ran(store: SqliteStore, reviewer: Noting, source: str = SOURCE.key) -> list[Step]:
    """The whole batch, run in this process."""
    return list(run_all(critic(store, reviewer), source, rest=never_rest))


def told(steps: Iterator[Step] | Sequence[Step]) -> list[tuple[str, str, bool]]:
    """Turn, outcome, and whether it belongs to the batch."""
    return [(step.outcome.turn, step.outcome.outcome.value, step.ours) for step in steps]


def counts(step: Step) -> tuple[int, int, int, int]:
    """done, of, skipped, failed."""
    return step.progress.done, step.progress.of, step.progress.skipped, step.progress.failed


def a_transcript(*ordinals: int, session: SourceSession = SOURCE) -> ImportedSession:
    """The same turns as their importer reads them."""
    return ImportedSession(session, tuple(said_turn(ordinal, session.key) for ordinal in ordinals), (), "test")

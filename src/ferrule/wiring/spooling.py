"""A worker works off what clients' hooks left: each reported turn is read, kept, and attached or dispatched, once.

Owns that chore (R72-R75, R79, R92): the order within a session, waiting for a transcript that lags behind its client, a
bound to that and a reason when it is over, and how a session is attached by its first reported turn. A report goes only
after what came of it is durable. Knows nothing of hooks, of formats, or of reviews.
"""

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TypeAlias

from ferrule.adapters.spool.folder import Pending, Spool
from ferrule.adapters.spool.notes import Note, note, notes
from ferrule.adapters.spool.records import SpooledTurn, StrangePayload
from ferrule.adapters.spool.starts import elders
from ferrule.companion.answers import Attached, Declined, Duplicate, Queued
from ferrule.companion.attaching import Terms, attach_in_unit, is_listening
from ferrule.companion.binding import observed
from ferrule.companion.dispatching import dispatch
from ferrule.companion.kinship import with_kin
from ferrule.companion.mishaps import survived
from ferrule.errors import Code, UsageError
from ferrule.session.eligibility import Ineligible
from ferrule.session.events import EventEnvelope, render_envelope
from ferrule.session.keys import session_key
from ferrule.session.source import Origin, SourceSession
from ferrule.session.subscriptions import TURN_COMPLETED, Delivery
from ferrule.session.turn import Turn
from ferrule.wiring.handover import Handed, keep, whole
from ferrule.wiring.home import Home
from ferrule.wiring.reported import Missing, Reported, read_reported, source_of
from ferrule.wiring.settings import read_quiet
from ferrule.wiring.silencing import Silence, is_within, places_of_source, places_of_turn, silence_of

__all__ = ["Kept", "SpoolChore", "SpoolStanding", "event_id", "reports_wait", "settle", "spool_standing"]

# Seconds from one look at a lagging transcript to the next: four minutes in all.
_WAITS = (0.25, 0.5, 1.0, 2.0, 5.0, 15.0, 30.0, 60.0, 120.0)
_PATIENT_LOOKS = len(_WAITS) - 1
_TOO_OLD_SECONDS = 24 * 3600.0
_BUG = Missing("it ran into a bug in Ferrule", passing=True)  # and does not hold up the other sessions


@dataclass(frozen=True, slots=True)
class Kept:
    """The turn is stored, so that a person may select it, and not queued now. `expected` reasons need no note."""

    turn: str
    reason: str
    expected: bool = True


_Settled: TypeAlias = Attached | Queued | Kept | Declined | Silence


@dataclass(frozen=True, slots=True)
class SpoolStanding:
    """How the spool of a home stands.

    Attributes:
        waiting: reports that were not worked off yet.
        dropped: reports that found the spool full, as far as they were counted.
        strange: payloads that the hook did not understand; None for a file that is no record at all.
        notes: why reported turns are not reviewed, or what they wait for; the newest of each turn.
    """

    waiting: int
    dropped: int
    strange: tuple[StrangePayload | None, ...]
    notes: tuple[Note, ...]


@dataclass(frozen=True, slots=True)
class _Look:
    """How often a report was looked at in vain, and when the next look is due on the steady clock."""

    final: str
    times: int
    due: float


def spool_standing(home: Home) -> SpoolStanding:
    """How the spool stands now; never raises."""
    spool = Spool(home.path)
    waiting = {pending.turn.identity for pending in spool.pending()}
    told = tuple(one for one in notes(home.path) if not one.waiting or (one.client, one.session, one.turn) in waiting)
    return SpoolStanding(len(waiting), spool.dropped(), spool.strange(), told)


def reports_wait(home: Home) -> bool:
    """Whether the spool holds anything that a worker would look at."""
    return Spool(home.path).waiting() > 0


def event_id(source: str, turn: str) -> str:
    """The id of the event that a turn of a session has completed: the same by whatever road it is reported (R92)."""
    named = f"{source}\n{turn}".encode("utf-8", "surrogatepass")
    return f"hook-{hashlib.sha256(named).hexdigest()[:32]}"


class SpoolChore:
    """The chore of one worker over one open home; call it whenever the worker is called."""

    def __init__(
        self,
        home: Home,
        *,
        tell: Callable[[str], None] = lambda _: None,
        clock: Callable[[], float] = time.time,
        steady: Callable[[], float] = time.monotonic,
    ) -> None:
        self._home = home
        self._spool = Spool(home.path, clock)
        self._tell = tell
        self._clock = clock
        self._steady = steady
        self._looks: dict[tuple[str, str, str], _Look] = {}

    def __call__(self) -> float | None:
        """Work off what can be now; when to come again, in seconds since the epoch, None when nothing waits.

        Raises:
            StoreError: the home cannot be written; the reports stay.
        """
        held: set[tuple[str, str]] = set()
        waiting: dict[tuple[str, str, str], _Look] = {}
        for pending in self._spool.pending():
            turn = pending.turn
            if (turn.client, turn.session) in held:
                continue
            look = self._taken(pending)
            if look is not None:  # what follows in this session waits for it: the first turn attaches
                held.add((turn.client, turn.session))
                waiting[turn.identity] = look
        self._looks = waiting
        due = min((look.due for look in waiting.values()), default=None)
        return None if due is None else self._clock() + max(0.0, due - self._steady())

    def _taken(self, pending: Pending) -> _Look | None:
        """Work one report off; or when to look at it again."""
        turn = pending.turn
        look = self._looks.get(turn.identity)
        if look is None or look.final != turn.final:
            look = _Look(turn.final, 0, 0.0)
        if look.due > self._steady():
            return look
        answer = survived(lambda: self._settled(turn, patient=look.times < _PATIENT_LOOKS), self._tell) or _BUG
        if isinstance(answer, Missing):
            if answer.passing and look.times < len(_WAITS) and abs(self._clock() - turn.when) < _TOO_OLD_SECONDS:
                if look.times == 0:
                    self._note(turn, answer.reason, waiting=True)
                return _Look(turn.final, look.times + 1, self._steady() + _WAITS[look.times])
            if not answer.expected:
                self._note(turn, answer.reason)
        else:
            self._told(turn, answer)
        self._spool.done(pending)
        return None

    def _settled(self, turn: SpooledTurn, *, patient: bool) -> _Settled | Missing:
        silent = self._silent(turn)
        if silent is not None:  # its transcript is not even opened
            return silent
        found = read_reported(self._home, turn, patient=patient)
        if isinstance(found, Missing):
            return found
        return settle(self._home, found, now=self._clock(), occurred=turn.when)

    def _silent(self, turn: SpooledTurn) -> Silence | Missing | None:
        try:
            return silence_of(self._home.path, (turn.cwd, *places_of_source(self._home, source_of(turn))))
        except UsageError as error:  # whether its project is off cannot be told
            return Missing(str(error), passing=True)

    def _told(self, turn: SpooledTurn, answer: _Settled) -> None:
        match answer:
            case Attached(instruction=instruction):
                self._tell(f"{instruction.source} {instruction.turn}: attached by its client's hook")
            case Queued() | Kept(expected=True) | Silence():
                return
            case Kept(key, reason):  # it is stored, so it is told by the store's name for it
                self._note(replace(turn, turn=key), reason)
            case Declined(_, reason):
                self._note(turn, reason)

    def _note(self, turn: SpooledTurn, reason: str, *, waiting: bool = False) -> None:
        client, session, name = turn.identity
        note(self._home.path, Note(client, session, name, reason, waiting, self._clock()))
        self._tell(f"{source_of(turn)} {name}: {'waits, ' if waiting else 'not queued, '}{reason}")


def settle(home: Home, reported: Reported, *, now: float, occurred: float) -> _Settled:
    """Keep a reported turn, and attach by it or dispatch it, in one unit (R9, R73, R79).

    A session that was never attached is attached by its first reported turn, unless the settings leave that to a
    person; one that was detached stays so. A turn that went on after it was reported has its text renewed until its
    review begins. What may not be observed leaves nothing behind, nor does a turn of a project that is off.

    Raises:
        StoreError: the home cannot be written; nothing was changed.
        UsageError: the settings cannot be read.
    """
    handed = Handed(_in_lineage(home, reported), reported.turn, reported.turn.ordinal)
    places = places_of_turn(reported.session, reported.turn)

    def decide() -> _Settled:
        quiet = read_quiet(home.path)  # in the unit: whoever turns a project off withdraws what came before
        silent = silence_of(home.path, places, quiet)
        if silent is not None:
            return silent
        turn = keep(home.store, handed)
        found = observed(home.store, turn.session)
        if isinstance(found, Ineligible):
            return Declined(Code.NOT_ATTACHABLE, str(found))
        home.store.renew_turn(turn)
        answer = _reviewed(home, turn, now=now, occurred=occurred)
        if isinstance(answer, Attached) and is_within(reported.session.cwd, quiet.paused):
            home.store.pause(turn.session, paused=True)
        return answer

    return whole(home.store, decide)


def _in_lineage(home: Home, reported: Reported) -> SourceSession:
    """The session, in the lineage that its client's start or copied turns tell when its transcript names none (R87)."""
    session = reported.session
    if session.lineage != session.key:
        return session
    stored = home.store.session(session.key)
    if stored is not None and stored.lineage != session.key:
        return session  # known already, and not untold
    native = session.key.partition(":")[2]
    before = next(iter(elders(home.path, session.client, native)), "")
    if before:
        return replace(session, lineage=session_key(session.client, before))
    return with_kin(home.store, session, (key for key in reported.shown if key != reported.turn.key))


def _reviewed(home: Home, turn: Turn, *, now: float, occurred: float) -> _Settled:
    store, source = home.store, turn.session
    subscription = store.subscription(source)
    if subscription is None:
        if home.settings.attach != "auto":
            return Kept(turn.key, "the session is not attached, and the settings leave that to you")
        # Turns that the transcript shows already behind this one are not history: their reports are still to come.
        return attach_in_unit(
            store, source, turn.key, Origin.MANAGEMENT, terms=Terms(newest_ordinal=turn.ordinal), now=now
        )
    if not is_listening(subscription, now):
        return Kept(turn.key, "the session was detached, or its subscription has expired")
    envelope = EventEnvelope(
        id=event_id(source, turn.key),
        type=TURN_COMPLETED,
        source=source,
        target="",
        occurred=datetime.fromtimestamp(occurred, UTC).isoformat(timespec="milliseconds"),
        turn=turn.key,
    )
    if store.event(source, envelope.id) is not None:  # at another time, but it is the same turn
        return Kept(turn.key, "it was reported before")
    answer = dispatch(store, render_envelope(envelope), road=Delivery.LOCAL, now=now)
    if isinstance(answer, Queued):
        return answer
    return Kept(turn.key, answer.reason, expected=isinstance(answer, Duplicate))

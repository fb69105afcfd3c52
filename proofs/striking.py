"""Four critics write one home and are killed at random moments, thousands of times: nothing acknowledged is lost.

Owns the random kills of the campaign `together` (CASE-J03): who is killed when, and the judgement of each home after a
stretch. Knows nothing of what a commit does inside. `kills` does the same to the real workers with leases, more slowly.
"""

import random
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.bridge.values import TurnReview
from ferrule.companion.binding import companion_of
from ferrule.errors import FerruleError
from ferrule.session.source import Origin
from proofs.children import Brood, Child, brood
from proofs.homes import a_source
from proofs.judging_homes import faults_of_file
from proofs.scenes import workshop
from proofs.sheets import Sheet, new_sheet
from proofs.stubs import MEMORY, PlainDesk, property_of
from proofs.world import a_turn

__all__ = ["random_kills"]

_CRITICS = 4
_LEASE = 0.02
_STRETCH = 200
_SHOWN = 5


def _review_on(page: Path, home: Path, number: int) -> None:
    """A critic of one source: store a turn, queue it, claim it, commit, for ever; what is acknowledged is counted."""
    sheet, source = Sheet(page), a_source(number)
    store = SqliteStore(home, time.time)
    store.put_session(source)
    desk = PlainDesk(store)
    while True:
        ordinal = 1 + len(store.markers(source.key))
        turn = a_turn(source.key, ordinal)
        store.put_turns([turn])
        store.enqueue(source, companion_of(source), [(ordinal, turn.key)], Origin.IMPORT)
        claim = store.claim(source.key, lease_seconds=_LEASE, attempts=1_000_000)
        if claim is None:  # held by who was killed
            time.sleep(_LEASE / 4)
            continue
        review = TurnReview(source.key, turn.key, ordinal, "stub-1", (), (), "stub", marker=f"marker of {turn.key}")
        try:
            desk.commit(desk.open(claim), review, claim)
        except FerruleError:  # its lease ran out under load
            continue
        sheet.count = ordinal


def _stretch(family: Brood, folder: Path, rng: random.Random, kills: int) -> Counter[str]:
    home = folder / "home"
    SqliteStore(home, time.time).close()
    pages = [folder / f"sheet{number}" for number in range(_CRITICS)]
    with ExitStack() as stack:
        sheets = [stack.enter_context(new_sheet(page)) for page in pages]
        found = Counter({"kills": _struck(family, home, pages, rng, kills=kills)})
        wrong = list(faults_of_file(home))
        for number, sheet in enumerate(sheets):
            wrong += [f"critic {number}: {one}" for one in _wrong_with(home, number, sheet.count)]
            found["acknowledged"] += sheet.count
    for one in wrong[:_SHOWN]:
        print(one, flush=True)
    found["wrong"] += len(wrong)
    return found


def _struck(family: Brood, home: Path, pages: list[Path], rng: random.Random, *, kills: int) -> int:
    """Let the critics work and kill one after the other; whoever was killed comes back. How many were killed."""
    at_work: dict[int, Child] = {}
    for _ in range(kills):
        for number in range(_CRITICS):
            if number not in at_work:
                at_work[number] = family.start(_review_on, pages[number], home, number)
        time.sleep(0.004 + 0.03 * rng.random())
        family.dismiss(at_work.pop(rng.randrange(_CRITICS)))
    for child in at_work.values():
        family.dismiss(child)
    return kills + len(at_work)


def _wrong_with(home: Path, number: int, acked: int) -> Iterator[str]:
    """Each reviewed turn has its one effect and one receipt, in order, and nothing acknowledged is missing."""
    source = a_source(number).key
    store = SqliteStore(home, time.time)
    try:
        done = [ordinal for ordinal in range(1, acked + 3) if store.review(source, f"t{ordinal}") is not None]
        if done != list(range(1, len(done) + 1)) or len(done) < acked:
            yield f"{acked} acknowledged, reviewed are {done[-3:]}"
        held = store.layer(source).get(MEMORY)
        valued = [] if held is None else [prop.name for prop in held.properties]
        if valued != [property_of(ordinal) for ordinal in done]:
            yield f"its memory holds {len(valued)} values after {len(done)} reviews"
        given = Counter(receipt.turn for receipt in store.receipts(source) if receipt.verdict == "accepted")
        if given != Counter(f"t{ordinal}" for ordinal in done):
            yield f"receipts do not match: {given - Counter(f't{ordinal}' for ordinal in done)}"
    finally:
        store.close()


def random_kills(total: int, seed: int) -> Counter[str]:
    """Kill so often, in stretches of one home each."""
    rng = random.Random(seed)
    found: Counter[str] = Counter()
    with brood() as family:
        while found["kills"] < total:
            with workshop("strikes") as folder:
                found += _stretch(family, folder, rng, min(_STRETCH, total - found["kills"]))
                found["homes"] += 1
    return found

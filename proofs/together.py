"""Many at once on one home: writers, rivals, one that is stopped, one that forks, copies, signals, an abrupt end.

Owns the campaign `together` (CASE-J03, J07, J09, J12, J13, J14, M01, M02, M08, M12): its list and its sizes. Knows
nothing of how each is played.
"""

from collections.abc import Iterator

from proofs.beside import copies, distinct_writes, forked, leftovers, rivals, stopped_holder
from proofs.leaving import abrupt_ends, told_to_end
from proofs.striking import random_kills
from proofs.tables import Row

__all__ = ["together"]


def together(kills: int, rounds: int, seed: int) -> Iterator[Row]:
    """Everything: so many random kills, so many rounds of rivals; copies, signals and ends a tenth of those."""
    for processes in (2, 8):
        wrong = distinct_writes(processes, 400)
        yield _row(f"M02, M12: 400 writes of {processes} processes are kept", "400 writes", wrong)
    yield _row("M01: of two that fill a property one is first", f"{rounds} rounds", rivals(rounds))
    yield _row("M08: the holder of the lock is stopped, others end in time", "8 tries", stopped_holder())
    yield _row("J12: a forked child cannot commit, its parent can", "4 forks", forked())
    few = max(2, rounds // 10)
    yield _row("J13: a copy of the folder while others write", f"{few} copies", copies(few))
    yield _row("J07: what killed processes left is never read", "6 leftovers", leftovers())
    slowest, wrong = told_to_end(few, seed)
    note = f"the slowest end took {slowest:.1f} s of 5"
    yield _row("J09: SIGTERM, SIGINT, SIGHUP in a write", f"{few} signals", wrong, note)
    yield _row("J14: the interpreter ends while threads write", f"{few} ends", abrupt_ends(few))
    found = random_kills(kills, seed)
    note = f"{found['acknowledged']} reviews acknowledged in {found['homes']} homes"
    yield Row("J03: random kills of four critics", f"{found['kills']} kills", found["wrong"], f"{seed}", note)


def _row(what: str, runs: str, wrong: list[str], note: str = "") -> Row:
    for one in wrong[:5]:
        print(f"{what}: {one}", flush=True)
    return Row(what, runs, len(wrong), note=note)

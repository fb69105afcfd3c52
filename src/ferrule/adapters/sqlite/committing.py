"""What a review, or a person, changes is one transaction, or nothing.

Owns the commits: memories, receipts, review and the instruction's end together (INV-I1, INV-I4, R59). Knows nothing of
how a definition was judged.
"""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from ferrule.adapters.sqlite.coding import compact
from ferrule.adapters.sqlite.database import Database
from ferrule.adapters.sqlite.forgetting import clean_reviews, known_by
from ferrule.adapters.sqlite.lanes import Committed, close_claim, guarded, told_time
from ferrule.adapters.sqlite.memories import (
    Occasion,
    banned_names,
    drop_tombstones,
    put_write,
    remove_memory,
    settle_indexes,
)
from ferrule.adapters.sqlite.queueing import known_session
from ferrule.adapters.sqlite.receipts import Verdict, append, append_all, turn_receipts
from ferrule.adapters.sqlite.sessions import last_ordinal
from ferrule.adapters.sqlite.statements import statements
from ferrule.bridge.values import Receipt
from ferrule.errors import Code, StoreError
from ferrule.memory.ports import RefusedWrite, ReviewCommit, StagedWrite
from ferrule.ontology.words import fold_phrase
from ferrule.session.source import LaneClaim

__all__ = [
    "attest_writes",
    "commit_people",
    "commit_person",
    "commit_review",
    "forget_memories",
    "instant",
    "lift_tombstones",
    "stored_review",
]

_SESSIONS = statements("sessions")
_RECEIPTS = statements("receipts")
_REPAIRING = statements("repairing")


def instant(now: float) -> str:
    """A time as people and files write it: UTC, whole seconds."""
    return datetime.fromtimestamp(now, UTC).isoformat(timespec="seconds")


def commit_review(
    database: Database, commit: ReviewCommit, claim: LaneClaim, clock: Callable[[], float]
) -> tuple[Receipt, ...]:
    """Commit one review under its claim; a second commit of the same turn gives the first one's receipts.

    Raises:
        StoreError: `STALE_REVISION` when the lease ran out or another worker took the lane, `WRONG_SESSION` when the
            source was archived meanwhile; nothing is committed.
    """
    with database.transaction():
        if database.row(_RECEIPTS["review"], {"source": commit.session, "turn": commit.turn}) is not None:
            return turn_receipts(database, commit.session, commit.turn)
        now = told_time(database, clock)
        session = guarded(database, claim, now)
        if claim.instruction.turn != commit.turn or claim.source != commit.session:
            raise StoreError(
                f"{claim.source}: the claim of {claim.instruction.turn} is none of {commit.turn}",
                code=Code.STALE_REVISION,
            )
        before = database.number(_SESSIONS["revision"], {"key": commit.session})
        after = before + (1 if commit.staged else 0)
        occasion = Occasion(session, commit.turn, commit.ordinal, commit.reviewer, after, instant(now))
        for write in commit.staged:
            put_write(database, write, occasion)
        receipts = _verdicts(database, commit, before, after)
        _advance(database, session, before, after)
        _put_review(database, commit, occasion)
        newest = Committed(commit.outcome, occasion.at, receipts[-1].seq)
        close_claim(database, claim, newest, session=session, now=now)
    return receipts


def commit_person(
    database: Database,
    source: str,
    write: StagedWrite,
    clock: Callable[[], float],
    *,
    turn: tuple[int, str] | None = None,
) -> Receipt:
    """Commit a person's own memory, or what a person had judged as a critic's write on that turn (DEC-D5)."""
    with database.transaction():
        session = known_session(database, source)
        before = database.number(_SESSIONS["revision"], {"key": source})
        ordinal, key = turn or (last_ordinal(database, source), "")
        occasion = Occasion(session, key, ordinal, "person", before + 1, instant(clock()))
        put_write(database, replace(write, person=turn is None), occasion)
        receipt = append(database, _accepted(source, key, write, (before, before + 1)))
        _advance(database, session, before, before + 1)
    return receipt


def commit_people(
    database: Database, source: str, writes: Sequence[StagedWrite], clock: Callable[[], float], *, seen: int
) -> tuple[Receipt, ...]:
    """Commit a person's own memories together: one revision, a receipt for each, all of them or none.

    Raises:
        StoreError: `STALE_REVISION` when anything was committed since `seen`, the revision that they were judged on.
    """
    with database.transaction():
        session = known_session(database, source)
        before = database.number(_SESSIONS["revision"], {"key": source})
        if before != seen:
            raise StoreError(f"{source}: somebody else wrote in the meantime", code=Code.STALE_REVISION)
        occasion = Occasion(session, "", last_ordinal(database, source), "person", before + 1, instant(clock()))
        for write in writes:
            put_write(database, replace(write, person=True), occasion)
        verdicts = [_accepted(source, "", write, (before, before + 1)) for write in writes]
        receipts = append_all(database, verdicts)
        _advance(database, session, before, before + 1)
    return receipts


def attest_writes(
    database: Database, source: str, verdict: str, writes: Sequence[tuple[str, str]]
) -> tuple[Receipt, ...]:
    """A receipt for each (prototype, text) that went elsewhere than into memory, which stays as it is (DEC-D8)."""
    with database.transaction():
        known_session(database, source)
        at = database.number(_SESSIONS["revision"], {"key": source})
        given: list[Receipt] = []
        for name, text in writes:
            digest = hashlib.sha256(text.encode()).hexdigest()
            given.append(append(database, Verdict(source, "", verdict, name, digest, len(text.encode()), at, at)))
    return tuple(given)


def forget_memories(
    database: Database, source: str, names: Sequence[str], clock: Callable[[], float]
) -> tuple[Receipt, ...]:
    """Remove memories, leave tombstones, and take their text out of the stored reviews (DEC-D8, DEC-D14, R97).

    What a repair had set aside under that name goes as well.
    """
    with database.transaction():
        session = known_session(database, source)
        at = instant(clock())
        before = database.number(_SESSIONS["revision"], {"key": source})
        receipts: list[Receipt] = []
        for name in dict.fromkeys(names):
            aside = database.run(_REPAIRING["drop_aside"], {"source": source, "name": name})
            gone = known_by(database, session, name)
            if remove_memory(database, session, name, revision=before + 1, at=at):
                clean_reviews(database, session, gone)
            elif aside < 1:
                continue
            else:  # nothing sound tells its handles: it is known as forgotten by its name
                stone = {"session": session, "mark": fold_phrase(name), "name": name, "at": at}
                database.run(statements("memories")["put_tombstone"], stone)
            digest = hashlib.sha256(name.encode()).hexdigest()
            receipts.append(append(database, Verdict(source, "", "forgotten", name, digest, 0, before, before + 1)))
        if receipts:
            settle_indexes(database)
            _advance(database, session, before, before + 1)
    return tuple(receipts)


def lift_tombstones(database: Database, kin: Sequence[tuple[str, int]], key: str) -> tuple[int, tuple[Receipt, ...]]:
    """Lift tombstones by identity key or prototype name (DEC-D14); how many, and a receipt for each name.

    Args:
        database: the store.
        kin: (key, row id) of the session and its lineage: forgetting holds for all of them.
        key: what was forgotten.
    """
    with database.transaction():
        count, given = 0, []
        for source, number in kin:
            names = banned_names(database, number, key)
            count += drop_tombstones(database, number, key)
            at = database.number(_SESSIONS["revision"], {"key": source})
            for name in names:
                digest = hashlib.sha256(name.encode()).hexdigest()
                given.append(append(database, Verdict(source, "", "unforgotten", name, digest, 0, at, at)))
    return count, tuple(given)


def stored_review(database: Database, source: str, turn: str) -> dict[str, object] | None:
    """The stored review of a turn in its JSON form, or None."""
    row = database.row(_RECEIPTS["review"], {"source": source, "turn": turn})
    if row is None:
        return None
    review: dict[str, object] = json.loads(row["body"])
    return review


def _verdicts(database: Database, commit: ReviewCommit, before: int, after: int) -> tuple[Receipt, ...]:
    """Receipts in a stable order: what was refused on the way, then what was accepted."""
    verdicts = [_refused(commit, refused, before) for refused in commit.refused]
    verdicts += [_accepted(commit.session, commit.turn, write, (before, after)) for write in commit.staged]
    if not verdicts:
        digest = hashlib.sha256(commit.marker.encode()).hexdigest()
        verdicts = [Verdict(commit.session, commit.turn, "nothing", "", digest, 0, before, after)]
    return append_all(database, verdicts)


def _accepted(source: str, turn: str, write: StagedWrite, revisions: tuple[int, int]) -> Verdict:
    payload = write.definition.encode()
    digest = hashlib.sha256(payload).hexdigest()
    return Verdict(source, turn, "accepted", write.prototype.name, digest, len(payload), *revisions)


def _refused(commit: ReviewCommit, refused: RefusedWrite, before: int) -> Verdict:
    return Verdict(
        session=commit.session,
        turn=commit.turn,
        verdict="refused",
        prototype="",
        payload_sha256=refused.definition_sha256,
        payload_length=refused.length,
        revision_before=before,
        revision_after=before,
        code=" ".join(refused.codes),
    )


def _put_review(database: Database, commit: ReviewCommit, occasion: Occasion) -> None:
    database.run(
        _RECEIPTS["put_review"],
        {
            "session": occasion.session,
            "turn": commit.turn,
            "ordinal": commit.ordinal,
            "outcome": commit.outcome,
            "body": compact(commit.review),
            "marker": commit.marker,
            "reviewer": commit.reviewer,
            "revision": occasion.revision,
            "at": occasion.at,
        },
    )


def _advance(database: Database, session: int, before: int, after: int) -> None:
    if after != before:
        database.run(_SESSIONS["advance"], {"session": session, "revision": after})

"""NLMemory, owned by the source: a person's own hand on a session's memory, and the file that shows it.

Owns checking and writing in a person's scope, forgetting, the projection, and reading one back (DEC-D5, D8, D12, D14).
What changes memory holds the source's evaluate gate, for no longer than the commit (R78). The critic comes through the
door instead; both meet the same rules (R54). Knows nothing of how an answer is shown.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from ferrule.bridge.values import Answer, Receipt
from ferrule.errors import Code, GateBusy, StoreError
from ferrule.memory.admission import admit
from ferrule.memory.artifact import artifact_path, drop_artifact, edited_files, put_artifact
from ferrule.memory.forgetting import named
from ferrule.memory.intake import Intake
from ferrule.memory.ports import MemoryStore, StagedWrite
from ferrule.memory.projection import is_ours, projected
from ferrule.memory.receipts import broken_at, unmatched
from ferrule.memory.restore import SetAside, differences, linked_later, read_projection
from ferrule.memory.submission import AdmissionView, Limits, Scope, Submission, Verdict, Written, answer_of
from ferrule.ontology.layer import PrototypeLayer
from ferrule.ontology.resolve import Ontology
from ferrule.ontology.values import Ref, Value
from ferrule.ontology.words import fold_phrase
from ferrule.session.gate import EvaluateGate

__all__ = ["Findings", "NLMemory", "Restoration"]

_JUDGEMENTS = 8


@dataclass(frozen=True, slots=True)
class Findings:
    """What a check of one session found. Empty everywhere means that database, file and receipts agree.

    Attributes:
        broken_receipt: number of the first receipt that does not follow from the one before it, or None.
        unmatched: names of memories whose writes and receipts do not match one to one.
        differing: names of memories that the file shows otherwise than the database holds them.
        aside: definitions of the file that cannot be read back.
        edited: hand-edited files kept beside the projection.
        unsealed: whether the file itself was edited by hand since it was written.
        missing: whether there is no file though there are memories.
    """

    broken_receipt: int | None = None
    unmatched: tuple[str, ...] = ()
    differing: tuple[str, ...] = ()
    aside: tuple[SetAside, ...] = ()
    edited: tuple[Path, ...] = ()
    unsealed: bool = False
    missing: bool = False

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong; a file kept beside is only reported."""
        wrong = (self.unmatched, self.differing, self.aside, self.unsealed, self.missing)
        return self.broken_receipt is None and not any(wrong)


@dataclass(frozen=True, slots=True)
class Restoration:
    """What reading a file into a session's memory did, definition by definition."""

    answers: tuple[tuple[str, Answer], ...]
    aside: tuple[SetAside, ...]


@dataclass(frozen=True, slots=True)
class NLMemory:
    """The memory of the sessions of one home.

    Attributes:
        store: where memory is kept.
        permanent: the ontology below every session.
        home: the home folder, for the projection's files.
        limits: how large a definition may be.
        gate: the evaluate gate of the home.
    """

    store: MemoryStore
    permanent: PrototypeLayer
    home: Path
    limits: Limits = field(default_factory=Limits)
    gate: EvaluateGate = field(default_factory=EvaluateGate)

    def check(self, session: str, text: str) -> Answer:
        """The verdict on a person's own definition, without writing (rules 1-7 refuse, 8 and 12 warn)."""
        return answer_of(admit(Submission(text, Scope.PERSON), self._view(session)))

    def write(self, session: str, text: str) -> Answer:
        """Judge a person's own definition and, when admitted, commit it.

        Judged before the gate is asked for, and again when somebody else wrote to the same things in the meantime, so
        that of two who give the same property a value one is told so (CASE-M01).

        Raises:
            GateBusy: the source is being evaluated and did not leave its gate in time; nothing was written.
            StoreError: the home cannot be written, or others were quicker again and again (`STALE_REVISION`); nothing
                was written.
        """
        return self.settle(session, lambda: admit(Submission(text, Scope.PERSON), self._view(session)))

    def settle(self, session: str, judge: Callable[[], Verdict], *, turn: tuple[int, str] | None = None) -> Answer:
        """Commit what a judgement admits, as `write` does.

        Args:
            session: whose.
            judge: asked anew whenever somebody was quicker.
            turn: (ordinal, key) of the turn on which it is judged as a critic's write, and whose write it becomes; None
                for a person's own word.

        Raises:
            GateBusy, StoreError: as `write`.
        """
        for _ in range(_JUDGEMENTS):
            seen = self.store.revision(session)
            verdict = judge()
            if not isinstance(verdict, Written):
                return answer_of(verdict)
            with self.gate.of(session):
                if not _overtaken(self.store, session, verdict.write, seen):
                    self.store.commit_person(session, verdict.write, turn=turn)
                    return answer_of(verdict)
        raise StoreError(f"{session}: others write to the same memory all the time", code=Code.STALE_REVISION)

    def meant(self, session: str, what: Sequence[str]) -> tuple[str, ...]:
        """The memories that would be forgotten: what a confirmation shows (DEC-D8)."""
        return tuple(dict.fromkeys(name for words in what for name in named(self.store, session, words)))

    def forget(self, session: str, names: Sequence[str]) -> tuple[Receipt, ...]:
        """Forget memories of exactly these names; the file is made anew at once (R97).

        Raises:
            GateBusy: the source is being evaluated and did not leave its gate in time; nothing was forgotten.
            StoreError: the home cannot be written; what stands in the database then decides, and the file follows it.
        """
        with _followed(self, session), self.gate.of(session):
            return self.store.forget(session, names)

    def unforget(self, session: str, key: str) -> int:
        """Lift tombstones by identity key or prototype name; returns how many (DEC-D14).

        Raises:
            GateBusy: as `forget`.
        """
        with self.gate.of(session):
            return self.store.unforget(session, key)

    def export(self, session: str) -> str:
        """The session's memory as ProtoScript text, as the projection shows it."""
        return projected(self.store.entries(session))

    def project(self, session: str) -> Path | None:
        """Bring the session's file up to date; returns where a hand-edited one was kept, or None (D12).

        Raises:
            StoreError: `UNSAFE_PATH` or `IO_FAILED`; the database is not touched.
        """
        entries = self.store.entries(session)
        if not entries and not artifact_path(self.home, session).exists():
            return None
        return put_artifact(self.home, session, projected(entries), is_ours)

    def verify(self, session: str) -> Findings:
        """Compare receipts, database and file of one session (CASE-N08, N09); changes nothing."""
        prototypes = self.store.prototypes(session)
        path = artifact_path(self.home, session)
        broken = broken_at(self.store.receipts())
        loose = unmatched(self.store.receipts(session), self.store.writes(session))
        edited = edited_files(self.home, session)
        if not path.is_file():
            return Findings(broken, loose, edited=edited, missing=bool(prototypes))
        text = path.read_text(encoding="utf-8", errors="replace")
        restored = read_projection(text, Ontology(self.permanent, lineage=self.store.lineage(session)))
        return Findings(
            broken_receipt=broken,
            unmatched=loose,
            differing=differences(prototypes, restored.prototypes),
            aside=restored.aside,
            edited=edited,
            unsealed=not is_ours(text),
        )

    def restore(self, session: str, text: str) -> Restoration:
        """Read a file into a session's memory as a person's own writes: first all without links, then the links.

        What is there already and equal is left alone; what would overwrite is refused like any other write (R44). Each
        batch is one transaction: a process that dies leaves whole batches, and the same file takes in the rest.

        Raises:
            GateBusy, StoreError: as `write`; the batches before stand.
        """
        known = Ontology(self.permanent, self.store.layer(session), self.store.lineage(session))
        restored = read_projection(text, known)
        intake = Intake(self.store, self.gate, session, partial(self._view, session))
        answers = tuple(answer for part in linked_later(restored.prototypes) for answer in intake.take(part))
        return Restoration(answers, restored.aside)

    def undo(self, session: str, number: int) -> Receipt:
        """Undo the write with that receipt; the file is made anew at once (DEC-D8, R97).

        Raises:
            GateBusy: the source is being evaluated and did not leave its gate in time; nothing was undone.
            StoreError: the home cannot be written, or the write no longer stands.
        """
        with _followed(self, session), self.gate.of(session):
            return self.store.undo(session, number)

    def _view(self, session: str) -> AdmissionView:
        def forgotten(marks: Sequence[str]) -> tuple[str, ...]:
            return tuple(stone.key for stone in self.store.tombstones(session, marks))

        return AdmissionView(
            permanent=self.permanent,
            session=self.store.layer(session),
            lineage=self.store.lineage(session),
            ordinal=max((ordinal for ordinal, _ in self.store.turn_keys(session)), default=0),
            forgotten=forgotten,
            limits=self.limits,
        )


@contextmanager
def _followed(memory: NLMemory, session: str) -> Iterator[None]:
    """The file follows what is taken away, also when that failed: it may have failed after its commit (R97).

    A file that cannot be made anew is removed: it would go on showing what is meant to be gone.
    """
    try:
        yield
    except GateBusy:
        raise
    except StoreError:
        with suppress(StoreError):
            _show(memory, session)
        raise
    _show(memory, session)


def _show(memory: NLMemory, session: str) -> None:
    try:
        memory.project(session)
    except StoreError:
        with suppress(StoreError):
            drop_artifact(memory.home, session, is_ours)
        raise


def _overtaken(store: MemoryStore, session: str, write: StagedWrite, seen: int) -> bool:
    """Whether a commit since that revision touched what was judged: its names, its handles, what it refers to."""
    if store.revision(session) == seen:
        return False
    referred = (fold_phrase(ref.name) for prop in write.prototype.properties for ref in _refs(prop.value))
    return store.touched_after(session, seen, (*write.keys, *write.phrases, *referred))


def _refs(value: Value) -> Iterator[Ref]:
    if isinstance(value, Ref):
        yield value
    elif isinstance(value, tuple):
        for element in value:
            yield from _refs(element)

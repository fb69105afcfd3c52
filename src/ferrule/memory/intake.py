"""Many definitions of one file are judged one after the other and committed together (DEC-D12, R44, design section 9).

Owns the batch: each definition meets the same rules as any other write of a person, with those before it counted as
known, and what is admitted becomes one transaction: durable when it ends, all of it or none. Warnings are not
worked out, for whoever takes a file in is told of refusals only. Knows nothing of files.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain

from ferrule.bridge.values import Answer, Unchanged
from ferrule.errors import Code, StoreError
from ferrule.memory.admission import admit
from ferrule.memory.merge import canonical
from ferrule.memory.ports import MemoryStore, StagedWrite
from ferrule.memory.submission import AdmissionView, Scope, Submission, Written, answer_of
from ferrule.ontology.build import same_value
from ferrule.ontology.layer import PrototypeLayer
from ferrule.ontology.layers import InMemoryLayer
from ferrule.ontology.resolve import Ontology
from ferrule.ontology.values import Prototype
from ferrule.referents.properties import Suffixes
from ferrule.session.gate import EvaluateGate

__all__ = ["Intake"]

_JUDGEMENTS = 8
BATCH = 250  # definitions; a batch holds the source's gate for a tenth of a second


class Intake:
    """A session takes in what a file holds, batch by batch.

    Args:
        store: where it is committed.
        gate: of the home; held for no longer than a commit.
        session: its key.
        view: what the rules look at, as the session stands now.
    """

    def __init__(self, store: MemoryStore, gate: EvaluateGate, session: str, view: Callable[[], AdmissionView]) -> None:
        self._store = store
        self._gate = gate
        self._session = session
        self._look = view
        self._seen = -1
        self._standing = _Standing(InMemoryLayer())
        self._view: AdmissionView | None = None

    def take(self, prototypes: Sequence[Prototype]) -> Iterator[tuple[str, Answer]]:
        """Take prototypes in, as a person's own definitions; the rules' answers in their order.

        What stands already and equal is left alone; what would overwrite is refused like any other write (R44). Each
        batch is one transaction: a process that dies leaves whole batches, and the same file takes in the rest.

        Raises:
            GateBusy: the source is being evaluated and did not leave its gate in time; the batches before stand.
            StoreError: the home cannot be written, or others were quicker again and again; the batches before stand.
        """
        for start in range(0, len(prototypes), BATCH):
            yield from self._taken(prototypes[start : start + BATCH])

    def _taken(self, batch: Sequence[Prototype]) -> Sequence[tuple[str, Answer]]:
        for _ in range(_JUDGEMENTS):
            answers, writes = self._judged(batch)
            if not writes:
                return answers
            if self._committed(writes):
                return answers
            self._seen = -1  # somebody else wrote: everything is looked at and judged anew
        raise StoreError(f"{self._session}: others write to the same memory all the time", code=Code.STALE_REVISION)

    def _committed(self, writes: Sequence[StagedWrite]) -> bool:
        """Whether the batch stands; nothing of it does when it was judged on an older state."""
        with self._gate.of(self._session):
            try:
                self._store.commit_people(self._session, writes, self._seen)
            except StoreError as error:
                if error.code is not Code.STALE_REVISION:
                    raise
                return False
        self._seen += 1
        return True

    def _judged(self, batch: Sequence[Prototype]) -> tuple[Sequence[tuple[str, Answer]], Sequence[StagedWrite]]:
        """The rules' answers in their order, and what is to be committed for them."""
        answers: list[tuple[str, Answer]] = []
        writes: list[StagedWrite] = []
        with self._store.looking():
            view = self._as_it_stands()
            for prototype in batch:
                text = _new_in(prototype, Ontology(view.permanent, view.session, view.lineage).get(prototype.name))
                if text is None:
                    answers.append((prototype.name, Unchanged(prototype.name)))
                    continue
                verdict = admit(Submission(text, Scope.PERSON, warned=False), view)
                if isinstance(verdict, Written):
                    self._standing.add(verdict.write)
                    writes.append(verdict.write)
                answers.append((prototype.name, answer_of(verdict)))
        return answers, writes

    def _as_it_stands(self) -> AdmissionView:
        """With everything that this intake has judged so far, while nobody else wrote."""
        now = self._store.revision(self._session)
        if self._view is None or now != self._seen:
            view = self._look()
            self._standing = _Standing(view.session)
            self._view, self._seen = replace(view, session=self._standing), now
        return self._view


def _new_in(prototype: Prototype, held: Prototype | None) -> str | None:
    """The definition to submit: all of it, or what is not there yet as a `partial`; None when all of it is."""
    if held is None:
        return canonical(prototype)
    kept = tuple(
        prop
        for prop in prototype.properties
        if (own := held.own(prop.name)) is None or not same_value(own.value, prop.value)
    )
    fresh = replace(prototype, properties=kept)
    if not prototype.partial and set(prototype.bases) != set(held.bases):
        return canonical(fresh)  # another thing than the one that stands: rule 4 says so
    return canonical(fresh, partial=True, bases=False) if kept else None


class _Standing(PrototypeLayer):
    """A session's layer as it will be with the writes that are admitted so far."""

    def __init__(self, below: PrototypeLayer) -> None:
        self._below: PrototypeLayer = below if len(below) else InMemoryLayer()
        self._own = InMemoryLayer()

    def add(self, write: StagedWrite) -> None:
        """Count a write as standing."""
        self._own.add(write.prototype, write.keys)

    @property
    def suffixes(self) -> Suffixes | None:
        """None: a session has no table of handle names of its own."""
        return None

    def get(self, name: str) -> Prototype | None:
        """As it will stand."""
        return self._own.get(name) or self._below.get(name)

    def spelled(self, name: str) -> tuple[str, ...]:
        """Names that equal it when case is ignored."""
        return self._both(lambda layer: layer.spelled(name))

    def holding(self, key: str) -> tuple[str, ...]:
        """Names that carry a handle with this key."""
        return self._both(lambda layer: layer.holding(key))

    def called(self, phrase: str) -> tuple[str, ...]:
        """Names that are called so."""
        return self._both(lambda layer: layer.called(phrase))

    def matching(self, words: Sequence[str], limit: int) -> tuple[str, ...]:
        """Names that match the words."""
        return self._both(lambda layer: layer.matching(words, limit))[:limit]

    def resembling(self, words: Sequence[str], limit: int) -> tuple[str, ...]:
        """Names that resemble the words."""
        return self._both(lambda layer: layer.resembling(words, limit))[:limit]

    def bases(self) -> tuple[str, ...]:
        """Every name that is a direct base of something in it."""
        return self._both(lambda layer: layer.bases())

    def under(self, kinds: Sequence[str], limit: int, after: str = "") -> tuple[str, ...]:
        """Names of what is one of these kinds, by name, the first ones behind `after`."""
        return tuple(sorted(self._both(lambda layer: layer.under(kinds, limit, after))))[:limit]

    def names(self) -> tuple[str, ...]:
        """All names, oldest first."""
        return tuple(dict.fromkeys(chain(self._below.names(), self._own.names())))

    def __len__(self) -> int:
        return len(self.names())

    def _both(self, ask: Callable[[PrototypeLayer], tuple[str, ...]]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(chain(ask(self._below), ask(self._own))))

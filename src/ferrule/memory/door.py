"""The source's side of the one door: it records what is asked, judges what is written, and forgets nothing it saw.

Owns one critic turn: the record (R48), the budgets (CASE-L07, L17), and the writes staged until the review commits.
Bound to one source and one turn: a proposal for another session is refused (R93, INV-I7). Knows nothing of the critic.

What costs a call: search, details, schema, list, plan, scratch, tasks. Reading the turn is free, it never changes;
writes and checks have bounds of their own. A call over the budget is recorded as not ok and answers nothing: a search
comes back incomplete, which is not the same as empty (CASE-L14).
"""

import hashlib
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace

from ferrule.bridge.door import Door
from ferrule.bridge.json_form import refusal_form
from ferrule.bridge.values import (
    Answer,
    Call,
    Details,
    Proposal,
    Refusal,
    SchemaRow,
    SearchKind,
    SearchReceipt,
    Stage,
    TurnView,
)
from ferrule.errors import Code, StoreError
from ferrule.memory.admission import admit
from ferrule.memory.finding import find, handle_keys
from ferrule.memory.ports import MemoryStore, RefusedWrite, StagedWrite
from ferrule.memory.showing import Sight, details_of, schema_rows
from ferrule.memory.speakable import said
from ferrule.memory.submission import (
    AdmissionView,
    Limits,
    Refusals,
    Scope,
    Submission,
    Verdict,
    Written,
    answer_of,
)
from ferrule.ontology.layer import PrototypeLayer
from ferrule.ontology.layers import InMemoryLayer
from ferrule.ontology.resolve import Ontology
from ferrule.ontology.values import LayerName

__all__ = ["DoorLimits", "NLMemoryDoor"]


_MAX_RECORD = 128


@dataclass(frozen=True, slots=True)
class DoorLimits:
    """What one critic turn may ask for (design.md section 4)."""

    calls: int = 24
    identical_calls: int = 3
    writes: int = 5
    verdicts: int = 20
    definition: Limits = field(default_factory=Limits)


class NLMemoryDoor(Door):
    """The door of one critic turn."""

    def __init__(
        self, store: MemoryStore, permanent: PrototypeLayer, view: TurnView, limits: DoorLimits | None = None
    ) -> None:
        self._store = store
        self._permanent = permanent
        self._view = view
        self._limits = limits or DoorLimits()
        self._stage = Stage.IDENTITY
        self._calls: list[Call] = []
        self._asked: Counter[tuple[str, tuple[tuple[str, str], ...]]] = Counter()
        self._staged: dict[str, StagedWrite] = {}
        self._refused: list[RefusedWrite] = []
        self._known: tuple[Hashable, Ontology] | None = None
        self.read_revision = store.revision(view.source)

    # -- what the critic can do

    def read_turn(self) -> TurnView:
        """The reviewed turn."""
        if not any(call.tool == "read_turn" for call in self._calls):
            self._note("read_turn", "", (("turn", self._view.turn),), ok=True)
        return self._view

    def enter(self, stage: Stage) -> None:
        """Enter a pass. Going back from properties to identity is recorded as not ok and changes nothing (R31)."""
        ok = not (self._stage is Stage.PROPERTIES and stage is Stage.IDENTITY)
        if ok:
            self._stage = stage
        if len(self._calls) < _MAX_RECORD:
            self._note("enter", "", (("stage", stage.value),), ok=ok)

    def search(self, query: str, kind: SearchKind, *, candidate: str = "") -> SearchReceipt:
        """Search the source's whole ontology, staged writes of this review included (R35)."""
        query = said(query)
        keys = handle_keys(query, self._view.place, self._view) if kind is SearchKind.HANDLE else ()
        asked = (("query", query), ("kind", kind.value), *(("key", key) for key in keys))
        if not self._may("search", asked):
            call = self._note("search", candidate, asked, ok=False)
            return SearchReceipt(call, query, kind, (), self.read_revision, complete=False)
        try:
            with self._store.looking() as at:
                hits = find(self._sight(at), query, kind, keys)
                values = [value for h in hits for value in (h.name, h.entity_name, *(held.value for held in h.handles))]
                call = self._note("search", candidate, asked, ok=True, values=values, found=len(hits))
        except StoreError:
            call = self._note("search", candidate, asked, ok=False)
            return SearchReceipt(call, query, kind, (), self.read_revision, complete=False)
        return SearchReceipt(call, query, kind, hits, self._calls[-1].revision)

    def details(self, name: str, *, candidate: str = "") -> Details:
        """Current values of a prototype (R42)."""
        name = said(name)
        asked = (("name", name),)
        if not self._may("details", asked):
            return Details(self._note("details", candidate, asked, ok=False), name, known=False)
        with self._store.looking() as at:
            found = details_of(self._sight(at), name)
            held = [prop.value for prop in found.properties if prop.assigned]
            was = [value for prop in found.properties for value in prop.was]
            values = [name, *held, *was, *(handle.value for handle in found.handles)] if found.known else []
            return replace(found, call=self._note("details", candidate, asked, ok=found.known, values=values))

    def schema(self, name: str, *, candidate: str = "") -> tuple[SchemaRow, ...]:
        """All resolved declarations of a prototype (R43). Empty when unknown."""
        name = said(name)
        asked = (("name", name),)
        if not self._may("schema", asked):
            self._note("schema", candidate, asked, ok=False)
            return ()
        with self._store.looking() as at:
            known = self._ontology(at)
            rows = schema_rows(known, name)
            ok = known.get(name) is not None
            self._note("schema", candidate, asked, ok=ok, values=[row.property for row in rows])
        return rows

    def list(self) -> tuple[str, ...]:
        """Names of the source's session-local memories, staged ones of this review included."""
        if not self._may("list", ()):
            self._note("list", "", (), ok=False)
            return ()
        with self._store.looking():
            names = tuple(dict.fromkeys((*self._store.layer(self._view.source).names(), *self._staged)))
            self._note("list", "", (), ok=True, values=names)
        return names

    def plan(self) -> str:
        """The source's plan; no format that we read has one yet."""
        self._note("plan", "", (), ok=self._may("plan", ()))
        return ""

    def scratch(self) -> str:
        """The source's scratch notes; no format that we read has them yet."""
        self._note("scratch", "", (), ok=self._may("scratch", ()))
        return ""

    def tasks(self) -> tuple[str, ...]:
        """The source's task names; no format that we read has them yet."""
        self._note("tasks", "", (), ok=self._may("tasks", ()))
        return ()

    def check(self, proposal: Proposal) -> Answer:
        """The same verdict as `write`, without staging."""
        with self._store.looking():
            verdict = self._stopped("check", proposal) or self._judge(proposal)
            call = self._note_verdict("check", proposal, verdict)
        return answer_of(verdict, call)

    def write(self, proposal: Proposal) -> Answer:
        """Judge and stage one definition; it becomes memory when the review commits (R50, R51)."""
        with self._store.looking():
            verdict = self._stopped("write", proposal) or self._judge(proposal)
            call = self._note_verdict("write", proposal, verdict)
        if isinstance(verdict, Written):
            self._stage_write(verdict.write)
        elif isinstance(verdict, Refusals) and len(self._refused) <= self._limits.verdicts:
            self._refused.append(_refused(proposal, verdict))
        return answer_of(verdict, call)

    def record(self) -> tuple[Call, ...]:
        """Every call made through this door so far."""
        return tuple(self._calls)

    # -- what the desk takes from it

    @property
    def view(self) -> TurnView:
        """The turn that this door is bound to."""
        return self._view

    def staged(self) -> tuple[StagedWrite, ...]:
        """What the review is about to write, each prototype once, in the order of first writing."""
        return tuple(self._staged.values())

    def refused(self) -> tuple[RefusedWrite, ...]:
        """What was refused on the way."""
        return tuple(self._refused)

    # -- inside

    def _judge(self, proposal: Proposal) -> Verdict:
        return admit(Submission(proposal.definition, Scope.CRITIC, proposal), self._admission())

    def _admission(self) -> AdmissionView:
        source = self._view.source
        return AdmissionView(
            permanent=self._permanent,
            session=self._store.layer(source),
            lineage=self._store.lineage(source),
            staged=tuple(write.prototype for write in self._staged.values()),
            turn=self._view,
            record=tuple(self._calls),
            ordinal=self._view.ordinal,
            forgotten=lambda marks: tuple(stone.key for stone in self._store.tombstones(source, marks)),
            touched_after=lambda revision, marks: self._store.touched_after(source, revision, marks),
            limits=self._limits.definition,
        )

    def _ontology(self, at: Hashable) -> Ontology:
        """Everything that is known; what was worked out of it serves until the store or what is staged changes."""
        if self._known is None or self._known[0] != at:
            self._known = (at, self._read_ontology())
        return self._known[1]

    def _read_ontology(self) -> Ontology:
        source = self._view.source
        staged = InMemoryLayer()
        for write in self._staged.values():
            staged.add(replace(write.prototype, layer=LayerName.STAGED), write.keys)
        return Ontology(self._permanent, self._store.layer(source), self._store.lineage(source), staged)

    def _sight(self, at: Hashable) -> Sight:
        def definition(name: str) -> str:
            write = self._staged.get(name)
            return "" if write is None else write.merged

        return Sight(self._store, self._view.source, self._ontology(at), self._view.place, definition)

    def _stage_write(self, write: StagedWrite) -> None:
        earlier = self._staged.get(write.prototype.name)
        if earlier is not None:
            write = replace(
                write,
                action=earlier.action,
                definition=f"{earlier.definition}\n{write.definition}",
                claims=earlier.claims + write.claims,
                excerpts=earlier.excerpts + write.excerpts,
            )
        self._staged[write.prototype.name] = write
        self._known = None

    def _stopped(self, tool: str, proposal: Proposal) -> Refusals | None:
        """What is refused before any rule looks at the text."""
        if proposal.source != self._view.source:
            return _refusal(Code.WRONG_SESSION, "The proposal names another session.", "Write to the observed source.")
        if self._stage is Stage.IDENTITY:
            return _refusal(
                Code.NOT_INSPECTED, "Identity is not settled yet (R31).", "Enter the properties pass, then write.", 11
            )
        done = sum(call.tool in {"check", "write"} for call in self._calls)
        kept = sum(call.tool == "write" and call.ok for call in self._calls)
        if done >= self._limits.verdicts or (tool == "write" and kept >= self._limits.writes):
            return _refusal(
                Code.BUDGET, f"At most {self._limits.writes} memories are written per turn.", "Keep the rest for later."
            )
        return None

    def _may(self, tool: str, asked: tuple[tuple[str, str], ...]) -> bool:
        self._asked[tool, asked] += 1
        within = self._asked.total() <= self._limits.calls
        return within and self._asked[tool, asked] <= self._limits.identical_calls

    def _note(
        self,
        tool: str,
        candidate: str,
        arguments: tuple[tuple[str, str], ...],
        *,
        ok: bool,
        values: Sequence[str] = (),
        found: int | None = None,
    ) -> str:
        call = Call(
            id=f"c{len(self._calls) + 1}",
            stage=self._stage,
            tool=tool,
            candidate=said(candidate),
            arguments=tuple((key, said(value)) for key, value in arguments),
            ok=ok,
            values=tuple(dict.fromkeys(value for value in values if value)),
            revision=self._store.revision(self._view.source) if ok else self.read_revision,
            found=found,
        )
        if ok or len(self._calls) < _MAX_RECORD:  # nothing rests on a call that failed
            self._calls.append(call)
        return call.id

    def _note_verdict(self, tool: str, proposal: Proposal, verdict: Verdict) -> str:
        digest = hashlib.sha256(proposal.definition.encode("utf-8", "surrogatepass")).hexdigest()
        name = verdict.write.prototype.name if isinstance(verdict, Written) else ""
        codes = [refusal.code.value for refusal in verdict.refusals] if isinstance(verdict, Refusals) else []
        asked = (("target", proposal.target or ""), ("sha256", digest), *(("code", code) for code in codes))
        return self._note(tool, proposal.candidate, asked, ok=isinstance(verdict, Written), values=[name])


def _refusal(code: Code, message: str, remedy: str, rule: int = 0) -> Refusals:
    return Refusals((Refusal(code, rule, message, remedy),))


def _refused(proposal: Proposal, verdict: Refusals) -> RefusedWrite:
    payload = proposal.definition.encode("utf-8", "surrogatepass")
    return RefusedWrite(
        candidate=proposal.candidate,
        definition_sha256=hashlib.sha256(payload).hexdigest(),
        codes=tuple(dict.fromkeys(refusal.code.value for refusal in verdict.refusals)),
        definition=proposal.definition,
        refusals=tuple(refusal_form(refusal) for refusal in verdict.refusals),
        length=len(payload),
    )

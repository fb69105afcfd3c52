"""A door that knows nothing yet: an empty ontology that records every call and stages everything."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ferrule.bridge.values import (
    Accepted,
    Answer,
    Call,
    Details,
    Hit,
    PropertyDetail,
    Proposal,
    Refused,
    SchemaRow,
    SearchKind,
    SearchReceipt,
    Stage,
    TurnView,
)

NAME = re.compile(r"(?:partial )?prototype (\w+)")


class FakeDoor:
    """Answers from what a test puts in; `refusals` are given out one per write before anything is accepted."""

    def __init__(
        self,
        view: TurnView,
        *,
        hits: Mapping[str, Sequence[Hit]] | None = None,
        known: Mapping[str, Details] | None = None,
        schema: Mapping[str, Sequence[tuple[str, str]]] | None = None,
        refusals: Sequence[Refused] = (),
        broken_search: bool = False,
    ) -> None:
        self.view = view
        self.hits = dict(hits or {})
        self.known = dict(known or {})
        self.rows = dict(schema or {})
        self.refusals = list(refusals)
        self.broken_search = broken_search
        self.calls: list[Call] = []
        self.written: list[Proposal] = []
        self.stage = Stage.IDENTITY

    def _note(
        self, tool: str, candidate: str, *, ok: bool = True, values: tuple[str, ...] = (), **arguments: str
    ) -> str:
        number = f"c{len(self.calls) + 1}"
        self.calls.append(Call(number, self.stage, tool, candidate, tuple(arguments.items()), ok, values))
        return number

    def read_turn(self) -> TurnView:
        """The view."""
        return self.view

    def enter(self, stage: Stage) -> None:
        """Remember the pass."""
        self.stage = stage

    def search(self, query: str, kind: SearchKind, *, candidate: str = "") -> SearchReceipt:
        """The hits that the test put in for the query."""
        call = self._note("search", candidate, ok=not self.broken_search, query=query, kind=kind.value)
        return SearchReceipt(call, query, kind, tuple(self.hits.get(query, ())), 1, complete=not self.broken_search)

    def details(self, name: str, *, candidate: str = "") -> Details:
        """What the test knows of the name."""
        call = self._note("details", candidate, name=name)
        found = self.known.get(name)
        return replace(found, call=call) if found else Details(call, name, known=name in self.rows)

    def schema(self, name: str, *, candidate: str = "") -> tuple[SchemaRow, ...]:
        """The declarations that the test put in."""
        self._note("schema", candidate, name=name)
        return tuple(SchemaRow(prop, type_, name, assigned=False) for prop, type_ in self.rows.get(name, ()))

    def list(self) -> tuple[str, ...]:
        """Nothing."""
        return ()

    def plan(self) -> str:
        """No plan."""
        return ""

    def scratch(self) -> str:
        """No notes."""
        return ""

    def tasks(self) -> tuple[str, ...]:
        """No tasks."""
        return ()

    def check(self, proposal: Proposal) -> Answer:
        """Accepts everything."""
        return Accepted(_name(proposal), "created")

    def write(self, proposal: Proposal) -> Answer:
        """Gives out the refusals first, then accepts."""
        if self.refusals:
            self._note("write", proposal.candidate, ok=False)
            return self.refusals.pop(0)
        name = _name(proposal)
        call = self._note("write", proposal.candidate, values=(name,))
        self.written.append(proposal)
        return Accepted(name, "created" if proposal.target is None else "augmented", call)

    def record(self) -> tuple[Call, ...]:
        """Every call."""
        return tuple(self.calls)


def _name(proposal: Proposal) -> str:
    found = NAME.match(proposal.definition)
    return found.group(1) if found else ""


def property_of(name: str, value: str, type_: str = "String") -> PropertyDetail:
    """A valued property."""
    return PropertyDetail(name, type_, value, assigned=True, declared_by=name)

"""A case is a turn that went wrong in at least one lane: forbidden, false, missed, of wrong modality, or not reviewed.

Owns which turns are cases, their faults, and which go first where not all are shown. Knows nothing of markup.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ferrule.evaluation.report.reading import Row, rows, text, texts
from ferrule.evaluation.report.views import View
from ferrule.referents.secrets.detect import looks_secret

__all__ = ["FAULTS", "Case", "Fault", "accounts_by_lane", "cases_of", "handle_values", "ranked", "shown_value"]

FAULTS: Mapping[str, str] = {
    "forbidden": "forbidden",
    "false": "false",
    "missed": "missed",
    "modality": "modality wrong",
    "failed": "failed",
    "skipped": "skipped",
}
"""Every fault in the order of its weight, and how it is called."""
_ORDER = tuple(FAULTS)


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that went wrong: in which lane (its place), how, and of what.

    Attributes:
        lane: place among the lanes.
        fault: a key of `FAULTS`.
        subject: entity type of a missed one, handle kind of a wrong write; empty for a turn that was not reviewed.
    """

    lane: int
    fault: str
    subject: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """One turn with what went wrong.

    Attributes:
        place: among the turns of the run.
        turn: its object in `turns` of `metrics.json`.
        accounts: its object in `turns` of each lane, in the order of the lanes; empty where a lane has none.
        faults: at least one.
    """

    place: int
    turn: Row
    accounts: tuple[Row, ...]
    faults: tuple[Fault, ...]

    @property
    def name(self) -> str:
        """The turn's id."""
        return text(self.turn, "id")

    @property
    def anchor(self) -> str:
        """Its place on the page."""
        return f"case-{self.place + 1}"


def cases_of(metrics: Row, views: Sequence[View]) -> tuple[Case, ...]:
    """All cases, in the order of the turns."""
    by_lane = [{text(row, "id"): row for row in rows(view.row, "turns")} for view in views]
    found = []
    for place, turn in enumerate(rows(metrics, "turns")):
        accounts = tuple(lane.get(text(turn, "id"), {}) for lane in by_lane)
        faults = tuple(fault for lane, account in enumerate(accounts) for fault in _faults(lane, account, turn))
        if faults:
            found.append(Case(place, turn, accounts, faults))
    return tuple(found)


def _faults(lane: int, account: Row, turn: Row) -> Iterator[Fault]:
    outcome = text(account, "outcome")
    if outcome in {"failed", "skipped"}:
        yield Fault(lane, outcome)
    for entity, verdict in zip(rows(turn, "entities"), rows(account, "entities"), strict=False):
        if text(verdict, "verdict") == "missed":
            yield Fault(lane, "missed", text(entity, "type"))
        elif text(verdict, "verdict") == "hit" and verdict.get("modality_ok") is False:
            yield Fault(lane, "modality", text(entity, "type"))
    named = 0
    for memory in rows(account, "written"):
        kind = next((text(handle, "kind") for handle in rows(memory, "handles")), "no handle")
        if text(memory, "verdict") == "false":
            yield Fault(lane, "false", kind)
        if texts(memory, "forbidden"):
            named += 1
            yield Fault(lane, "forbidden", kind)
    if texts(account, "forbidden") and not named:
        yield Fault(lane, "forbidden")  # a secret in a property, not in a handle


def ranked(cases: Sequence[Case]) -> list[Case]:
    """The gravest first, else in the order of the turns."""
    return sorted(cases, key=lambda case: (min(_ORDER.index(fault.fault) for fault in case.faults), case.place))


def handle_values(case: Case) -> list[str]:
    """The values of every handle that a case is about: what its text is searched for."""
    found = [
        text(handle, "value")
        for entity in (*rows(case.turn, "entities"), *(m for one in case.accounts for m in rows(one, "written")))
        for handle in rows(entity, "handles")
    ]
    found += [text(row, "value") for row in rows(case.turn, "forbidden")]
    return list(dict.fromkeys(value for value in found if value))


def shown_value(value: str, why: str = "") -> str:
    """A value as it may be shown: labels name the secrets that must not be written, and a page must not either."""
    if why.startswith("secret") or looks_secret(value):
        return f"[secret of {len(value)} characters]"
    return value


def accounts_by_lane(case: Case, views: Sequence[View]) -> list[tuple[View, Row]]:
    """Each lane with what it made of the turn; lanes that have no row of it are left out."""
    return [(view, account) for view, account in zip(views, case.accounts, strict=False) if account]

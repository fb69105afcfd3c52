"""Small turns and a small memory for tests of the critic's mind: a turn by its words and calls, reviewed for real."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from store_cases import Clock, a_child, a_session, claimed

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.bridge.values import Call, Decision, Disposition, TurnReview, TurnView
from ferrule.bridge.view import view_of
from ferrule.memory.desk import MemoryDesk
from ferrule.ontology.loading import load_shipped
from ferrule.referents.kinds import Place
from ferrule.review.embedded.reviewer import EmbeddedReviewer
from ferrule.review.marker import accepted_names, render_marker
from ferrule.review.port import Limits, ReviewDraft
from ferrule.session.ledger.ledger import ledger
from ferrule.session.source import Origin
from ferrule.session.turn import ToolCall, Turn

SESSION = "desk:alpha"
HOME = Place(cwd="/srv/quay", root="/srv/quay", repository="git.example/harbor/quay")

Said = tuple[str, object, str | None, bool | None]


def said_turn(
    user: str,
    outcome: str,
    *calls: Said,
    ordinal: int = 1,
    place: Place = HOME,
    branch: str | None = "main",
    session: str = SESSION,
) -> Turn:
    """A completed turn; calls are (tool, arguments, result, ok), their ledger is made as always."""
    made = tuple(
        ToolCall(f"c{number}", tool, arguments if isinstance(arguments, dict) else str(arguments), result, ok)
        for number, (tool, arguments, result, ok) in enumerate(calls)
    )
    return Turn(
        key=f"t{ordinal}",
        session=session,
        ordinal=ordinal,
        user=user,
        outcome=outcome,
        calls=made,
        actions=ledger(made, place),
        place=place,
        branch=branch,
    )


def said_view(user: str, outcome: str, *calls: Said, place: Place = HOME) -> TurnView:
    """The view of such a turn."""
    return view_of(said_turn(user, outcome, *calls, place=place))


def edit(path: str, *, ok: bool | None = True, result: str | None = "The file has been updated.") -> Said:
    """An edit of one file."""
    return ("Edit", {"file_path": path, "old_string": "a", "new_string": "b"}, result, ok)


def write(path: str, *, ok: bool | None = True) -> Said:
    """A file written anew."""
    return ("Write", {"file_path": path, "content": "text"}, f"File created successfully at: {path}", ok)


def bash(command: str, result: str = "", *, ok: bool | None = True) -> Said:
    """A shell command with its output."""
    return ("Bash", {"command": command}, result, ok)


@dataclass
class Desk:
    """A store, the shipped ontology and the embedded reviewer; every turn is reviewed and committed like any other."""

    home: Path
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        self.store = SqliteStore(self.home, Clock())
        self.permanent = load_shipped().layer

    def review(self, turn: Turn) -> tuple[ReviewDraft, tuple[Call, ...]]:
        """Review one turn to its commit; gives what the reviewer settled and the door's record."""
        source = a_session(turn.session)
        self.store.put_session(source)
        self.store.put_turns([turn])
        self.store.enqueue(source, a_child(source), [(turn.ordinal, turn.key)], Origin.IMPORT)
        claim = claimed(self.store.claim(source.key, lease_seconds=30.0))
        desk = MemoryDesk(self.store, self.permanent)
        door = desk.open(claim)
        draft = EmbeddedReviewer().review(door, self.limits)
        self.refused = door.refused()
        names = accepted_names(door.record())
        marker = render_marker(source.key, turn.key, draft.decisions, names, reason=draft.reason)
        done = TurnReview(
            source.key,
            turn.key,
            turn.ordinal,
            "embedded-1",
            draft.candidates,
            draft.decisions,
            draft.reason,
            marker=marker,
        )
        desk.commit(door, done, claim)
        return draft, door.record()

    def memory(self) -> dict[str, str]:
        """Every memory of the session with its canonical definition."""
        return dict(self.store.definitions(SESSION))

    def close(self) -> None:
        """Close the store."""
        self.store.close()


def dispositions(decisions: Sequence[Decision]) -> dict[str, Disposition]:
    """Label → disposition."""
    return {decision.candidate: decision.disposition for decision in decisions}

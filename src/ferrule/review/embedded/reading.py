"""What a turn as a whole is: who asked for what, what was changed, and whether the answer only proposes.

Owns the turn-wide facts that signals are relative to. Knows nothing of single judgements.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from ferrule.bridge.values import Mention, Role, TurnText, TurnView
from ferrule.review.embedded import cues
from ferrule.review.embedded.pathclass import is_passing, is_support
from ferrule.review.embedded.things import PATHS, Thing
from ferrule.session.turn import Verb

__all__ = ["Reading", "position", "read"]

_HEAD = 280
_TAIL = 400


@dataclass(frozen=True, slots=True)
class Reading:
    """Turn-wide facts.

    `changed` are indexes of the changed files that may last, `production` those of them that carry the work.
    `proposes` means that nothing was changed and the answer ends in an offer.
    """

    intent: str
    outcome: str
    changed: tuple[int, ...]
    production: tuple[int, ...]
    edits: int
    any_change: bool
    asks: bool
    proposes: bool
    plan: bool
    about_tests: bool
    keep: bool
    committed: bool


def read(view: TurnView, things: Sequence[Thing]) -> Reading:
    """The facts of one turn."""
    intent = _joined(view, Role.INTENT)
    outcome = _joined(view, Role.OUTCOME)
    changed = tuple(
        i for i, thing in enumerate(things) if thing.kind in PATHS and thing.changes and not _passing(thing)
    )
    production = tuple(i for i in changed if not any(is_support(value) for value in things[i].values))
    any_change = any(action.verb in _CHANGES and action.ok is not False for action in view.actions)
    asks = bool(cues.QUESTION.search(intent[:200])) or intent.rstrip().endswith("?")
    return Reading(
        intent=intent,
        outcome=outcome,
        changed=changed,
        production=production,
        edits=sum(len(things[i].changes) for i in changed),
        any_change=any_change,
        asks=asks,
        proposes=not any_change and bool(cues.OFFER.search(outcome[-_TAIL:])),
        plan=bool(cues.PLAN.search(intent[:400])),
        about_tests=bool(cues.ABOUT_TESTS.search(intent)),
        keep=bool(cues.KEEP.search(intent)),
        committed=any(a.verb is Verb.COMMITTED and a.ok is not False for a in view.actions),
    )


_CHANGES = frozenset(
    {
        Verb.EDITED,
        Verb.CREATED,
        Verb.DELETED,
        Verb.MOVED,
        Verb.COMMITTED,
        Verb.PUSHED,
        Verb.MERGED,
        Verb.TAGGED,
        Verb.OPENED,
        Verb.CLOSED,
        Verb.COMMENTED,
        Verb.RELEASED,
        Verb.BRANCHED,
        Verb.DEPLOYED,
    }
)


def _joined(view: TurnView, role: Role) -> str:
    return "\n".join(text.text for text in view.texts if text.role is role)


def _passing(thing: Thing) -> bool:
    return any(is_passing(value, lenient=thing.did(Verb.EDITED)) for value in thing.values)


def position(text: TurnText | None, mention: Mention) -> int:
    """Where a mention stands in its whole message, in code points."""
    return (text.origin if text else 0) + mention.start

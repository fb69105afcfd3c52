"""How real the evidence of one turn makes a thing: planned < reported < created, changed, deleted, existing (D10, R47).

Owns the ladder as both sides of the door read it: the reviewer to choose a modality, the source to refuse a higher one.
A failed call and a missing result prove nothing; words prove at most that something was reported (R22, PEER-D17), but
a user who names a thing by its handle as present proves that it exists. Knows nothing of candidates or rules.
"""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from ferrule.bridge.marks import RECALL_OPEN
from ferrule.bridge.texts import is_content
from ferrule.bridge.values import Mention, Modality, Role, TurnView
from ferrule.bridge.wording import proposes, wishes_for
from ferrule.session.turn import Action, Verb

__all__ = ["admissible", "provable", "succeeded"]

_CREATING = frozenset(
    [
        *(Verb.CREATED, Verb.CLONED, Verb.BRANCHED, Verb.TAGGED, Verb.OPENED, Verb.COMMITTED, Verb.RELEASED),
        *(Verb.COPIED, Verb.MOVED),
    ]
)
_CHANGING = frozenset([Verb.EDITED, Verb.MERGED, Verb.CLOSED, Verb.CONFIGURED])
_SAYS_NOTHING = frozenset([Verb.PLANNED])


@dataclass(frozen=True, slots=True)
class _Shown:
    """What the turn shows of one thing: the net state, and every kind of the top rung that was shown on the way."""

    net: Modality
    kinds: frozenset[Modality]


def succeeded(view: TurnView, action: Action) -> bool:
    """Whether an action did not fail: `ok` true, or unknown with a result that is there and reports no error (D10)."""
    if action.ok is None:
        return view.text(f"call.{action.call_id}.result") is not None
    return action.ok


def provable(view: TurnView, keys: Sequence[str]) -> Modality:
    """The strongest modality that the turn proves for the thing with these identity keys (D10).

    In the top rung the last successful action that changes the thing's state decides; a thing created and then edited
    in one turn was created by it. With no such action it is existing.
    """
    return _shown(view, frozenset(keys)).net


def admissible(view: TurnView, keys: Sequence[str], modality: Modality) -> bool:
    """Whether a claim is not above the evidence: neither a higher rung nor a kind never shown (D10, CASE-A09)."""
    shown = _shown(view, frozenset(keys))
    if modality.rung < shown.net.rung:
        return True
    if modality.rung > shown.net.rung:
        return False
    if shown.net is Modality.DELETED:
        return modality is Modality.DELETED
    return modality.rung < Modality.CREATED.rung or modality in shown.kinds


def _shown(view: TurnView, keys: AbstractSet[str]) -> _Shown:
    kinds: list[Modality] = []
    net: Modality | None = None
    for action, key in zip(view.actions, view.action_keys, strict=False):
        kind = _kind_of(action) if key in keys else None
        if kind is not None and succeeded(view, action):
            kinds.append(kind)
            net = _after(net, kind)
    mentions = [mention for mention in view.mentions if mention.key in keys]
    if any(_is_seen(view, mention) for mention in mentions):
        kinds.append(Modality.EXISTING)
    if net is None:
        net = Modality.EXISTING if kinds else _told(view, mentions)
    return _Shown(net, frozenset([net, *kinds, *([Modality.EXISTING] if kinds else [])]))


def _kind_of(action: Action) -> Modality | None:
    if action.verb in _SAYS_NOTHING:
        return None
    if action.verb in _CREATING:
        return Modality.CREATED
    if action.verb in _CHANGING:
        return Modality.CHANGED
    return Modality.DELETED if action.verb is Verb.DELETED else Modality.EXISTING


def _after(net: Modality | None, kind: Modality) -> Modality:
    """The state after one more successful action."""
    if kind is Modality.DELETED or net is None or net is Modality.EXISTING:
        return kind
    if kind is Modality.EXISTING or (kind is Modality.CHANGED and net is Modality.CREATED):
        return net
    return Modality.CHANGED if net is Modality.CHANGED else kind


def _is_seen(view: TurnView, mention: Mention) -> bool:
    """Whether a mention shows the thing: returned by a call that did not fail, or an argument of such a call."""
    if mention.role not in (Role.ACTION, Role.OBSERVATION) or mention.ok is False:
        return False
    if mention.call_id is None:
        text = view.text(mention.text)
        return text is not None and not mention.text.startswith("outcome") and not text.text.startswith(RECALL_OPEN)
    if is_content(mention.text):
        return False  # what a file was made to say does not exist by that
    return mention.ok is True or view.text(f"call.{mention.call_id}.result") is not None


def _told(view: TurnView, mentions: Sequence[Mention]) -> Modality:
    """What words alone prove."""
    best = Modality.PLANNED
    for mention in mentions:
        text = view.text(mention.text)
        if text is None:
            continue
        if mention.role is Role.INTENT and not wishes_for(text.text, mention.start, mention.end):
            return Modality.EXISTING
        if mention.role is Role.OUTCOME and not proposes(text.text, mention.start, mention.end):
            best = Modality.REPORTED
    return best

"""How real the evidence of one turn makes a thing: planned < reported < created, changed, deleted, existing (D10, R47).

Owns the ladder as both sides of the door read it: the reviewer to choose a modality, the source to refuse a higher one.
A failed call and a missing result prove nothing; words prove at most that something was reported (R22, PEER-D17), but
a user who names a thing by its handle as present proves that it exists. Knows nothing of candidates or rules.
"""

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from ferrule.bridge.evidence import MAX_OCCURRENCES
from ferrule.bridge.marks import RECALL_OPEN
from ferrule.bridge.texts import is_content
from ferrule.bridge.values import Mention, Modality, Role, TurnView
from ferrule.bridge.wording import claimed_deed, claims_done, proposes, wishes_for
from ferrule.referents.expressions import expression
from ferrule.referents.kinds import HandleKind
from ferrule.session.turn import Action, Verb

__all__ = ["admissible", "provable", "succeeded"]

_CREATING = frozenset(
    [
        *(Verb.CREATED, Verb.CLONED, Verb.BRANCHED, Verb.TAGGED, Verb.OPENED, Verb.COMMITTED, Verb.RELEASED),
        *(Verb.COPIED, Verb.MOVED),
    ]
)
_CHANGING = frozenset([Verb.EDITED, Verb.MERGED, Verb.CONFIGURED, Verb.CLOSED, Verb.COMMENTED])
_DEED_KINDS = {"created": Modality.CREATED, "changed": Modality.CHANGED, "deleted": Modality.DELETED}
_TALK = frozenset([Verb.PLANNED, Verb.DELEGATED])  # words about what shall be done
_STAGED = "staged"  # the ledger's detail of a file taken into the index: it differs from the last commit
_ABSENT = expression(
    r"no such (?:file|path|branch|ref|remote|table|package)|not found|(?:does|did) ?n[o']t exist"
    r"|cannot (?:access|stat|find|open)|could not (?:find|resolve|open)|unknown (?:revision|command)"
    r"|did not match any|\b404\b",
    re.IGNORECASE,
)
_MAX_SOUGHT = 8
_LEAST_SOUGHT = 4
_SOUGHT_IN = 1_000_000


@dataclass(frozen=True, slots=True)
class _Shown:
    """What the turn shows of one thing: the net state, and every kind of the top rung that was shown on the way."""

    net: Modality
    kinds: frozenset[Modality]


def succeeded(view: TurnView, action: Action) -> bool:
    """Whether an action did not fail: `ok` true, or unknown with a result that is there and reports no error (D10)."""
    if action.ok is None:
        return _has_result(view, action.call_id)
    return action.ok


def provable(view: TurnView, keys: Sequence[str]) -> Modality:
    """The strongest modality that the turn proves for the thing with these identity keys (D10).

    In the top rung the last successful action that changes the thing's state decides; a thing created and then edited
    in one turn was created by it. With no such action it is existing.
    """
    return _shown_once(view, frozenset(keys)).net


def admissible(view: TurnView, keys: Sequence[str], modality: Modality) -> bool:
    """Whether a claim is not above the evidence: neither a higher rung nor a kind never shown (D10, CASE-A09)."""
    shown = _shown_once(view, frozenset(keys))
    if modality.rung < shown.net.rung:
        return True
    if modality.rung > shown.net.rung:
        return False
    if shown.net is Modality.DELETED:
        return modality is Modality.DELETED
    return modality.rung < Modality.CREATED.rung or modality in shown.kinds


def _shown_once(view: TurnView, keys: frozenset[str]) -> _Shown:
    """As `_shown`: the reviewer asks for each thing several times, and the source for each again."""
    return view.once(("shown", keys), lambda: _shown(view, keys))


def _shown(view: TurnView, keys: AbstractSet[str]) -> _Shown:
    kinds: list[Modality] = []
    net: Modality | None = None
    failed = False
    for action, key in zip(view.actions, view.action_keys, strict=False):
        if key in keys:
            kind = _kind_of(action)
        else:
            kind = Modality.DELETED if action.verb is Verb.MOVED and _moved_away(view, action, keys) else None
        if kind is None:
            continue
        if succeeded(view, action):
            kinds.append(kind)
            net = _after(net, kind, action)
        else:
            failed |= kind is not Modality.EXISTING
    mentions = view.mentions_of(keys)
    if any(_is_seen(view, mention) for mention in mentions) or (net is None and _stands_in_result(view, mentions)):
        kinds.append(Modality.EXISTING)
    if not kinds:
        net = _told(view, mentions)
        return _Shown(net, frozenset([net]))
    if net in (None, Modality.EXISTING):
        claimed = None if failed else _claimed(view, mentions)
        kinds += [claimed] if claimed else []
        net = claimed if claimed and net is None else Modality.EXISTING
    return _Shown(net, frozenset([net, *kinds, Modality.EXISTING]))


def _moved_away(view: TurnView, action: Action, keys: AbstractSet[str]) -> bool:
    """Whether a move took the thing away from the handle with one of these keys."""
    return any(mention.value == action.was and mention.call_id == action.call_id for mention in view.mentions_of(keys))


def _claimed(view: TurnView, mentions: Sequence[Mention]) -> Modality | None:
    """The deed that the outcome claims of a thing that a call has shown: with the claim, its kind is proved (D10)."""
    for mention in mentions:
        text = view.text(mention.text) if mention.role is Role.OUTCOME else None
        deed = claimed_deed(text.text, mention.start, mention.end) if text else ""
        if deed:
            return _DEED_KINDS[deed]
    return None


def _kind_of(action: Action) -> Modality | None:
    """What a successful action makes of its target; None when it only speaks of it."""
    if action.verb in _TALK:
        return None
    if action.verb in _CREATING:
        # A commit creates itself; the branch or file that it goes into was there.
        moves_on = action.verb is Verb.COMMITTED and action.kind is not HandleKind.COMMIT_SHA
        return Modality.CHANGED if moves_on else Modality.CREATED
    if action.verb in _CHANGING or action.detail == _STAGED:
        return Modality.CHANGED
    return Modality.DELETED if action.verb is Verb.DELETED else Modality.EXISTING


def _after(net: Modality | None, kind: Modality, action: Action) -> Modality:
    """The state after one more successful action."""
    if kind is Modality.EXISTING:
        return net or kind
    if kind is Modality.DELETED or net is None:
        return kind
    if net is Modality.EXISTING:
        written_over = kind is Modality.CREATED and action.verb is Verb.CREATED and action.detail != "commit"
        return Modality.CHANGED if written_over else kind
    if net is Modality.DELETED:
        return kind if action.detail == _STAGED else Modality.CHANGED  # taken away and put back
    return net


def _has_result(view: TurnView, call_id: str) -> bool:
    return view.text(f"call.{call_id}.result") is not None


def _is_seen(view: TurnView, mention: Mention) -> bool:
    """Whether a mention shows the thing: returned by a call that did not fail, or an argument of such a call."""
    if mention.role not in (Role.ACTION, Role.OBSERVATION) or mention.ok is False:
        return False
    text = view.text(mention.text)
    if text is None or is_content(mention.text):
        return False  # what a file was made to say does not exist by that
    if mention.call_id is None:
        return not mention.text.startswith("outcome") and RECALL_OPEN not in text.text
    if mention.role is Role.ACTION and mention.call_id in _talking(view):
        return not wishes_for(text.text, mention.start, mention.end)
    shows = mention.ok is True or _has_result(view, mention.call_id)
    return shows and not _ABSENT.search(_line_of(text.text, mention.start, mention.end))


def _talking(view: TurnView) -> frozenset[str]:
    """Calls that only hand words on: to a plan, to another agent."""
    return view.once("talking", lambda: frozenset(action.call_id for action in view.actions if action.verb in _TALK))


def _line_of(text: str, start: int, end: int) -> str:
    left = max(text.rfind("\n", max(0, start - 200), start) + 1, start - 200, 0)
    right = text.find("\n", end, end + 200)
    return text[left : right if right >= 0 else end + 200]


def _stands_in_result(view: TurnView, mentions: Sequence[Mention]) -> bool:
    """Whether what was spoken of stands somewhere in what a call returned, also outside the part that is scanned.

    A folder is shown by a path below it, a relative path by its absolute form.
    """
    values = {mention.value for mention in mentions if len(mention.value) >= _LEAST_SOUGHT}
    sought = sorted(values)[:_MAX_SOUGHT]
    return any(
        _shows(text.text, value.rstrip("/"))
        for text in view.texts
        if text.role is Role.OBSERVATION and text.call_id and text.ok is not False and not is_content(text.id)
        for value in sought
    )


def _shows(text: str, value: str) -> bool:
    """Whether the value stands in the first or last million code points of a text, on a line that denies nothing."""
    ends = [(0, min(len(text), _SOUGHT_IN)), (max(_SOUGHT_IN, len(text) - _SOUGHT_IN), len(text))]
    return any(_shows_between(text, value, start, stop) for start, stop in ends)


def _shows_between(text: str, value: str, start: int, stop: int) -> bool:
    at = text.find(value, start, stop)
    for _ in range(MAX_OCCURRENCES):
        if at < 0:
            return False
        end = at + len(value)
        whole = not _joins(text[at - 1 : at]) and not _joins(text[end : end + 1])
        if whole and not _ABSENT.search(_line_of(text, at, end)):
            return True
        at = text.find(value, at + 1, stop)
    return False


def _joins(char: str) -> bool:
    return char.isalnum() or char in ("_", "-")


def _told(view: TurnView, mentions: Sequence[Mention]) -> Modality:
    """What words alone prove: where the answer offers the thing as well as naming it, a claim must be explicit."""
    neutral = offered = claimed = False
    for mention in mentions:
        text = view.text(mention.text)
        if text is None:
            continue
        span = text.text, mention.start, mention.end
        if mention.role is Role.INTENT and not wishes_for(*span):
            return Modality.EXISTING
        if mention.role is Role.OUTCOME:
            offer = proposes(*span)
            offered |= offer
            claimed |= not offer and claims_done(*span)
            neutral |= not offer and mention.kind is not HandleKind.COMMAND  # nobody ran it: it is announced
    return Modality.REPORTED if claimed or (neutral and not offered) else Modality.PLANNED

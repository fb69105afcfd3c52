"""What an agent loses when its session is cut: handles it will use again and can no longer see.

Owns which handles a turn shows and uses, and which of them are lost at a cut: used later, told before, and absent from
the last turns, which an agent keeps. The place of a session is never lost: a client always knows it. Needs no labels.
Knows nothing of memory.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ferrule.bridge.values import Role, TurnView
from ferrule.bridge.view import view_of
from ferrule.referents.forms import identity_key
from ferrule.referents.kinds import HandleKind, Place
from ferrule.referents.recognise import recognise
from ferrule.session.turn import Turn

__all__ = ["Lost", "Told", "TurnHandles", "handles_of", "lost_at"]

_USING = frozenset({Role.INTENT, Role.OUTCOME, Role.ACTION})
_PLACES = frozenset({HandleKind.FILESYSTEM_PATH, HandleKind.REPOSITORY_ROOT})


@dataclass(frozen=True, slots=True)
class TurnHandles:
    """The handles of one turn by identity key.

    Attributes:
        shown: every spelling of each handle that stands anywhere in the turn, the outputs of its tools included.
        kinds: its kind.
        used: the keys that the person or the outcome names, or that a call that did not fail acted on.
        own: the keys of the turn's own place: its folder, its repository, its branch.
        place: where the turn happened.
    """

    shown: Mapping[str, frozenset[str]]
    kinds: Mapping[str, HandleKind]
    used: frozenset[str]
    own: frozenset[str]
    place: Place


@dataclass(frozen=True, slots=True)
class Lost:
    """A handle that is lost at a cut.

    Attributes:
        key: its identity key.
        kind: its kind.
        spellings: how it was told before the cut.
        again: the number of the turn that uses it again.
        worked_with: whether a turn before the cut used it too; else only the output of a tool showed it.
    """

    key: str
    kind: HandleKind
    spellings: frozenset[str]
    again: int
    worked_with: bool = True


def handles_of(turn: Turn) -> TurnHandles:
    """The handles of a turn, as every reviewer is shown them."""
    view = view_of(turn)
    shown: dict[str, set[str]] = {}
    kinds: dict[str, HandleKind] = {}
    for mention in view.mentions:
        shown.setdefault(mention.key, set()).add(mention.value)
        kinds.setdefault(mention.key, mention.kind)
    used = {m.key for m in view.mentions if m.role in _USING and m.ok is not False and m.text != "place"}
    return TurnHandles(
        {key: frozenset(values) for key, values in shown.items()}, kinds, frozenset(used), _own(view), view.place
    )


def _own(view: TurnView) -> frozenset[str]:
    place = view.place
    folders = [value for value in (place.cwd, place.root) if value]
    keys = {identity_key(kind, value, place)[0] for value in folders for kind in _PLACES}
    if view.branch:
        keys.add(identity_key(HandleKind.BRANCH, view.branch, place)[0])
    if place.repository:
        keys.add(identity_key(HandleKind.REPOSITORY_ID, place.repository, place)[0])
    return frozenset(keys)


def lost_at(turns: Sequence[TurnHandles], cut: int, window: int) -> tuple[Lost, ...]:
    """The handles lost when only the last `window` of the first `cut` turns stay, in the order of their next use.

    A handle that no turn up to the cut showed is not lost: nobody could have remembered it.
    """
    before, kept, after = turns[:cut], turns[max(0, cut - window) : cut], turns[cut:]
    told: dict[str, set[str]] = {}
    kinds: dict[str, HandleKind] = {}
    for turn in before:
        for key, spellings in turn.shown.items():
            told.setdefault(key, set()).update(spellings)
            kinds.setdefault(key, turn.kinds[key])
    worked = {key for turn in before for key in turn.used}
    there = {key for turn in kept for key in turn.shown} | {key for turn in turns for key in turn.own}
    found: dict[str, Lost] = {}
    for number, turn in enumerate(after, start=cut + 1):
        for key in sorted(turn.used - there):
            if key in told and key not in found:
                found[key] = Lost(key, kinds[key], frozenset(told[key]), number, key in worked)
    return tuple(found.values())


class Told:
    """A text that an agent is given after a cut, asked whether it tells a handle: by identity, or by one spelling."""

    def __init__(self, text: str, place: Place) -> None:
        self._text = text = f"{text}\n{_joined_names(text)}"
        self._keys = {identity_key(found.kind, found.value, place)[0] for found in recognise(text)}

    def tells(self, lost: Lost) -> bool:
        """Whether the handle stands in the text, whole."""
        return lost.key in self._keys or any(self._stands(spelling) for spelling in lost.spellings)

    def _stands(self, spelling: str) -> bool:
        start = self._text.find(spelling)
        while start >= 0:
            before, after = self._text[start - 1 : start], self._text[start + len(spelling) :][:2]
            if not _joined(before) and not _goes_on(after):
                return True
            start = self._text.find(spelling, start + 1)
        return False


_LISTED = re.compile(r"\bin ([/~][^\s:;]{1,400}): ([^\n]{1,2000})")


def _joined_names(text: str) -> str:
    """The whole paths of names listed behind their folder: whoever reads `in /a/b: c; d` can reach `/a/b/c`."""
    found = ((folder, names) for folder, names in _LISTED.findall(text))
    return "\n".join(f"{folder}/{name.strip()}" for folder, names in found for name in names.split(";"))


_WORD = re.compile(r"[\w./\\@#-]")


def _joined(before: str) -> bool:
    return bool(before) and _WORD.match(before) is not None


def _goes_on(after: str) -> bool:
    """Whether the token goes on; a full stop or dash that ends a sentence does not."""
    if not after or _WORD.match(after[0]) is None:
        return False
    return after[0] not in ".-" or (len(after) > 1 and re.match(r"\w", after[1]) is not None)

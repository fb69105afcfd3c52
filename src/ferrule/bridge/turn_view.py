"""What a critic sees of one completed turn: its texts with roles, its actions, its numbered mentions (R15, R18).

Owns these three values and finding in them by id. Knows nothing of how they are made or what is made of them.
"""

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar, cast

from ferrule.bridge.vocabulary import Role
from ferrule.referents.kinds import HandleKind, Place
from ferrule.session.turn import Action

__all__ = ["Mention", "TurnText", "TurnView"]

_Answer = TypeVar("_Answer")


@dataclass(frozen=True, slots=True)
class TurnText:
    """One text of the turn with its id and one role.

    Ids: `user`, `user.1` … for segments, `outcome`, `steering.0`,
    `call.<id>.arguments`, `call.<id>.result`, `artifact.0`. Offsets of mentions and spans count code points of `text`.

    `origin` is the offset of this segment in the message it was cut from. `ok` is the outcome of its call, or None.
    """

    id: str
    role: Role
    text: str
    call_id: str | None = None
    ok: bool | None = None
    origin: int = 0


@dataclass(frozen=True, slots=True)
class Mention:
    """A handle that occurs in the turn, numbered: the only way to write a handle is to name its mention (D9).

    `value` is verbatim or a documented normal form of `text[start:end]`; `derived` tells that the identity key was
    joined with the working directory. Mentions with the same `key` are the same thing.
    """

    id: str
    kind: HandleKind
    value: str
    key: str
    role: Role
    text: str
    start: int
    end: int
    call_id: str | None = None
    ok: bool | None = None
    derived: bool = False


@dataclass(frozen=True, slots=True)
class TurnView:
    """What the critic sees of one turn: the pair, the action ledger and the numbered mentions.

    `action_keys` runs beside `actions`: each target's identity key, resolved like the mentions; empty for no handle.
    """

    source: str
    turn: str
    ordinal: int
    texts: tuple[TurnText, ...]
    actions: tuple[Action, ...]
    mentions: tuple[Mention, ...]
    place: Place
    branch: str | None = None
    completed_at: str | None = None
    action_keys: tuple[str, ...] = ()
    _ids: Mapping[str, TurnText] = field(init=False, repr=False, compare=False)
    _numbers: Mapping[str, Mention] = field(init=False, repr=False, compare=False)
    _keyed: Mapping[str, Sequence[int]] = field(init=False, repr=False, compare=False)
    _worked_out: dict[Hashable, object] = field(init=False, repr=False, compare=False, default_factory=dict)

    def __post_init__(self) -> None:
        """Texts and mentions are asked for by id and key again and again; of two with one id the first counts."""
        object.__setattr__(self, "_ids", {text.id: text for text in reversed(self.texts)})
        keyed: dict[str, list[int]] = {}
        for index, mention in enumerate(self.mentions):
            keyed.setdefault(mention.key, []).append(index)
        object.__setattr__(self, "_keyed", keyed)
        object.__setattr__(self, "_numbers", {mention.id: mention for mention in reversed(self.mentions)})

    def once(self, question: Hashable, answer: Callable[[], _Answer]) -> _Answer:
        """What follows from the view alone is worked out once: `question` names it, `answer` works it out."""
        if question not in self._worked_out:
            self._worked_out[question] = answer()
        return cast(_Answer, self._worked_out[question])

    def spoken_as(self, text: str) -> Sequence[Mention]:
        """The mentions of which this is the value or the identity key, in the order of their numbers."""
        return self.once("spoken", self._spoken).get(text, ())

    def _spoken(self) -> Mapping[str, Sequence[Mention]]:
        found: dict[str, list[Mention]] = {}
        for mention in self.mentions:
            for form in dict.fromkeys((mention.value, mention.key)):
                found.setdefault(form, []).append(mention)
        return found

    def text(self, text_id: str) -> TurnText | None:
        """The text of that id, or None."""
        return self._ids.get(text_id)

    def mention(self, mention_id: str) -> Mention | None:
        """The mention of that id, or None."""
        return self._numbers.get(mention_id)

    def mentions_of(self, keys: Collection[str]) -> list[Mention]:
        """The mentions of the thing with these identity keys, in the order of their numbers."""
        return [self.mentions[index] for index in sorted({at for key in keys for at in self._keyed.get(key, ())})]

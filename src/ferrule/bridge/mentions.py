"""Every handle of the turn gets a number: the only way to write one is to name its mention (D9).

Owns where mentions are looked for (the first and last 32 KB of what was said and done; `observed` says how much of what
was seen), what the ledger adds to what the recogniser sees, and the order of numbers. Bounded: 4,000 mentions a turn,
what was spoken and done first, what was seen last. Knows nothing of what deserves memory.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ferrule.bridge.evidence import spans_of
from ferrule.bridge.observed import glimpses, sought_words
from ferrule.bridge.values import Mention, Role, TurnText
from ferrule.referents.forms import identity_key
from ferrule.referents.kinds import Found, HandleKind, Place
from ferrule.referents.locations import absolute
from ferrule.referents.recognise import recognise
from ferrule.referents.secrets.mark import has_placeholder
from ferrule.session.turn import Action, Turn

__all__ = [
    "MAX_MENTIONS",
    "PLACE_TEXT",
    "WINDOW",
    "acted",
    "numbered",
    "place_mentions",
    "places_of",
    "recognised",
    "seen",
    "windows",
]

PLACE_TEXT = "turn.place"
MAX_MENTIONS = 4_000
WINDOW = 32 * 1024
_EDGE = 512  # a window ends at a blank, if one is this near, so that it cuts no handle in two
_REPEATS = {Role.ACTION: 4}
_REPEATS_SEEN = 2
_REPEATS_SPOKEN = 32
_PATHS = frozenset([HandleKind.FILESYSTEM_PATH, HandleKind.REPOSITORY_ROOT, HandleKind.PROMPT_PATH])
_MAX_ACTIONS = 2_000
# What tells by its own form what it is, and so may fill a property of what was named otherwise.
_TELLING = frozenset(
    [
        *(HandleKind.FILESYSTEM_PATH, HandleKind.URL, HandleKind.COMMIT_SHA, HandleKind.PULL_REQUEST),
        *(HandleKind.ISSUE, HandleKind.REPOSITORY_ID, HandleKind.BRANCH, HandleKind.HOST, HandleKind.DATABASE_ID),
    ]
)


def windows(text: str, size: int = WINDOW) -> Iterator[tuple[int, str]]:
    """The parts of a text in which mentions are looked for, each with its offset: its first and last 32 KB."""
    if len(text) <= 2 * size:
        yield 0, text
        return
    end = max(text.rfind(" ", size - _EDGE, size), text.rfind("\n", size - _EDGE, size))
    yield 0, text[: end if end > 0 else size]
    start = len(text) - size
    blanks = [at for at in (text.find(" ", start, start + _EDGE), text.find("\n", start, start + _EDGE)) if at >= 0]
    start = min(blanks, default=start)
    yield start, text[start:]


def places_of(turn: Turn) -> Mapping[str, Place]:
    """Where each call ran, and under "" the turn. A call outside the turn's repository takes nothing from its place."""
    places: dict[str, Place] = {"": turn.place}
    root = absolute(turn.place.root, turn.place)[0] if turn.place.root else None
    for call in turn.calls:
        if call.cwd is None or call.cwd == turn.place.cwd:
            places[call.call_id] = turn.place
            continue
        inside = root is not None and (absolute(call.cwd, turn.place)[0] + "/").startswith(root + "/")
        places[call.call_id] = replace(turn.place, cwd=call.cwd) if inside else Place(cwd=call.cwd)
    return places


class Keys(dict[tuple[HandleKind, str, Place], tuple[str, bool]]):
    """Identity keys of one view, each computed once: one turn names the same few things again and again."""

    def __missing__(self, wanted: tuple[HandleKind, str, Place]) -> tuple[str, bool]:
        found = self[wanted] = identity_key(*wanted)
        return found


def recognised(text: TurnText, place: Place, keys: Keys) -> list[Mention]:
    """What the recogniser finds in one text, in order; a handle that repeats is counted, not listed without end."""
    found: list[Mention] = []
    repeats: Counter[str] = Counter()
    most = _REPEATS.get(text.role, _REPEATS_SPOKEN)
    for offset, part in windows(text.text):
        for hit in recognise(part, limit=MAX_MENTIONS):
            if has_placeholder(hit.value):
                continue
            key, derived = keys[hit.kind, hit.value, place]
            repeats[key] += 1
            if repeats[key] <= most:
                found.append(_mention(hit, key, text, offset, derived=derived))
    return found


def seen(texts: Sequence[TurnText], told: Sequence[Mention], places: Mapping[str, Place], keys: Keys) -> list[Mention]:
    """What the recogniser finds in the observations, as far as they are read (`observed`), in their order.

    Looked for is what names a thing wherever it stands, and what was `told`: said or done in this turn.
    """
    shown = glimpses(texts, sought_words(told))
    kinds = _TELLING | {mention.kind for mention in told} - {HandleKind.COMMAND}
    found: list[Mention] = []
    repeats: Counter[tuple[str, str]] = Counter()
    for hit in recognise(shown.text, limit=MAX_MENTIONS, kinds=kinds):
        where = None if has_placeholder(hit.value) else shown.at(hit.start, hit.end)
        if where is None:
            continue
        text = where[0].text
        key, derived = keys[hit.kind, hit.value, places.get(text.call_id or "", places[""])]
        repeats[text.id, key] += 1
        if repeats[text.id, key] <= _REPEATS_SEEN:
            found.append(_mention(hit, key, text, where[1], derived=derived))
    return found


def _mention(hit: Found, key: str, text: TurnText, shift: int, *, derived: bool) -> Mention:
    return Mention(
        id="",
        kind=hit.kind,
        value=hit.value,
        key=key,
        role=text.role,
        text=text.id,
        start=shift + hit.start,
        end=shift + hit.end,
        call_id=text.call_id,
        ok=text.ok,
        derived=derived,
    )


@dataclass(frozen=True, slots=True)
class _Call:
    """The texts of one call in which a ledger target may stand, the named one first."""

    texts: tuple[TurnText, ...]

    def stand(self, kind: HandleKind, target: str) -> tuple[TurnText, int, int] | None:
        """Where the target stands: verbatim, else the longest tail of a path that was joined with a folder (D9)."""
        for text in self.texts:
            span = next(spans_of(text.text[:WINDOW], target), None) or _anywhere(text.text[:WINDOW], target)
            if span:
                return text, *span
        if kind not in _PATHS:
            return None
        parts = target.replace("\\", "/").split("/")
        tails = ["/".join(parts[cut:]) for cut in range(1, len(parts)) if parts[-1]]
        for text in self.texts:
            shown = text.text[:WINDOW].replace("\\", "/")
            span = next((span for tail in tails if tail and (span := next(spans_of(shown, tail), None))), None)
            if span:
                return text, *span
        return None


def _anywhere(text: str, target: str) -> tuple[int, int] | None:
    at = text.find(target)
    return (at, at + len(target)) if at >= 0 else None


def acted(
    actions: Sequence[Action], texts: Sequence[TurnText], places: Mapping[str, Place], place: Place
) -> tuple[list[TurnText], dict[str, list[Mention]], tuple[str, ...]]:
    """Mentions of the ledger's targets, though the recogniser would not see them (R18).

    Returns:
        rows that stand in no text of their call (each becomes a text of its own, so that it can be cited), the mentions
        by text id, and the identity key of each action in order, empty where the target is no handle.
    """
    of_call: dict[str, list[TurnText]] = defaultdict(list)
    for text in texts:
        if text.call_id is not None:
            of_call[text.call_id].append(text)
    rows: list[TurnText] = []
    mentions: dict[str, list[Mention]] = defaultdict(list)
    keys: list[str] = []
    for number, action in enumerate(actions):
        call = _Call(tuple(of_call.get(action.call_id, ())))
        here = places.get(action.call_id, place)
        keys.append(_key(action, here))
        if number >= _MAX_ACTIONS:
            continue
        for target in filter(None, (action.target, action.was)):
            mention, row = _mention_of(action, target, call, here)
            if mention is not None:
                mentions[mention.text].append(mention)
            if row is not None:
                rows.append(row)
    return rows, mentions, tuple(keys)


def _key(action: Action, place: Place) -> str:
    if action.kind is None or not action.target or has_placeholder(action.target):
        return ""
    return identity_key(action.kind, action.target, place)[0]


def _mention_of(action: Action, target: str, call: _Call, place: Place) -> tuple[Mention | None, TurnText | None]:
    if action.kind is None or has_placeholder(target):
        return None, None
    where = call.stand(action.kind, target)
    row = None
    if where is None:
        words = f"{action.verb.value} {target}"
        row = TurnText(f"call.{action.call_id}.action.{action.index}", Role.ACTION, words, action.call_id, action.ok)
        if target == action.was:
            row = replace(row, id=row.id + ".was")
        where = (row, len(words) - len(target), len(words))
    text, start, end = where
    key, derived = identity_key(action.kind, target, place)
    mention = Mention(
        id="",
        kind=action.kind,
        value=target,
        key=key,
        role=Role.ACTION,
        text=text.id,
        start=start,
        end=end,
        call_id=action.call_id,
        ok=action.ok,
        derived=derived or text.text[start:end] != target,
    )
    return mention, row


def place_mentions(turn: Turn) -> tuple[TurnText | None, list[Mention]]:
    """Where the turn happened, as its transcript tells: folder, root, repository and branch, to be cited like a result.

    It is observation: it may fill a property, and nobody has spoken of it by it.
    """
    place = turn.place
    facts = [
        ("cwd", HandleKind.FILESYSTEM_PATH, place.cwd),
        ("root", HandleKind.REPOSITORY_ROOT, place.root),
        ("repository", HandleKind.REPOSITORY_ID, place.repository),
        ("branch", HandleKind.BRANCH, turn.branch),
    ]
    words, found, at = [], [], 0
    for name, kind, value in facts:
        if not value or has_placeholder(value):
            continue
        start = at + len(name) + 2
        key, derived = identity_key(kind, value, place)
        found.append(
            Mention("", kind, value, key, Role.OBSERVATION, PLACE_TEXT, start, start + len(value), derived=derived)
        )
        words.append(f"{name}: {value}")
        at = start + len(value) + 1
    return (TurnText(PLACE_TEXT, Role.OBSERVATION, "\n".join(words)) if words else None), found


def numbered(found: Sequence[Mention], first: int = 1) -> tuple[Mention, ...]:
    """Mentions with their ids from `m<first>` in the order given, at most 4,000; one per text, span, kind and key."""
    marks = {(m.text, m.start, m.end, m.kind, m.key): m for m in reversed(found)}  # the first of equals stays
    kept = [m for m in found if marks[m.text, m.start, m.end, m.kind, m.key] is m]
    return tuple(
        Mention(f"m{number}", m.kind, m.value, m.key, m.role, m.text, m.start, m.end, m.call_id, m.ok, m.derived)
        for number, m in enumerate(kept[: max(0, MAX_MENTIONS - first + 1)], first)
    )

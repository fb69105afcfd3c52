"""What a person has told Ferrule to forget is gone from memory and from what was written about it (D8, D14, R97).

Owns what "forget this" means: which memories it names, and what stays of a review that wrote them or only met them. The
store keeps the tombstones. Knows nothing of SQL.
"""

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from ferrule.bridge.evidence import spans_of
from ferrule.memory.finding import handle_keys
from ferrule.memory.ports import MemoryStore
from ferrule.ontology.words import fold_phrase
from ferrule.referents.kinds import NOWHERE, Place

__all__ = ["FORGOTTEN", "Gone", "forgotten_excerpts", "forgotten_marker", "forgotten_review", "named"]

FORGOTTEN = "(forgotten)"
_SHORTEST = 4
_LISTED, _REASON = "- Candidates: ", "- Reason: "  # the lines of a result marker that say more than names
_LINE_END = str.maketrans(";\r\n", "   ")  # as a result marker writes a text


@dataclass(frozen=True, slots=True)
class Gone:
    """What a forgotten memory was called and what it pointed at.

    Attributes:
        name: the prototype's name: it stays, so that a person can lift the tombstone by it.
        called: names and aliases as they were written.
        phrases: the same folded.
        values: its handles as they were written.
        keys: its handles' identity keys.
    """

    name: str
    called: frozenset[str] = frozenset()
    phrases: frozenset[str] = frozenset()
    values: frozenset[str] = frozenset()
    keys: frozenset[str] = frozenset()

    @property
    def telling(self) -> tuple[str, ...]:
        """What may stand in no sentence: handles and keys that are no mere words, the longest first."""
        marks = {mark for mark in self.values | self.keys if len(mark) >= _SHORTEST and not mark.isalpha()}
        return tuple(sorted(marks, key=lambda mark: (-len(mark), mark)))

    def says(self, text: object) -> bool:
        """Whether a text is one of its names, handles or keys."""
        said = str(text)
        return said == self.name or said in self.values | self.keys or fold_phrase(said) in self.phrases


def named(store: MemoryStore, session: str, what: str, place: Place = NOWHERE) -> tuple[str, ...]:
    """The session's own memories that a person means: by exact name, else by handle, else by what they are called.

    Words and fragments are not enough: forgetting is never a guess. Permanent and foreign memories are never meant.
    """
    layer = store.layer(session)
    text = what.strip()
    if layer.get(text) is not None:
        return (text,)
    held = [name for key in handle_keys(text, place) for name in layer.holding(key)]
    return tuple(dict.fromkeys(held)) or layer.called(text)


def forgotten_review(review: dict[str, object], gone: Gone) -> dict[str, object]:
    """The JSON form of a review without values, excerpts and text of one memory, written in it or only met by it."""
    written = _written_of(review, gone)
    labels = _labels(review, gone)
    candidates = _items(review, "candidates")
    cleaned = {
        "written": [_written(item) if item in written else item for item in _items(review, "written")],
        "candidates": [
            _candidate(item, gone) if item.get("label") in labels else _scrubbed(item, gone) for item in candidates
        ],
        "calls": [_call(item, gone, labels) for item in _items(review, "calls")],
        "refused": [_refused(item, gone, labels) for item in _items(review, "refused")],
        "reason": _reason(str(review.get("reason")), labels, gone),
    }
    return review | {member: value for member, value in cleaned.items() if member in review}


def forgotten_excerpts(excerpts: object, gone: Gone) -> object:
    """The JSON form of a neighbour's excerpts: the words that are kept of it may name the thing as well."""
    return _scrubbed(excerpts, gone)


def forgotten_marker(marker: str, review: Mapping[str, object], gone: Gone) -> str:
    """The result marker of a review that is not cleaned yet: labels of the thing become its name (R90, R97)."""
    labels = set(map(_line, _labels(review, gone)))
    flat = replace(gone, values=frozenset(map(_flat, gone.values)), keys=frozenset(map(_flat, gone.keys)))
    shown = set(map(_flat, labels))

    def listed(part: str) -> str:
        label, equals, disposition = part.rpartition("=")
        if not equals:
            return part
        return f"{gone.name if label in shown or flat.says(label) else _scrubbed(label, flat)}={disposition}"

    lines = marker.split("\n")
    for at, line in enumerate(lines):
        if line.startswith(_LISTED):
            lines[at] = _LISTED + "; ".join(map(listed, line.removeprefix(_LISTED).split("; ")))
        elif line.startswith(_REASON):
            lines[at] = _reason(line, labels, gone)
    return "\n".join(lines)


def _line(text: str) -> str:
    return " ".join(text.translate(_LINE_END).split())


def _flat(text: str) -> str:
    return _line(text).replace("=", "-")


def _reason(text: str, labels: Iterable[str], gone: Gone) -> str:
    """Why a review came out so, which it says label by label, without those of the thing and without its handles."""
    for label in sorted(set(labels) - {gone.name, ""}, key=lambda one: (-len(one), one)):
        said = f"{label}: "
        text, *others = text.split(said)
        for other in others:
            text += (f"{gone.name}: " if text.endswith(" ") or not text else said) + other
    return str(_scrubbed(text, gone))


def _written_of(review: Mapping[str, object], gone: Gone) -> list[dict[str, object]]:
    return [item for item in _items(review, "written") if item.get("prototype") == gone.name]


def _labels(review: Mapping[str, object], gone: Gone) -> set[str]:
    """What a review called the thing."""
    labels = {str(item.get("candidate", gone.name)) for item in _written_of(review, gone)} | {gone.name}
    return labels | {str(item.get("label")) for item in _items(review, "candidates") if _is_of(item, gone)}


def _is_of(candidate: Mapping[str, object], gone: Gone) -> bool:
    """Whether a candidate is the forgotten thing: by what it was found to be, by a handle, or by what it is called."""
    held = [item for item in _items(candidate, "handles") if item.get("key") in gone.keys]
    called = (candidate.get("label"), *_texts(candidate.get("aliases")))
    return candidate.get("target") == gone.name or bool(held) or any(gone.says(name) for name in called)


def _written(item: dict[str, object]) -> dict[str, object]:
    called = {"candidate": item["prototype"]} if "candidate" in item else {}
    return item | called | {"properties": {}, "handles": [], "definition": FORGOTTEN, "forgotten": True}


def _candidate(item: dict[str, object], gone: Gone) -> dict[str, object]:
    return item | {"label": gone.name, "aliases": [], "handles": [], "evidence": [], "reason": FORGOTTEN}


def _call(item: dict[str, object], gone: Gone, labels: Container[object]) -> object:
    """A call for the thing, or one that asked by its name, handle or key, keeps that it was made and nothing else."""
    about = item.get("candidate") in labels
    arguments = item.get("arguments")
    asked = arguments.values() if isinstance(arguments, dict) else ()
    if about or any(gone.says(value) for value in asked):
        return item | {"candidate": gone.name if about else _scrubbed(item.get("candidate"), gone), "arguments": {}}
    return _scrubbed(item, gone)


def _refused(item: dict[str, object], gone: Gone, labels: Container[object]) -> object:
    """A refused text about the thing goes as a whole; what was wrong with it stays as codes and places."""
    text = str(item.get("definition", ""))
    if item.get("candidate") not in labels and not any(True for mark in gone.telling for _ in spans_of(text, mark)):
        return _scrubbed(item, gone)
    refusals = [one | {"property": "", "message": FORGOTTEN, "remedy": ""} for one in _items(item, "refusals")]
    return item | {"candidate": gone.name, "definition": FORGOTTEN, "refusals": refusals}


def _scrubbed(value: object, gone: Gone) -> object:
    """A JSON value whose texts do not say the handles: an excerpt about a neighbour may name both."""
    if isinstance(value, str):
        for mark in gone.telling:
            for start, end in reversed(tuple(spans_of(value, mark)) if mark in value else ()):
                value = value[:start] + FORGOTTEN + value[end:]
        return value
    if isinstance(value, list):
        return [_scrubbed(item, gone) for item in value]
    if isinstance(value, dict):
        return {name: _scrubbed(item, gone) for name, item in value.items()}
    return value


def _items(review: Mapping[str, object], member: str) -> list[dict[str, object]]:
    items = review.get(member)
    return [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []


def _texts(value: object) -> Iterator[str]:
    return (item for item in value if isinstance(item, str)) if isinstance(value, list) else iter(())

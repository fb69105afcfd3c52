"""What stands in a turn and could be labelled is offered, so that a person clicks instead of typing.

Owns which recognised handles are offered, how several forms of one thing become one candidate, and the guesses that a
person corrects (name, type, modality). The guesses come from a handle's kind and the turn's ledger alone, never from a
reviewer: labels that a reviewer had whispered would measure nothing. Knows nothing of pages or files.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ferrule.evaluation.labelling import Said, spots_of
from ferrule.evaluation.scoring import same_handle
from ferrule.referents.kinds import HandleKind
from ferrule.referents.recognise import recognise
from ferrule.referents.secrets.mark import has_placeholder
from ferrule.review.embedded.entity_types import BY_KIND
from ferrule.session.turn import Action, Turn, Verb

__all__ = ["Candidate", "candidates_in"]

_MOST = 120
_MOST_ROWS = 300
_LONGEST_TEXT = 60_000
_LONGEST = 400

_TYPES = {**BY_KIND, HandleKind.URL: "WebSite"}
_ENDINGS = {
    "Document": ("md", "mdx", "txt", "rst", "adoc", "tex", "pdf", "docx", "org"),
    "ConfigFile": ("json", "yaml", "yml", "toml", "ini", "cfg", "conf", "env", "lock", "xml", "tf", "properties"),
    "Script": ("sh", "bash", "ps1", "bat", "cmd"),
    "Dataset": ("csv", "tsv", "parquet", "jsonl", "xlsx", "sqlite", "db"),
}
_MODALITIES = {
    Verb.CREATED: "created",
    Verb.COMMITTED: "created",
    Verb.OPENED: "created",
    Verb.BRANCHED: "created",
    Verb.TAGGED: "created",
    Verb.RELEASED: "created",
    Verb.CLONED: "created",
    Verb.EDITED: "changed",
    Verb.MOVED: "changed",
    Verb.DELETED: "deleted",
}


@dataclass(slots=True)
class Candidate:
    """One thing that the turn shows: its forms as they stand there, first the one that was met first.

    Attributes:
        handles: (kind, value) pairs, verbatim.
        roles: who shows it.
        type: a guess.
        modality: a guess.
    """

    handles: list[tuple[str, str]]
    roles: list[str]
    type: str
    modality: str = "existing"
    label: str = ""


def candidates_in(turn: Turn, texts: Sequence[Said]) -> tuple[Candidate, ...]:
    """At most 120 candidates: the user's first, then the outcome's, then what only the tools show, changes first."""
    found: list[Candidate] = []
    index: dict[str, list[Candidate]] = {}
    for role, kind, value in _met(turn, texts):
        key = _tail(value)
        known = next((c for c in index.get(key, ()) if any(same_handle(value, v) for _, v in c.handles)), None)
        if known is None:
            if len(found) == _MOST:
                continue
            known = Candidate([], [], _type(kind, value), label=_name(value))
            found.append(known)
            index.setdefault(key, []).append(known)
        if (kind.value, value) not in known.handles:
            known.handles.append((kind.value, value))
        if role not in known.roles:
            known.roles.append(role)
    for action in turn.actions[:_MOST_ROWS]:
        _learn(index, action)
    return tuple(found)


def _met(turn: Turn, texts: Sequence[Said]) -> Iterator[tuple[str, HandleKind, str]]:
    for said in texts:
        if said.role == "tool":
            continue
        text = said.text[:_LONGEST_TEXT]
        for hit in recognise(text, limit=_MOST_ROWS):
            value = text[hit.start : hit.end]
            if _usable(value):
                yield said.role, hit.kind, value
    changes = [action for action in turn.actions[:_MOST_ROWS] if action.verb in _MODALITIES]
    rest = [action for action in turn.actions[:_MOST_ROWS] if action.verb not in _MODALITIES]
    for action in (*changes, *rest):
        value = _as_shown(texts, action.target)
        if action.kind is not None and value:
            yield "tool", action.kind, value
    if turn.place.root and _as_shown(texts, turn.place.root):
        yield "tool", HandleKind.REPOSITORY_ROOT, turn.place.root
    if turn.branch and _usable(turn.branch):
        yield "tool", HandleKind.BRANCH, turn.branch


def _usable(value: str) -> bool:
    return bool(value.strip()) and len(value) <= _LONGEST and not has_placeholder(value)


def _as_shown(texts: Sequence[Said], target: str) -> str:
    """The form of a ledger's target that stands in the turn: itself, or the longest tail of its path."""
    if not _usable(target):
        return ""
    parts = target.split("/")
    for first in range(len(parts)):
        tail = "/".join(parts[first:])
        if tail and spots_of(texts, tail):
            return tail
    return ""


def _learn(index: dict[str, list[Candidate]], action: Action) -> None:
    modality = _MODALITIES.get(action.verb)
    if modality is None or action.ok is False:
        return
    for candidate in index.get(_tail(action.target), ()):
        if any(same_handle(action.target, value) for _, value in candidate.handles):
            kept = candidate.modality == "created" and modality == "changed"
            candidate.modality = candidate.modality if kept else modality


def _tail(value: str) -> str:
    return value.replace("\\", "/").rstrip("/").removesuffix(".git").rsplit("/", 1)[-1].lower()


def _name(value: str) -> str:
    short = value.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]
    return (short if "/" in value or "\\" in value else value)[:80] or value[:80]


def _type(kind: HandleKind, value: str) -> str:
    if kind is not HandleKind.FILESYSTEM_PATH:
        return _TYPES.get(kind, "Task")
    name = value.replace("\\", "/").rsplit("/", 1)[-1]
    if not name or "." not in name.lstrip("."):
        return "Directory"
    ending = name.rsplit(".", 1)[-1].lower()
    return next((type_ for type_, endings in _ENDINGS.items() if ending in endings), "SourceFile")

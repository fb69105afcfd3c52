"""A person's draft of a label becomes a line of gold, or the draft's faults are told in words.

Owns the form of a draft as a page sends it, the search for where a value stands in a turn (role, call, offsets), the
checks, and the two lines that a labelled turn becomes: the neutral turn and its label, as `ferrule bench` reads them.
Knows nothing of pages, files or of what a reviewer would write.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from ferrule.evaluation.scoring import same_handle
from ferrule.referents.kinds import HandleKind
from ferrule.referents.secrets.mark import has_placeholder
from ferrule.session.source import SourceSession
from ferrule.session.turn import Turn

__all__ = [
    "GRADES",
    "KINDS",
    "MODALITIES",
    "ROLES",
    "TYPES",
    "Fault",
    "Said",
    "Spot",
    "Subject",
    "label_row",
    "said_in",
    "spots_of",
    "turn_id",
    "turn_row",
]

Row: TypeAlias = dict[str, object]

ROLES = ("user", "outcome", "tool")
GRADES = ("required", "acceptable")
MODALITIES = ("existing", "planned", "created", "changed", "deleted", "reported")
KINDS = tuple(kind.value for kind in HandleKind if kind is not HandleKind.TYPED_REFERENCE)
TYPES = (
    *("SourceFile", "ConfigFile", "Document", "Script", "Directory", "Repository", "Worktree", "PromptFile", "Command"),
    *("Branch", "Commit", "PullRequest", "Issue", "Task", "Release", "Package", "Image", "WebSite", "WebModule", "Api"),
    *("Service", "Host", "Environment", "Database", "Dataset", "Model", "SecretReference", "Session", "Tool"),
)
"""What the page offers; any other noun in the same form is taken too."""

_TYPE = re.compile(r"[A-Z][A-Za-z0-9]{1,39}")
_MOST = {"entities": 60, "handles": 20, "aliases": 30, "forbidden": 100}
_LONGEST_VALUE, _LONGEST_LABEL, _LONGEST_WHY = 2000, 200, 400
_MOST_SPOTS = 50
_DEEPEST = 40


@dataclass(frozen=True, slots=True)
class Said:
    """One text of a turn: who shows it, and the number of the tool call where it is one's."""

    role: str
    text: str
    call: int | None = None


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a value stands: offsets count code points of that text."""

    role: str
    start: int
    end: int
    call: int | None = None


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a draft; `where` names the field as `entities.0.label` does."""

    where: str
    says: str


@dataclass(frozen=True, slots=True)
class Subject:
    """The turn that is labelled, and where it came from (`format/name of the file`)."""

    session: SourceSession
    turn: Turn
    file: str

    @property
    def id(self) -> str:
        """The same for the same turn of the same session, whenever and from whichever file it is read."""
        return turn_id(self.session.key, self.turn.key)


def turn_id(session: str, turn: str) -> str:
    """The id that turn and label share."""
    digest = hashlib.sha256(f"{session}\n{turn}".encode("utf-8", "surrogatepass")).hexdigest()
    return f"t-{digest[:12]}"


def said_in(turn: Turn) -> tuple[Said, ...]:
    """Every text of a turn that a handle may stand in, in reading order. Folder and branch count as the tools'."""
    texts = [Said("user", text) for text in (turn.user, *turn.steering)]
    texts.append(Said("outcome", turn.outcome))
    for number, call in enumerate(turn.calls):
        texts += [Said("tool", text, number) for text in (*_strings(call.arguments), call.result or "") if text]
    texts += [Said("tool", text) for text in (turn.place.cwd, turn.branch) if text]
    for artifact in turn.artifacts:
        texts += [Said("tool", text) for text in (artifact.path, artifact.text) if text]
    return tuple(texts)


def _strings(value: object, depth: int = 0) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif depth < _DEEPEST and isinstance(value, Mapping):
        for item in value.values():
            yield from _strings(item, depth + 1)
    elif depth < _DEEPEST and isinstance(value, Sequence):
        for item in value:
            yield from _strings(item, depth + 1)


def spots_of(texts: Sequence[Said], value: str) -> tuple[Spot, ...]:
    """Where the value stands, verbatim, at most fifty spots; none for an empty value."""
    found: list[Spot] = []
    for said in texts if value else ():
        start = said.text.find(value)
        while start >= 0:
            found.append(Spot(said.role, start, start + len(value), said.call))
            if len(found) == _MOST_SPOTS:
                return tuple(found)
            start = said.text.find(value, start + len(value))
    return tuple(found)


def turn_row(subject: Subject) -> Row:
    """The turn as one line of neutral turns."""
    turn, session = subject.turn, subject.session
    row: Row = {
        "id": subject.id,
        "source": {"file": subject.file, "format": subject.file.split("/", 1)[0], "ordinal": turn.ordinal},
        "session_key": session.key,
        "profile": session.profile,
        "turn_key": turn.key,
        "cwd": turn.place.cwd,
        "git_branch": turn.branch,
        "user": {"text": turn.user},
        "outcome": {"text": turn.outcome},
        "tool_results": [
            {"call_id": c.call_id, "tool": c.tool, "arguments": _plain(c.arguments), "result": c.result, "ok": c.ok}
            for c in turn.calls
        ],
    }
    if turn.steering:
        row["steering"] = list(turn.steering)
    if turn.artifacts:
        row["artifacts"] = [
            {"name": a.name, "path": a.path, "media_type": a.media_type, "text": a.text} for a in turn.artifacts
        ]
    return row


def _plain(value: object) -> object:
    return dict(value) if isinstance(value, Mapping) else value


def label_row(subject: Subject, draft: object) -> Row | tuple[Fault, ...]:
    """The label as one line of gold, roles filled in; or the draft's faults, in the order of its fields.

    Args:
        subject: the turn that is labelled.
        draft: what the page sent, untrusted: `entities` of `label type grade modality aliases handles[kind, value]`,
            `forbidden` of `value why`, and `why`.
    """
    reading = _Reading(said_in(subject.turn), [])
    row = reading.label(draft)
    if reading.faults:
        return tuple(reading.faults)
    place: Row = {"id": subject.id, "file": subject.file, "turn": subject.turn.ordinal}
    return place | row


@dataclass(frozen=True, slots=True)
class _Reading:
    """One look through a draft: rows come out, faults pile up."""

    texts: tuple[Said, ...]
    faults: list[Fault]

    def label(self, draft: object) -> Row:
        entities = [self._entity(item, where) for where, item in self._items(draft, "entities", "")]
        forbidden = [self._forbidden(item, where) for where, item in self._items(draft, "forbidden", "")]
        self._clashes(entities, forbidden)
        required = any(entity["grade"] == "required" for entity in entities)
        why = self._text(draft, "why", "why", "say in one sentence why", longest=_LONGEST_WHY)
        expect = "write" if required else "nothing"
        return {"expect": expect, "entities": entities, "forbidden": forbidden, "why": why}

    def _entity(self, item: object, where: str) -> Row:
        label = self._text(item, "label", f"{where}.label", "give it a short name")
        kind = self._text(item, "type", f"{where}.type", "say what it is")
        if kind and not _TYPE.fullmatch(kind):
            self._fault(f"{where}.type", f"“{kind}” is no type: one noun without spaces, such as SourceFile")
        handles = [self._handle(handle, at) for at, handle in self._items(item, "handles", where)]
        if not handles:
            self._fault(f"{where}.handles", "it needs a handle: a path, URL, id, command or the like from the turn")
        return {
            "label": label,
            "aliases": [self._alias(alias, at) for at, alias in self._items(item, "aliases", where)],
            "type": kind,
            "grade": self._one_of(item, "grade", where, GRADES),
            "handles": handles,
            "modality": self._one_of(item, "modality", where, MODALITIES),
        }

    def _handle(self, item: object, where: str) -> Row:
        value = self._standing(_member(item, "value"), f"{where}.value")
        spots = spots_of(self.texts, value)
        return {
            "kind": self._one_of(item, "kind", where, KINDS),
            "value": value,
            "role": spots[0].role if spots else "",
        }

    def _alias(self, item: object, where: str) -> str:
        return self._standing(item, where)

    def _forbidden(self, item: object, where: str) -> Row:
        value = self._standing(_member(item, "value"), f"{where}.value")
        return {
            "value": value,
            "why": self._text(item, "why", f"{where}.why", "say why it is forbidden"),
        }

    def _clashes(self, entities: Sequence[Row], forbidden: Sequence[Row]) -> None:
        """One handle belongs to one entity, and to none when it is forbidden: else the order of rows would decide."""
        owned = [(n, value) for n, entity in enumerate(entities) for value in _values(entity)]
        for later, value in owned:
            first = next((n for n, other in owned if n < later and same_handle(value, other)), None)
            if first is not None:
                self._fault(f"entities.{later}.handles", f"“{value}” is a handle of entity {first + 1} already")
        for number, item in enumerate(forbidden):
            value = str(item["value"])
            if value and any(same_handle(value, other) for _, other in owned):
                self._fault(f"forbidden.{number}.value", f"“{value}” is a handle of an entity")

    def _standing(self, value: object, where: str) -> str:
        text = value if isinstance(value, str) else ""
        if not text.strip():
            self._fault(where, "it is empty")
        elif len(text) > _LONGEST_VALUE:
            self._fault(where, f"it is longer than {_LONGEST_VALUE} characters")
        elif has_placeholder(text):
            self._fault(where, "it holds a secret's mark; the secret itself was taken out already")
        elif not spots_of(self.texts, text):
            self._fault(where, f"“{text}” does not stand in the turn, letter by letter")
        else:
            return text
        return ""

    def _text(self, item: object, name: str, where: str, ask: str, *, longest: int = _LONGEST_LABEL) -> str:
        value = _member(item, name)
        text = " ".join(value.split()) if isinstance(value, str) else ""
        if not text:
            self._fault(where, ask)
        elif len(text) > longest:
            self._fault(where, f"it is longer than {longest} characters")
        return text

    def _one_of(self, item: object, name: str, where: str, known: Sequence[str]) -> str:
        value = _member(item, name)
        if value in known:
            return str(value)
        self._fault(f"{where}.{name}", f"choose one of: {', '.join(known)}")
        return ""

    def _items(self, item: object, name: str, where: str) -> list[tuple[str, object]]:
        at = f"{where}.{name}" if where else name
        value = _member(item, name)
        if value is not None and not isinstance(value, list):
            self._fault(at, "it is no list")
        rows = value if isinstance(value, list) else []
        if len(rows) > _MOST[name]:
            self._fault(at, f"there are more than {_MOST[name]}")
        return [(f"{at}.{number}", row) for number, row in enumerate(rows[: _MOST[name]])]

    def _fault(self, where: str, says: str) -> None:
        self.faults.append(Fault(where, says))


def _member(item: object, name: str) -> object:
    return item.get(name) if isinstance(item, Mapping) else None


def _values(entity: Row) -> list[str]:
    handles = entity["handles"]
    values = (
        [str(handle["value"]) for handle in handles if isinstance(handle, dict)] if isinstance(handles, list) else []
    )
    return [value for value in values if value]

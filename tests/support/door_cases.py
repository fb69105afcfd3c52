"""A small ontology, a turn that speaks of a few things, and proposals with evidence: for tests behind the door."""

from dataclasses import replace
from pathlib import Path

from store_cases import Clock, a_child, a_session, claimed

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.bridge.door import Door
from ferrule.bridge.evidence import occurs
from ferrule.bridge.values import (
    Answer,
    Claim,
    Evidence,
    MentionRef,
    Modality,
    Proposal,
    Proves,
    Role,
    SearchKind,
    Stage,
)
from ferrule.memory.desk import MemoryDesk
from ferrule.memory.door import DoorLimits, NLMemoryDoor
from ferrule.ontology.build import prototype_of
from ferrule.ontology.layers import InMemoryLayer
from ferrule.ontology.values import LayerName
from ferrule.protoscript.reading import parse
from ferrule.referents.kinds import HandleKind, Place
from ferrule.session.source import LaneClaim, Origin, SourceSession
from ferrule.session.turn import Action, ToolCall, Turn, Verb

ONTOLOGY = """
prototype SemanticEntityBase
{
	String EntityName;
	String Aliases;
	String Description;
	String Notes;
	String LifecycleState;
}

prototype Document : SemanticEntityBase
{
	String DocumentPath;
	Document Supersedes;
}

prototype Repository : SemanticEntityBase
{
	String RepositoryRoot;
	String RemoteUrl;
}

prototype HandBook : Document
{
	DocumentPath = @"/srv/handbook/index.md";
}
"""

SOURCE = a_session("desk:alpha", cwd="/work/kestrel")
NOTES = "/work/kestrel/docs/parser-notes.md"
GUIDE = "/work/kestrel/docs/style-guide.md"
PLACE = Place(cwd="/work/kestrel", root="/work/kestrel", repository="git.example/owner/kestrel")


def permanent() -> InMemoryLayer:
    """The small ontology as a permanent layer."""
    layer = InMemoryLayer()
    for tree in parse(ONTOLOGY).tree.prototypes:
        entity = tree.name == "HandBook"
        prototype = prototype_of(tree, LayerName.PERMANENT, fields_assign=entity)
        layer.add(prototype, ("path:/srv/handbook/index.md",) if entity else ())
    return layer


def the_turn(ordinal: int = 1, session: str = SOURCE.key) -> Turn:
    """A turn that asks for two documents; the agent wrote both."""
    calls = tuple(
        ToolCall(f"call-{n}", "Write", {"file_path": path, "content": "# text"}, f"File created: {path}", ok=True)
        for n, path in enumerate((NOTES, GUIDE), start=1)
    )
    actions = tuple(
        Action(call.call_id, n, Verb.CREATED, path, HandleKind.FILESYSTEM_PATH, ok=True)
        for n, (call, path) in enumerate(zip(calls, (NOTES, GUIDE), strict=True))
    )
    return Turn(
        key=f"t{ordinal}",
        session=session,
        ordinal=ordinal,
        user=f"Please write the Parser Notes into {NOTES} and the Style Guide into {GUIDE}.",
        outcome=f"The Parser Notes are in {NOTES} and the Style Guide is in {GUIDE}.",
        calls=calls,
        actions=actions,
        place=PLACE,
    )


def opened(
    home: Path, turn: Turn | None = None, *, limits: DoorLimits | None = None, clock: Clock | None = None
) -> tuple[SqliteStore, MemoryDesk, NLMemoryDoor, LaneClaim]:
    """A store with one queued turn, and the door of its review."""
    store = SqliteStore(home, clock or Clock())
    return (store, *reopened(store, turn or the_turn(), limits=limits))


def reopened(
    store: SqliteStore, turn: Turn, *, limits: DoorLimits | None = None, source: SourceSession = SOURCE
) -> tuple[MemoryDesk, NLMemoryDoor, LaneClaim]:
    """The door of a further turn in the same store."""
    source = replace(source, key=turn.session)
    store.put_session(source)
    store.put_turns([turn])
    store.enqueue(source, a_child(source), [(turn.ordinal, turn.key)], Origin.IMPORT)
    claim = claimed(store.claim(source.key, lease_seconds=30.0))
    desk = MemoryDesk(store, permanent(), limits)
    return desk, desk.open(claim), claim


def claim_of(door: Door, prop: str, value: str, *, proves: Proves, modality: Modality = Modality.CREATED) -> Claim:
    """A claim with the best evidence that the turn has for its value."""
    view = door.read_turn()
    mentions = [mention for mention in view.mentions if mention.value == value]
    acted = [mention for mention in mentions if mention.role is Role.ACTION]
    if proves is Proves.HANDLE and mentions:
        cited = tuple(Evidence(MentionRef(mention.id), proves) for mention in (acted or mentions)[:2])
    else:
        cited = tuple(Evidence(span, proves) for span in occurs(view, value, [Role.INTENT, Role.OUTCOME])[:2])
    return Claim(prop, value, cited, modality)


def proposal_of(door: Door, name: str, label: str, path: str, *, more: str = "", target: str | None = None) -> Proposal:
    """A document with its name and path, both with evidence."""
    text = f'prototype {name} : Document\n{{\n\tEntityName = @"{label}";\n\tDocumentPath = @"{path}";\n{more}}}\n'
    claims = (
        claim_of(door, "EntityName", label, proves=Proves.NAME),
        claim_of(door, "DocumentPath", path, proves=Proves.HANDLE),
    )
    return Proposal(door.read_turn().source, label, target, text, claims)


def looked_up(door: Door, name: str, label: str, path: str) -> None:
    """Everything that rule 11 asks for before a new document may be written."""
    door.search(label, SearchKind.NAME, candidate=label)
    door.search(name, SearchKind.NAME, candidate=label)
    door.search(path, SearchKind.HANDLE, candidate=label)
    door.enter(Stage.PROPERTIES)
    door.details("Document", candidate=label)
    door.schema("Document", candidate=label)


def written(door: Door, name: str = "ParserNotes", label: str = "Parser Notes", path: str = NOTES) -> Answer:
    """Look everything up and write one document."""
    looked_up(door, name, label, path)
    return door.write(proposal_of(door, name, label, path))

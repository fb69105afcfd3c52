"""Small sessions, turns and writes for tests of stores and of what stands on them."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.bridge.values import Claim, Evidence, HandleView, MentionRef, Modality, Proves
from ferrule.memory.ports import RefusedWrite, ReviewCommit, StagedWrite
from ferrule.ontology.values import LayerName, Property, Prototype, Value
from ferrule.referents.kinds import HandleKind, Place
from ferrule.session.source import CRITIC_PROFILE, SOURCE_PROFILE, LaneClaim, Origin, SourceSession
from ferrule.session.turn import Action, Artifact, ToolCall, Turn, Verb


@dataclass
class Clock:
    """A clock that moves only when told."""

    now: float = 1_900_000_000.0

    def __call__(self) -> float:
        return self.now


def fill_disk(store: SqliteStore) -> None:
    """No room for one more page, and none free inside the file: as on a full disk."""
    store._database.number("VACUUM")
    store._database.number(f"PRAGMA max_page_count = {store._database.number('PRAGMA page_count')}")


def a_session(key: str = "desk:alpha", **facts: str) -> SourceSession:
    """A normal source session."""
    return SourceSession(key=key, profile=SOURCE_PROFILE, client="desk", **facts)  # type: ignore[arg-type]


def a_child(source: SourceSession) -> SourceSession:
    """The critic child of a session."""
    return SourceSession(f"{source.key}-online-memory-critic", CRITIC_PROFILE, parent=source.key, hidden=True)


def a_turn(ordinal: int = 1, session: str = "desk:alpha", **facts: str) -> Turn:
    """A completed turn with every part that a turn can have."""
    return Turn(
        key=facts.get("key", f"t{ordinal}"),
        session=session,
        ordinal=ordinal,
        user=facts.get("user", "Please put the parser notes into docs/parser.md"),
        outcome=facts.get("outcome", "I wrote docs/parser.md."),
        steering=("and keep it short",),
        calls=(
            ToolCall(
                "c1", "write", {"path": "docs/parser.md", "mode": 2}, "ok", ok=True, cwd="/w", details={"lines": [1, 2]}
            ),
            ToolCall("c2", "bash", "ls docs", None, None),
        ),
        actions=(Action("c1", 0, Verb.CREATED, "docs/parser.md", HandleKind.FILESYSTEM_PATH, ok=True),),
        artifacts=(Artifact("notes", "/w/notes.txt", "text/plain", "näïve ☂"),),
        place=Place(cwd="/w", root="/w", repository="git.example/owner/w"),
        branch="main",
        completed_at="2030-03-17T17:46:40+00:00",
    )


def a_property(name: str, value: Value, kind: str = "String") -> Property:
    """A typed field with a value, as a memory holds it."""
    return Property(name, kind, value, declares=True, assigned=True)


@dataclass(frozen=True)
class Entity:
    """What a test says of a memory; the rest follows."""

    name: str
    path: str = ""
    aliases: str = ""
    more: tuple[Property, ...] = ()
    base: str = "Document"
    modality: Modality = Modality.CREATED
    handles: tuple[HandleView, ...] = field(default=())

    @property
    def prototype(self) -> Prototype:
        """The merged prototype."""
        own = [a_property("EntityName", self.name)]
        own += [a_property("Aliases", self.aliases)] if self.aliases else []
        own += [a_property("DocumentPath", self.path)] if self.path else []
        return Prototype(self.name, (self.base,), (*own, *self.more), LayerName.SESSION)

    @property
    def key(self) -> str:
        """The identity key of its path."""
        return f"path:{self.path}"


def a_write(entity: Entity, action: str = "created") -> StagedWrite:
    """An admitted write of that entity."""
    prototype = entity.prototype
    text = f"prototype {entity.name} : {entity.base} {{ }}"
    handles = (HandleView(HandleKind.FILESYSTEM_PATH, entity.path, "DocumentPath", entity.key),) if entity.path else ()
    evidence = (Evidence(MentionRef("m1"), Proves.HANDLE),)
    claims = tuple(
        Claim(prop.name, str(prop.value), evidence, entity.modality) for prop in prototype.properties if prop.assigned
    )
    return StagedWrite(
        prototype=prototype,
        action=action,
        definition=text,
        merged=text,
        handles=handles,
        keys=tuple(handle.key for handle in handles),
        phrases=(),
        modality=entity.modality,
        claims=claims,
        excerpts=(("DocumentPath", "action", entity.path),),
        candidate=entity.name,
    )


def a_commit(turn: Turn, *writes: StagedWrite, refused: Sequence[RefusedWrite] = (), outcome: str = "") -> ReviewCommit:
    """The commit of one review."""
    review: dict[str, object] = {
        "turn": {"key": turn.key, "ordinal": turn.ordinal},
        "outcome": outcome or ("wrote" if writes else "nothing"),
        "candidates": [{"label": write.candidate, "aliases": [], "evidence": ["seen"]} for write in writes],
        "written": [
            {"prototype": write.prototype.name, "definition": write.definition, "properties": {}, "handles": ["x"]}
            for write in writes
        ],
    }
    return ReviewCommit(
        session=turn.session,
        turn=turn.key,
        ordinal=turn.ordinal,
        staged=writes,
        refused=tuple(refused),
        outcome=outcome or ("wrote" if writes else "nothing"),
        review=review,
        marker=f"marker of {turn.key}",
        read_revision=0,
        reviewer="scripted-1",
    )


def a_refusal(text: str = "prototype X : Nothing { }", code: str = "UNKNOWN_TYPE") -> RefusedWrite:
    """A refused definition as the door hands it over."""
    return RefusedWrite(candidate="X", definition_sha256="ab" * 32, codes=(code,), length=len(text))


IMPORT = Origin.IMPORT
LEASE = 30.0


def claimed(claim: LaneClaim | None) -> LaneClaim:
    """The claim, which must be there."""
    assert claim is not None
    return claim

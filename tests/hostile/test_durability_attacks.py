"""Logs, summaries, wrappers, the critic itself, overstatement and forgotten things are no memories."""

from pathlib import Path

import pytest
from critic_cases import SESSION, bash, edit, said_turn, write
from hostile_cases import (
    GAUGE,
    PARSER,
    SEEDS,
    Attack,
    named,
    refuted,
    seeded,
)
from reject_oracle import codes

from ferrule.bridge.values import Modality
from ferrule.session.turn import Turn

HERE = f'FilePath = @"{PARSER}";'
CRITIC = "desk:alpha-online-memory-critic"
MARKER = "ONLINE_MEMORY_CRITIC_RESULT online-memory-critic:desk:alpha:t4"


def turn(user: str, outcome: str = "Yes.") -> Turn:
    """A turn whose user says this and whose agent wrote the harbour parser."""
    return said_turn(f"{user} The harbour parser is {PARSER}.", outcome, write(PARSER), ordinal=4)


def new(body: str = "", *, name: str = "HarbourParser", base: str = "SourceFile") -> str:
    """A new file of the turn."""
    return f"prototype {name} : {base} {{ {HERE} {body} }}"


LOG = "INFO started harbour\nWARN slow harbour\nERROR no harbour"
JSON = '{""a"": 1, ""b"": 2, ""c"": 3, ""d"": 4, ""e"": 5}'
TABLE = "\n".join(f"| a{n} | b | c |" for n in range(5))
TRACE = "Traceback (most recent call last)"
FLEETING = [
    Attack("a log", new(f'Notes = @"{LOG}";'), "NOT_DURABLE"),
    Attack("a traceback", new(f'Notes = @"{TRACE}";'), "NOT_DURABLE"),
    Attack("a JSON dump", new(f'Notes = @"{JSON}";'), "NOT_DURABLE", turn=turn(JSON.replace('""', '"'))),
    Attack("a table", new(f'Notes = @"{TABLE}";'), "NOT_DURABLE", turn=turn(TABLE)),
    Attack("a blob", new(f'Notes = @"{"Ab" * 250}";'), "NOT_DURABLE"),
    Attack("many lines", new(f'Notes = @"{chr(10).join(["harbour"] * 25)}";'), "NOT_DURABLE"),
    Attack("a long text", new(f'Notes = @"{"harbour parser " * 100}";'), "NOT_DURABLE"),
    Attack("a text for a name", new(f'EntityName = @"{"harbour parser " * 20}";'), "NOT_DURABLE", turn=turn("Hm.")),
    Attack("a name of two lines", new('EntityName = "harbour\\nparser";'), "NOT_DURABLE", turn=turn("Hm.")),
    Attack("a text for an alias", new(f'Aliases = @"harbour; {"harbour parser " * 20}";'), "NOT_DURABLE",
           turn=turn("harbour parser " * 20)),
    Attack("a summary of the turn", new(name="SummaryOfTheTurn"), "NOT_DURABLE", turn=turn("A summary of the turn.")),
    Attack("a session recap", new('EntityName = @"session recap";'), "NOT_DURABLE", turn=turn("Make a session recap.")),
    Attack("a decision", new(name="HarbourDecision", base="SemanticEntityBase").replace("FilePath", "String FilePath"),
           "NOT_DURABLE", turn=turn("It is a decision.")),
    Attack("a blocker", new(name="HarbourBlocker", base="SemanticEntityBase").replace("FilePath", "String FilePath"),
           "NOT_DURABLE", turn=turn("It is a blocker.")),
    Attack("a failure", new(name="HarbourFailure", base="SemanticEntityBase").replace("FilePath", "String FilePath"),
           "NOT_DURABLE", turn=turn("It is a failure.")),
    Attack("a fact", new(name="HarbourFact", base="SemanticEntityBase").replace("FilePath", "String FilePath"),
           "NOT_DURABLE", turn=turn("It is a fact.")),
    Attack("a lesson by its name", new('EntityName = @"harbour lesson";', base="SemanticEntityBase").replace(
           "FilePath", "String FilePath"), "NOT_DURABLE", turn=turn("A lesson.")),
]  # fmt: skip
MECHANICS = [
    Attack("the critic's session", f'prototype Critic : Session {{ SessionKey = @"{CRITIC}"; }}', "NO_EVIDENCE",
           turn=turn(f"The critic is {CRITIC}.")),
    Attack("the critic in Notes", new(f'Notes = @"reviewed by {CRITIC}";'), "NOT_DURABLE", turn=turn(CRITIC)),
    Attack("the result marker", new(f'Notes = @"{MARKER}";'), "NOT_DURABLE", turn=turn(MARKER)),
    Attack("a benchmark's id", new('Notes = @"omcbench:lane";'), "NOT_DURABLE", turn=turn("omcbench:lane")),
    Attack("a watcher's session", 'prototype Watcher : Session { SessionKey = @"desk:alpha-level-2"; }', "NO_EVIDENCE",
           turn=turn("The watcher is session desk:alpha-level-2.")),
]  # fmt: skip
PLANNED = said_turn(f"We should have a harbour parser at {PARSER} someday.", "Noted.", ordinal=4)
FAILED = said_turn(
    f"Make {PARSER}, the harbour parser.",
    f"Created {PARSER}.",
    edit(PARSER, ok=False, result="Error: denied"),
    ordinal=4,
)
SILENT = said_turn(
    "Make the harbour parser.", f"Created {PARSER}.", ("Write", {"file_path": PARSER}, None, None), ordinal=4
)
RELEASED = said_turn("Release it.", "Released v1.2 at https://ex.example/r/v1.2 as planned.", ordinal=4)
RELEASE = 'prototype ReleaseIt : Release { ReleaseUrl = @"https://ex.example/r/v1.2"; }'
READ = said_turn(f"Read {PARSER}, the harbour parser.", "Read.", bash(f"cat {PARSER}", "text"), ordinal=4)
LIES = [
    *(
        Attack(f"planned as {claimed.value}", new(), "MODALITY", turn=PLANNED, modality=claimed)
        for claimed in (Modality.CREATED, Modality.CHANGED, Modality.DELETED)
    ),
    *(
        Attack(f"failed as {claimed.value}", new(), "MODALITY", turn=FAILED, modality=claimed)
        for claimed in (Modality.CREATED, Modality.CHANGED, Modality.DELETED, Modality.EXISTING)
    ),
    *(
        Attack(f"told as {claimed.value}", RELEASE, "MODALITY", turn=RELEASED, modality=claimed)
        for claimed in (Modality.CREATED, Modality.CHANGED, Modality.DELETED, Modality.EXISTING)
    ),
    Attack("without a result as created", new(), "MODALITY", turn=SILENT, modality=Modality.CREATED),
    Attack("read as deleted", new(), "MODALITY", turn=READ, modality=Modality.DELETED),
    Attack("a created state", new('LifecycleState = @"created";'), "MODALITY", turn=PLANNED, modality=Modality.PLANNED),
    Attack("a shouted state", new('LifecycleState = @"CREATED";'), "MODALITY", turn=PLANNED, modality=Modality.PLANNED),
    Attack("a deleted state", new('LifecycleState = @"deleted";'), "MODALITY", turn=READ),
    Attack("an invented state", new('LifecycleState = @"in production";'), "NO_EVIDENCE", turn=PLANNED,
           modality=Modality.PLANNED),
    Attack("a state of one's own", new('String BuildStatus = @"Created";'), "MODALITY", turn=PLANNED,
           modality=Modality.PLANNED),
    Attack("a state with a full stop", new('LifecycleState = @"created.";'), "NO_EVIDENCE", turn=PLANNED,
           modality=Modality.PLANNED),
    Attack("a told fact in Notes", new('Notes = @"It was built and deployed.";'), "MODALITY", turn=PLANNED,
           modality=Modality.PLANNED),
]  # fmt: skip


@pytest.mark.parametrize("attack", named(FLEETING))
def test_what_was_merely_said_is_no_memory(attack: Attack, tmp_path: Path) -> None:
    """R61, R62, R67, R70: form and name decide, whatever handle comes with it."""
    refuted(attack, tmp_path / "home")


@pytest.mark.parametrize("attack", named(MECHANICS))
def test_the_critic_is_no_subject(attack: Attack, tmp_path: Path) -> None:
    """R68, PEER-D25: the critic's session, its marker, its benchmark, a watcher."""
    refuted(attack, tmp_path / "home")


@pytest.mark.parametrize("attack", named(LIES))
def test_nothing_is_more_real_than_the_turn_shows(attack: Attack, tmp_path: Path) -> None:
    """DEC-D10, R20, R22, R23, R47, CASE-A09, CASE-A10, PEER-D17."""
    refuted(attack, tmp_path / "home")


FORGOTTEN = {
    "the same text": SEEDS[0],
    "another name": f'prototype Gauge : SourceFile {{ FilePath = @"{GAUGE}"; }}',
    "another type": f'prototype Gauge : Script {{ FilePath = @"{GAUGE}"; }}',
    "another property": f'prototype Gauge : SemanticEntityBase {{ String ThePath = @"{GAUGE}"; }}',
    "beside a new handle": new(f'String NextPath = @"{GAUGE}";'),
    "a relative form": 'prototype Gauge : SourceFile { FilePath = @"tide/gauge.py"; }',
    "a dotted form": 'prototype Gauge : SourceFile { FilePath = @"./tide/gauge.py"; }',
    "a note": new(f'Notes = @"next to {GAUGE}";'),
    "a relative note": new('Description = @"next to tide/gauge.py";'),
    "a list": new(f'Collection Files = [@"{GAUGE}"];'),
}
AGAIN = said_turn(
    f"The tide gauge {GAUGE} (tide/gauge.py, ./tide/gauge.py) and the almanac go with the harbour parser {PARSER}.",
    "Yes.",
    ordinal=4,
)


@pytest.mark.parametrize("text", FORGOTTEN.values(), ids=FORGOTTEN)
def test_what_was_forgotten_is_learned_under_no_other_form(text: str, tmp_path: Path) -> None:
    """DEC-D14, R97: another name, type, property or spelling, a note, a list: the tombstone holds."""
    arena = seeded(tmp_path / "home")
    arena.store.forget(SESSION, ["TideGauge"])
    before = arena.state()
    door = arena.open(AGAIN)
    assert codes(arena.attempt(door, arena.proposal(door, text)))[:1] == ["NOT_DURABLE"]
    arena.commit(door)
    assert arena.state() == before
    arena.store.close()


def test_a_known_thing_does_not_take_a_forgotten_handle(tmp_path: Path) -> None:
    """DEC-D14: an augmentation is no way around a tombstone."""
    arena = seeded(tmp_path / "home")
    arena.store.forget(SESSION, ["TideGauge"])
    before = arena.state()
    door = arena.open(AGAIN)
    text = f'partial prototype Almanac {{ String NextPath = @"{GAUGE}"; }}'
    assert codes(arena.attempt(door, arena.proposal(door, text, "Almanac"))) == ["NOT_DURABLE"]
    arena.commit(door)
    assert arena.state() == before
    arena.store.close()


WISHES = (
    f"We plan to add a harbour parser in {PARSER} next week.",
    f"planned: we need a harbour parser in {PARSER}.",
)


@pytest.mark.parametrize("user", WISHES)
def test_a_plan_is_not_there_yet(user: str, tmp_path: Path) -> None:
    """R47, DEC-D10, CASE-A09: a handle in a sentence of intent is planned, not existing."""
    turn = said_turn(user, "I will add it later.", ordinal=4)
    refuted(Attack("plan", new(), "MODALITY", turn=turn), tmp_path / "home")

"""What it costs to judge one definition of 2 KB: all twelve rules for a critic's, those that bind a person for theirs.

Each definition has names, paths and values of its own, so that nothing of it was met before; tables and the shipped
ontology are warm, as in a worker. The session remembers 200 things in a real store; the turn has 6 KB of text.
"""

import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from benchmarks.figures import Figure, cpu_ms, percentile
from benchmarks.storing import definition
from ferrule.bridge.evidence import occurs
from ferrule.bridge.values import (
    Call,
    Claim,
    Evidence,
    MentionRef,
    Modality,
    Proposal,
    Proves,
    Role,
    SearchKind,
    Stage,
    TurnView,
)
from ferrule.bridge.view import view_of
from ferrule.memory.admission import admit
from ferrule.memory.submission import AdmissionView, Scope, Submission, Written
from ferrule.referents.kinds import HandleKind, Place
from ferrule.session.source import SOURCE_PROFILE, SourceSession
from ferrule.session.turn import Action, ToolCall, Turn, Verb
from ferrule.wiring.critic import memory_of
from ferrule.wiring.home import Home, open_home

__all__ = ["admitting"]

SESSION = "bench:admitting"
REMEMBERED = 200
MEASURED = 120
WARM = 20
SERIES = WARM + MEASURED
PARTS, DENSE = 2, 6
SIZE = 2_048
GOAL = "p95 < 5 ms"
_PROSE = ("Description", "Notes")
_ROLES = (Role.INTENT, Role.OUTCOME, Role.ACTION, Role.OBSERVATION)
_WORDS = (
    *("tide", "gauge", "harbour", "almanac", "mooring", "ferry", "signal", "lantern", "chart", "sounding", "buoy"),
    *("quay", "pier", "berth", "anchor"),
)


def admitting() -> Iterator[Figure]:
    """A critic's write and a person's, of the same text."""
    with tempfile.TemporaryDirectory(prefix="ferrule-bench-") as folder, open_home(Path(folder) / "home") as home:
        home.store.put_session(SourceSession(SESSION, SOURCE_PROFILE))
        for number in range(REMEMBERED):
            memory_of(home).write(SESSION, definition(number))
        critic = [_critic(home, number, parts=PARTS) for number in range(SERIES)]
        person = [_person(home, number) for number in range(SERIES, 2 * SERIES)]
        dense = [_critic(home, number, parts=DENSE) for number in range(2 * SERIES, 2 * SERIES + SERIES)]
    for who, spent, goal, parts in (
        ("a critic's", critic, GOAL, PARTS),
        ("a person's", person, GOAL, PARTS),
        ("a critic's that is nothing but handles", dense, "reported", DENSE),
    ):
        yield Figure(
            f"admission of a 2 KB definition, {who}",
            f"p50 {percentile(spent[WARM:], 0.5):.1f}, p95 {percentile(spent[WARM:], 0.95):.1f} ms",
            goal,
            f"{MEASURED} definitions of {6 + 3 * parts} properties ({3 + 2 * parts} handles), each met for the first "
            f"time; {REMEMBERED} things remembered",
        )


def _critic(home: Home, number: int, *, parts: int) -> float:
    values = _values(number, parts)
    text, seen = _text(number, values), view_of(_turn(number, values))
    proposal = Proposal(SESSION, "candidate", None, text, tuple(_claims(seen, values)))
    view = AdmissionView(
        permanent=home.permanent_of(SESSION),
        session=home.store.layer(SESSION),
        turn=seen,
        record=tuple(_record(number, values)),
        ordinal=1,
        forgotten=lambda marks: tuple(stone.key for stone in home.store.tombstones(SESSION, marks)),
        touched_after=lambda revision, marks: home.store.touched_after(SESSION, revision, marks),
    )
    return _cost(home, Submission(text, Scope.CRITIC, proposal), view)


def _person(home: Home, number: int) -> float:
    text = _text(number, _values(number, PARTS))
    view = AdmissionView(permanent=home.permanent_of(SESSION), session=home.store.layer(SESSION))
    return _cost(home, Submission(text, Scope.PERSON), view)


def _cost(home: Home, submission: Submission, view: AdmissionView) -> float:
    with home.store.looking():
        spent = cpu_ms(partial(admit, submission, view))[0]
        verdict = admit(submission, view)
    if not isinstance(verdict, Written):
        raise TypeError(f"a definition of the benchmark is refused: {verdict}")
    return spent


def _values(number: int, parts: int) -> dict[str, str]:
    """Property → value: paths, addresses, ids, a command and plain words, none met before."""
    word = [_WORDS[(number + step) % len(_WORDS)] for step in range(len(_WORDS))]
    values = {"EntityName": f"{word[0]} {word[1]} {number}", "FilePath": f"/srv/bench/{number}/{word[0]}/{word[1]}.py"}
    for step in range(parts):
        values[f"Part{step}Path"] = f"/srv/bench/{number}/{word[2]}/{word[3]}_{step}.md"
        values[f"Page{step}Url"] = f"https://docs{step}.example.org/{word[4]}/{number}"
        values[f"Trait{step}"] = f"{word[5]} {word[6]} {word[7]} {number * 10 + step}"
    values["TicketIssue"] = f"OPS-{1000 + number}"
    values["RunCommand"] = f"make {word[8]} TARGET={number}"
    values["Description"] = "It is about the"
    values["Notes"] = "It follows the"
    return values


def _text(number: int, values: dict[str, str]) -> str:
    declared = {"EntityName", "FilePath", *_PROSE}
    lines = [f'{"" if name in declared else "String "}{name} = @"{value}";' for name, value in values.items()]
    text = f"prototype {_name(number)} : SourceFile\n{{\n\t" + "\n\t".join(lines) + "\n}\n"
    more = " ".join(_WORDS[(number + step * step) % len(_WORDS)] for step in range(SIZE // 4))
    half = (SIZE - len(text)) // 2 - 1
    text = text.replace("about the", f"about the {more[:half].strip()}")
    return text.replace("follows the", f"follows the {more[half : 2 * half].strip()}")


def _name(number: int) -> str:
    return f"{_WORDS[number % len(_WORDS)].title()}{_WORDS[(number + 1) % len(_WORDS)].title()}{number}"


def _turn(number: int, values: dict[str, str]) -> Turn:
    said = ". ".join(f"{name}: `{value}`" for name, value in values.items() if name not in _PROSE)
    path = values["FilePath"]
    call = ToolCall("c1", "Edit", {"file_path": path, "old_string": "a", "new_string": "b"}, "edited " * 200, ok=True)
    action = Action("c1", 0, Verb.EDITED, path, HandleKind.FILESYSTEM_PATH, ok=True)
    place = Place(cwd="/srv/bench", root="/srv/bench", repository="git.example/bench/bench")
    return Turn(
        f"t{number}", SESSION, 1, f"{said}. {'It is so. ' * 150}", f"Done: {said}.", calls=(call,), actions=(action,),
        place=place,
    )  # fmt: skip


def _claims(seen: TurnView, values: dict[str, str]) -> Iterator[Claim]:
    for name, value in values.items():
        cited = [Evidence(MentionRef(one.id), Proves.HANDLE) for one in seen.mentions if one.value == value][:4]
        cited += [Evidence(span, Proves.PROPERTY) for span in occurs(seen, value, _ROLES)[:4]]
        yield Claim(name, value, tuple(cited), Modality.EXISTING)


def _record(number: int, values: dict[str, str]) -> Iterator[Call]:
    asked = [(_name(number), SearchKind.NAME), (values["EntityName"], SearchKind.NAME)]
    asked += [(value, SearchKind.HANDLE) for value in values.values()]
    for at, (query, kind) in enumerate(asked):
        yield Call(f"s{at}", Stage.IDENTITY, "search", "candidate", (("query", query), ("kind", kind.value)), ok=True)
    for tool in ("details", "schema"):
        yield Call(f"{tool}-1", Stage.PROPERTIES, tool, "candidate", (("name", "SourceFile"),), ok=True)

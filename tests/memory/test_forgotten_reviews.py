"""What was forgotten is gone from every stored review: of the turns that wrote it, and of those that only met it."""

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from critic_cases import SESSION, Desk, edit, said_turn, write
from hostile_cases import permanent

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.memory.forgetting import FORGOTTEN, Gone, forgotten_marker, forgotten_review
from ferrule.memory.nlmemory import NLMemory
from ferrule.review.marker import parse_marker

GAUGE = "/srv/quay/tide/gauge.py"
RELATIVE = "tide/gauge.py"
KEY = "path:git.example/harbor/quay:tide/gauge.py"
PARSER = "/srv/quay/parse/harbour.py"

TURNS = (
    said_turn(f"Fix the tide gauge in {GAUGE}.", f"I fixed the tide gauge in {GAUGE}.", edit(GAUGE), ordinal=1),
    said_turn(f"Look at the tide gauge {GAUGE} again.", f"The tide gauge in {GAUGE} is fine.", edit(GAUGE), ordinal=2),
    said_turn(f"Is {RELATIVE} in use?", f"Yes, {RELATIVE} is in use.", edit(GAUGE), ordinal=3),
    said_turn(
        f"Write the harbour parser into {PARSER}, next to {GAUGE}.",
        f"The harbour parser is in {PARSER}.",
        write(PARSER),
        ordinal=4,
    ),
)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A session in which one turn wrote a thing, two met it, and one stands beside it."""
    made = Desk(tmp_path / "home")
    for turn in TURNS:
        made.review(turn)
    yield made
    made.close()


def bodies(store: SqliteStore) -> dict[int, str]:
    """The stored review of every turn, by its number."""
    return {turn.ordinal: json.dumps(store.review(SESSION, turn.key), ensure_ascii=False) for turn in TURNS}


def the_gauge(desk: Desk) -> str:
    """The name under which the thing was remembered."""
    (name,) = desk.store.layer(SESSION).holding(KEY)
    return name


def test_the_reviews_hold_it_before_it_is_forgotten(desk: Desk) -> None:
    """R97: else the tests below could not fail."""
    said = bodies(desk.store)
    assert [GAUGE in said[number] or RELATIVE in said[number] for number in said] == [True, True, True, True]
    assert the_gauge(desk)


def test_no_stored_review_says_a_forgotten_handle(desk: Desk) -> None:
    """R97, DEC-D14: searches, candidates that were sufficient already, excerpts about a neighbour: all of them."""
    name = the_gauge(desk)
    NLMemory(desk.store, permanent(), desk.home).forget(SESSION, [name])
    after = bodies(desk.store)
    for number, body in after.items():
        assert GAUGE not in body, number
        assert RELATIVE not in body, number
        assert KEY not in body, number
        assert FORGOTTEN in body, number
    assert PARSER in after[4]


def test_what_a_review_was_stays_readable(desk: Desk) -> None:
    """R97, R84: turn, outcome, dispositions, calls and their order stay; another memory's write is untouched."""
    before = {turn.ordinal: desk.store.review(SESSION, turn.key) for turn in TURNS}
    name = the_gauge(desk)
    desk.store.forget(SESSION, [name])
    for turn in TURNS:
        old, new = before[turn.ordinal], desk.store.review(SESSION, turn.key)
        assert old is not None
        assert new is not None
        assert set(new) == set(old)
        assert (new["turn"], new["outcome"], new["usage"]) == (old["turn"], old["outcome"], old["usage"])
        for member, kept in (("calls", ("id", "pass", "tool", "ok")), ("candidates", ("disposition", "modality"))):
            mine, theirs = new[member], old[member]
            assert isinstance(mine, list)
            assert isinstance(theirs, list)
            assert [[row[key] for key in kept] for row in mine] == [[row[key] for key in kept] for row in theirs]
    fourth = desk.store.review(SESSION, TURNS[3].key)
    assert fourth is not None
    assert before[4] is not None
    assert fourth["written"] == before[4]["written"]


def test_nothing_of_it_is_left_in_any_file_but_the_turns_text(desk: Desk) -> None:
    """R97: once the text of the turns is past its retention, the identity key stands only where it forbids learning."""
    name = the_gauge(desk)
    desk.store.forget(SESSION, [name])
    assert [stone.key for stone in desk.store.all_tombstones(SESSION)] == [KEY]
    desk.store.unforget(SESSION, name)
    assert desk.store.all_tombstones(SESSION) == ()
    rows = [json.dumps(desk.store.review(SESSION, turn.key)) for turn in TURNS]
    assert not [row for row in rows if KEY in row]
    assert desk.store.definitions(SESSION) != ()
    desk.close()
    with sqlite3.connect(desk.home / "ferrule.sqlite3") as store:
        store.execute("PRAGMA secure_delete = ON")
        store.execute("UPDATE turns SET body = NULL")
    store.close()
    said = {path.name: path.read_bytes() for path in desk.home.rglob("*") if path.is_file()}
    assert PARSER.encode() in said["ferrule.sqlite3"]
    assert not [
        file for file, text in said.items() for mark in (GAUGE, RELATIVE, KEY, "gauge.py") if mark.encode() in text
    ]


def test_no_result_marker_calls_it_by_what_it_was_called(desk: Desk) -> None:
    """R97, R90, R99: a marker lists labels, which are names and handles; it stays a marker of the same turn."""
    before = [parse_marker(text) for text in desk.store.markers(SESSION)]
    assert any(marker and "gauge.py" in dict(marker.candidates) for marker in before)
    name = the_gauge(desk)
    desk.store.forget(SESSION, [name])
    after = [parse_marker(text) for text in desk.store.markers(SESSION)]
    for old, new in zip(before, after, strict=True):
        assert old is not None
        assert new is not None
        assert (new.source, new.turn, new.writes, new.names) == (old.source, old.turn, old.writes, old.names)
        assert [what for _, what in new.candidates] == [what for _, what in old.candidates]
        assert [label for label, _ in new.candidates] == [
            name if label == "gauge.py" else label for label, _ in old.candidates
        ]
        assert "gauge.py" not in new.reason


def test_a_label_is_found_as_a_marker_writes_it() -> None:
    """R97, R90: a marker writes a sign of equality in a label as a dash; what else is listed stays, and reads again."""
    url = "https://quay.example/run?id=7"
    gone = Gone("RunPage", frozenset({"a run"}), frozenset({"arun"}), frozenset({url}), frozenset({f"url:{url}"}))
    review: dict[str, object] = {
        "written": [{"prototype": "RunPage", "candidate": "a; run", "definition": "prototype RunPage : WebPage { }"}],
        "candidates": [],
    }
    lines = (
        "ONLINE_MEMORY_CRITIC_RESULT online-memory-critic:quay:t1",
        "- Candidates: a run=new-create; https://quay.example/run?id-7=new-create; pier=reference-only",
        "- Writes: 1",
        "- PrototypeNames: RunPage",
        f"- Reason: {url}: it is named",
    )
    told = forgotten_marker("\n".join(lines), review, gone)
    marker = parse_marker(told)
    assert marker is not None
    assert [label for label, _ in marker.candidates] == ["RunPage", "RunPage", "pier"]
    assert marker.reason == f"{FORGOTTEN}: it is named"
    none = "- Candidates: none"
    assert forgotten_marker(none, review, gone) == none
    cleaned = forgotten_review(review, gone)["written"]
    assert isinstance(cleaned, list)
    assert cleaned[0]["candidate"] == "RunPage"


def test_undoing_the_only_write_of_a_thing_cleans_the_same_reviews(desk: Desk) -> None:
    """DEC-D8, R97: undo takes away what forgetting takes away."""
    name = the_gauge(desk)
    (number,) = [one.number for one in desk.store.standing_writes(SESSION) if one.name == name]
    desk.store.undo(SESSION, number)
    assert not [number for number, body in bodies(desk.store).items() if GAUGE in body or KEY in body]


def test_a_refused_text_about_it_goes_whole_and_its_codes_stay() -> None:
    """R97: what was proposed of it is as much about it as what was written."""
    gone = Gone(
        "A", frozenset({"a thing"}), frozenset({"athing"}), frozenset({"/srv/a.py"}), frozenset({"path:/srv/a.py"})
    )
    refusal = {
        "code": "NO_EVIDENCE",
        "rule": 9,
        "property": "P",
        "message": "P says /srv/a.py.",
        "remedy": "Leave /srv/a.py.",
    }
    review: dict[str, object] = {
        "reason": "2 candidates, one at /srv/a.py",
        "written": [],
        "candidates": [],
        "calls": [
            {"id": "c1", "candidate": "b", "arguments": {"query": "A Thing"}},
            {"id": "c2", "candidate": "b", "arguments": {"query": "/srv/a.pyc"}},
        ],
        "refused": [
            {"candidate": "b", "definition": 'prototype B : X { P = @"/srv/a.py"; }', "refusals": [refusal]},
            {"candidate": "b", "definition": 'prototype B : X { P = @"/srv/a.pyc"; }', "refusals": [refusal]},
        ],
    }
    left = forgotten_review(review, gone)
    assert left["reason"] == f"2 candidates, one at {FORGOTTEN}"
    assert left["calls"] == [
        {"id": "c1", "candidate": "b", "arguments": {}},
        {"id": "c2", "candidate": "b", "arguments": {"query": "/srv/a.pyc"}},
    ]
    refused = left["refused"]
    assert isinstance(refused, list)
    assert refused[0]["definition"] == FORGOTTEN
    assert [(one["code"], one["rule"], one["message"]) for one in refused[0]["refusals"]] == [
        ("NO_EVIDENCE", 9, FORGOTTEN)
    ]
    assert refused[1]["definition"] == 'prototype B : X { P = @"/srv/a.pyc"; }'
    assert "/srv/a.py." not in str(refused[1])


def test_a_word_that_happens_to_be_a_handle_is_not_struck_out_of_sentences() -> None:
    """R97: a branch named `main` is forgotten as a candidate, not in what is said of other things."""
    gone = Gone("Main", frozenset(), frozenset(), frozenset({"main", "v12"}), frozenset())
    candidate = {
        "label": "gauge",
        "aliases": [],
        "handles": [],
        "evidence": ["the main gauge of v12"],
        "reason": "main",
    }
    review: dict[str, object] = {"candidates": [candidate], "calls": [], "written": []}
    assert forgotten_review(review, gone) == review

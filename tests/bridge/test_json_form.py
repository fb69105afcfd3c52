"""A review as the JSON that every interface shows."""

import json
from dataclasses import replace

from ferrule.bridge.json_form import (
    candidate_form,
    evidence_form,
    handle_form,
    refusal_form,
    review_form,
    usage_form,
    written_form,
)
from ferrule.bridge.values import (
    Call,
    CallRef,
    Candidate,
    Confidence,
    Decision,
    Disposition,
    Evidence,
    HandleView,
    Lifecycle,
    Mention,
    MentionRef,
    Modality,
    Proves,
    Refusal,
    Role,
    SpanRef,
    Stage,
    TurnReview,
    TurnText,
    TurnView,
    Usage,
)
from ferrule.errors import Code
from ferrule.referents.kinds import NOWHERE, HandleKind

VIEW = TurnView(
    source="s",
    turn="t",
    ordinal=4,
    texts=(
        TurnText("user", Role.INTENT, "Fix it."),
        TurnText("user.1", Role.OBSERVATION, "> src/a.py", origin=8),
    ),
    actions=(),
    mentions=(Mention("m1", HandleKind.FILESYSTEM_PATH, "src/a.py", "k", Role.OBSERVATION, "user.1", 2, 10),),
    place=NOWHERE,
)
CANDIDATE = Candidate(
    label="the parser",
    aliases=("parser",),
    lifecycle=Lifecycle("SourceFile"),
    strong=True,
    confidence=Confidence.HIGH,
    mentions=("m1",),
    evidence=(Evidence(MentionRef("m1"), Proves.HANDLE), Evidence(SpanRef("user", 0, 3), Proves.NAME)),
    keys=("k",),
    modality=Modality.CHANGED,
    score=0.123456,
)
DECISION = Decision("the parser", Disposition.NEW_CREATE, None, ("c1",), "named and changed")


def test_evidence_shows_its_role_and_where_it_stands_in_the_message() -> None:
    """R18: offsets are those of the whole message, not of the segment."""
    shown = evidence_form(VIEW, CANDIDATE.evidence[0])
    assert shown == {
        "role": "observation",
        "excerpt": "> src/a.py",
        "start": 10,
        "end": 18,
        "proves": "handle",
        "text": "user.1",
    }


def test_evidence_of_a_recorded_call_names_the_call() -> None:
    """DEC-D9: a value of the source's ontology is no part of the turn."""
    shown = evidence_form(VIEW, Evidence(CallRef("c2", "src/known.py"), Proves.HANDLE))
    assert (shown["role"], shown["call"], shown["excerpt"]) == ("ontology", "c2", "src/known.py")


def test_evidence_of_nothing_is_shown_as_nothing() -> None:
    """DEC-D9: an invented citation has no role."""
    shown = evidence_form(VIEW, Evidence(MentionRef("m9"), Proves.HANDLE))
    assert (shown["role"], shown["excerpt"]) == ("", "")


def test_a_candidate_carries_its_disposition_and_reason() -> None:
    """R36: one of the five classes, with the reason in words."""
    shown = candidate_form(VIEW, CANDIDATE, DECISION)
    assert (shown["disposition"], shown["reason"], shown["score"]) == ("new-create", "named and changed", 0.1235)
    assert candidate_form(VIEW, CANDIDATE, None)["disposition"] == "deferred-uncertain"


def test_a_candidate_carries_the_handles_that_its_evidence_cites() -> None:
    """R33, DEC-D9: what was not written can be found again all the same, and what an invented citation names cannot."""
    invented = replace(CANDIDATE, evidence=(*CANDIDATE.evidence, Evidence(MentionRef("m9"), Proves.HANDLE)))
    assert candidate_form(VIEW, invented, None)["handles"] == [
        {"kind": "filesystem-path", "value": "src/a.py", "key": "k"}
    ]


def test_a_refusal_names_rule_code_place_and_remedy() -> None:
    """R59: a refusal says what would make it pass."""
    shown = refusal_form(Refusal(Code.NO_HANDLE, 8, "no handle", "add a path", "Path", 2, 3, 14))
    assert shown == {
        "code": "NO_HANDLE",
        "rule": 8,
        "property": "Path",
        "line": 2,
        "column": 3,
        "offset": 14,
        "message": "no handle",
        "remedy": "add a path",
    }


def a_review() -> TurnReview:
    """A review with one candidate and one call."""
    call = Call("c1", Stage.IDENTITY, "search", "the parser", (("query", "parser"),), ok=True, revision=2)
    return TurnReview("s", "t", 4, "embedded-1", (CANDIDATE,), (DECISION,), "one file", Usage(cpu_ms=1.23456), (call,))


def test_a_review_has_the_keys_of_the_documented_form() -> None:
    """R90: `ferrule review --json`, plain JSON in snake_case."""
    handle = HandleView(HandleKind.FILESYSTEM_PATH, "src/a.py", "SourcePath")
    written = written_form(
        prototype="Parser",
        bases=("SourceFile",),
        action="created",
        properties={"SourcePath": "src/a.py"},
        handles=(handle,),
        modality="changed",
        definition="prototype Parser : SourceFile { }",
    )
    form = review_form(a_review(), VIEW, written=(written,))
    assert json.loads(json.dumps(form)) == form
    assert form["turn"] == {"key": "t", "ordinal": 4}
    assert form["outcome"] == "wrote"
    assert "already" not in form
    assert {"candidates", "written", "refused", "calls", "usage"} <= form.keys()
    assert written["handles"] == [handle_form(handle)]
    assert usage_form(a_review().usage)["cpu_ms"] == 1.235


def test_a_review_that_wrote_nothing_says_so_and_a_repeated_one_is_marked() -> None:
    """R14, INV-I4: nothing is an outcome; redelivery shows what was written then."""
    form = review_form(a_review(), VIEW, already=True)
    assert (form["outcome"], form["already"]) == ("nothing", True)
    assert review_form(a_review(), VIEW, outcome="failed")["outcome"] == "failed"

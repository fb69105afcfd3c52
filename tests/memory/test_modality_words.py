"""Rule 10 by itself: which words turn a plan into a fact, which take that back, and what is told where."""

from dataclasses import replace

import pytest
from rule_cases import FILE, Critic, a_turn

from ferrule.bridge.values import Claim, Evidence, Modality, Proves, SpanRef
from ferrule.memory.case import Case
from ferrule.memory.rules.modality import _claims_fact, modality_rule
from ferrule.memory.submission import Scope, Submission
from ferrule.session.turn import ToolCall

FACTS = ("created", "exists", "existing", "built", "implemented", "deployed", "finished", "completed", "done")
NOT_YET = ("be", "get", "not", "never", "yet", "once", "when", "until", "after", "if", "to")


@pytest.mark.parametrize("fact", FACTS)
def test_a_word_of_fact_is_one_as_a_whole_word(fact: str) -> None:
    """R47, CASE-A09: in any case, at the begin and at the end, alone or in a list of texts."""
    for text in (fact, fact.upper(), f"it is {fact}", f"{fact}, it says", f"({fact})"):
        assert _claims_fact(text), text
        assert _claims_fact(("a plan", text))
    for text in (f"un{fact}", f"{fact}x", "a plan", ""):
        assert not _claims_fact(text), text
        assert not _claims_fact((text,))
    for value in (None, 3, True):
        assert not _claims_fact(value)


@pytest.mark.parametrize("word", NOT_YET)
def test_what_stands_before_a_word_of_fact_takes_it_back(word: str) -> None:
    """R47: itself, or with one word between, in any case; not as a part of a word, not two words before."""
    for text in (f"{word} created", f"{word.upper()} created", f"so {word}   created", f"{word} x created"):
        assert not _claims_fact(text), text
    for text in (f"{word} at last created", f"x{word} created", f"{word}x yy created", f"{word}, created"):
        assert _claims_fact(text), text
    assert not _claims_fact(f"{word} {'y' * 20} created")
    assert _claims_fact(f"{word} {'y' * 21} created")
    assert _claims_fact(f"{word} created and built")


WISH = f"We need a new module, create it as {FILE} please."
THINK = (ToolCall("c9", "Think", {"topic": "tides"}, "nothing", ok=True),)


def told(text: str, modality: Modality, *, outcome: str = "I will do it tomorrow.") -> list[tuple[str, str, str, str]]:
    """Property, message, remedy and the text at the place."""
    critic = Critic(view=a_turn(WISH, outcome, calls=THINK), modality=modality)
    case = Case(Submission(text, Scope.CRITIC, critic.proposal(text)), critic.admission_view(text))
    return [(one.property, one.message, one.remedy, text[one.span.start : one.span.end]) for one in modality_rule(case)]


def gauge(extra: str) -> str:
    """The gauge with one property more."""
    return f'prototype TideGauge : SourceFile {{ FilePath = @"{FILE}"; {extra} }}'


PLANNED, REPORTED = "Claim planned, or write nothing until a result shows more.", "Claim reported, or write nothing"
MADE = "says created, but the turn proves no more than planned."


def test_each_property_that_says_more_than_the_turn_is_told_once() -> None:
    """R47, R59, CASE-A09: states and sentences first, then claims for what is not told yet, at most eight."""
    assert told(gauge('Notes = @"a plan";'), Modality.PLANNED) == []
    assert told(gauge('LifecycleState = @"created";'), Modality.PLANNED) == [
        ("LifecycleState", f"LifecycleState {MADE}", PLANNED, '@"created"')
    ]
    assert told(gauge('Notes = @"was created";'), Modality.PLANNED) == [
        ("Notes", f"Notes {MADE}", PLANNED, '@"was created"')
    ]
    assert told(gauge('String Status = @"created";'), Modality.CREATED) == [
        ("Status", f"Status {MADE}", PLANNED, '@"created"'),
        ("FilePath", f"FilePath {MADE}", PLANNED, f'@"{FILE}"'),
    ]
    members = " ".join(f'String Word{letter} = @"a";' for letter in "ABCDEFGHIJ")
    assert [one[0] for one in told(gauge(members), Modality.CREATED)] == [
        "FilePath",
        *(f"Word{letter}" for letter in "ABCDEFG"),
    ]


def test_a_reported_thing_is_no_more_than_reported() -> None:
    """R20, R21, DEC-D10: free text is held against a plan only, a state against what is proved."""
    outcome = f"I have created {FILE}."
    assert told(gauge('Notes = @"was created"; String Status = @"reported";'), Modality.REPORTED, outcome=outcome) == []
    (found,) = told(gauge('String Status = @"live";'), Modality.REPORTED, outcome=outcome)
    assert found[:2] == ("Status", "Status says existing, but the turn proves no more than reported.")
    assert found[2].startswith(REPORTED)


def linked(user: str, outcome: str, cite: tuple[str, str], modality: Modality) -> bool:
    """Whether words that are cited for a thing without a key prove so much."""
    critic = Critic(view=a_turn(user, outcome, calls=THINK), modality=modality)
    text = 'prototype TideProject : SemanticEntityBase { String Fix = @"x"; }'
    said = critic.view.text(cite[0])
    assert said is not None
    start = said.text.index(cite[1])
    span = SpanRef(cite[0], start, start + len(cite[1]))
    claims = (Claim("Fix", "x", (Evidence(span, Proves.PROPERTY),), modality),)
    submission = Submission(text, Scope.CRITIC, replace(critic.proposal(text), claims=claims))
    return modality_rule(Case(submission, critic.admission_view(text))) == []


def test_cited_words_prove_as_much_as_who_says_them() -> None:
    """DEC-D10, R47: the user's plain word that it is there, the answer's that it is told, a result nothing."""
    plain, wish = "The tide project is small.", "Please create a tide project."
    ladder = (Modality.PLANNED, Modality.REPORTED, Modality.EXISTING)
    rows = (
        (plain, "Fine.", ("user", "tide project"), 3),
        (wish, "Fine.", ("user", "tide project"), 1),
        ("Look.", "I wrote the tide project.", ("outcome", "tide project"), 2),
        ("Look.", "We could write a tide project.", ("outcome", "tide project"), 1),
        ("Look.", "Fine.", ("call.c9.result", "nothing"), 1),
    )
    for user, outcome, cite, proved in rows:
        seen = [linked(user, outcome, cite, modality) for modality in ladder]
        assert seen == [at < proved for at in range(3)], (user, outcome)

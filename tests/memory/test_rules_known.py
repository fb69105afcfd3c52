"""Rule 3: a critic creates nothing that is known already, and augments what it says."""

import pytest
from rule_cases import FILE, Critic, Person, a_turn, code, refusals

from ferrule.bridge.values import Proposal
from ferrule.memory.submission import Unaltered
from ferrule.ontology.loading import load_permanent, load_shipped

GAUGE = f'prototype TideGauge : SourceFile {{ EntityName = @"Tide gauge"; FilePath = @"{FILE}"; }}'


KNOWN = {
    "name": f'prototype TideGauge : SourceFile {{ EntityName = @"Gauge"; FilePath = @"{FILE}"; }}',
    "name with another base": f'prototype TideGauge : Document {{ FilePath = @"{FILE}"; }}',
    "EntityName": f'prototype Other : SourceFile {{ EntityName = @"tide-gauge"; FilePath = @"{FILE}.bak"; }}',
    "alias": f'prototype Other : SourceFile {{ Aliases = @"level; TIDE GAUGE"; FilePath = @"{FILE}.bak"; }}',
    "prototype name in other words": f'prototype Tide_Gauge : SourceFile {{ FilePath = @"{FILE}.bak"; }}',
    "handle": f'prototype Other : SourceFile {{ EntityName = @"Other"; FilePath = @"{FILE}"; }}',
    "handle in another form": 'prototype Other : Script { EntityName = @"Other"; FilePath = @"tide/gauge.py"; }',
}


@pytest.mark.parametrize("text", KNOWN.values(), ids=KNOWN)
def test_a_critic_creates_nothing_that_is_known(text: str) -> None:
    """R39, R65, R66, CASE-L15: by name, alias or handle key; the remedy is to augment it."""
    critic = Critic()
    critic.write(GAUGE)
    verdict = critic.judge(text)
    assert code(verdict) == "ALREADY_EXISTS"
    assert "Augment TideGauge" in refusals(verdict)[0].remedy


def test_what_the_lineage_or_the_permanent_layer_knows_is_known() -> None:
    """R65, R87: known anywhere in the source's ontology."""
    elsewhere = Critic()
    elsewhere.write(GAUGE)
    lineage = Critic(extra={"lineage": (elsewhere.session,)})
    assert code(lineage.judge(KNOWN["handle"])) == "ALREADY_EXISTS"
    assert isinstance(lineage.judge(GAUGE), Unaltered)
    staged = Critic(extra={"staged": (elsewhere.session.get("TideGauge"),)})
    assert code(staged.judge(KNOWN["EntityName"])) == "ALREADY_EXISTS"


def test_what_this_review_has_staged_is_known_under_the_turns_own_keys() -> None:
    """R39, DEC-D9: a bare number is keyed by what the turn says of it, for the second write too."""
    user = "See https://git.example/harbor/buoy/pull/12 about the gauge; merge #12 today."
    first = Critic(view=a_turn(user))
    one = 'prototype GaugePull : PullRequest { EntityName = @"gauge"; PullRequestNumber = @"#12"; }'
    staged = first.write(one).write
    second = Critic(view=a_turn(user), extra={"staged": (staged.prototype,)})
    other = 'prototype Other : PullRequest { PullRequestUrl = @"https://git.example/harbor/buoy/pull/12"; }'
    assert staged.keys == ("pr:git.example/harbor/buoy:12",)
    assert code(second.judge(other)) == "ALREADY_EXISTS"


def test_an_augmentation_of_the_lineage_goes_into_the_own_session_as_a_part() -> None:
    """R87: the other session's memory stays as it is."""
    elsewhere = Critic()
    elsewhere.write(GAUGE)
    critic = Critic(extra={"lineage": (elsewhere.session,)})
    written = critic.write('partial prototype TideGauge { Aliases = @"water clock"; }', "TideGauge").write
    assert written.prototype.partial
    assert written.definition == 'partial prototype TideGauge\n{\n\tAliases = @"water clock";\n}\n'
    assert written.action == "augmented"


def test_the_name_of_a_type_is_not_the_name_of_a_known_thing() -> None:
    """R39: an entity may be called like its type in other words without being one."""
    critic = Critic()
    text = f'prototype Gauge : SourceFile {{ EntityName = @"Source file"; FilePath = @"{FILE}"; }}'
    assert code(critic.judge(text)) != "ALREADY_EXISTS"


def test_a_person_may_have_two_things_of_one_name() -> None:
    """DEC-D5: the collision of phrases and handles binds the critic."""
    hand = Person()
    hand.write(GAUGE)
    assert code(hand.judge(KNOWN["handle"])) == "accepted"


@pytest.mark.parametrize(
    ("target", "text", "expected"),
    [
        ("Nobody", 'partial prototype Nobody { Notes = @"x"; }', "UNKNOWN_REFERENCE"),
        ("TideGauge", f'prototype Other : SourceFile {{ FilePath = @"{FILE}"; }}', "BAD_IDENTIFIER"),
    ],
)
def test_an_augmentation_is_of_what_it_says(target: str, text: str, expected: str) -> None:
    """R38: target and definition agree, and the target exists."""
    critic = Critic()
    critic.write(GAUGE)
    proposal = Proposal(critic.view.source, "candidate", target, text, critic.proposal(text).claims)
    assert code(critic.judge(text, target, proposal)) == expected


def test_the_shipped_ontology_loads_without_a_problem() -> None:
    """R86: every base that a critic may need is there and sound."""
    shipped = load_shipped()
    assert shipped.problems == ()
    assert {"Repository", "Worktree", "PullRequest", "Command", "SecretReference", "Task"} <= set(shipped.layer.names())
    assert load_permanent(()).layer.names() == ()

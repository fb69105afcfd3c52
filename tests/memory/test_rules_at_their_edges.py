"""The admission rules where one step more or less would change the verdict."""

import base64
from dataclasses import replace

import pytest
from rule_cases import FILE, Critic, Person, a_turn, code, refusals

from ferrule.bridge.values import (
    Call,
    CallRef,
    Claim,
    Evidence,
    Mention,
    MentionRef,
    Modality,
    Proves,
    Role,
    SpanRef,
    Stage,
    TurnText,
    TurnView,
)
from ferrule.memory.admission import _excerpts, admit
from ferrule.memory.case import Case
from ferrule.memory.rules import citing
from ferrule.memory.rules.disguises import hidden_kind
from ferrule.memory.rules.evidence import evidence_rule
from ferrule.memory.rules.known import known_rule
from ferrule.memory.rules.modality import modality_rule
from ferrule.memory.submission import AdmissionView, Limits, Scope, Submission, Unaltered
from ferrule.ontology.layers import InMemoryLayer
from ferrule.ontology.loading import load_shipped
from ferrule.ontology.values import Prototype
from ferrule.referents.forms import identity_key, normal_form
from ferrule.referents.kinds import NOWHERE, HandleKind
from ferrule.session.turn import ToolCall

GAUGE = f'prototype TideGauge : SourceFile {{ EntityName = @"Tide gauge"; FilePath = @"{FILE}"; }}'
K = HandleKind

# The kind as which a text was recognised, the kind as which it is written, whether the one may be the other.
MAY_BE = [
    (K.BRANCH, K.BRANCH, True),
    (K.BRANCH, K.TAG, True),
    (K.PULL_REQUEST, K.ISSUE, True),
    (K.HOST, K.DATABASE_ID, True),
    (K.BRANCH, K.PACKAGE_ID, False),
    (K.TAG, K.HOST, False),
    (K.SECRET_NAME, K.SESSION_KEY, False),
    (K.COMMIT_SHA, K.ISSUE, False),
    (K.COMMAND, K.OTHER_ID, False),
    (K.OTHER_ID, K.COMMAND, False),
    (K.COMMAND, K.COMMAND, True),
    (K.OTHER_ID, K.BRANCH, True),
    (K.FILESYSTEM_PATH, K.PACKAGE_ID, True),
]


@pytest.mark.parametrize(("said", "written", "expected"), MAY_BE)
def test_a_mention_is_written_as_a_kind_that_it_may_be(
    said: HandleKind, written: HandleKind, *, expected: bool
) -> None:
    """DEC-D9, R46: a branch is no package and a command no id, though they are spelt alike."""
    text = TurnText("user", Role.INTENT, "see tide-gauge now")
    mention = Mention("m1", said, "tide-gauge", "id:tide-gauge", Role.INTENT, "user", 4, 14)
    view = TurnView("s", "t", 1, (text,), (), (mention,), NOWHERE)
    assert citing.carries(view, mention, written, "tide-gauge") is expected


def test_a_mention_carries_what_it_says_its_value_and_nothing_near_it() -> None:
    """DEC-D9: verbatim, by value, by normal form or by key; a mention of a lost text carries its value only."""
    text = TurnText("user", Role.INTENT, "see [Tide] now")
    mention = Mention("m1", K.OTHER_ID, "tide-gauge", "id:tide-gauge", Role.INTENT, "user", 5, 9)
    view = TurnView("s", "t", 1, (text,), (), (mention,), NOWHERE)
    assert citing.carries(view, mention, K.OTHER_ID, "Tide")
    assert citing.carries(view, mention, K.OTHER_ID, "tide-gauge")
    assert not citing.carries(view, mention, K.OTHER_ID, "Tid")
    lost = replace(mention, text="gone")
    assert citing.carries(view, lost, K.OTHER_ID, "tide-gauge")
    assert not citing.carries(view, lost, K.OTHER_ID, "Tide")


TOKEN = "ghp_" + "Zk3vQ8mT1xR7bN5cW2yL9dF4hJ6gS0aPqE1u"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be"])
def test_a_secret_in_any_order_of_bytes_is_a_secret(encoding: str) -> None:
    """INV-I6, CASE-D03: base64 of wide characters, the high byte first or last."""
    assert hidden_kind(base64.b64encode(TOKEN.encode(encoding)).decode()) is not None


def test_words_of_any_script_lend_a_name_its_words() -> None:
    """R16, DEC-D9: without spaces between words the characters must stand in the turn; case folds everywhere."""
    user = f"潮位计 lives in {FILE}; we call it the Tide Gauge, Größe 40."
    for name, expected in (
        ("潮位计", "accepted"),
        ("風向計", "NO_EVIDENCE"),
        ("tide GAUGE", "accepted"),
        ("größe gauge", "accepted"),
        ("Groesse gauge", "NO_EVIDENCE"),
        ("Sundial", "NO_EVIDENCE"),
    ):
        text = f'prototype TideGauge : SourceFile {{ EntityName = @"{name}"; FilePath = @"{FILE}"; }}'
        assert code(Critic(view=a_turn(user)).judge(text)) == expected, name


def test_a_number_that_a_search_returned_may_stand_in_a_note() -> None:
    """DEC-D9: free text brings in no number of its own; what the ontology answered is not its own."""
    text = f'prototype TideGauge : SourceFile {{ FilePath = @"{FILE}"; Notes = @"stands on pier 77"; }}'
    critic = Critic()
    assert code(critic.judge(text)) == "NO_EVIDENCE"
    answer = Call("s99", Stage.IDENTITY, "search", "candidate", (("query", "pier"),), ok=True, values=("77",))
    for told, expected in ((answer, "accepted"), (replace(answer, ok=False), "NO_EVIDENCE")):
        critic.record = (*critic.searched(text), told)
        assert code(critic.judge(text)) == expected


def test_a_person_is_asked_for_no_search_and_no_evidence() -> None:
    """DEC-D5: the rules that speak of a critic's turn find nothing in a person's own definition."""
    view = AdmissionView(permanent=load_shipped().layer, session=InMemoryLayer())
    case = Case(Submission(GAUGE, Scope.PERSON), view)
    assert known_rule(case) == []
    assert modality_rule(case) == []


# Deep as the limit, one deeper; the list that counts is the deepest one.
NESTED = [
    ("[1, 2]", 1, True),
    ("[[1], 2]", 1, False),
    ("[[1], [2, 3]]", 2, True),
    ("[1, [2, [3]]]", 2, False),
    ("[[[1]], 2]", 2, False),
    ("[[[1]], 2]", 3, True),
    ("1", 0, True),
]


@pytest.mark.parametrize(("value", "limit", "allowed"), NESTED)
def test_a_list_is_as_deep_as_its_deepest_list(value: str, limit: int, *, allowed: bool) -> None:
    """CASE-I04: one level more than the limit is refused, wherever it stands."""
    kind = "Int" if value == "1" else "Collection"
    text = f'prototype Buoy : Host {{ HostName = @"b.example.org"; {kind} Held = {value}; }}'
    limits = replace(Limits(), nesting=limit)
    view = AdmissionView(permanent=load_shipped().layer, session=InMemoryLayer(), limits=limits)
    verdict = admit(Submission(text, Scope.PERSON), view)
    found = [refusal for refusal in refusals(verdict) if refusal.code.value == "TOO_DEEP"]
    assert (found == []) is allowed
    assert all(refusal.property == "Held" for refusal in found)


def test_a_property_that_is_only_declared_again_changes_nothing() -> None:
    """DEC-D1: repeating a declaration, its value or both is no write; another type is one."""
    person = Person()
    person.write('prototype Buoy : Host { HostName = @"b.example.org"; String Colour = @"red"; }')
    for same in ("String Colour;", 'Colour = @"red";', 'String Colour = @"red";', 'HostName = @"b.example.org";'):
        assert isinstance(person.judge(f"partial prototype Buoy {{ {same} }}"), Unaltered), same
    for other in ("Int Colour;", "String Shade;", 'String Shade = @"red";', 'Colour = @"blue";'):
        assert not isinstance(person.judge(f"partial prototype Buoy {{ {other} }}"), Unaltered), other


def test_not_more_than_eight_properties_are_told_of() -> None:
    """R59: an answer has an end, however much is wrong."""
    members = " ".join(f'Unknown{letter} = @"x";' for letter in "ABCDEFGHIJKL")
    found = refusals(Person().judge(f'prototype Buoy : Host {{ HostName = @"b.example.org"; {members} }}'))
    assert len([one for one in found if one.code.value == "UNKNOWN_PROPERTY"]) == 8


def linked(user: str, outcome: str, modality: Modality) -> str:
    """The verdict on a thing that only a link to the gauge and cited words prove."""
    critic = Critic(view=a_turn(user, outcome), modality=modality)
    critic.write(GAUGE)
    text = 'prototype TideProject : SemanticEntityBase { EntityName = @"Tide project"; SourceFile Uses = TideGauge; }'
    where = "user" if "Tide project" in user else "outcome"
    said = critic.view.text(where)
    assert said is not None
    start = said.text.index("Tide project")
    cited = (Evidence(SpanRef(where, start, start + 12), Proves.PROPERTY),)
    claims = (Claim("EntityName", "Tide project", cited, modality), Claim("Uses", "TideGauge", cited, modality))
    found = Call("s9", Stage.IDENTITY, "search", "candidate", (("query", "gauge"),), ok=True, values=("TideGauge",))
    critic.record = (*critic.searched(text), found)
    return code(critic.judge(text, None, replace(critic.proposal(text), claims=claims)))


TOLD = [
    (f"The Tide project uses the tide gauge in {FILE}.", "Fine.", Modality.EXISTING, "accepted"),
    (f"Please create a Tide project around the tide gauge in {FILE}.", "Fine.", Modality.PLANNED, "accepted"),
    (f"Please create a Tide project around the tide gauge in {FILE}.", "Fine.", Modality.EXISTING, "MODALITY"),
    (f"Look at {FILE}.", f"I created the Tide project for the tide gauge in {FILE}.", Modality.REPORTED, "accepted"),
    (f"Look at {FILE}.", f"I created the Tide project for the tide gauge in {FILE}.", Modality.EXISTING, "MODALITY"),
    (f"Look at {FILE}.", f"We could create a Tide project for the gauge {FILE}.", Modality.REPORTED, "MODALITY"),
]


@pytest.mark.parametrize(("user", "outcome", "modality", "expected"), TOLD)
def test_a_thing_without_a_handle_of_its_own_is_as_real_as_it_is_told(
    user: str, outcome: str, modality: Modality, expected: str
) -> None:
    """DEC-D10, R47: a user's plain word proves that it is there, the answer's that it is reported, a wish nothing."""
    assert linked(user, outcome, modality) == expected


def test_a_name_of_two_letters_points_at_nothing() -> None:
    """DEC-D9, CASE-A11: "Qa" stands in too many words; what is called so is named by its handle."""
    user = "Ask Qa about the pier."
    for name, expected in (("Qa", "NO_EVIDENCE"), ("Qay", "accepted")):
        critic = Critic(view=a_turn(user.replace("Qa", name), "I asked."), modality=Modality.PLANNED)
        critic.session.add(*known(name))
        text = f'partial prototype {name} {{ String Fix = @"about the pier"; }}'
        assert code(critic.judge(text, name)) == expected


def known(name: str) -> tuple[Prototype, tuple[str, ...]]:
    """A known thing of that name and its keys."""
    written = Person().write(f'prototype {name} : SourceFile {{ FilePath = @"/srv/quay/else.py"; }}').write
    return written.prototype, written.keys


def test_a_call_is_cited_by_its_number_and_value() -> None:
    """DEC-D9: the value that this call returned, and a call that succeeded at reading."""
    asked = Call("s1", Stage.IDENTITY, "search", "c", (), ok=True, values=("TideGauge",))
    record = (asked, replace(asked, id="s2", ok=False), replace(asked, id="s3", tool="check"))
    assert citing.call_returned(record, CallRef("s1", "TideGauge"))
    assert not citing.call_returned(record, CallRef("s1", "Tide"))
    assert not citing.call_returned(record, CallRef("s2", "TideGauge"))
    assert not citing.call_returned(record, CallRef("s3", "TideGauge"))


def test_a_note_holds_forty_values_and_no_more() -> None:
    """DEC-D9: each of them stands in the turn; more of them are a list and no description."""
    numbers = [str(number) for number in range(100, 141)]
    view = a_turn(f"The gauge in {FILE} read {', '.join(numbers)}.")
    for count, message in ((40, ""), (41, "Notes is a list of values, not a description.")):
        text = f'prototype TideGauge : SourceFile {{ FilePath = @"{FILE}"; Notes = @"{" ".join(numbers[:count])}"; }}'
        assert [one.message for one in refusals(Critic(view=view).judge(text))] == ([message] if message else [])


def test_what_only_a_tool_says_names_nothing() -> None:
    """R94, DEC-D9: user, outcome and the agent's own calls lend their words, results do not."""
    calls = [
        ToolCall("c1", "Edit", {"file_path": FILE, "note": "quayside"}, f"{FILE}: harbourmaster was here", ok=True)
    ]
    view = a_turn(f"Look at {FILE}.", f"I changed {FILE}.", calls=calls)
    for name, expected in (("Harbourmaster", "NO_EVIDENCE"), ("Quayside", "accepted")):
        text = f'prototype TideGauge : SourceFile {{ EntityName = @"{name}"; FilePath = @"{FILE}"; }}'
        assert code(Critic(view=view, modality=Modality.CHANGED).judge(text)) == expected


@pytest.mark.parametrize(("path", "expected"), [("tide/gauge.py", "accepted"), ("tide/gauge.pyc", "NO_EVIDENCE")])
def test_a_handle_may_be_written_in_another_form(path: str, expected: str) -> None:
    """DEC-D9: a relative path for an absolute one, when a mention of it is cited."""
    critic = Critic()
    text = f'prototype TideGauge : SourceFile {{ FilePath = @"{path}"; }}'
    cited = tuple(Evidence(MentionRef(one.id), Proves.HANDLE) for one in critic.view.mentions if one.value == FILE)
    claims = (Claim("FilePath", path, cited, Modality.EXISTING),)
    asked = Call("s9", Stage.IDENTITY, "search", "c", (("query", path), ("kind", "handle")), ok=True)
    critic.record = (*critic.searched(text), asked)
    assert code(critic.judge(text, None, replace(critic.proposal(text), claims=claims))) == expected


LINKED = [
    ("The pier hangs on the sounding rod.", True),
    ("The pier hangs on the SoundingRod, they say.", True),
    (f"The pier hangs on what is in {FILE}.", True),
    ("The pier hangs on what is in tide/gauge.py.", True),
    ("The pier hangs on the sundial.", False),
    ("The pier hangs on /srv/quay/tide/other.py.", False),
    ("The pier hangs." + " x" * 110 + f" {FILE}", False),
    ("The pier hangs." + " x" * 60 + f" {FILE}", True),
    (f"{FILE} is where" + " x" * 110 + " the pier hangs.", False),
]


@pytest.mark.parametrize(("user", "speaks"), LINKED)
def test_a_link_is_cited_where_its_target_is_spoken_of(user: str, *, speaks: bool) -> None:
    """DEC-D9: by a name or a handle, in the cited words or within two hundred characters of them."""
    first = Critic(view=a_turn(f"The sounding rod is {FILE}."))
    first.write(f'prototype SoundingRod : SourceFile {{ FilePath = @"{FILE}"; }}')
    critic = Critic(view=a_turn(user + " See https://pier.example/x", "Fine."), session=first.session)
    text = 'prototype Pier : WebSite { SiteUrl = @"https://pier.example/x"; SourceFile HangsOn = SoundingRod; }'
    proposal = critic.proposal(text)
    start = user.index("pier hangs") if "pier hangs" in user else user.index("pier")
    cited = (Evidence(SpanRef("user", start, start + 4), Proves.PROPERTY),)
    claims = tuple(replace(one, evidence=cited) if one.property == "HangsOn" else one for one in proposal.claims)
    found = Call("s9", Stage.IDENTITY, "search", "c", (("query", "rod"),), ok=True, values=("SoundingRod",))
    critic.record = (*critic.searched(text), found)
    told = refusals(critic.judge(text, None, replace(proposal, claims=claims)))
    expected = [] if speaks else [("HangsOn", "What is cited for the link HangsOn does not speak of its target.")]
    assert [(one.property, one.message) for one in told] == expected


def test_without_a_handle_nothing_is_said_of_how_real_it_is() -> None:
    """R24, R89: what a thing is told apart by is missing, so nobody can say yet what the turn proves of it."""
    text = 'prototype TideGauge : SourceFile { EntityName = @"Tide gauge"; LifecycleState = @"deleted"; }'
    found = refusals(Critic(modality=Modality.DELETED).judge(text))
    assert [one.code.value for one in found] == ["NO_HANDLE"]


def test_an_addition_takes_no_handle_of_a_third_thing() -> None:
    """R39, PEER-D08: that line goes, and the rest may stay."""
    critic = Critic()
    critic.write(GAUGE)
    critic.modality = Modality.REPORTED
    critic.write('prototype Docs : WebSite { SiteUrl = @"https://docs.example/tide"; }')
    text = f'partial prototype Docs {{ String GaugePath = @"{FILE}"; Aliases = @"water clock"; }}'
    found = refusals(critic.judge(text, "Docs"))
    assert [(one.code.value, one.property, one.remedy) for one in found] == [
        ("ALREADY_EXISTS", "GaugePath", "Drop this line; what is new about TideGauge is another proposal.")
    ]


def test_a_critics_definition_comes_with_turn_and_claims() -> None:
    """R16, R46: one that lacks either rests on nothing, and is told so at its name."""
    whole = Critic()
    view = whole.admission_view(GAUGE)
    proposal = whole.proposal(GAUGE)
    for submission, seen in (
        (Submission(GAUGE, Scope.CRITIC, None), view),
        (Submission(GAUGE, Scope.CRITIC, proposal), replace(view, turn=None)),
    ):
        case = Case(submission, seen)
        (found,) = evidence_rule(case)
        assert found.message == "A critic's definition comes with the turn and the claims that it rests on."
        assert GAUGE[found.span.start : found.span.end] == "TideGauge"
        assert modality_rule(case) == []


def test_nothing_given_to_a_property_without_a_value_changes_nothing() -> None:
    """DEC-D1, DEC-D2: null, an empty text or an empty list is no value, so it neither fills nor overwrites."""
    person = Person()
    person.write('prototype Buoy : Host { HostName = @"b.example.org"; String Shade; Collection Parts; }')
    for same in ("Shade = null;", 'Shade = @"";', "Parts = [];"):
        assert isinstance(person.judge(f"partial prototype Buoy {{ {same} }}"), Unaltered), same
    assert not isinstance(person.judge('partial prototype Buoy { Shade = @"grey"; }'), Unaltered)
    assert [one.code.value for one in refusals(person.judge("partial prototype Buoy { HostName = null; }"))] == [
        "ALREADY_VALUED"
    ]


def test_a_handle_is_carried_by_whatever_has_its_key() -> None:
    """DEC-D9: two forms of one remote are one handle, though their normal forms differ."""
    https, ssh = "https://git.example/harbor/quay.git", "git@git.example:harbor/quay.git"
    text = TurnText("user", Role.INTENT, f"clone {https} now")
    key = identity_key(K.URL, https, NOWHERE)[0]
    mention = Mention("m1", K.URL, https, key, Role.INTENT, "user", 6, 6 + len(https))
    view = TurnView("s", "t", 1, (text,), (), (mention,), NOWHERE)
    assert normal_form(K.URL, https, NOWHERE) != normal_form(K.URL, ssh, NOWHERE)
    assert citing.carries(view, mention, K.URL, ssh)
    assert not citing.carries(view, mention, K.URL, "git@git.example:harbor/pier.git")


def test_what_no_turn_holds_has_no_excerpt() -> None:
    """INV-I6: an excerpt is cut out of the turn, and never taken from a claim."""
    view = AdmissionView(permanent=load_shipped().layer, session=InMemoryLayer())
    case = Case(Submission(GAUGE, Scope.PERSON), view)
    assert _excerpts(case, Critic().claim("FilePath", FILE)) == []


def test_an_assigned_value_of_a_base_is_told_with_who_assigned_it() -> None:
    """INV-I3, R44: and the same value again is only dropped."""
    person = Person()
    person.write('prototype Lamp : Host { HostName = @"lamp.example.org"; }')
    for value, remedy in (
        ("lamp.example.org", "Drop this line."),
        ("other.example.org", "Drop this line; for a later state declare HostNameAtTurn<n>."),
    ):
        (one,) = refusals(person.judge(f'prototype Buoy : Lamp {{ HostName = @"{value}"; }}'))
        assert (one.code.value, one.property, one.remedy) == ("ALREADY_VALUED", "HostName", remedy)
        assert one.message == "HostName has a value already, assigned by Lamp."

"""Rule 9 by itself: which finding, at which place, with which remedy, and whether it takes away what a thing rests on."""
# ruff: noqa: E501 - tables of cases keep one case a line

from collections.abc import Sequence
from dataclasses import replace

import pytest
from rule_cases import FILE, PLACE, Critic, a_turn

from ferrule.bridge.values import (
    Call,
    Claim,
    Evidence,
    Mention,
    MentionRef,
    Modality,
    Proposal,
    Proves,
    Role,
    SpanRef,
    Stage,
    TurnText,
    TurnView,
)
from ferrule.memory.case import Case
from ferrule.memory.rules.evidence import evidence_rule
from ferrule.memory.submission import Scope, Submission
from ferrule.ontology.layers import InMemoryLayer
from ferrule.ontology.values import LayerName, Property, Prototype
from ferrule.referents.forms import identity_key
from ferrule.referents.kinds import NOWHERE, HandleKind

K = HandleKind
OTHER = "/srv/quay/tide/other.py"
UNNAMED = "Neither the user, the outcome nor a successful action names it: only tool results do."
UNSPOKEN = "What is cited for the link HangsOn does not speak of its target."
UNPROSED = "Notes holds a path, URL, id or number that is not in the turn."
UNCALLED = "An alias does not stand in what it cites, or only a tool calls it so."


def judged(
    critic: Critic, text: str, proposal: Proposal | None = None, target: str | None = None
) -> list[tuple[str, str, bool]]:
    """Property, message and `basis` of what rule 9 finds."""
    submission = Submission(text, Scope.CRITIC, proposal or critic.proposal(text, target))
    found = evidence_rule(Case(submission, critic.admission_view(text, target)))
    return [(one.property, one.message, one.basis) for one in found]


def gauge(extra: str) -> str:
    """The gauge with one property more."""
    return f'prototype TideGauge : SourceFile {{ FilePath = @"{FILE}"; {extra} }}'


def cited(view: TurnView, prop: str, said: str, where: str = "user") -> Claim:
    """A claim that cites these words of one text."""
    text = view.text(where)
    assert text is not None
    start = text.text.index(said)
    span = SpanRef(where, start, start + len(said))
    return Claim(prop, said, (Evidence(span, Proves.PROPERTY),), Modality.EXISTING)


@pytest.mark.parametrize(
    ("path", "basis"),
    [(FILE, []), (OTHER, [False]), ("tide/other.py", [False]), ("/srv/quay/tide/third.py", [True])],
)
def test_a_handle_is_the_mention_that_is_cited(path: str, basis: list[bool]) -> None:
    """R46, DEC-D9: another mention of the turn is a wrong citation, none at all leaves nothing to rest on."""
    critic = Critic(view=a_turn(f"Tide gauge third other: {FILE} and {OTHER}.", "Fine."))
    text = f'prototype TideGauge : SourceFile {{ FilePath = @"{path}"; }}'
    mention = next(one for one in critic.view.mentions if one.value == FILE)
    claim = Claim("FilePath", path, (Evidence(MentionRef(mention.id), Proves.HANDLE),), Modality.EXISTING)
    found = judged(critic, text, Proposal("quay:1", "c", None, text, (claim,)))
    assert found == [("FilePath", "FilePath names no mention of this turn.", one) for one in basis]


NOTES = [
    ("v43", True), ("a.43", True), ("43", False), ("7", False), ("40.7", False), ("40:7", False), ("40,7", False), ("40", True), ("40 40 40", True),
    ("\uff14\uff10", True), ("\uff14\uff13", False), ("evil.ex", False), ("evil.e", True), ("a.evil.example", False), ("evil.example-", True), ("docs.example", True),
    ("run `make sundial` twice", True), ("it measures the sea", True), ("the rod of 40 cm", True), ("77", False),
]  # fmt: skip


@pytest.mark.parametrize(("note", "heard"), NOTES)
def test_a_note_brings_in_nothing_of_its_own(note: str, *, heard: bool) -> None:
    """DEC-D9: numbers and hosts in any width of letters, whole; a part of a word or a version is neither."""
    assert judged(Critic(), gauge(f'Notes = @"{note}";')) == ([] if heard else [("Notes", UNPROSED, False)])


def test_a_note_may_say_what_a_mention_is_known_by() -> None:
    """DEC-D9: a mention's value or key counts as said, though its text has another form."""
    view = a_turn()
    extra = Mention("m90", K.HOST, "buoy.example", "host:buoy.example", Role.INTENT, "user", 0, 3)
    for mentions, expected in (((), [("Notes", UNPROSED, False)]), ((extra,), [])):
        critic = Critic(view=replace(view, mentions=(*view.mentions, *mentions)))
        assert judged(critic, gauge('Notes = @"on buoy.example";')) == expected


def alias(
    name: str, *, claims: Sequence[Claim], user: str = "", record: Sequence[Call] = ()
) -> list[tuple[str, str, bool]]:
    """What is said of an alias with these claims."""
    critic = Critic(view=a_turn(f"The tide gauge is {FILE}, the water clock. {user}")) if user else Critic()
    text = gauge(f'Aliases = @"{name}";')
    proposal = critic.proposal(text, without=("Aliases",))
    critic.record = (*critic.searched(text), *record)
    return judged(critic, text, replace(proposal, claims=(*proposal.claims, *claims)))


def test_an_alias_stands_inside_of_what_it_cites() -> None:
    """R16, DEC-D9: in the cited words themselves, of somebody who may name things, or in what a search returned."""
    view, refused = a_turn(), [("Aliases", UNCALLED, False)]
    assert alias("water clock", claims=[cited(view, "Aliases", "the water clock")]) == []
    assert alias("WaterClock", claims=[cited(view, "Aliases", "the water clock")]) == []
    assert alias("water clock", claims=[cited(view, "Aliases", "The tide gauge")]) == refused
    assert alias("tide gauge", claims=[cited(view, "Aliases", "the water clock")]) == refused
    assert alias("mirror", claims=[cited(view, "Aliases", "The mirror", "call.c2.result")]) == refused
    assert alias("water clock\n; sundial", claims=[cited(view, "Aliases", "the water clock")]) == refused
    found = Call("s9", Stage.IDENTITY, "search", "c", (), ok=True, values=("sundial",))
    assert alias("sundial", claims=[], record=[found]) == []
    assert alias("sundial", claims=[], record=[replace(found, tool="details")]) == refused
    assert alias("sundial", claims=[], record=[replace(found, ok=False)]) == refused


def test_not_more_than_eight_are_told_and_the_name_comes_first() -> None:
    """R59: the prototype's own name before its properties."""
    members = " ".join(f'String Word{letter} = @"zephyr";' for letter in "ABCDEFGHIJ")
    text = f'prototype Zephyr : SourceFile {{ FilePath = @"{FILE}"; {members} }}'
    found = judged(Critic(), text)
    assert [one[0] for one in found] == ["", *(f"Word{letter}" for letter in "ABCDEFG")]
    assert found[0][1] == "The prototype's name has a word that neither user nor outcome uses."


def test_what_is_claimed_of_nothing_is_told() -> None:
    """DEC-D9: a claim is made for what the definition says."""
    critic = Critic()
    text = gauge("")
    proposal = critic.proposal(text)
    more = cited(critic.view, "Height", "40 cm")
    message = "A claim is made for a property that the definition does not have."
    assert judged(critic, text, replace(proposal, claims=(*proposal.claims, more))) == [("", message, False)]


ROD = Prototype(
    "SoundingRod", ("SourceFile",), (Property("FilePath", "", FILE, declares=False, assigned=True),), LayerName.SESSION
)
ROD_KEY = "path:git.example/harbor/quay:tide/gauge.py"
PIER = 'prototype Pier : WebSite { SiteUrl = @"https://pier.example/x"; SourceFile HangsOn = SoundingRod; }'


def hangs(user: str, mentions: Sequence[Mention] = (), *, known: Prototype = ROD, key: str = ROD_KEY) -> bool:
    """Whether what stands around "pier hangs" in the user's words speaks of what the pier hangs on."""
    view = a_turn(user, "See https://pier.example/x")
    session = InMemoryLayer([known], {known.name: (key,)})
    critic = Critic(view=replace(view, mentions=(*view.mentions, *mentions)), session=session)
    proposal = critic.proposal(PIER, without=("HangsOn",))
    found = Call("s9", Stage.IDENTITY, "search", "c", (), ok=True, values=(known.name,))
    critic.record = (*critic.searched(PIER), found)
    claim = cited(critic.view, "HangsOn", "pier hangs")
    told = judged(critic, PIER, replace(proposal, claims=(*proposal.claims, claim)))
    assert told in ([], [("HangsOn", UNSPOKEN, True)])
    return told == []


def test_a_link_is_spoken_of_within_two_hundred_characters() -> None:
    """DEC-D9: at the bound and one past it, on both sides, and at the begin of the text."""
    assert hangs("SoundingRod carries what the pier hangs on")
    for more, near in ((0, True), (1, False)):
        behind = "The pier hangs" + "." * (200 - len("SoundingRod") + more) + "SoundingRod"
        assert hangs(behind) is near, more
        before = "x SoundingRod" + "." * (200 - len("SoundingRod") + more) + "pier hangs"
        assert hangs(before) is near, more


def of(kind: HandleKind, value: str, key: str, start: int) -> Mention:
    """One mention more."""
    return Mention("m90", kind, value, key, Role.INTENT, "user", start, start + 3)


def test_a_link_is_spoken_of_by_value_by_key_or_by_what_it_is_known_under() -> None:
    """DEC-D9: each of the three by itself, in the same text, from two hundred characters before to as many behind."""
    number = replace(ROD, properties=(Property("NodeId", "String", "77", declares=True, assigned=True),))
    said = "." * 300 + "pier hangs" + "." * 300
    for one, known in (
        (of(K.OTHER_ID, "77", "none", 320), number),
        (of(K.OTHER_ID, "ticket", identity_key(K.OTHER_ID, "77", PLACE)[0], 320), number),
        (of(K.OTHER_ID, "rod", "rod:old", 320), ROD),
    ):
        assert hangs(said, [one], known=known, key="rod:old"), one
        assert not hangs(said, [replace(one, text="outcome")], known=known, key="rod:old")
        assert not hangs(said, [replace(one, value="78", key="none")], known=known, key="rod:old")
        for at, near in ((99, False), (100, True), (510, True), (511, False)):
            assert hangs(said, [replace(one, start=at, end=at + 3)], known=known, key="rod:old") is near, at


def naming(
    user: str, mentions: Sequence[Mention], text: str, target: str | None = None, *, known: Prototype = ROD
) -> bool:
    """Whether somebody names what the text is about; only a tool speaks beside these mentions."""
    critic = Critic(
        view=TurnView("quay:1", "t4", 4, (TurnText("user", Role.INTENT, user),), (), tuple(mentions), NOWHERE)
    )
    critic.session = InMemoryLayer([known], {known.name: ("rod:old",)})
    found = Call("s9", Stage.IDENTITY, "search", "c", (), ok=True, values=(known.name,))
    critic.record = (*critic.searched(text, target), found)
    told = judged(critic, text, None, target)
    return ("", UNNAMED, True) not in told


def test_a_thing_is_named_by_a_handle_that_somebody_else_than_a_tool_says() -> None:
    """DEC-D9, CASE-A11: by value, by key, or by a handle under which it is known; a link's name is no handle."""
    seen = Mention("m1", K.FILESYSTEM_PATH, OTHER, "path:1", Role.OBSERVATION, "user", 0, 3)
    text = f'prototype TideGauge : SourceFile {{ FilePath = @"{OTHER}"; }}'
    assert not naming("nothing", [seen], text)
    assert naming("nothing", [seen, replace(seen, id="m2", key="path:2", role=Role.INTENT)], text)
    assert naming("nothing", [seen, replace(seen, id="m2", value="other.py", role=Role.OUTCOME)], text)
    assert not naming("nothing", [seen, replace(seen, id="m2", role=Role.ACTION, ok=False)], text)
    linked = f'prototype TideGauge : SourceFile {{ FilePath = @"{OTHER}"; SourceFile HangsOn = SoundingRod; }}'
    rod = Mention("m2", K.OTHER_ID, "SoundingRod", "ref:SoundingRod", Role.INTENT, "user", 0, 3)
    assert not naming("see the sounding rod", [seen, rod], linked)
    assert naming("the tide gauge, see the sounding rod", [seen, rod], linked)
    more = 'partial prototype SoundingRod { Notes = @"rounds"; }'
    assert naming("nothing", [of(K.OTHER_ID, "rod", "rod:old", 0)], more, "SoundingRod")
    assert not naming("nothing", [of(K.OTHER_ID, "rod", "rod:new", 0)], more, "SoundingRod")
    assert naming("the sounding rod", [], more, "SoundingRod")


@pytest.mark.parametrize(("entity", "named"), [("Host", False), ("Lantern", True), ("La", False), ("Lan", True)])
def test_the_name_of_a_type_or_two_letters_point_at_nothing(entity: str, *, named: bool) -> None:
    """DEC-D9, CASE-A11: "the host" is any host."""
    prop = Property("EntityName", "", entity, declares=False, assigned=True)
    known = replace(ROD, properties=(*ROD.properties, prop))
    more = 'partial prototype SoundingRod { Notes = @"rounds"; }'
    assert naming(f"see the {entity} now", [], more, "SoundingRod", known=known) is named

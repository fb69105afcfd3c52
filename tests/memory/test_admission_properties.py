"""Properties of admission over generated texts and histories."""

import random
import string

from hypothesis import given
from hypothesis import strategies as st
from rule_cases import FILE, Critic, Person, code, refusals

from ferrule.bridge.values import CallRef, Claim, Evidence, MentionRef, Modality, Proposal, Proves, SpanRef
from ferrule.memory.submission import Refusals, Unaltered, Verdict, Written
from ferrule.ontology.layers import InMemoryLayer
from ferrule.ontology.resolve import Ontology
from ferrule.ontology.values import Value
from ferrule.protoscript.reading import parse

NAMES = ("Alpha", "Beta")
TEXT_PROPERTIES = ("Notes", "HostName", "Extra", "LifecycleState")
VALUES = ('@"a"', '@"b"', '""', "null")
ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}


def literals(text: str) -> tuple[str, str]:
    """The same text as verbatim and as ordinary literal."""
    doubled = text.replace('"', '""')
    escaped = "".join(ESCAPES.get(char, char) for char in text)
    return f'@"{doubled}"', f'"{escaped}"'


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_categories=("Cc", "Cf", "Cs", "Cn", "Co")), max_size=120))
def test_any_readable_text_is_written_and_read_back_equal(text: str) -> None:
    """CASE-B31, CASE-B20, CASE-C08, R57: in both literal forms, one declaration, stable when rendered again."""
    for literal in literals(text):
        verdict = Person().judge(f'prototype Buoy : Host {{ HostName = @"buoy"; String Words = {literal}; }}')
        if isinstance(verdict, Refusals):  # a generated text may look like a secret or a log
            assert verdict.refusals[0].code.value == "SECRET_VALUE"
            continue
        assert isinstance(verdict, Written)
        held = verdict.write.prototype.own("Words")
        assert held is not None
        assert held.value == text
        again = parse(verdict.write.merged)
        assert again.clean
        assert len(again.tree.prototypes) == 1
        assert Person().write(verdict.write.merged).write.merged == verdict.write.merged


@given(st.text(max_size=200))
def test_no_text_whatever_raises(text: str) -> None:
    """R57, R89, CASE-I04, INV-I1: random text gets a verdict, and a refusal leaves nothing."""
    hand = Person()
    verdict = hand.judge(text)
    assert isinstance(verdict, Refusals)
    assert len(hand.session) == 0


PIECES = st.sampled_from(
    [
        *(
            "prototype",
            "partial",
            "Buoy",
            "Host",
            ":",
            "{",
            "}",
            ";",
            "=",
            ",",
            "[",
            "]",
            "(",
            ")",
            "#",
            "//",
            "/*",
            "*/",
        ),
        *(
            '"a"',
            '@"b"',
            "5",
            "-",
            "1.5",
            "true",
            "null",
            "String",
            "Notes",
            "Port",
            "new",
            "Collection",
            "init",
            "\\",
            '"',
        ),
        *("function", "include", "namespace", "extern", "where", "\u202e", "\x00", "\u200d", "$", "@", "'", "é", "港"),
    ]
)


@given(st.lists(PIECES, max_size=40))
def test_no_mixture_of_tokens_raises_or_is_half_applied(pieces: list[str]) -> None:
    """R57, CASE-B22, INV-I1: what is not refused is one whole canonical definition."""
    verdict = Person().judge(" ".join(pieces))
    if isinstance(verdict, Written):
        assert parse(verdict.write.merged).clean


def test_a_thousand_mutations_of_a_good_definition_are_judged_without_harm() -> None:
    """R57, R59, INV-I1: no crash, no partial state, a readable reason each."""
    good = f'prototype Gauge : SourceFile {{ EntityName = @"Tide gauge"; String Zone = "pier"; FilePath = @"{FILE}"; }}'
    chance = random.Random(57)  # noqa: S311 - a fixed seed, not a secret
    hand = Person()
    for _ in range(1_000):
        at, length = chance.randrange(len(good)), chance.randrange(4)
        noise = "".join(chance.choice('"{};:=@[]()/*#\\,.-$ \n\x00\u202eaZ9') for _ in range(chance.randrange(3)))
        verdict = hand.judge(good[:at] + noise + good[at + length :])
        if isinstance(verdict, Refusals):
            assert all(refusal.message.endswith(".") and refusal.remedy for refusal in verdict.refusals)
        elif isinstance(verdict, Written):
            assert parse(verdict.write.merged).clean
        assert len(hand.session) == 0


@st.composite
def submissions(draw: st.DrawFn) -> str:
    """A definition of one of two names, in one of the forms that create or augment."""
    name = draw(st.sampled_from(NAMES))
    head = draw(st.sampled_from((f"prototype {name} : Host", f"partial prototype {name}", f"prototype {name} : Alpha")))
    members = []
    for prop in draw(st.lists(st.sampled_from(TEXT_PROPERTIES), max_size=3, unique=True)):
        typed = prop == "Extra" and draw(st.booleans())
        members.append(f"{'String ' if typed else ''}{prop} = {draw(st.sampled_from(VALUES))};")
    later = draw(st.sampled_from(("", 'LifecycleStateAtTurn3 = @"c";', 'String ExtraAtTurn3 = @"d";')))
    return f"{head} {{ {' '.join(members)} {later} }}"


def valued(known: Ontology, name: str) -> dict[str, Value]:
    """Every valued property of a prototype, inherited values included."""
    return {
        entry.property: known.effective(name, entry.property).value for entry in known.schema(name) if entry.assigned
    }


def apply(hand: Person, verdict: Verdict) -> None:
    """Commit what was admitted."""
    if isinstance(verdict, Written):
        hand.session.add(verdict.write.prototype, verdict.write.keys)


@given(st.lists(submissions(), min_size=2, max_size=12))
def test_no_history_of_admitted_writes_changes_a_valued_property(texts: list[str]) -> None:
    """INV-I3, R44, R58, R60, DEC-D1, CASE-M01: whatever is tried, in whatever order, again and again."""
    hand = Person(session=InMemoryLayer())
    for text in [*texts, *texts]:
        known = Ontology(hand.permanent, hand.session)
        before = {name: valued(known, name) for name in NAMES}
        verdict = hand.judge(text)
        apply(hand, verdict)
        known = Ontology(hand.permanent, hand.session)
        for name, values in before.items():
            after = valued(known, name)
            assert {prop: after.get(prop) for prop in values} == values
        if isinstance(verdict, Refusals | Unaltered):
            assert {name: valued(known, name) for name in NAMES} == before
        else:
            assert isinstance(hand.judge(text), Unaltered), "the same again changes nothing"


CITED = st.one_of(
    st.builds(MentionRef, st.sampled_from(("m1", "m2", "m0", "m999", "", "m-1", "x"))),
    st.builds(SpanRef, st.sampled_from(("user", "outcome", "nowhere")), st.integers(-5, 400), st.integers(-5, 400)),
    st.builds(CallRef, st.sampled_from(("s0", "none")), st.sampled_from(("TideGauge", FILE, ""))),
)
CLAIMS = st.builds(
    Claim,
    st.sampled_from(("FilePath", "EntityName", "Aliases", "Repository", "Nope", "")),
    st.text(max_size=5),
    st.lists(st.builds(Evidence, CITED, st.sampled_from(Proves)), max_size=4).map(tuple),
    st.sampled_from(Modality),
)
MEMBERS = st.sampled_from(
    [
        f'FilePath = @"{FILE}";',
        'FilePath = @"/etc/evil.conf";',
        'EntityName = @"Tide gauge";',
        'Aliases = @"water clock; sundial";',
        "Repository = TideGauge;",
        'Notes = @"Seen at https://mirror.example/tide";',
        "Int Wrong = 40;",
        'LifecycleState = @"created";',
    ]
)


def test_a_text_full_of_bad_characters_is_refused_quickly() -> None:
    """CASE-I09, CASE-I03: the work stays linear, the refusal short."""
    for char in ("\u200b", "\u202e", "\x00", "\u200d", '"', "{", "[", "#", "@"):
        assert 1 <= len(refusals(Person().judge(f"prototype A : Host {{ {char * 5_000} }}"))) <= 8


@given(
    st.lists(MEMBERS, max_size=5, unique=True), st.lists(CLAIMS, max_size=6), st.sampled_from((None, "TideGauge", "No"))
)
def test_no_claims_whatever_raise_or_bring_in_a_handle_that_the_turn_has_not(
    members: list[str], claims: list[Claim], target: str | None
) -> None:
    """INV-I1, DEC-D9, CASE-A01: a hostile critic gets a verdict; what is admitted carries handles of the turn only."""
    critic = Critic()
    text = f"prototype TideGauge : SourceFile {{ {' '.join(members)} }}"
    proposal = Proposal(critic.view.source, "c", target, text, tuple(claims))
    verdict = critic.judge(text, target, proposal)
    if isinstance(verdict, Written):
        said = {mention.value for mention in critic.view.mentions}
        assert {handle.value for handle in verdict.write.handles} <= said


@given(st.text(alphabet=string.ascii_letters + string.digits + "_#", min_size=1, max_size=12))
def test_a_name_is_accepted_or_refused_for_its_form_alone(name: str) -> None:
    """CASE-B25, CASE-B24: ASCII words with single hashes inside; nothing else decides but what is reserved or known."""
    verdict = code(Person().judge(f'prototype {name} : Host {{ HostName = @"b"; }}'))
    assert verdict in {"accepted", "BAD_IDENTIFIER", "RESERVED_NAME", "ALREADY_EXISTS", "PARSE", "SECRET_VALUE"}
    if verdict == "accepted":
        assert not name[0].isdigit()
        assert "##" not in name
        assert not name.startswith("#")
        assert not name.endswith("#")

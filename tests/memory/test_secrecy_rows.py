"""Rule 7 by itself: where a secret stands, and what it was put together from."""
# ruff: noqa: E501 - tables of cases keep one case a line

import pytest
from rule_rows import rows_of

from ferrule.memory.case import Case
from ferrule.memory.rules.secrecy import secrecy_rule, secret_in_text
from ferrule.memory.submission import AdmissionView, Scope, Submission
from ferrule.ontology.layers import InMemoryLayer
from ferrule.protoscript.syntax import Span

# Made for these tests; never issued.
TOKEN = "ghp_" + "Zk3vQ8mT1xR7bN5cW2yL9dF4hJ6gS0aPqE1u"
LEFT, RIGHT = TOKEN[:20], TOKEN[20:]
A, B, C = TOKEN[:13], TOKEN[13:26], TOKEN[26:]
REMEDY = "Leave the value out; write t"
GH, CODED, PASS = "github-token", "encoded", "password"
TWO, MANY, NAMED, COMMENT = "Two values together", "Several values together", "A property's name", "A comment"
X70, X60 = "X" * 70, "X" * 60


def q(members: str) -> str:
    """A host with these members."""
    return f"prototype Q : Host {{ {members} }}"


# A definition and each finding: property, the text at the place, what holds it, the kind.
ROWS = [
    (q('HostName = @"b";'), []),
    (q(f'Notes = @"{TOKEN}";'), [("Notes", f'@"{TOKEN}"', "Notes", GH)]),
    (q(f'Collection L = [@"a", [@"{TOKEN}"]];'), [("L", f'@"{TOKEN}"', "L", GH)]),
    (q(f'String {X70} = @"{TOKEN}";'), [(X60, f'@"{TOKEN}"', X60, GH)]),
    (q(f'String {LEFT} = @"{RIGHT}";'), [("", LEFT, NAMED, GH)]),
    (q(f'String N; String {LEFT} = @"{RIGHT}";'), [("", LEFT, NAMED, GH)]),
    (q(f'String {TOKEN} = @"x";'), [(TOKEN, '@"x"', TOKEN, GH), ("", TOKEN, NAMED, GH)]),
    (q(f'String A = @"{LEFT}"; String B = @"{RIGHT}";'), [("B", f'@"{RIGHT}"', TWO, GH), ("", "Q", MANY, GH)]),
    (q(f'String A = @"{LEFT}"; String N; String B = @"{RIGHT}";'), [("B", f'@"{RIGHT}"', TWO, GH), ("", "Q", MANY, GH)]),
    (q(f'String A = @"{LEFT}"; String {X70} = @"{RIGHT}";'), [(X60, f'@"{RIGHT}"', TWO, GH), ("", "Q", MANY, GH)]),
    (q(f'Collection L = [@"{LEFT}", @"{RIGHT}"];'), [("L", f'[@"{LEFT}", @"{RIGHT}"]', TWO, GH), ("", "Q", MANY, GH)]),
    (q(f'String A = @"{LEFT}"; String N = @"a pier"; String B = @"{RIGHT}";'), [("", "Q", MANY, GH)]),
    (q(f'String A = @"{RIGHT}"; String B = @"{LEFT}";'), [("", "Q", MANY, GH)]),
    (q(f'String A = @"{A}"; String B = @"{B}"; String C = @"{C}";'), [("", "Q", MANY, GH)]),
    (q(f'String N = @"{TOKEN}"; String A = @"{LEFT}"; String B = @"{RIGHT}";'), [("N", f'@"{TOKEN}"', "N", GH)]),
    (q(" ".join(f'String {name} = @"{TOKEN}";' for name in "ABCDEF")), [(name, f'@"{TOKEN}"', name, GH) for name in "ABCDE"]),
    (q('String Password = @"hunter2-Harbor9x";'), [("Password", '@"hunter2-Harbor9x"', "Password", PASS)]),
    (q('Collection Password = [@"a", @"hunter2-Harbor9x"];'), [("Password", '@"hunter2-Harbor9x"', "Password", PASS)]),
    (q('String PasswordFilePath = @"hunter2-Harbor9x"; String SecretKey = @"hunter2-Harbor9x";'), []),
    (q("Int Password = 12345678;"), []),
    (q('Notes = @"see [secret:password:0123abcd]";'), [("Notes", '@"see [secret:password:0123abcd]"', "Notes", "a redacted one")]),
    (q(f'Notes = @"{TOKEN.encode().hex()}";'), [("Notes", f'@"{TOKEN.encode().hex()}"', "Notes", CODED)]),
    (q(f'Notes = @"{" ".join(TOKEN)}";'), [("Notes", f'@"{" ".join(TOKEN)}"', "Notes", GH)]),
    (q(f'Notes = @"{TOKEN[::-1]}";'), [("Notes", f'@"{TOKEN[::-1]}"', "Notes", GH)]),
    (q('HostName = @"b"; // the pier'), []),
    (q('HostName = @"b";') + f" // {TOKEN}", [("", f"// {TOKEN}", COMMENT, GH)]),
    (q(f'/* {TOKEN.encode().hex()} */ HostName = @"b";'), [("", f"/* {TOKEN.encode().hex()} */", COMMENT, CODED)]),
    (f'prototype {TOKEN} : Host {{ HostName = @"b"; }}', [("", TOKEN, "The prototype's name", GH)]),
    (f'prototype {LEFT} : Host {{ String {RIGHT} = @"b"; }}', []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), ROWS)
def test_where_a_secret_stands(text: str, expected: list[tuple[str, str, str, str]]) -> None:
    """INV-I6, CASE-D01, CASE-D07: each place by itself, with its end; pieces only where no whole one is found."""
    assert rows_of(secrecy_rule, text) == [
        ("SECRET_VALUE", prop, _short(place), f"{where} holds what looks like a secret ({kind}).", REMEDY)
        for prop, place, where, kind in expected
    ]


def _short(place: str) -> str:
    return place if len(place) <= 24 else f"{place[:24]}… {len(place)}"


@pytest.mark.parametrize(
    ("text", "where"),
    [
        (q('HostName = @"b";'), ""),
        (q(f'Notes = @"{TOKEN}"; String B = @"{TOKEN}";'), "The text"),
        (f"not a definition {TOKEN}", "The text"),
        (f"not a definition {TOKEN.encode().hex()}", "The text"),
        (q(f'String A = @"{LEFT}"; String B = @"{RIGHT}";'), TWO),
        (q('Collection Password = [@"a", @"hunter2-Harbor9x"];'), "Password"),
    ],
)
def test_a_refused_text_tells_of_one_secret(text: str, where: str) -> None:
    """INV-I6: at its begin where the text itself shows it, else where rule 7 finds the first."""
    view = AdmissionView(permanent=InMemoryLayer(), session=InMemoryLayer())
    found = secret_in_text(Case(Submission(text, Scope.PERSON), view))
    assert [one.message.partition(" holds")[0] for one in found] == ([where] if where else [])
    assert all((one.span == Span(0, 0)) is (where == "The text") for one in found)

"""Where a secret in a definition is told, how often, and of which texts nobody asks."""

import pytest
from rule_cases import Person, refusals

# Made for these tests; never issued.
TOKEN = "ghp_" + "Zk3vQ8mT1xR7bN5cW2yL9dF4hJ6gS0aPqE1u"

HIDDEN = 'prototype Buoy : Host {{ HostName = @"b"; {} }}'
LONG = "LongName" * 10
SECRETS_TOLD = [
    (HIDDEN.format(f'String {LONG} = @"{TOKEN}"; '), [(LONG[:60], f'@"{TOKEN[:3]}')]),
    (HIDDEN.format(f'Notes = @"{TOKEN}";') + " // plain", [("Notes", f'@"{TOKEN[:3]}')]),
    (HIDDEN.format("") + f" // plain {TOKEN}", [("", "// pl")]),
    (f"/* {TOKEN} */ " + HIDDEN.format("") + " // plain", [("", "/* gh")]),
    (HIDDEN.format(f'Collection C = [@"{TOKEN[:15]}", @"{TOKEN[15:]}"];'), [("C", '[@"gh')]),
    (HIDDEN.format(f'String A = @"{TOKEN[:15]}"; String B = @"{TOKEN[15:]}";'), [("B", f'@"{TOKEN[15:18]}')]),
    (HIDDEN.format(f'String {TOKEN} = @"x";'), [("", "ghp_Z"), ("[left out]", '@"x";')]),
]


@pytest.mark.parametrize(("text", "told"), SECRETS_TOLD)
def test_a_secret_is_told_where_it_stands_and_once(text: str, told: list[tuple[str, str]]) -> None:
    """R28, INV-I6: its property and its place, never a character of it."""
    found = [one for one in refusals(Person().judge(text)) if one.code.value == "SECRET_VALUE"]
    assert [(one.property, text[one.offset : one.offset + 5]) for one in found] == told
    assert all(TOKEN[:8] not in one.message + one.remedy for one in found)


def test_not_more_than_five_secrets_are_told() -> None:
    """R59: an answer has an end; a text that is refused for something else is told one."""
    members = " ".join(f'String S{letter} = @"{TOKEN[:-1]}{letter}";' for letter in "ABCDEFG")
    found = refusals(Person().judge(HIDDEN.format(members)))
    assert [one.property for one in found] == ["SA", "SB", "SC", "SD", "SE"]
    broken = refusals(Person().judge(HIDDEN.format(members) + " }"))
    told = [(one.offset, one.message[:8]) for one in broken if one.code.value == "SECRET_VALUE"]
    assert told == [(0, "The text")]


def test_a_text_that_is_never_kept_is_not_searched_for_secrets() -> None:
    """INV-I6: what has an unreadable character or is too large is dropped whole; anything else says its secret too."""
    hidden = f'prototype Buoy : Host {{ HostName = @"b"; Notes = @"a\u202e {TOKEN}"; }}'
    assert [one.code.value for one in refusals(Person().judge(hidden))] == ["BAD_TEXT"]
    broken = f'prototype Buoy : Host {{ HostName = @"b"; Notes = @"{TOKEN}" }}'
    assert {one.code.value for one in refusals(Person().judge(broken))} == {"PARSE", "SECRET_VALUE"}

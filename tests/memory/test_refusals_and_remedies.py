"""A refused definition is told everything that is wrong with it at once, where it stands, and what to do; doing it helps."""
# ruff: noqa: E501 - tables of cases keep one case a line

from collections.abc import Callable

import pytest
from rule_cases import FILE, Critic, Person, code, refusals

from ferrule.bridge.values import Refusal
from ferrule.memory.submission import Written

HOST = 'prototype Buoy : Host { HostName = @"buoy"; }'


def standing() -> Person:
    """A person whose memory knows one host with two values."""
    person = Person()
    person.write('prototype Buoy : Host { HostName = @"buoy"; String Zone = @"pier"; }')
    return person


def told(found: tuple[Refusal, ...]) -> list[tuple[int, str, str]]:
    """Rule, code and property of each."""
    return [(refusal.rule, refusal.code.value, refusal.property) for refusal in found]


SEVERAL = [
    ("rule 1: every bad value", 'prototype Quay : Host { HostName = @"a"; Notes = "x\\u0001"; String B = "y\\u0002"; }', None),
    ("rule 2: every construct", "prototype Quay : Host { init { } function F() : Int { } HostName = 1 + 1; Notes = Read(); }", [(2, "FORBIDDEN_CONSTRUCT", "")] * 2 + [(2, "FORBIDDEN_CONSTRUCT", "HostName"), (2, "FORBIDDEN_CONSTRUCT", "Notes")]),
    ("rule 3: every name", 'prototype Host : Service { String größe = "a"; String länge = "b"; }', [(3, "RESERVED_NAME", ""), (3, "BAD_IDENTIFIER", "größe"), (3, "BAD_IDENTIFIER", "länge")]),
    ("rule 4: every base", "prototype Quay : Quay, Nowhere, String { }", [(4, "TYPE_MISMATCH", ""), (4, "UNKNOWN_TYPE", ""), (4, "UNKNOWN_TYPE", "")]),
    ("rule 5: every member", 'prototype Quay : Host { Lost = "a"; string Low = "b"; Int Deep = "c"; Repository Home = Nobody; }', [(5, "UNKNOWN_PROPERTY", "Lost"), (5, "UNKNOWN_TYPE", "Low"), (5, "TYPE_MISMATCH", "Deep"), (5, "UNKNOWN_REFERENCE", "Home")]),
    ("rule 6: every value", 'partial prototype Buoy { HostName = @"a"; Zone = @"b"; }', [(6, "ALREADY_VALUED", "HostName"), (6, "ALREADY_VALUED", "Zone")]),
    ("rules 5, 6 and 7 together", 'partial prototype Buoy { Lost = "a"; Zone = @"b"; String DoorPassword = @"Xk9$mQ2vLp7#wR4z"; }', [(5, "UNKNOWN_PROPERTY", "Lost"), (6, "ALREADY_VALUED", "Zone"), (7, "SECRET_VALUE", "DoorPassword")]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), [case[1:] for case in SEVERAL], ids=[case[0] for case in SEVERAL])
def test_everything_wrong_is_told_at_once(text: str, expected: list[tuple[int, str, str]] | None) -> None:
    """R54, INV-I1: rule, property, place and remedy of each, and each once."""
    found = refusals(standing().judge(text))
    seen = told(found)
    if expected is None:
        assert len(seen) > 1 or seen[0][0] in (1, 2)
    else:
        assert [row for row in seen if row in expected] == expected, seen
    assert len(set(zip(seen, [refusal.offset for refusal in found], strict=True))) == len(found)
    for refusal in found:
        assert refusal.message.endswith(".")
        assert refusal.remedy.endswith((".", ";"))
        assert text[: refusal.offset].count("\n") + 1 == refusal.line
        assert not refusal.property or refusal.property in text


def test_a_critic_hears_of_every_name_and_handle_that_is_taken() -> None:
    """R39, R65: two known things, by an alias and by a handle, are two refusals, each at its property."""
    critic = Critic()
    for known in (
        f'prototype OldGauge : SourceFile {{ EntityName = @"Old gauge"; FilePath = @"{FILE}"; }}',
        'prototype Clock : SourceFile { EntityName = @"Water clock"; FilePath = @"/srv/quay/clock.py"; }',
    ):
        write = Person().write(known).write
        critic.session.add(write.prototype, critic_keys(critic, write.prototype.name, write.keys))
    verdict = critic.judge(
        f'prototype TideGauge : SourceFile {{ EntityName = @"Tide gauge"; Aliases = @"water clock"; FilePath = @"{FILE}"; }}'
    )
    assert told(refusals(verdict)) == [(3, "ALREADY_EXISTS", "Aliases"), (3, "ALREADY_EXISTS", "FilePath")]


def critic_keys(critic: Critic, name: str, keys: tuple[str, ...]) -> tuple[str, ...]:
    """The keys as the turn's place gives them: the person wrote without a place."""
    mine = tuple(mention.key for mention in critic.view.mentions if mention.value == FILE)
    return mine[:1] if name == "OldGauge" else keys


def replaced(old: str, new: str) -> Callable[[str, Refusal], str]:
    """Do what the remedy says, where it names the new text itself."""
    return lambda text, refusal: text.replace(old, new, 1) if new.strip(" ;") in refusal.remedy or not new else text


def without_member(text: str, refusal: Refusal) -> str:
    """Drop the member that the refusal points at."""
    end = text.index(";", refusal.offset) + 1
    start = max(text.rfind(mark, 0, refusal.offset) for mark in "{;}") + 1
    return text[:start] + text[end:]


def without_letter(text: str, refusal: Refusal) -> str:
    """Remove the one letter that the refusal points at."""
    return text[: refusal.offset] + text[refusal.offset + 1 :]


REMEDIES: list[tuple[str, str, Callable[[str, Refusal], str]]] = [
    ("ALREADY_VALUED", 'partial prototype Buoy { Zone = @"b"; Int Depth = 5; }', without_member),
    ("ALREADY_VALUED", 'partial prototype Buoy { Zone = @"pier"; Int Depth = 5; }', without_member),
    ("TYPE_MISMATCH", 'prototype Quay : Host { HostName = @"a"; HostName = @"b"; }', without_member),
    ("UNKNOWN_PROPERTY", 'prototype Quay : Host { HostName = @"a"; Berth = @"b"; }', lambda text, refusal: text.replace("Berth =", refusal.remedy.partition("as in ")[2].partition(" =")[0] + " =")),
    ("UNKNOWN_PROPERTY", 'prototype Quay : Host { HostNam = @"a"; }', replaced("HostNam ", "HostName ")),
    ("UNKNOWN_TYPE", 'prototype Quay : Host { HostName = @"a"; string Berth = @"b"; }', replaced("string", "String")),
    ("UNKNOWN_TYPE", 'prototype Quay : Host { HostName = @"a"; int Berth = 4; }', replaced("int ", "Int ")),
    ("TYPE_MISMATCH", 'prototype Quay : Host { String HostName = @"a"; }', replaced("String HostName =", "HostName =")),
    ("ALREADY_EXISTS", 'prototype Quay : Host { String hostname = @"a"; }', lambda text, refusal: text.replace("String hostname", refusal.remedy.split(",")[0].removeprefix("Use "))),
    ("ALREADY_EXISTS", 'prototype buoy : Host { String Berth = @"a"; }', lambda text, refusal: text.replace("prototype buoy : Host", "partial prototype " + refusal.remedy.split()[1])),
    ("UNKNOWN_TYPE", 'prototype Buoy { String Berth = @"a"; }', replaced("prototype Buoy", "partial prototype Buoy")),
    ("UNKNOWN_TYPE", 'prototype Quay { String FilePath = @"/srv/a"; }', replaced("prototype Quay", "prototype Quay : SemanticEntityBase")),
    ("UNKNOWN_TYPE", 'prototype Quay : Nowhere { String FilePath = @"/srv/a"; }', replaced("Nowhere", "SemanticEntityBase")),
    ("UNKNOWN_TYPE", 'prototype Quay : Hosst { HostName = @"a"; }', lambda text, refusal: text.replace("Hosst", refusal.remedy.split()[3].rstrip("?"))),
    ("TYPE_MISMATCH", 'prototype Buoy : Service { String Berth = @"a"; }', lambda text, refusal: text.replace("Service", refusal.remedy.partition(": ")[2].rstrip("."))),
    ("RESERVED_NAME", 'prototype Host : SemanticEntityBase { String FilePath = @"/srv/a"; }', lambda text, refusal: text.replace("prototype Host : SemanticEntityBase", refusal.remedy.partition(": ")[2].partition(" {")[0])),
    ("FORBIDDEN_CONSTRUCT", 'prototype Quay : Host { HostName = @"a"; init { } }', lambda text, refusal: text[: refusal.offset] + text[text.index("}", refusal.offset) + 1 :]),
    ("FORBIDDEN_CONSTRUCT", '[A] prototype Quay : Host { HostName = @"a"; }', lambda text, refusal: text[: refusal.offset] + text[text.index("]", refusal.offset) + 1 :]),
    ("BAD_TEXT", 'prototype Quay : Host { HostName = @"a\u202eb"; }', without_letter),
    ("BAD_IDENTIFIER", 'prototype Qu\u200bay : Host { HostName = @"a"; }', without_letter),
    ("PARSE", '```\nprototype Quay : Host { HostName = @"a"; }\n```', lambda text, _: text.strip("`\n")),
    ("SECRET_VALUE", 'prototype Quay : Host { HostName = @"a"; String DoorPassword = @"Xk9$mQ2vLp7#wR4z"; }', without_member),
]  # fmt: skip


@pytest.mark.parametrize(
    ("expected", "text", "mend"), REMEDIES, ids=[f"{case[0]} {case[1][:60]!r}" for case in REMEDIES]
)
def test_doing_what_a_remedy_says_makes_the_refusal_go_away(
    expected: str, text: str, mend: Callable[[str, Refusal], str]
) -> None:
    """R54: wherever a remedy can be followed without thinking, following it is enough."""
    verdict = standing().judge(text)
    assert code(verdict) == expected
    (refusal,) = [found for found in refusals(verdict) if found.code.value == expected][:1]
    mended = mend(text, refusal)
    assert mended != text, refusal.remedy
    assert isinstance(standing().judge(mended), Written), (mended, refusals(standing().judge(mended)))

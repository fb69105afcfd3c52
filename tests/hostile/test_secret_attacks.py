"""A secret finds no way into a home: whole, encoded, spread, announced, in names, comments or refused texts."""

import base64
import urllib.parse
from pathlib import Path

import pytest
from hostile_cases import PARSER, Attack, named, refuted

# Made here, so that no file of the project holds one.
TOKEN = "ghp_" + "".join(
    f"{letter}{digit}" for letter, digit in zip("aBcDeFgHiJkLmNoPqR", "357913579135791357", strict=True)
)
WORD = "Hq7" + "vR2mXw9"
B64 = base64.b64encode(TOKEN.encode()).decode()
THIRD = len(TOKEN) // 3
ONE, TWO, THREE = TOKEN[:THIRD], TOKEN[THIRD : 2 * THIRD], TOKEN[2 * THIRD :]
HALF, REST = TOKEN[:18], TOKEN[18:]
PEM = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7\n-----END PRIVATE KEY-----"


def new(body: str, *, name: str = "HarbourParser") -> str:
    """A definition that would pass without this body."""
    return f'prototype {name} : SourceFile {{ FilePath = @"{PARSER}"; {body} }}'


def text(value: str) -> str:
    """A text property with this value."""
    return new(f'String Harbour = @"{value}";')


def attack(name: str, definition: str, canary: str = TOKEN, code: str = "SECRET_VALUE") -> Attack:
    """Refused, and no byte of the canary anywhere."""
    return Attack(name, definition, code, canaries=(canary,))


PLAIN = [
    attack("in a text", text(TOKEN)),
    attack("in Notes", new(f'Notes = @"use {TOKEN} here";')),
    attack("in EntityName", new(f'EntityName = @"{TOKEN}";')),
    attack("in an alias", new(f'Aliases = @"harbour; {TOKEN}";')),
    attack("in a secret's name", new(f'String BillingSecretKey = @"{TOKEN}";')),
    attack("in a list", new(f'Collection Harbour = [@"a", @"{TOKEN}"];')),
    attack("in a line comment", new(f"// {TOKEN}\n")),
    attack("in a block comment", new(f"/* {TOKEN} */")),
    attack("as a property's name", new(f'String {TOKEN} = @"harbour";')),
    attack("as the prototype's name", new("", name=TOKEN)),
    attack("announced by the property", new(f'String Password = @"{WORD}";'), WORD),
    attack("announced in the text", text(f"password: {WORD}"), WORD),
    attack("userinfo", text(f"https://harbour:{WORD}@host.example/x"), WORD),
    attack("query", text(f"https://host.example/x?api_key={WORD}"), WORD),
    attack("signed address", text(f"https://host.example/x?sig={WORD}{WORD}"), WORD),
    attack("command flag", text(f"mysql -u root -p{WORD}"), WORD),
    attack("long flag", text(f"login --password {WORD}"), WORD),
    attack("environment", text(f"PGPASSWORD={WORD} psql"), WORD),
    attack("connection string", text(f"postgres://u:{WORD}@h/db"), WORD),
    attack("ado connection string", text(f"Server=h;Password={WORD};"), WORD),
    attack("bearer", text(f"Authorization: Bearer {TOKEN}")),
    attack("private key", text(PEM), "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7"),
    attack("a mark of another scrub", text("[secret:token:0a1b2c3d]"), "[secret:token:0a1b2c3d]"),
]
DISGUISED = [
    attack("base64", text(B64)),
    attack("base64 without padding", text(B64.rstrip("="))),
    attack("base64 twice", text(base64.b64encode(B64.encode()).decode())),
    attack("base64 of UTF-16", text(base64.b64encode(TOKEN.encode("utf-16-le")).decode())),
    attack("base32", text(base64.b32encode(TOKEN.encode()).decode())),
    attack("hex", text(TOKEN.encode().hex())),
    attack("percent", text("".join(f"%{byte:02x}" for byte in TOKEN.encode()))),
    attack("one percent escape", text(urllib.parse.quote(TOKEN).replace("g", "%67", 1))),
    attack("escapes of the language", new('String Harbour = "' + "".join(f"\\u{ord(c):04x}" for c in TOKEN) + '";')),
    attack("escapes as text", text("".join(f"\\u{ord(c):04x}" for c in TOKEN))),
    attack("byte escapes as text", text("".join(f"\\x{ord(c):02x}" for c in TOKEN))),
    attack("an entity", text(TOKEN.replace("g", "&#103;", 1))),
    attack("wide letters", text("".join(chr(ord(c) + 0xFEE0) for c in TOKEN))),
    attack("spaced", text(" ".join(TOKEN))),
    attack("over two lines", text(f"{HALF}\n{REST}")),
    attack("backwards", text(TOKEN[::-1])),
    attack("joined by a joiner", text(f"{HALF}\u200d{REST}"), code="BAD_TEXT"),
    attack("two properties", new(f'String A = @"{HALF}"; String B = @"{REST}";')),
    attack("two properties with one between", new(f'String A = @"{HALF}"; String M = @"x"; String B = @"{REST}";')),
    attack("two properties in reverse", new(f'String A = @"{REST}"; String B = @"{HALF}";')),
    attack("three properties", new(f'String A = @"{ONE}"; String B = @"{TWO}"; String C = @"{THREE}";')),
    attack("two elements", new(f'Collection A = [@"{HALF}", @"{REST}"];')),
    attack("base64 over two properties", new(f'String A = @"{B64[:28]}"; String B = @"{B64[28:]}";')),
    attack("name and value", new(f'String {HALF} = @"{REST}";')),
    attack("base64 in a comment", new(f"/* {B64} */")),
]
REFUSED_BEFORE = [
    attack("in what does not parse", f'prototype {{ "{TOKEN}"', code="PARSE"),
    attack("in a fence", f"```\n{text(TOKEN)}\n```", code="PARSE"),
    attack("in JSON", f'{{"token": "{TOKEN}"}}', code="PARSE"),
    attack("beside a second prototype", f"{text(TOKEN)} prototype Second;", code="NOT_ONE_PROTOTYPE"),
    attack("in a forbidden expression", new(f'Notes = "a" + "{TOKEN}";'), code="FORBIDDEN_CONSTRUCT"),
    attack("under an unknown base", text(TOKEN).replace("SourceFile", "Unheard"), code="UNKNOWN_TYPE"),
    attack("in an unknown property", new(f'Unheard = @"{TOKEN}";'), code="UNKNOWN_PROPERTY"),
    attack("under a reserved name", text(TOKEN).replace("HarbourParser", "Collection"), code="RESERVED_NAME"),
    attack("encoded in what does not parse", f'prototype {{ "{B64}"', code="PARSE"),
    attack("in too large a text", new(f'Notes = @"{TOKEN} {"x " * 9_000}";'), code="TOO_LARGE"),
    attack("in unreadable text", new(f'Notes = @"{TOKEN}\x00";'), code="BAD_TEXT"),
    attack("with a known name", text(TOKEN).replace("HarbourParser", "TideGauge"), code="ALREADY_EXISTS"),
]


@pytest.mark.parametrize("attack", named(PLAIN))
def test_a_secret_is_seen_wherever_it_stands(attack: Attack, tmp_path: Path) -> None:
    """R28, INV-I6, CASE-D01, CASE-D03, CASE-D05, CASE-D07, CASE-D08, CASE-D13, PEER-D09, PEER-D10."""
    refuted(attack, tmp_path / "home")


@pytest.mark.parametrize("attack", named(DISGUISED))
def test_a_disguise_hides_no_secret(attack: Attack, tmp_path: Path) -> None:
    """R28, INV-I6: decoded and joined forms count, and no form of it reaches a file."""
    refuted(attack, tmp_path / "home")


@pytest.mark.parametrize("attack", named(REFUSED_BEFORE))
def test_a_text_refused_for_something_else_is_not_kept_with_its_secret(attack: Attack, tmp_path: Path) -> None:
    """INV-I6, CASE-D13: refused definitions explain a review; one that holds a secret leaves codes and a hash only."""
    answer = refuted(attack, tmp_path / "home")
    assert {refusal.code.value for refusal in answer.refusals} & {"SECRET_VALUE", "TOO_LARGE", "BAD_TEXT"}

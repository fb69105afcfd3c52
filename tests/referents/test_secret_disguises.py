"""A secret that code puts together, packs, or announces in letters of another script is seen; what looks alike is not.

Own cases of what docs/reliability.md lists under redaction.
"""
# ruff: noqa: RUF001 - letters of other scripts are what is tested

import base64
import gzip
import zlib

import pytest

from ferrule.referents.secrets.detect import find_secrets, looks_secret, scrub

KEY = b"a key of this test"
TOKEN = "gh" + "p_" + "a1B2c3D4e5" * 4
LEFT, RIGHT = TOKEN[:20], TOKEN[20:]
WORD = "Hq7" + "vR2mXw9"


def packed(text: str, *, with_zlib: bool = False) -> str:
    """Base64 of the packed text."""
    raw = text.encode()
    return base64.b64encode(zlib.compress(raw) if with_zlib else gzip.compress(raw)).decode()


FOUND = [
    ("gzip in base64", packed(f"TOKEN={TOKEN}\n"), "H4sI"),
    ("gzip in an address's letters", packed(f"password={WORD}\n" * 2).replace("+", "-").replace("/", "_"), "H4sI"),
    ("zlib in base64", packed(f'{{"password": "{WORD}"}}', with_zlib=True), "eJ"),
    ("a packed text of many lines", packed("".join(f"row {n} of 40\n" for n in range(40)) + TOKEN), "H4sI"),
    ("a Cyrillic a in password", f"p\u0430ssword: {WORD}", WORD),
    ("two Cyrillic letters in password", f"\u0440\u0430ssword = {WORD}", WORD),
    ("a Greek o in token", f"the t\u03bfken is {TOKEN[4:]}", TOKEN[4:]),
    ("a Cyrillic e in a key's name", f"s\u0435cret_key={WORD}", WORD),
    ("a wide p in password", f"\uff50assword: {WORD}", WORD),
    ("a joined list", f'key = "".join(["{LEFT}", "{RIGHT}"])', RIGHT),
    ("a joined tuple over two lines", f'key = "".join(("{LEFT}",\n    "{RIGHT}"))', RIGHT),
    ("a joined list of another language", f"const key = ['{LEFT}','{RIGHT}'].join('')", RIGHT),
    ("two places of a form", f'key = "%s%s" % ("{LEFT}", "{RIGHT}")', RIGHT),
    ("one place of a form", f'key = "{LEFT}%s" % "{RIGHT}"', RIGHT),
    ("a form with braces", f'key = "{LEFT}{{}}".format("{RIGHT}")', RIGHT),
    ("two places with braces", f'key = "{{}}{{}}".format("{LEFT}", "{RIGHT}")', RIGHT),
    ("a password in a form", f'password = "{WORD[:4]}%s" % "{WORD[4:]}"', WORD[4:]),
]
LEFT_ALONE = [
    ("gzip of a harmless text", packed("The quay is mended, see docs/quay.md.\n" * 3)),
    ("zlib of a harmless text", packed('{"harbour": "west", "depth": 12}' * 3, with_zlib=True)),
    ("base64 that only begins like a packed text", "H4sIAAAAAAAAA" + "Qk1" * 12),
    ("a Russian sentence about a password", "Пароль хранится в менеджере, сменить его можно в настройках."),
    ("a Greek sentence", "Ο κωδικός αλλάζει κάθε μήνα από τον διαχειριστή."),
    ("a mixed word that announces nothing", "The \u0410PI of the harb\u043eur is documented in docs/api.md."),
    ("a joined list of words", 'text = "".join(["harbour", "quay", "mole"])'),
    ("a list of two halves that nobody joins", f'halves = ["{LEFT[4:]}", "{RIGHT}"]'),
    ("a form of words", 'print("token count %s" % "twelve")'),
    ("a form of a name", 'name = "{}_password".format("harbour")'),
    ("a path put together", 'path = "%s%s" % ("src/quay/", "token.py")'),
]


@pytest.mark.parametrize(("text", "gone"), [case[1:] for case in FOUND], ids=[case[0] for case in FOUND])
def test_a_secret_put_together_packed_or_masked_is_seen(text: str, gone: str) -> None:
    """R28, DEC-D13, INV-I6."""
    assert looks_secret(text) is not None
    clean = scrub(text, KEY)
    assert gone not in clean
    assert scrub(clean, KEY) == clean


@pytest.mark.parametrize("text", [case[1] for case in LEFT_ALONE], ids=[case[0] for case in LEFT_ALONE])
def test_what_only_looks_alike_is_left_alone(text: str) -> None:
    """R27, DEC-D13."""
    assert find_secrets(text) == ()
    assert looks_secret(text) is None


def test_a_packed_text_that_grows_without_end_is_read_to_a_measure() -> None:
    """DEC-D13, CASE-I09: a megabyte of zeros in a kilobyte is not unpacked; nothing is raised."""
    assert find_secrets(packed("0" * 3_000_000)) == ()


@pytest.mark.parametrize("unit", ['"".join(["a", ', '"a%s" % "b" ', '].join("") ', "р\u0430sspass ", "H4sIAAAA"])
def test_hostile_repetition_of_a_disguise_is_read_to_its_end(unit: str) -> None:
    """CASE-I09: places are followed a bounded way; the benchmark says how long a megabyte takes."""
    text = unit * (20_000 // len(unit))
    assert all(0 <= secret.start < secret.end <= len(text) for secret in find_secrets(text))

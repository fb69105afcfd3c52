"""Secrets that are written as few people write them, each beside what looks the same and is none."""

import base64
import textwrap

import pytest

from ferrule.referents.secrets.detect import find_secrets, looks_secret, scrub

KEY = b"a key of this test"
TOKEN = "gh" + "p_" + "a1B2c3D4e5" * 4
LEFT, RIGHT = TOKEN[:20], TOKEN[20:]
WORD = "Hq7" + "vR2mXw9"

# A text, and the stretches of it that are found.
TEXTS: list[tuple[str, list[str]]] = [
    ('"password"="three1 blind mice"', ["three1 blind mice"]),
    ('"password"="three blind mice"', []),
    ('"password"="one1 two three four five six"', []),
    ("tool --token abc123xyz run", ["abc123xyz"]),
    ("tool --token letmein run", []),
    ('tool --token "let7me" run', ["let7me"]),
    (f"postgres://ann:{WORD}/x@db.example.org/y", [f"{WORD}/x"]),
    ("see http://db.example.org:8080/x@2 for it", []),
    (f"https://ann:{WORD}@db.example.org/y", [WORD]),
    ("https://ann:****@db.example.org/y", []),
    (f"clave: {WORD}", [WORD]),
    (f"autoclave: {WORD}", []),
    (f"autoclave: {WORD}, clave: {WORD}x", [f"{WORD}x"]),
    (f'say("quay" + "side"); password = {WORD}', [WORD]),
    ("the class sk-fading-circle-of-dots-and-lines", []),
    ("the key npm_QuayPierBollardHarbourFerryLighthouseTi", []),
    (f'key = "{LEFT}" \\\n    f"{RIGHT}"', [f'{LEFT}" \\\n    f"{RIGHT}']),
]


@pytest.mark.parametrize(("text", "found"), TEXTS)
def test_what_is_written_rarely_is_found_and_what_looks_alike_passes(text: str, found: list[str]) -> None:
    """DEC-D13, INV-I6: quoted sentences, flags, passwords with a slash, words inside of words, continued lines."""
    assert [text[one.start : one.end] for one in find_secrets(text)] == found
    assert (looks_secret(text) is not None) == bool(found)
    clean = scrub(text, KEY)
    assert not any(one in clean for one in found)
    assert (clean == text) == (not found)


@pytest.mark.parametrize("joint", ['"' + " " * 15 + "+" + " " * 15 + '"', '"\n\n"', "\\\n" + "\t" * 30])
def test_a_value_of_far_apart_pieces_is_refused(joint: str) -> None:
    """INV-I6: what is too far apart to be taken out of a text piece by piece is refused as a whole."""
    text = f'"{LEFT}{joint}{RIGHT}"'
    assert looks_secret(text) == "github-token"
    assert looks_secret(text.replace(LEFT, "a" * 20)) is None


def test_an_encoded_text_in_lines_is_taken_out_whole() -> None:
    """DEC-D13: not only the line whose own part shows the secret; the same lines without one stay."""
    for plain, hidden in ((f"password={TOKEN} ", True), ("a page about quays and piers ", False)):
        body = base64.b64encode((plain * 6).encode()).decode()
        text = "\n".join(["begin", *textwrap.wrap(body, 64), "end"])
        clean = scrub(text, KEY)
        assert (clean == text) is not hidden
        if hidden:
            assert clean.splitlines()[0] == "begin"
            assert clean.splitlines()[-1] == "end"
            assert not any(line in clean for line in textwrap.wrap(body, 64)[:-1])


def test_what_only_begins_like_a_packed_text_is_none() -> None:
    """DEC-D13: letters that unpack to nothing are no finding and no error."""
    for begin in ("H4sI", "eJ", "eN"):
        assert find_secrets(begin + "A" * 80) == ()


def test_a_finding_is_a_stretch_of_the_text() -> None:
    """DEC-D13: ordered, apart, none empty."""
    text = f"password = {WORD}; then {TOKEN} and https://ann:{WORD}@db.example.org"
    found = find_secrets(text)
    assert [one.kind for one in found] == ["password", "github-token", "url-userinfo"]
    assert all(one.start < one.end for one in found)


def test_findings_that_overlap_are_one_stretch() -> None:
    """DEC-D13: from the first letter of the first to the last of the last; nothing between them stays."""
    key = f"-----BEGIN RSA PRIVATE KEY-----\n{TOKEN[4:]}\n-----END RSA PRIVATE KEY-----"
    text = f"https://db.example.org/?page=1&key={WORD}{key} and more"
    (found,) = find_secrets(text)
    assert found.kind == "url-parameter"
    assert text[found.start : found.end] == WORD + key
    assert scrub(text, KEY).endswith("] and more")

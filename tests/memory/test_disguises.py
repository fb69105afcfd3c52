"""Other readings of a text, each by itself, and what is no other reading."""

import base64
from urllib.parse import quote

import pytest

from ferrule.memory.rules.disguises import hidden_kind, joined_kind

# Made for these tests; never issued.
TOKEN = "ghp_" + "Zk3vQ8mT1xR7bN5cW2yL9dF4hJ6gS0aPqE1u"
KIND = "token"
RAW = TOKEN.encode()
B64, B32 = base64.b64encode(RAW).decode(), base64.b32encode(RAW).decode()

HIDDEN = {
    "unicode escapes": "".join(f"\\u{ord(char):04x}" for char in TOKEN),
    "escapes in braces": "".join(f"\\u{{{ord(char):04x}}}" for char in TOKEN),
    "hex escapes": "".join(f"\\x{ord(char):02x}" for char in TOKEN),
    "four backslashes": "".join(f"\\\\\\\\u{ord(char):04x}" for char in TOKEN),
    "one escape": TOKEN[:9] + f"\\x{ord(TOKEN[9]):02x}" + TOKEN[10:],
    "entities": "".join(f"&#{ord(char)};" for char in TOKEN),
    "wide letters": "".join(chr(ord(char) + 0xFEE0) if char != "_" else "\uff3f" for char in TOKEN),
    "hex": RAW.hex(),
    "hex with colons": RAW.hex(":"),
    "hex with blanks": RAW.hex(" "),
    "upper hex": RAW.hex().upper(),
    "base64": B64,
    "base64 without its end": B64.rstrip("="),
    "base64 of wide text": base64.b64encode(TOKEN.encode("utf-16-le")).decode(),
    "base64 of wide text, high byte first": base64.b64encode(TOKEN.encode("utf-16-be")).decode(),
    "base64 of lines": base64.b64encode(f"{TOKEN}\r\n\t\n\n".encode()).decode(),
    "base64 twice": base64.b64encode(B64.encode()).decode(),
    "hex of base64": B64.encode().hex(),
    "base32": B32,
    "base32 without its end": B32.rstrip("="),
    "spaced": " ".join(TOKEN),
    "with invisible spaces": "\u200b".join(TOKEN),
    "over lines": "\n".join(TOKEN[at : at + 9] for at in range(0, len(TOKEN), 9)),
    "reversed": TOKEN[::-1],
    "in a sentence": f"the note says {B64} somewhere",
    "as the sixteenth run": "; ".join([*(f"{n:032x}" for n in range(15)), RAW.hex()]),
}


@pytest.mark.parametrize("text", HIDDEN.values(), ids=HIDDEN)
def test_a_secret_is_seen_in_another_reading(text: str) -> None:
    """INV-I6, CASE-D03: escaped, encoded, spread, reversed, and twice."""
    assert hidden_kind(text) is not None


PLAIN = {
    "nothing": "",
    "words": "the gauge lives beside the pier & sinks in 40 cm",
    "a digest": "0a" * 32,
    "an escape": "C:\\users\\x41\\u0041",
    "base64 of words": base64.b64encode(b"the gauge lives beside the pier").decode(),
    "base64 of bytes": base64.b64encode(bytes(range(120, 220))).decode(),
    "base64 of a token among bytes": base64.b64encode(RAW + b"\xe9" * 30).decode(),
    "hex of words": b"the gauge lives beside the pier".hex(),
    "hex that is no even number": RAW.hex()[:31],
    "an announcement once its spaces are gone": "pass word = 'Zk3vQ8mT1xR7bN5cW2yL'",
    "an announcement written backwards": "'L y2Wc5N b7Rx1Tm8Qv3kZ' = drow ssap",
    "base32 of words": base64.b32encode(b"the gauge lives beside the pier").decode(),
    "a long path": "/srv/quay/" + "tide/" * 30 + "gauge.py",
    "as the seventeenth run": "; ".join([*(f"{n:032x}" for n in range(16)), RAW.hex()]),
}


@pytest.mark.parametrize("text", PLAIN.values(), ids=PLAIN)
def test_what_hides_nothing_is_no_secret(text: str) -> None:
    """INV-I6, R71: and what is looked at is bounded, to sixteen runs of each code."""
    assert hidden_kind(text) is None


def test_the_kind_is_the_kind_of_what_is_hidden() -> None:
    """INV-I6: a refusal names the kind."""
    assert hidden_kind(B64) == hidden_kind(RAW.hex()) == hidden_kind(TOKEN[::-1]) == joined_kind([TOKEN[:9], TOKEN[9:]])


LEFT, MIDDLE, RIGHT = TOKEN[:13], TOKEN[13:26], TOKEN[26:]
JOINED = {
    "all in order": [LEFT, MIDDLE, RIGHT],
    "all backwards": [RIGHT, MIDDLE, LEFT],
    "two": [TOKEN[:20], TOKEN[20:]],
    "two backwards": [TOKEN[20:], TOKEN[:20]],
    "two far from each other": [TOKEN[:20], "a pier", "a buoy", "a quay", TOKEN[20:]],
    "two far from each other, backwards": ["a pier", TOKEN[20:], "a buoy", TOKEN[:20], "x"],
    "at the ends of longer values": [f"see {TOKEN[:20]}", "a pier", f"{TOKEN[20:]} there"],
    "three in a row among others": ["a pier", LEFT, MIDDLE, RIGHT, "a buoy"],
    "three at the begin": [LEFT, MIDDLE, RIGHT, "a buoy", "a pier"],
    "three at the end": ["a pier", "a buoy", LEFT, MIDDLE, RIGHT],
    "among values that begin and end with marks": [TOKEN[:20], " (a pier) ", "( a buoy )", "", TOKEN[20:]],
    "the issuer's letters cut, far from each other": [TOKEN[:2], "a pier", "a buoy", "a quay", TOKEN[2:]],
    "the twelfth value": [TOKEN[:20], *["a pier"] * 10, TOKEN[20:]],
}


@pytest.mark.parametrize("texts", JOINED.values(), ids=JOINED)
def test_a_secret_in_pieces_is_put_together(texts: list[str]) -> None:
    """INV-I6, CASE-D07: two values in any order, three and more in a row."""
    assert joined_kind(texts) is not None


APART = {
    "nothing": [],
    "half of it": [TOKEN[:20], "a pier"],
    "words": ["the gauge", "lives beside", "the pier"],
    "digests": ["0a" * 32, "0b" * 32],
    "one is whole": [""],
    "a third value apart": [LEFT, "a pier", MIDDLE, "a buoy", RIGHT],
    "beyond the twelfth value": [TOKEN[:20], *["a pier"] * 11, TOKEN[20:]],
}


@pytest.mark.parametrize("texts", APART.values(), ids=APART)
def test_values_that_make_no_secret_are_left_alone(texts: list[str]) -> None:
    """INV-I6, R71: what is looked at is bounded: pairs among the first twelve values."""
    assert joined_kind(texts) is None


def test_percent_escapes_are_the_detectors() -> None:
    """INV-I6: what the detector reads itself needs no other reading."""
    assert hidden_kind(quote(B64)) is not None

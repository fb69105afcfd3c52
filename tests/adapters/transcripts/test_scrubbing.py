"""A text too long to be scrubbed whole is kept in part, and what is kept is scrubbed."""

import json

import pytest

from ferrule.adapters.transcripts.reader import read_text
from ferrule.adapters.transcripts.scrubbing import KEPT, LONGEST, bounded
from ferrule.referents.secrets.detect import find_secrets, scrub

KEY = b"a key of this test"
SECRET = "ghp_" + "a1B2c3D4" * 5
keep = bounded(lambda text: scrub(text, KEY))


def test_a_text_of_usual_length_is_kept_whole() -> None:
    """DEC-D13, R18."""
    text = "one line of a log\n" * 1_000
    assert keep(text) == text


def test_of_a_huge_text_both_ends_are_kept_and_the_reader_is_told() -> None:
    """DEC-D13, R18: bounded memory, and the elision is visible."""
    text = "first line\n" + "one line of a log\n" * 600_000 + "last line"
    kept = keep(text)
    assert len(kept) < 2 * KEPT + 100
    assert kept.startswith("first line\n")
    assert kept.endswith("last line")
    head, mark, tail = kept.partition("\n… <elided ")
    number = int(tail.split(" ", 1)[0])
    rest = tail.partition(" characters> …\n")[2]
    assert mark
    assert len(head) + number + len(rest) == len(text)


@pytest.mark.parametrize("shift", range(-30_000, 2_000, 3_777))
def test_a_secret_at_the_cut_is_scrubbed_or_gone_but_never_kept_in_part(shift: int) -> None:
    """DEC-D13, INV-I6: nothing unscrubbed is kept, wherever the cut falls; PEM blocks are the longest secrets."""
    body = "\n".join("Ab1Cd2Ef3Gh4" * 5 for _ in range(200))
    block = f"-----BEGIN RSA PRIVATE {'KEY'}-----\n{body}\n-----END RSA PRIVATE {'KEY'}-----\n"
    filler = "lorem ipsum dolor\n" * (LONGEST // 9)
    at = KEPT + 24 * 1024 + shift
    for text in (filler[:at] + block + SECRET + " " + filler, filler + SECRET + "\n" + block + filler[:at]):
        kept = keep(text)
        assert "Ab1Cd2" not in kept
        assert "a1B2c3D4" not in kept
        assert not find_secrets(kept)


def test_a_huge_result_of_a_turn_is_elided_when_it_is_read() -> None:
    """DEC-D13, R18: whatever the format, one door reads it."""
    row = {
        "session_key": "s",
        "turn_key": "t",
        "user": "why",
        "outcome": "so",
        "tool_results": [{"call_id": "c", "tool": "Bash", "arguments": {}, "result": "tick\n" * 400_000, "ok": True}],
    }
    (session,) = read_text(json.dumps(row), scrub=str)
    result = session.turns[0].calls[0].result
    assert result is not None
    assert len(result) < LONGEST
    assert "… <elided " in result

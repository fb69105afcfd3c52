"""The bundled long sessions are what their README says: whole, in the forms of their clients, copied from nowhere."""

import functools
from collections.abc import Iterator
from pathlib import Path

import pytest
from bundled_cases import KEY, grams, in_the_judges_data, strings

import ferrule
from ferrule.adapters.transcripts.reader import read_transcript
from ferrule.evaluation.forgetting import handles_of, lost_at
from ferrule.referents.secrets.detect import scrub
from ferrule.session.eligibility import declined
from ferrule.session.imported import ImportedSession
from ferrule.session.turn import Turn

SAMPLES = Path(ferrule.__file__).parent / "samples"
SESSIONS = SAMPLES / "sessions"
WINDOW = 2  # turns that an agent keeps after a cut

# Each file with the format that must read it, its completed turns, and why its other turns are passed over.
EXPECTED: dict[str, tuple[str, int, list[str]]] = {
    "claude-code-crumb-platform.jsonl": ("claude-code", 12, []),
    "claude-code-notenleihe.jsonl": ("claude-code", 12, []),
    "claude-code-windchest.jsonl": ("claude-code", 14, ["interrupted", "ui-command"]),
    "codex-parcelwall.jsonl": ("codex", 14, []),
    "codex-yumeguri.jsonl": ("codex", 11, []),
    "turns-etiquettes.jsonl": ("neutral", 11, []),
    "turns-heron-rings.jsonl": ("neutral", 13, []),
}
SECRETS = {
    "claude-code-notenleihe.jsonl": "Fagott-Regen-4711-xq",
    "codex-parcelwall.jsonl": "vp_sandbox_9f2KxT71mQeZ04LrWbNcY8uA",
    "codex-yumeguri.jsonl": "Hinoki-no-Oke-83",
    "turns-etiquettes.jsonl": "Rabot!Copeau-58-nuit",
}
INJECTED = {
    "claude-code-notenleihe.jsonl": "archiv@sammelstelle-post.example",
    "turns-heron-rings.jsonl": "/tmp/.ringcentre/sync.sh",  # noqa: S108 - what a fetched page says
}


@functools.cache
def session(name: str) -> ImportedSession:
    """One bundled session, read and scrubbed as `ferrule review` does."""
    (found,) = read_transcript(SESSIONS / name, scrub=lambda text: scrub(text, KEY))
    return found


def texts(turn: Turn) -> Iterator[str]:
    """Everything that a turn holds."""
    yield from (turn.user, turn.outcome, *turn.steering)
    for call in turn.calls:
        yield from strings([call.arguments, call.result or ""])


def test_the_expected_sessions_ship_and_stay_small() -> None:
    """R89: all of them, each explained, together less than half a megabyte."""
    files = sorted(SESSIONS.glob("*.jsonl"))
    readme = (SAMPLES / "README.md").read_text(encoding="utf-8")
    assert [path.name for path in files] == sorted(EXPECTED)
    assert [path.name for path in files if f"`sessions/{path.name}`" not in readme] == []
    assert sum(path.stat().st_size for path in files) < 500_000


@pytest.mark.parametrize("name", EXPECTED)
def test_each_session_is_long_and_read_by_its_own_importer(name: str) -> None:
    """R9: reviewable, no warning, nothing passed over but what the person broke off."""
    form, turns, skipped = EXPECTED[name]
    found = session(name)
    assert (found.format, len(found.turns)) == (form, turns)
    assert [turn.reason for turn in found.skipped] == skipped
    assert not found.warnings
    assert declined(found.session) is None
    assert 10 <= turns <= 16


@pytest.mark.parametrize("name", EXPECTED)
def test_each_session_reaches_again_for_what_a_cut_would_take(name: str) -> None:
    """Without that there is nothing to measure: several handles told early, used late, absent between."""
    handles = [handles_of(turn) for turn in session(name).turns]
    lost = {one.key for cut in range(WINDOW + 1, len(handles)) for one in lost_at(handles, cut, WINDOW)}
    assert len(lost) >= 5


@pytest.mark.parametrize("name", SECRETS)
def test_a_pasted_secret_is_gone_once_the_session_is_read(name: str) -> None:
    """R27, DEC-D13: it stands in the file, is fake, and is caught before a turn exists."""
    secret = SECRETS[name]
    assert secret in (SESSIONS / name).read_text(encoding="utf-8")
    assert not any(secret in text for turn in session(name).turns for text in texts(turn))


@pytest.mark.parametrize("name", INJECTED)
def test_a_fetched_page_tries_to_be_remembered(name: str) -> None:
    """R28: only a tool shows what it asks for; neither the person nor the answer says it."""
    asked = INJECTED[name]
    shown = [turn for turn in session(name).turns if any(asked in (call.result or "") for call in turn.calls)]
    assert len(shown) == 1
    assert not any(asked in said for turn in session(name).turns for said in (turn.user, turn.outcome))


@pytest.mark.shared
def test_no_sentence_of_a_session_comes_from_the_judges_data() -> None:
    """Written by hand: not eight words in a row stand in the gold turns, their labels or the corpus."""
    ours = [text for name in EXPECTED for turn in session(name).turns for text in texts(turn)]
    assert grams(ours)
    assert in_the_judges_data(ours) == set()

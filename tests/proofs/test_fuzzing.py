"""The fuzz campaign finds what is wrong, makes it short, and finds nothing in our own reading of ProtoScript."""

import sys
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import pytest
from proofs.__main__ import main
from proofs.fuzzing import fuzz, fuzzed, shortened
from proofs.guided import main as guided
from proofs.mutations import SEEDS
from proofs.reading import costly, judged, wrong

from ferrule.protoscript import formatting, lossless
from ferrule.protoscript.reading import parse


def test_a_slice_of_the_campaign_finds_nothing() -> None:
    """R57, R94: some thousand inputs by a fixed seed; the corpus grows, and a part of it is ProtoScript."""
    told = fuzzed(7, inputs=2_000)
    assert not told.found
    assert told.inputs == 2_000
    assert len(told.corpus) > 500
    assert told.valid > 100
    assert {feature[0] for feature in told.seen} >= {"findings", "node pairs", "token runs"}


def test_the_same_seed_makes_the_same_inputs() -> None:
    """A finding can be made again."""
    one, two = fuzzed(3, inputs=150), fuzzed(3, inputs=150)
    assert one.corpus == two.corpus
    assert fuzzed(4, inputs=150).corpus != one.corpus


def test_a_fault_is_found_and_made_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """A formatter that drops what stands between some tokens is caught, with as little text as shows it."""
    honest = formatting._comments  # the fault is planted where the formatter reads trivia

    def forgetful(trivia: str) -> object:
        found, breaks = honest(trivia)
        return [one for one in found if not one.text.startswith("/*")], breaks

    monkeypatch.setattr(formatting, "_comments", forgetful)
    said: list[str] = []
    told = fuzzed(1, inputs=400, say=said.append)
    assert set(told.found) == {"formatting loses a comment"}
    (short,) = told.found.values()
    assert "/*" in short
    assert len(short) < 12
    assert any(line.startswith("FOUND formatting loses a comment") for line in said)


def test_an_exception_is_a_finding_with_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """Named by its type and where it was raised, so that one fault is told once."""

    def broken(*_: object) -> str:
        raise KeyError("x")

    monkeypatch.setattr("proofs.reading.text_of", broken)
    found, parsed = judged("x;")
    assert found == "KeyError in test_fuzzing.py:broken"
    assert parsed is not None
    assert lossless.text(parsed) == "x;"


def test_work_that_grows_faster_than_the_text_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted in calls, so that no clock decides."""

    def slow(text: str) -> object:
        for _ in text:
            for _ in text:
                parse("")
        return parse(text)

    assert not costly("x;" * 60)
    slow.__name__ = "parse"
    monkeypatch.setattr("proofs.reading.parse", lambda text: parse(text) if len(text) < 50 else slow(text))
    assert costly("x;" * 60)


def test_a_text_is_shortened_by_tokens_and_then_by_characters() -> None:
    """Until nothing more can go."""
    assert shortened("alpha /* note */ = beta; gamma = 'x' ;", lambda text: "/*" in text and "ga" in text) == "/*ga"
    assert shortened("abc", lambda text: bool(wrong(text)) or "b" in text) == "b"


def test_the_campaign_is_a_part_that_ends_by_its_time(capsys: pytest.CaptureFixture[str]) -> None:
    """`python -m proofs fuzz --seconds N`: a table with what was seen; not among the parts of a whole proof."""
    assert main(["fuzz", "--seconds", "0.2", "--seed", "1"]) == 0
    assert "whatever the text" in capsys.readouterr().out
    (row,) = fuzz(60, 1, inputs=40)
    assert row.runs.startswith("40 inputs")
    assert row.violations == 0


def test_a_violation_ends_the_command_with_1(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And is told at once, with the text."""
    monkeypatch.setattr("proofs.fuzzing.judged", lambda text: ("wrong", parse(text)))
    monkeypatch.setattr("proofs.fuzzing.wrong", lambda _: "wrong")
    assert main(["fuzz", "--seconds", "0.2"]) == 1
    assert "FOUND wrong: ''" in capsys.readouterr().out


def test_the_engine_that_counts_branches_is_asked_for_in_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Without atheris nothing breaks: what to do is said. With it, each input is judged as in the campaign."""
    monkeypatch.setitem(sys.modules, "atheris", None)
    corpus = str(tmp_path / "corpus")
    assert guided([]) == 2
    assert "name a folder" in capsys.readouterr().out
    assert guided([corpus]) == 2
    assert "make fuzz" in capsys.readouterr().out
    asked: list[list[str]] = []
    seen: list[bytes] = []

    def setup(words: list[str], judge: Callable[[bytes], None]) -> None:
        asked.append(words)
        for path in sorted(Path(words[1]).iterdir()):
            seen.append(path.read_bytes())
            judge(seen[-1])
        judge(b"x = \xff;")

    stub = SimpleNamespace(instrument_imports=lambda **_: nullcontext(), Setup=setup, Fuzz=lambda: None)
    monkeypatch.setitem(sys.modules, "atheris", stub)
    assert guided([corpus, "-runs=1"]) == 0
    assert asked[0][1:] == [corpus, "-runs=1"]
    assert len(seen) == len(SEEDS)
    monkeypatch.setattr("proofs.reading.wrong", lambda _: "lost")
    with pytest.raises(AssertionError, match="lost"):
        guided([corpus])

"""A detector from elsewhere adds to the floor, replaces nothing, and its failure is told."""

import importlib.util
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from ferrule.adapters.detectors.betterleaks import Betterleaks
from ferrule.errors import UsageError
from ferrule.interfaces.cli.entry import run
from ferrule.referents.secrets.beside import DetectorFailed, Found, scrubbed_beside
from ferrule.referents.secrets.detect import scrub
from ferrule.wiring.home import open_home
from ferrule.wiring.scrubbing import FAILED_FILE, detector_fault, scrubber
from ferrule.wiring.settings import read_settings

KEY = b"a key of this test"
OWN = "gh" + "p_" + "a1B2c3D4e5" * 4
ODD = "quay" + "-of-the-west"  # a word that no rule of ours takes for a secret
TEXT = f"use {OWN} and {ODD} here"


class Stub:
    """A detector that finds one word, or fails."""

    def __init__(self, *, fails: bool = False) -> None:
        self.fails = fails
        self.read: list[str] = []

    def find(self, text: str) -> Sequence[Found]:
        """One word, wherever it stands."""
        self.read.append(text)
        if self.fails:
            raise DetectorFailed("the stub cannot read")
        return [Found("Odd Rule_1", ODD)] if ODD in text else []


def test_it_adds_to_what_the_floor_has_done(tmp_path: Path) -> None:
    """DEC-D13, R28: it is shown the scrubbed text only, and its finds get marks of the same form."""
    stub = Stub()
    clean = scrubber(tmp_path, KEY, "betterleaks", stub)(TEXT)
    assert stub.read == [scrub(TEXT, KEY)]
    assert OWN not in clean
    assert ODD not in clean
    assert "[secret:odd-rule-1:" in clean
    assert scrubber(tmp_path, KEY, "betterleaks", stub)(clean) == clean
    assert not (tmp_path / FAILED_FILE).exists()


def test_a_failure_is_told_and_the_floor_holds(tmp_path: Path) -> None:
    """DEC-D13, INV-I6: never a silent pass; once it works again nothing is told any more."""
    stub = Stub(fails=True)
    clean = scrubber(tmp_path, KEY, "betterleaks", stub)
    assert clean(TEXT) == scrub(TEXT, KEY)
    told = tmp_path / FAILED_FILE
    assert "the stub cannot read" in told.read_text(encoding="utf-8")
    assert ODD not in told.read_text(encoding="utf-8")
    assert told.stat().st_mode & 0o777 == 0o600
    stub.fails = False
    assert ODD not in clean(TEXT)
    assert not told.exists()


def test_no_mark_is_taken_apart() -> None:
    """DEC-D13: a detector that takes a mark, or a part of one, for a secret changes nothing in it."""
    clean = scrub(TEXT, KEY)
    mark = clean.split()[1]
    assert scrubbed_beside(clean, KEY, [Found("a", mark), Found("b", mark[8:14]), Found("c", "use")]) == clean
    assert scrubbed_beside("abcd abcd", KEY, [Found("", "abcd")]).count("[secret:secret:") == 2


def test_without_the_setting_nothing_of_it_is_loaded(tmp_path: Path) -> None:
    """DEC-D13: the floor meets the figures alone."""
    assert scrubber(tmp_path, KEY, None)(TEXT) == scrub(TEXT, KEY)
    assert detector_fault(tmp_path, None) == ""
    assert "betterleaks" not in sys.modules


def fake(monkeypatch: pytest.MonkeyPatch, scan: object) -> None:
    """A library of that name."""
    module = ModuleType("betterleaks")
    vars(module).update(BetterleaksError=type("BetterleaksError", (Exception,), {}), scan_string=scan)
    monkeypatch.setitem(sys.modules, "betterleaks", module)


def test_the_library_reads_behind_a_nul_and_what_is_no_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """DEC-D13: it takes C strings, so that a NUL would end its reading and half a pair of surrogates would stop it."""
    given: list[str] = []

    def scan(text: str) -> list[SimpleNamespace]:
        given.append(text)
        return [SimpleNamespace(match=SimpleNamespace(value=ODD), rule_id="odd")] * 2

    fake(monkeypatch, scan)
    assert Betterleaks().find(f"a\x00{ODD}\ud800") == [Found("odd", ODD)]
    assert given == [f"a\n{ODD}?"]


@pytest.mark.parametrize("wrong", [OSError("no"), ValueError("no"), TypeError("no")])
def test_whatever_the_library_raises_is_one_failure(monkeypatch: pytest.MonkeyPatch, wrong: Exception) -> None:
    """DEC-D13: the sentence names the kind of the error and no word of the text."""

    def scan(_text: str) -> list[object]:
        raise wrong

    fake(monkeypatch, scan)
    with pytest.raises(DetectorFailed, match=f"could not read a text .{type(wrong).__name__}"):
        Betterleaks().find(TEXT)


def test_a_missing_library_is_told_by_doctor_and_status(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """DEC-D13, R28: the texts are scrubbed by the floor, and whoever looks is told so and what to do."""
    monkeypatch.setitem(sys.modules, "betterleaks", None)
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    monkeypatch.setenv("FERRULE_WORKER", "off")
    home = tmp_path / "home"
    with open_home(home):
        pass
    (home / "settings.toml").write_text('detector = "betterleaks"\n', encoding="utf-8")
    with open_home(home) as opened:
        assert OWN not in opened.scrub(TEXT)
    assert "not installed" in (home / FAILED_FILE).read_text(encoding="utf-8")
    os.environ.pop("COLUMNS", None)
    for words in (["doctor", "--home", str(home)], ["status", "--all", "--home", str(home)]):
        capsys.readouterr()
        run(words)
        said = " ".join(capsys.readouterr().out.split())
        assert "scrubbed by Ferrule's own rules alone" in said, said
        assert "ferrule[secrets]" in said
    run(["status", "--all", "--json", "--home", str(home)])
    last = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert "not installed" in last["detector"]


def test_an_unknown_detector_is_one_clear_sentence(tmp_path: Path) -> None:
    """DEC-D13: a wrong setting is never a silent default."""
    (tmp_path / "settings.toml").write_text('detector = "other"\n', encoding="utf-8")
    with pytest.raises(UsageError, match="detector is betterleaks"):
        read_settings(tmp_path)


@pytest.mark.skipif(importlib.util.find_spec("betterleaks") is None, reason="the extra `secrets` is not installed")
def test_the_real_library_adds_and_never_replaces(tmp_path: Path) -> None:
    """DEC-D13, R28."""
    clean = scrubber(tmp_path, KEY, "betterleaks")(TEXT)
    assert OWN not in clean
    assert clean == scrub(TEXT, KEY)
    known = OWN[:40]  # of 36 letters behind the prefix, as the issuer makes them
    assert [found.value for found in Betterleaks().find(f"before\x00 {known} \u2014 after")] == [known]
    assert detector_fault(tmp_path, "betterleaks") == ""

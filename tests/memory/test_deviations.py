"""Each deviation from the reference implementation is a row with texts of its own, and a row is what the page shows."""

import importlib.util
import re
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest
from deviations import DEVIATIONS, ENTITIES, Deviation
from rule_cases import Person, code, refusals

from ferrule.ontology.layers import InMemoryLayer
from ferrule.ontology.loading import load_shipped

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "rules.md"
PINS = [(row, text) for row in DEVIATIONS for text in row.pins]


@cache
def standing() -> tuple[InMemoryLayer, InMemoryLayer]:
    """The shipped ontology and the memory in which the texts are tried, read once: a judgement changes neither."""
    person = Person(permanent=load_shipped().layer)
    for text in re.findall(r"prototype .*\}", ENTITIES):
        person.write(text)
    return person.permanent, person.session


def loaded() -> ModuleType:
    """The script that writes the tables."""
    spec = importlib.util.spec_from_file_location("rules_tables", ROOT / "scripts" / "rules_tables.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(("row", "text"), PINS, ids=[f"{row.id} {text[:60]}" for row, text in PINS])
def test_a_deviation_is_what_its_row_says(row: Deviation, text: str) -> None:
    """DEC-D5, R51, R57: our code, by the rule that the row names, first of all that is told.

    Also OBS-M2, OBS-M6, OBS-M7, OBS-M8, OBS-M9, OBS-M11, OBS-M14, OBS-M15, as the row says.
    """
    permanent, session = standing()
    verdict = Person(permanent=permanent, session=session).judge(text)
    assert code(verdict) == row.code
    assert refusals(verdict)[0].rule == row.rule


def test_a_line_that_the_row_is_not_about_passes() -> None:
    """The texts fail for what the row says: the plain definition that they spoil is admitted."""
    permanent, session = standing()
    for text in ('prototype Quay : Host { HostName = @"a"; }', 'partial prototype Pier { String Colour = @"red"; }'):
        assert code(Person(permanent=permanent, session=session).judge(text)) == "accepted"


def test_every_row_has_an_id_of_its_own_a_reason_and_a_text() -> None:
    """No row without a pin, none twice, in order, and its rule binds everybody."""
    ids = [row.id for row in DEVIATIONS]
    assert ids == [f"V{number:02}" for number in range(1, len(ids) + 1)]
    assert all(row.pins and row.lines and row.what.endswith(".") and 1 <= row.rule <= 7 for row in DEVIATIONS)
    lines = [line for row in DEVIATIONS for line in row.lines.split()]
    assert len(set(lines)) == len(lines), "a line deviates in one way"


def test_the_page_shows_the_tables_that_the_tests_hold() -> None:
    """`docs/rules.md` cannot say otherwise than code and data: `python scripts/rules_tables.py --write` renews it."""
    assert loaded().written(PAGE.read_text(encoding="utf-8")) == PAGE.read_text(encoding="utf-8")


def test_the_page_has_an_end() -> None:
    """At most 400 lines."""
    assert PAGE.read_text(encoding="utf-8").count("\n") <= 400

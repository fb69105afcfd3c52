"""Verdicts observed from the reference implementation (`../shared/oracle/parse.jsonl`), which we never copy.

Gated: on every line without `quirk`, whatever its category, accepting and rejecting agree; and wherever both accept,
the summary is equal. What we do about each quirk stands in `quirks.py`.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ferrule.protoscript.lossless import text
from ferrule.protoscript.printer import print_file
from ferrule.protoscript.reading import parse
from ferrule.protoscript.summary import summarise

ORACLE = Path(__file__).parents[3] / "shared" / "oracle"

LINES = 1680


def _lines() -> Iterator[dict[str, Any]]:
    with (ORACLE / "parse.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            found = json.loads(line)
            if not found.get("quirk"):
                yield found


@pytest.mark.shared
def test_accepting_and_rejecting_agree_on_every_line_that_is_no_quirk() -> None:
    """R57 R94: all categories, 1,680 lines, none left out."""
    wrong, count = [], 0
    for line in _lines():
        count += 1
        if parse(line["source"]).ok != line["ok"]:
            wrong.append((line["id"], line["source"][:100]))
    assert not wrong
    assert count == LINES


@pytest.mark.shared
def test_summaries_are_equal_wherever_the_text_is_accepted() -> None:
    """R57: declarations, statements and expressions, source text of literals included."""
    wrong = []
    for line in _lines():
        if line["ok"]:
            summary = summarise(parse(line["source"]).tree)
            if summary != line["summary"]:
                wrong.append((line["id"], summary, line["summary"]))
    assert not wrong


@pytest.mark.shared
def test_every_text_of_the_data_comes_back_from_its_tree() -> None:
    """Accepted or not, quirk or not: byte for byte."""
    with (ORACLE / "parse.jsonl").open(encoding="utf-8") as lines:
        sources = [json.loads(line)["source"] for line in lines]
    assert [source for source in sources if text(parse(source)) != source] == []


@pytest.mark.shared
def test_an_error_is_reported_near_the_line_of_the_reference() -> None:
    """The data asks to compare lines loosely: ours is never behind the reference's, which gives up late."""
    apart = []
    for line in _lines():
        if line["ok"] or line["error"]["line"] is None:
            continue
        first = parse(line["source"]).diagnostics[0]
        if first.line > line["error"]["line"]:
            apart.append(line["id"])
    assert not apart


@pytest.mark.shared
def test_what_is_accepted_prints_to_a_text_that_means_the_same() -> None:
    """DEC-D11: a fixed point on every accepted line, quirks left aside."""
    for line in _lines():
        parsed = parse(line["source"])
        if not parsed.ok:
            continue
        printed = print_file(parsed.tree)
        again = parse(printed)
        assert again.ok, line["id"]
        assert print_file(again.tree) == printed, line["id"]


@pytest.mark.shared
def test_the_base_ontology_of_the_data_is_read_and_printed() -> None:
    """A whole file of types and instances."""
    parsed = parse((ORACLE / "base-ontology.pts").read_text(encoding="utf-8"))
    assert parsed.clean
    again = parse(print_file(parsed.tree))
    assert again.clean
    assert len(again.tree.prototypes) == len(parsed.tree.prototypes) > 20

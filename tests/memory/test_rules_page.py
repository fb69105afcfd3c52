"""`docs/rules.md` tells the rules as they are: their order, codes, scopes and remedies."""

import re
from pathlib import Path

from admission_codes import CODES
from faulty_drafts import FAULTS

from ferrule.memory.admission import RULES

PAGE = (Path(__file__).parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")
RULE = re.compile(r"^\| ([0-9]+) \| [^|]+ \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
REMEDY = re.compile(r"^\| `([A-Z_]+)` \| [^|]+ \|$", re.MULTILINE)


def codes_of(cell: str) -> set[str]:
    """The codes that a cell names."""
    return set(re.findall(r"`([A-Z_]+)`", cell))


def test_the_page_names_every_rule_with_its_codes() -> None:
    """DEC-D5, R89: as the table of codes that the tests produce, in the order in which the rules stand."""
    told = {int(number): codes_of(codes) for number, codes, _ in RULE.findall(PAGE)}
    assert list(told) == sorted({rule.number for rule in RULES})
    assert told == {number: {code for rule, code, _ in CODES if rule == number} for number in told}


def test_the_page_names_who_is_bound() -> None:
    """DEC-D5: warned by 8 and 12, free of 9 to 11, and of what rule 3 asks about a new thing."""
    told = {int(number): who for number, _, who in RULE.findall(PAGE)}
    for number, who in told.items():
        rules = [rule for rule in RULES if rule.number == number]
        if any(rule.warns_person for rule in rules):
            assert who == "warned"
        elif not any(rule.for_person for rule in rules):
            assert who == "free"
        else:
            assert who == ("bound" if all(rule.for_person for rule in rules) else "bound to the first question")


def test_the_page_has_a_remedy_for_every_code() -> None:
    """R54: and for no other."""
    assert set(REMEDY.findall(PAGE)) == {code for _, code, _ in CODES}


def test_the_page_counts_the_faults_that_are_mixed() -> None:
    """A figure of the page is the data's."""
    assert f"any mixture of {len(FAULTS)} faults" in PAGE

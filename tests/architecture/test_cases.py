"""The list of cases is the reference's, and each group's cases are where the list says."""

import re
import tomllib
from pathlib import Path

import pytest

HERE = Path(__file__).parents[1]
LISTED = tomllib.loads((HERE / "cases.toml").read_text(encoding="utf-8"))
REFERENCE = HERE.parents[1] / "shared" / "reference" / "reliability.md"
ROW = re.compile(r"^\| ([A-O])([0-9]{2}) \|", re.MULTILINE)
FIGURE = re.compile(r"\b([A-O])([0-9]{2})\b")
NAMED_ON = "## 5. "


@pytest.mark.parametrize("group", sorted(LISTED))
def test_a_group_is_listed_once_each_and_found_where_it_says(group: str) -> None:
    """The ids stand in order, none twice, and `mainly` is there and names some of them and none else."""
    ids = LISTED[group]["ids"].split()
    assert ids == sorted(set(ids))
    place = HERE.parent / LISTED[group]["mainly"]
    files = [place] if place.is_file() else sorted(place.rglob("test_*.py"))
    named = set(re.findall(rf"CASE-{group}([0-9]{{2}})", "\n".join(file.read_text(encoding="utf-8") for file in files)))
    assert named, f"{group}: none of {ids} in {place.name}"
    assert named <= set(ids)


@pytest.mark.shared
def test_the_list_holds_every_case_of_the_reference_and_no_other() -> None:
    """A case that the reference gains, or loses, is told."""
    text = REFERENCE.read_text(encoding="utf-8")
    found: dict[str, set[str]] = {}
    for group, number in (*ROW.findall(text), *FIGURE.findall(text[text.index(NAMED_ON) :])):
        found.setdefault(group, set()).add(number)
    listed = {group: row["ids"].split() for group, row in LISTED.items()}
    assert listed == {group: sorted(found[group]) for group in LISTED}
    assert set("BCDEGJKN") <= set(LISTED)

"""Rule 6 by itself: which line, and who gave the value."""
# ruff: noqa: E501 - tables of cases keep one case a line

import pytest
from rule_rows import Row, rows_of

from ferrule.memory.rules.overwrite import overwrite_rule

# A definition and each finding: code, property, the text at the place, message, how the remedy begins.
ROWS: list[tuple[str, list[Row]]] = [
    ('prototype Q : Host { HostName = @"b"; }', []),
    ('partial prototype Buoy { Zone = @"pier"; }', [("ALREADY_VALUED", "Zone", '@"pier"', "Zone has a value already.", "Drop this line.")]),
    ('partial prototype Buoy { Zone = @"c"; }', [("ALREADY_VALUED", "Zone", '@"c"', "Zone has a value already.", "Drop this line; for a later ")]),
    ("partial prototype Buoy { Depth = 3; }", []),
    ('partial prototype Buoy { ZoneAtTurn3 = @"c"; Zone = null; }', [("ALREADY_VALUED", "Zone", "null", "Zone has a value already.", "Drop this line; for a later ")]),
    ('partial prototype Lamp { Zone = @"pier"; }', [("ALREADY_VALUED", "Zone", '@"pier"', "Zone has a value already, assigned by Buoy.", "Drop this line.")]),
    ('partial prototype Lamp { Zone = @"c"; HostName = @"d"; Shade = @"red"; }', [("ALREADY_VALUED", "Zone", '@"c"', "Zone has a value already, assigned by Buoy.", "Drop this line; for a later "), ("ALREADY_VALUED", "HostName", '@"d"', "HostName has a value already, assigned by Buoy.", "Drop this line; for a later "), ("ALREADY_VALUED", "Shade", '@"red"', "Shade has a value already.", "Drop this line.")]),
    ('prototype Q : Lamp { Zone = @"c"; }', [("ALREADY_VALUED", "Zone", '@"c"', "Zone has a value already, assigned by Buoy.", "Drop this line; for a later ")]),
    ('prototype Q : Lamp { Shade = @"red"; }', [("ALREADY_VALUED", "Shade", '@"red"', "Shade has a value already, assigned by Lamp.", "Drop this line.")]),
    ('prototype Q : Host, Lamp { Shade = @"blue"; Depth = 4; }', [("ALREADY_VALUED", "Shade", '@"blue"', "Shade has a value already, assigned by Lamp.", "Drop this line; for a later ")]),
    ("partial prototype Buoy { String Zone; }", []),
    ("partial prototype Buoy { Int Zone = 4; Zone = 5; }", [("ALREADY_VALUED", "Zone", "4", "Zone has a value already.", "Drop this line; for a later ")]),
    ('prototype Q : Buoy { ZoneAtTurn2 = @"x"; }', []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), ROWS)
def test_what_has_a_value(text: str, expected: list[Row]) -> None:
    """INV-I3, R44, DEC-D1: own values and inherited ones."""
    assert rows_of(overwrite_rule, text) == expected

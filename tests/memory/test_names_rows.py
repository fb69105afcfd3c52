"""Rule 3 by itself: which name, at its bound and one past it."""
# ruff: noqa: E501 - tables of cases keep one case a line

import pytest
from rule_rows import Row, rows_of

from ferrule.memory.rules.names import names_rule

# A definition and each finding: code, property, the text at the place, message, how the remedy begins.
ROWS: list[tuple[str, list[Row]]] = [
    ("prototype Q;", []),
    ("prototype this;", [("RESERVED_NAME", "", "this", "The name is a reserved or built-in word.", "Choose a name that says whic")]),
    ("prototype String;", [("RESERVED_NAME", "", "String", "The name is a reserved or built-in word.", "Choose a name that says whic")]),
    ("prototype String.A;", [("RESERVED_NAME", "", "String.A", "The name is a reserved or built-in word.", "Choose a name that says whic")]),
    ("prototype A.String;", [("BAD_IDENTIFIER", "", "A.String", "The prototype's name is not a plain ASCII name.", "Use ASCII letters, digits an")]),
    ("prototype Object.A.B : Host;", [("RESERVED_NAME", "", "Object.A.B", "The name is a reserved or built-in word.", "Choose a name that says whic")]),
    ("prototype Q.R;", [("BAD_IDENTIFIER", "", "Q.R", "The prototype's name is not a plain ASCII name.", "Use ASCII letters, digits an")]),
    ("prototype Q#a;", []),
    ("prototype Q#a#b;", []),
    ("prototype _;", []),
    ("prototype Host;", [("RESERVED_NAME", "", "Host", "Host is a permanent type, and types are not written to.", "Derive from it: prototype Ho")]),
    ("prototype Host : Host;", [("RESERVED_NAME", "", "Host", "Host is a permanent type, and types are not written to.", "Derive from it: prototype Ho")]),
    ("prototype BUOY;", [("ALREADY_EXISTS", "", "BUOY", "The name differs only in case from Buoy, which is known.", "Augment Buoy or choose anoth")]),
    ("prototype buoy : Host;", [("ALREADY_EXISTS", "", "buoy", "The name differs only in case from Buoy, which is known.", "Augment Buoy or choose anoth")]),
    ("prototype Buoy;", []),
    ("partial prototype BUOY;", [("ALREADY_EXISTS", "", "BUOY", "The name differs only in case from Buoy, which is known.", "Augment Buoy or choose anoth")]),
    ("prototype QQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQ;", []),
    ("prototype QQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQ;", [("BAD_IDENTIFIER", "", "QQQQQQQQQQQQQQQQQQQQQQQQ… 129", "The prototype's name is not a plain ASCII name.", "Use ASCII letters, digits an")]),
    ("prototype Q : Host { String Value; }", [("RESERVED_NAME", "Value", "Value", "Value is a member of every prototype and cannot be declared.", "Choose a name that says whic")]),
    ('prototype Q : Host { Value = @"a"; }', []),
    ("prototype Q : Host { String Children; Int TypeOfs; }", [("RESERVED_NAME", "Children", "Children", "Children is a member of every prototype and cannot be declared.", "Choose a name that says whic"), ("RESERVED_NAME", "TypeOfs", "TypeOfs", "TypeOfs is a member of every prototype and cannot be declared.", "Choose a name that says whic")]),
    ("prototype Q : Host { String \xe9; }", [("BAD_IDENTIFIER", "é", "é", "A property's name is not a plain ASCII name.", "Use ASCII letters, digits an")]),
    ("prototype Q : Host { String CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC; }", []),
    ("prototype Q : Host { String CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC; }", [("BAD_IDENTIFIER", "CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC", "CCCCCCCCCCCCCCCCCCCCCCCC… 129", "A property's name is not a plain ASCII name.", "Use ASCII letters, digits an")]),
    ("prototype Q : Host { String C; }", []),
    ("prototype Q : ProtoScriptAction, Host;", [("RESERVED_NAME", "", "ProtoScriptAction", "ProtoScriptAction is an action or starts itself, and memory holds no behaviour.", "Derive from an entity type s")]),
    ("prototype Q : Host, OpsAction;", [("RESERVED_NAME", "", "OpsAction", "OpsAction is an action or starts itself, and memory holds no behaviour.", "Derive from an entity type s")]),
    ("prototype Q : PromptAction, CoreAction;", [("RESERVED_NAME", "", "PromptAction", "PromptAction is an action or starts itself, and memory holds no behaviour.", "Derive from an entity type s"), ("RESERVED_NAME", "", "CoreAction", "CoreAction is an action or starts itself, and memory holds no behaviour.", "Derive from an entity type s")]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), ROWS)
def test_what_is_wrong_with_a_name(text: str, expected: list[Row]) -> None:
    """DEC-D7, CASE-B25: identifiers, reserved names, spellings, bases that run."""
    assert rows_of(names_rule, text) == expected

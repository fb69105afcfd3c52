"""Rule 5 by itself: which member, which type, which reference."""
# ruff: noqa: E501 - tables of cases keep one case a line

import pytest
from rule_rows import Row, rows_of

from ferrule.memory.rules.properties import properties_rule

# A definition and each finding: code, property, the text at the place, message, how the remedy begins.
ROWS: list[tuple[str, list[Row]]] = [
    ('prototype Q : Host { HostName = @"b"; }', []),
    ('prototype Q : Host { HostName = @"b"; HostName = @"c"; }', [("TYPE_MISMATCH", "HostName", "HostName", "HostName stands twice in the definition.", "Write it once.")]),
    ("prototype Q : Host { String C; String C; }", [("TYPE_MISMATCH", "C", "C", "C stands twice in the definition.", "Write it once.")]),
    ('prototype Q : Host { String C; C = @"a"; }', []),
    ('prototype Q : Host { C = @"a"; String C; }', []),
    ('prototype Q : Host { String C = @"a"; String C; }', [("TYPE_MISMATCH", "C", "C", "C stands twice in the definition.", "Write it once.")]),
    ('prototype Q : Host { String C = @"a"; C; }', []),
    ('prototype Q : Host { HostName; HostName = @"b"; }', []),
    ('prototype Q : Host { Zone = @"c"; }', [("UNKNOWN_PROPERTY", "Zone", "Zone", "Zone is not declared.", "Give it a type, as in String")]),
    ('prototype Q : Host { HostNam = @"c"; }', [("UNKNOWN_PROPERTY", "HostNam", "HostNam", "HostNam is not declared.", "Did you mean HostName? Else ")]),
    ('prototype Q : Host { HostNames = @"c"; Hostname = @"d"; }', [("UNKNOWN_PROPERTY", "HostNames", "HostNames", "HostNames is not declared.", "Did you mean HostName? Else "), ("UNKNOWN_PROPERTY", "Hostname", "Hostname", "Hostname is not declared.", "Did you mean HostName? Else ")]),
    ('prototype Q : Host { Notess = @"d"; }', [("UNKNOWN_PROPERTY", "Notess", "Notess", "Notess is not declared.", "Did you mean Notes? Else giv")]),
    ('prototype Q : Host { Aliasess = @"d"; }', [("UNKNOWN_PROPERTY", "Aliasess", "Aliasess", "Aliasess is not declared.", "Did you mean Aliases? Else g")]),
    ('prototype Q : Host { Ent = @"d"; }', [("UNKNOWN_PROPERTY", "Ent", "Ent", "Ent is not declared.", "Give it a type, as in String")]),
    ('prototype Q : Host { AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA = @"c"; }', [("UNKNOWN_PROPERTY", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAAAA… 70", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA is not declared.", "Give it a type, as in String")]),
    ('prototype Q : Host { string C = @"c"; }', [("UNKNOWN_TYPE", "C", 'string C = @"c";', "The type of C is not known.", "Write String.")]),
    ('prototype Q : Host { text C = @"c"; }', [("UNKNOWN_TYPE", "C", 'text C = @"c";', "The type of C is not known.", "Write String.")]),
    ("prototype Q : Host { int? C = 3; }", [("UNKNOWN_TYPE", "C", "int? C = 3;", "The type of C is not known.", "Write Int.")]),
    ("prototype Q : Host { String[] C; }", [("UNKNOWN_TYPE", "C", "String[] C;", "The type of C is not known.", "Write String.")]),
    ('prototype Q : Host { Widget C = @"c"; }', [("UNKNOWN_TYPE", "C", 'Widget C = @"c";', "The type of C is not known.", "Use String, Int, Bool, Doubl")]),
    ("prototype Q : Host { Host C = Buoy; }", []),
    ("prototype Q : Host { Service C = Buoy; }", [("TYPE_MISMATCH", "C", "Buoy", "C is of type Service and cannot hold a reference.", "Name a known prototype that ")]),
    ("prototype Q : Host { Host C = Lamp; }", []),
    ('prototype Q : Host { Host C = @"Buoy"; }', [("TYPE_MISMATCH", "C", '@"Buoy"', "C is of type Host and cannot hold a text.", "Name a known prototype that ")]),
    ("prototype Q : Host { Buoy C = Lamp; }", []),
    ('prototype Q : Host { String HostName = @"c"; }', [("TYPE_MISMATCH", "HostName", 'String HostName = @"c";', "HostName is declared above already.", "Assign it without a type: Ho")]),
    ('prototype Q : Host { String hostname = @"c"; }', [("ALREADY_EXISTS", "hostname", "hostname", "hostname differs only in case from HostName.", "Use HostName, or a name of i")]),
    ("prototype Q : Host { String Cc; String CC; }", [("ALREADY_EXISTS", "Cc", "Cc", "Cc differs only in case from CC.", "Use CC, or a name of its own"), ("ALREADY_EXISTS", "CC", "CC", "CC differs only in case from Cc.", "Use Cc, or a name of its own")]),
    ("prototype Q : Host { String cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc; String CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC; }", [("ALREADY_EXISTS", "cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc", "cccccccccccccccccccccccc… 70", "cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc differs only in case from CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC.", "Use CCCCCCCCCCCCCCCCCCCCCCCC"), ("ALREADY_EXISTS", "CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC", "CCCCCCCCCCCCCCCCCCCCCCCC… 70", "CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC differs only in case from cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc.", "Use cccccccccccccccccccccccc")]),
    ('prototype Q : Host { Int C = @"c"; }', [("TYPE_MISMATCH", "C", '@"c"', "C is of type Int and cannot hold a text.", "Give it a value of type Int,")]),
    ("prototype Q : Host { Integer C = 3; }", []),
    ("prototype Q : Host { Boolean C = true; }", []),
    ("prototype Q : Host { Double C = 1; }", []),
    ("prototype Q : Host { Int C = 1f; }", [("TYPE_MISMATCH", "C", "1f", "C is of type Int and cannot hold a suffixed number.", "Give it a value of type Int,")]),
    ("prototype Q : Host { Double C = 1.5f; }", [("TYPE_MISMATCH", "C", "1.5f", "C is of type Double and cannot hold a suffixed number.", "Give it a value of type Doub")]),
    ("prototype Q : Host { Int C = 3L; }", [("TYPE_MISMATCH", "C", "3L", "C is of type Int and cannot hold a suffixed number.", "Give it a value of type Int,")]),
    ("prototype Q : Host { Collection C = [3L, 4]; }", [("TYPE_MISMATCH", "C", "[3L, 4]", "C is of type Collection and cannot hold a suffixed number.", "Give it a value of type Coll")]),
    ("prototype Q : Host { Int C = NaN; }", [("TYPE_MISMATCH", "C", "NaN", "C cannot hold a number that is not finite.", "Give it a number.")]),
    ("prototype Q : Host { Double C = Infinity; }", [("TYPE_MISMATCH", "C", "Infinity", "C cannot hold a number that is not finite.", "Give it a number.")]),
    ("prototype Q : Host { Collection C = [NaN, Nobody]; }", [("TYPE_MISMATCH", "C", "NaN", "C cannot hold a number that is not finite.", "Give it a number."), ("UNKNOWN_REFERENCE", "C", "Nobody", "C refers to something that is not a known prototype.", "Write a text in quotes, or w")]),
    ("prototype Q : Host { Int C = Nobody; }", [("UNKNOWN_REFERENCE", "C", "Nobody", "C refers to something that is not a known prototype.", "Write a text in quotes, or w")]),
    ("prototype Q : Host { Host C = Nobody; }", [("UNKNOWN_REFERENCE", "C", "Nobody", "C refers to something that is not a known prototype.", "Name a known prototype that ")]),
    ("prototype Q : Host { Collection C = [Nobody, Buoy, Other]; }", [("UNKNOWN_REFERENCE", "C", "Nobody", "C refers to something that is not a known prototype.", "Write a text in quotes, or w"), ("UNKNOWN_REFERENCE", "C", "Other", "C refers to something that is not a known prototype.", "Write a text in quotes, or w")]),
    ("prototype Q : Host { Int C = null; }", []),
    ("prototype Q : Host { String C = true; }", [("TYPE_MISMATCH", "C", "true", "C is of type String and cannot hold a Bool.", "Give it a value of type Stri")]),
    ('prototype Q : Host { String HostNameAtTurn3 = @"x"; }', []),
    ("prototype Q : Host { Int HostNameAtTurn3 = 3; }", [("TYPE_MISMATCH", "HostNameAtTurn3", "Int HostNameAtTurn3 = 3;", "HostNameAtTurn3 is declared with another type.", "Its type is String.")]),
    ('prototype Q : Host { HostNameAtTurn3 = @"x"; }', []),
    ("prototype Q : Host { HostNameAtTurn3 = 4; }", [("TYPE_MISMATCH", "HostNameAtTurn3", "4", "HostNameAtTurn3 is of type String and cannot hold a whole number.", "Give it a value of type Stri")]),
    ("prototype Q : Host { String C; CAtTurn3 = 4; }", [("TYPE_MISMATCH", "CAtTurn3", "4", "CAtTurn3 is of type String and cannot hold a whole number.", "Give it a value of type Stri")]),
    ("prototype Q : Host { CAtTurn3 = 4; }", [("UNKNOWN_PROPERTY", "CAtTurn3", "CAtTurn3", "CAtTurn3 is not declared.", "Give it a type, as in String")]),
    ("prototype Q : Host { Int C = 2147483648; }", [("TYPE_MISMATCH", "C", "2147483648", "C is of type Int and cannot hold a number out of the range of Int.", "Give it a value of type Int,")]),
    ('prototype Q : Nowhere { Zzz = @"c"; }', []),
    ('prototype Q : Nowhere { Int Zzz = @"c"; }', [("TYPE_MISMATCH", "Zzz", '@"c"', "Zzz is of type Int and cannot hold a text.", "Give it a value of type Int,")]),
    ('prototype Q : Int { Zzz = @"c"; }', []),
    ('prototype Q : Q { Zzz = @"c"; }', []),
    ('prototype Q : Lamp { Shade = @"c"; Zone = 4; Depth = 3; }', [("TYPE_MISMATCH", "Zone", "4", "Zone is of type String and cannot hold a whole number.", "Give it a value of type Stri")]),
    ("prototype Q : Lamp { String shade; }", [("ALREADY_EXISTS", "shade", "shade", "shade differs only in case from Shade.", "Use Shade, or a name of its ")]),
    ("prototype Q : Lamp { String Shade; }", [("TYPE_MISMATCH", "Shade", "String Shade;", "Shade is declared above already.", "Assign it without a type: Sh")]),
    ('partial prototype Lamp { Shade = @"c"; Zone = 4; Depth = 3; }', [("TYPE_MISMATCH", "Zone", "4", "Zone is of type String and cannot hold a whole number.", "Give it a value of type Stri")]),
    ("partial prototype Lamp { String shade; Int Shade; String zone; }", [("ALREADY_EXISTS", "shade", "shade", "shade differs only in case from Shade.", "Use Shade, or a name of its "), ("ALREADY_EXISTS", "Shade", "Shade", "Shade differs only in case from shade.", "Use shade, or a name of its "), ("TYPE_MISMATCH", "Shade", "Int Shade;", "Shade is declared with another type.", "Its type is String."), ("ALREADY_EXISTS", "zone", "zone", "zone differs only in case from Zone.", "Use Zone, or a name of its o")]),
    ("partial prototype Lamp { Int Depth; }", [("TYPE_MISMATCH", "Depth", "Int Depth;", "Depth is declared above already.", "Assign it without a type: De")]),
    ("partial prototype Buoy { Integer Depth; }", []),
    ("partial prototype Buoy { Int Depth = 3; }", []),
    ("partial prototype Buoy { Double Depth = 3; }", [("TYPE_MISMATCH", "Depth", "Double Depth = 3;", "Depth is declared with another type.", "Its type is Int.")]),
    ('partial prototype Buoy { Integer DepthAtTurn3 = 3; Bool DepthAtTurn4 = true; DepthAtTurn5 = 4; DepthAtTurn6 = @"x"; }', [("TYPE_MISMATCH", "DepthAtTurn4", "Bool DepthAtTurn4 = true… 25", "DepthAtTurn4 is declared with another type.", "Its type is Int."), ("TYPE_MISMATCH", "DepthAtTurn6", '@"x"', "DepthAtTurn6 is of type Int and cannot hold a text.", "Give it a value of type Int,")]),
    ("partial prototype Lamp { Bool DepthAtTurn4 = true; Int ShadeAtTurn4 = 3; }", [("TYPE_MISMATCH", "DepthAtTurn4", "Bool DepthAtTurn4 = true… 25", "DepthAtTurn4 is declared with another type.", "Its type is Int."), ("TYPE_MISMATCH", "ShadeAtTurn4", "Int ShadeAtTurn4 = 3;", "ShadeAtTurn4 is declared with another type.", "Its type is String.")]),
    ("prototype Q : Host { ZzA = 1; ZzB = 1; ZzC = 1; ZzD = 1; ZzE = 1; ZzF = 1; ZzG = 1; ZzH = 1; ZzI = 1; ZzJ = 1; }", [("UNKNOWN_PROPERTY", "ZzA", "ZzA", "ZzA is not declared.", "Give it a type, as in String"), ("UNKNOWN_PROPERTY", "ZzB", "ZzB", "ZzB is not declared.", "Give it a type, as in String"), ("UNKNOWN_PROPERTY", "ZzC", "ZzC", "ZzC is not declared.", "Give it a type, as in String"), ("UNKNOWN_PROPERTY", "ZzD", "ZzD", "ZzD is not declared.", "Give it a type, as in String"), ("UNKNOWN_PROPERTY", "ZzE", "ZzE", "ZzE is not declared.", "Give it a type, as in String"), ("UNKNOWN_PROPERTY", "ZzF", "ZzF", "ZzF is not declared.", "Give it a type, as in String"), ("UNKNOWN_PROPERTY", "ZzG", "ZzG", "ZzG is not declared.", "Give it a type, as in String"), ("UNKNOWN_PROPERTY", "ZzH", "ZzH", "ZzH is not declared.", "Give it a type, as in String")]),
    ('prototype Q : Host { Int ZzA = @"a"; Int ZzB = @"a"; Int ZzC = @"a"; Int ZzD = @"a"; Int ZzE = @"a"; Int ZzF = @"a"; Int ZzG = @"a"; Int ZzH = @"a"; Int ZzI = @"a"; Int ZzJ = @"a"; }', [("TYPE_MISMATCH", "ZzA", '@"a"', "ZzA is of type Int and cannot hold a text.", "Give it a value of type Int,"), ("TYPE_MISMATCH", "ZzB", '@"a"', "ZzB is of type Int and cannot hold a text.", "Give it a value of type Int,"), ("TYPE_MISMATCH", "ZzC", '@"a"', "ZzC is of type Int and cannot hold a text.", "Give it a value of type Int,"), ("TYPE_MISMATCH", "ZzD", '@"a"', "ZzD is of type Int and cannot hold a text.", "Give it a value of type Int,"), ("TYPE_MISMATCH", "ZzE", '@"a"', "ZzE is of type Int and cannot hold a text.", "Give it a value of type Int,"), ("TYPE_MISMATCH", "ZzF", '@"a"', "ZzF is of type Int and cannot hold a text.", "Give it a value of type Int,"), ("TYPE_MISMATCH", "ZzG", '@"a"', "ZzG is of type Int and cannot hold a text.", "Give it a value of type Int,"), ("TYPE_MISMATCH", "ZzH", '@"a"', "ZzH is of type Int and cannot hold a text.", "Give it a value of type Int,")]),
    ("prototype Q : Host { String ZzA; String ZzA; String ZzB; String ZzB; String ZzC; String ZzC; String ZzD; String ZzD; String ZzE; String ZzE; String ZzF; String ZzF; String ZzG; String ZzG; String ZzH; String ZzH; String ZzI; String ZzI; String ZzJ; String ZzJ; }", [("TYPE_MISMATCH", "ZzA", "ZzA", "ZzA stands twice in the definition.", "Write it once."), ("TYPE_MISMATCH", "ZzB", "ZzB", "ZzB stands twice in the definition.", "Write it once."), ("TYPE_MISMATCH", "ZzC", "ZzC", "ZzC stands twice in the definition.", "Write it once."), ("TYPE_MISMATCH", "ZzD", "ZzD", "ZzD stands twice in the definition.", "Write it once."), ("TYPE_MISMATCH", "ZzE", "ZzE", "ZzE stands twice in the definition.", "Write it once."), ("TYPE_MISMATCH", "ZzF", "ZzF", "ZzF stands twice in the definition.", "Write it once."), ("TYPE_MISMATCH", "ZzG", "ZzG", "ZzG stands twice in the definition.", "Write it once."), ("TYPE_MISMATCH", "ZzH", "ZzH", "ZzH stands twice in the definition.", "Write it once.")]),
    ("prototype Q : Bell { Tone = 4; Ton = 5; }", [("TYPE_MISMATCH", "Tone", "4", "Tone is of type String and cannot hold a whole number.", "Give it a value of type Stri"), ("UNKNOWN_PROPERTY", "Ton", "Ton", "Ton is not declared.", "Did you mean Tone? Else give")]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), ROWS)
def test_what_is_wrong_with_a_member(text: str, expected: list[Row]) -> None:
    """R43, CASE-G06, CASE-G09, OBS-M7: declarations, types, references, doubles."""
    assert rows_of(properties_rule, text) == expected

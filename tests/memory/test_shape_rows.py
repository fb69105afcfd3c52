"""Rule 2 by itself: which construct, at which place, and what is no definition at all."""
# ruff: noqa: E501 - tables of cases keep one case a line

import pytest
from rule_rows import Row, rows_of

from ferrule.memory.rules.shape import shape_rule

# A definition and each finding: code, property, the text at the place, message, how the remedy begins.
ROWS: list[tuple[str, list[Row]]] = [
    ("", [("PARSE", "", "", "The text is empty.", "Send exactly one definition:")]),
    ("  ", [("PARSE", "", "", "The text is empty.", "Send exactly one definition:")]),
    ("```", [("PARSE", "", "", "The text is wrapped in a Markdown fence.", "Send the bare definition.")]),
    ("a ```", [("PARSE", "", "", "The text is wrapped in a Markdown fence.", "Send the bare definition.")]),
    ("``a", [("PARSE", "", "``a", "This is not a name as ProtoScript writes it.", "Names consist of letters, di"), ("PARSE", "", "", "`;` is missing after the statement.", "Put `;` here.")]),
    ("{}", [("PARSE", "", "", "The text is JSON, not ProtoScript.", "Send exactly one definition:")]),
    ('"', [("PARSE", "", "", "The text is JSON, not ProtoScript.", "Send exactly one definition:")]),
    ("[1]", [("PARSE", "", "", "The text is JSON, not ProtoScript.", "Send exactly one definition:")]),
    ("[prototype]", [("FORBIDDEN_CONSTRUCT", "", "[prototype]", "Nothing follows that this annotation could belong to.", "Remove it.")]),
    ("[1", [("FORBIDDEN_CONSTRUCT", "", "[", "An annotation is one call.", 'Write `[Name("text")]`.')]),
    ("1]", [("PARSE", "", "", "`;` is missing after the statement.", "Put `;` here.")]),
    ("prototype", [("PARSE", "", "", "Expected the prototype's name, not the end of the text.", "Write a name here.")]),
    ("} a", [("PARSE", "", "}", "This `}` closes nothing.", "Remove it."), ("PARSE", "", "", "`;` is missing after the statement.", "Put `;` here.")]),
    ("prototype Q : Host { a b c }", [("PARSE", "", "", "`;` is missing after the property.", "Put `;` here.")]),
    ("prototype if : Host { }", [("RESERVED_NAME", "", "if", "`if` is a word of the language, not the prototype's name.", "Choose another name.")]),
    ("prototype Q : Host { if (a) { } }", [("PARSE", "", "(", "Expected a property's name or `=`, not `(`.", "A body holds `Type Name = va")]),
    ('prototype Q : Host { String if = @"a"; }', []),
    ("prototype Q : if { }", [("FORBIDDEN_CONSTRUCT", "", "if", "`if` is a word of the language, not a base.", "Choose another name.")]),
    ("prototype 1Q : Host { }", [("BAD_IDENTIFIER", "", "1Q", "The prototype's name is not a name as ProtoScript writes it.", "Names start with a letter or")]),
    ("prototype \xe9 : Host { }", []),
    ("prototype - : Host { }", [("PARSE", "", "-", "Expected the prototype's name, not `-`.", "Write a name here.")]),
    ("prototype Q : Host { String ?a; }", []),
    ("prototype Q : Host { Int N = 1e999; }", [("TYPE_MISMATCH", "", "1e999", "This is not a number as ProtoScript writes it.", "Write plain digits, with one")]),
    ("prototype Q : Host { Int N = 1e99; }", [("PARSE", "", "1e99", "This is not a number as ProtoScript writes it.", "Write plain digits, with one")]),
    ("prototype Q : Host { Int N = 1.5E+999; }", [("PARSE", "", "1.5E", "This is not a number as ProtoScript writes it.", "Write plain digits, with one")]),
    ("prototype Q : Host { Int N = 1111111111111111111111111111111111111111e999; }", [("TYPE_MISMATCH", "", "111111111111111111111111… 44", "This is not a number as ProtoScript writes it.", "Write plain digits, with one")]),
    ("prototype Q : Host { Int N = 11111111111111111111111111111111111111111e999; }", [("PARSE", "", "111111111111111111111111… 45", "This is not a number as ProtoScript writes it.", "Write plain digits, with one")]),
    ("prototype Q : Host { Int N = 1e9999999; }", [("PARSE", "", "1e9999999", "This is not a number as ProtoScript writes it.", "Write plain digits, with one")]),
    ("prototype Q : Host { Int N = 1e; }", [("PARSE", "", "1e", "This is not a number as ProtoScript writes it.", "Write plain digits, with one")]),
    ("prototype Q : Host { Double D = 1.5.5; }", [("BAD_IDENTIFIER", "", "5", "A member's name after `.` is not a name as ProtoScript writes it.", "Names start with a letter or")]),
    ("Int x;", [("NOT_ONE_PROTOTYPE", "", "", "The text declares no prototype.", "Send exactly one definition:"), ("FORBIDDEN_CONSTRUCT", "", "Int x;", "The definition holds a statement.", "Leave it out: a memory holds")]),
    ("prototype A; prototype B;", [("NOT_ONE_PROTOTYPE", "", "", "The text declares 2 prototypes.", "Send exactly one definition:")]),
    ("prototype A; prototype B; prototype C;", [("NOT_ONE_PROTOTYPE", "", "", "The text declares 3 prototypes.", "Send exactly one definition:")]),
    ('include "a.pts"; prototype Q;', [("FORBIDDEN_CONSTRUCT", "", 'include "a.pts";', "The definition holds an include directive.", "Leave it out: a memory holds")]),
    ("reference A B; prototype Q;", [("FORBIDDEN_CONSTRUCT", "", "reference A B;", "The definition holds a reference directive.", "Leave it out: a memory holds")]),
    ("import A B C; prototype Q;", [("FORBIDDEN_CONSTRUCT", "", "import A B C;", "The definition holds an import directive.", "Leave it out: a memory holds")]),
    ("namespace N { prototype Q; }", [("NOT_ONE_PROTOTYPE", "", "", "The text declares no prototype.", "Send exactly one definition:"), ("FORBIDDEN_CONSTRUCT", "", "namespace N { prototype … 28", "The definition holds a namespace.", "Leave it out: a memory holds")]),
    ("function F() : Int { return 1; } prototype Q;", [("FORBIDDEN_CONSTRUCT", "", "function F() : Int { ret… 32", "The definition holds a function.", "Leave it out: a memory holds")]),
    ("namespace N { } prototype Q;", [("FORBIDDEN_CONSTRUCT", "", "namespace N { }", "The definition holds a namespace.", "Leave it out: a memory holds")]),
    ("prototype Q; x = 1;", [("FORBIDDEN_CONSTRUCT", "", "x = 1;", "The definition holds a statement.", "Leave it out: a memory holds")]),
    ("[A] prototype Q;", [("FORBIDDEN_CONSTRUCT", "", "[A]", "The definition holds an annotation.", "Leave it out: an annotation ")]),
    ("extern prototype Q;", [("FORBIDDEN_CONSTRUCT", "", "extern prototype Q;", "The definition holds the modifier extern.", "Leave it out: a memory holds")]),
    ("partial prototype Q;", []),
    ("extern partial prototype Q;", [("FORBIDDEN_CONSTRUCT", "", "extern partial prototype… 27", "The definition holds the modifier extern.", "Leave it out: a memory holds")]),
    ("prototype Q : Host where a == b { }", [("FORBIDDEN_CONSTRUCT", "", "prototype Q : Host where… 35", "The definition holds a where clause.", "Leave it out: a memory holds")]),
    ("prototype Q : Host { init { } }", [("FORBIDDEN_CONSTRUCT", "", "init { }", "The definition holds an init block.", "Leave it out: a memory holds")]),
    ("prototype Q : Host { function F() : Int { return 1; } }", [("FORBIDDEN_CONSTRUCT", "", "function F() : Int { ret… 32", "The definition holds a function.", "Leave it out: a memory holds")]),
    ("prototype Q : Host { prototype R { } }", [("FORBIDDEN_CONSTRUCT", "", "prototype R { }", "The definition holds a nested prototype.", "Leave it out: a memory holds")]),
    ('prototype Q : Host { [A] String C = @"d"; }', [("FORBIDDEN_CONSTRUCT", "C", "[A]", "The definition holds an annotation.", "Leave it out: a memory holds")]),
    ("prototype Q : Host { [A][B] String C; }", [("FORBIDDEN_CONSTRUCT", "C", "[A]", "The definition holds an annotation.", "Leave it out: a memory holds"), ("FORBIDDEN_CONSTRUCT", "C", "[B]", "The definition holds an annotation.", "Leave it out: a memory holds")]),
    ("prototype Q : Host { static String C; }", [("FORBIDDEN_CONSTRUCT", "C", "static String C;", "The definition holds the modifier static.", "Leave it out: a memory holds")]),
    ('prototype Q : Host { this.A = @"d"; }', [("FORBIDDEN_CONSTRUCT", "", 'this.A = @"d";', "The definition holds an assignment to something else than a property.", "Leave it out: a memory holds")]),
    ('prototype Q : Host { a.b = @"d"; }', [("FORBIDDEN_CONSTRUCT", "", 'a.b = @"d";', "The definition holds an assignment to something else than a property.", "Leave it out: a memory holds")]),
    ("prototype Q : Host { a[0] = 1; }", [("FORBIDDEN_CONSTRUCT", "", "a[0] = 1;", "The definition holds an assignment to something else than a property.", "Leave it out: a memory holds")]),
    ("prototype Q : Host { String C; }", []),
    ('prototype Q : Host { C = $"a{b}"; }', [("FORBIDDEN_CONSTRUCT", "C", '$"a{b}"', "The definition holds a computed text.", 'Write the text itself as @"…')]),
    ("prototype Q : Host { Notes = F(1); }", [("FORBIDDEN_CONSTRUCT", "Notes", "F(1)", "The definition holds an expression (call).", "Use texts, numbers, true, fa")]),
    ("prototype Q : Host { Notes = 1 + 2; }", [("FORBIDDEN_CONSTRUCT", "Notes", "1 + 2", "The definition holds an expression (operator `+`).", "Use texts, numbers, true, fa")]),
    ("prototype Q : Host { Collection C = new Collection(); }", []),
    ("prototype Q : Host { Collection C = new Host(); }", [("FORBIDDEN_CONSTRUCT", "C", "new Host()", "The definition holds a new instance.", "Use texts, numbers, true, fa")]),
    ("prototype Q : Host { Collection C = [1, F(2), [G(3)]]; }", [("FORBIDDEN_CONSTRUCT", "C", "F(2)", "The definition holds an expression (call).", "Use texts, numbers, true, fa"), ("FORBIDDEN_CONSTRUCT", "C", "G(3)", "The definition holds an expression (call).", "Use texts, numbers, true, fa")]),
    ("prototype Q : Host { # a\n }", [("FORBIDDEN_CONSTRUCT", "", "#", "The definition holds a # that is not part of a name.", "Write # only inside a name, ")]),
    ('prototype Q : Host { String A = @"#"; } #', [("FORBIDDEN_CONSTRUCT", "", "#", "The definition holds a # that is not part of a name.", "Write # only inside a name, ")]),
    ("#", [("NOT_ONE_PROTOTYPE", "", "", "The text declares no prototype.", "Send exactly one definition:")]),
    ("a#", [("PARSE", "", "", "`;` is missing after the statement.", "Put `;` here.")]),
    ("prototype Q : Host { A0 = F(0); A1 = F(1); A2 = F(2); A3 = F(3); A4 = F(4); A5 = F(5); A6 = F(6); A7 = F(7); A8 = F(8); }", [("FORBIDDEN_CONSTRUCT", "A0", "F(0)", "The definition holds an expression (call).", "Use texts, numbers, true, fa"), ("FORBIDDEN_CONSTRUCT", "A1", "F(1)", "The definition holds an expression (call).", "Use texts, numbers, true, fa"), ("FORBIDDEN_CONSTRUCT", "A2", "F(2)", "The definition holds an expression (call).", "Use texts, numbers, true, fa"), ("FORBIDDEN_CONSTRUCT", "A3", "F(3)", "The definition holds an expression (call).", "Use texts, numbers, true, fa"), ("FORBIDDEN_CONSTRUCT", "A4", "F(4)", "The definition holds an expression (call).", "Use texts, numbers, true, fa"), ("FORBIDDEN_CONSTRUCT", "A5", "F(5)", "The definition holds an expression (call).", "Use texts, numbers, true, fa"), ("FORBIDDEN_CONSTRUCT", "A6", "F(6)", "The definition holds an expression (call).", "Use texts, numbers, true, fa"), ("FORBIDDEN_CONSTRUCT", "A7", "F(7)", "The definition holds an expression (call).", "Use texts, numbers, true, fa")]),
    ("prototype Q : Host { # \n # \n # \n # \n # \n # \n # \n # \n # \n }", [("FORBIDDEN_CONSTRUCT", "", "#", "The definition holds a # that is not part of a name.", "Write # only inside a name, "), ("FORBIDDEN_CONSTRUCT", "", "#", "The definition holds a # that is not part of a name.", "Write # only inside a name, "), ("FORBIDDEN_CONSTRUCT", "", "#", "The definition holds a # that is not part of a name.", "Write # only inside a name, "), ("FORBIDDEN_CONSTRUCT", "", "#", "The definition holds a # that is not part of a name.", "Write # only inside a name, "), ("FORBIDDEN_CONSTRUCT", "", "#", "The definition holds a # that is not part of a name.", "Write # only inside a name, "), ("FORBIDDEN_CONSTRUCT", "", "#", "The definition holds a # that is not part of a name.", "Write # only inside a name, "), ("FORBIDDEN_CONSTRUCT", "", "#", "The definition holds a # that is not part of a name.", "Write # only inside a name, "), ("FORBIDDEN_CONSTRUCT", "", "#", "The definition holds a # that is not part of a name.", "Write # only inside a name, ")]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), ROWS)
def test_what_is_no_definition(text: str, expected: list[Row]) -> None:
    """INV-I5, R5, CASE-B02: what would need running and what the parser could not read."""
    assert rows_of(shape_rule, text) == expected

"""Where we refuse, on purpose, what the reference implementation takes: one row a decision (design section 4).

A row names our code, the rule that decides, the lines of `../shared/oracle` that fall under it, and small texts of our
own that pin it. `tests/memory/test_deviations.py` tries the texts, `tests/memory/test_admission_oracle.py` holds the
lines to it both ways, `scripts/rules_tables.py` puts the table into `docs/rules.md`.
"""
# ruff: noqa: E501 - a table of cases keeps one text a line

from dataclasses import dataclass

__all__ = ["DEVIATIONS", "ENTITIES", "STEPS", "Deviation"]


@dataclass(frozen=True)
class Deviation:
    """One decision.

    Attributes:
        id: of the row, in the page as well.
        code: ours.
        rule: which of the rules that bind everybody decides it.
        what: what the reference does and why we do not.
        lines: ids of `memory-validate.jsonl`.
        pins: definitions of our own that are refused so, each alone, with `ENTITIES` known.
        steps: (sequence, step) of `memory-sequences.jsonl`.
    """

    id: str
    code: str
    rule: int
    what: str
    lines: str
    pins: tuple[str, ...]
    steps: tuple[tuple[str, int], ...] = ()


# What is known before a pin is tried: a thing with values, one of a `#` name, and one that refers to nothing.
ENTITIES = """
prototype Pier : Host { HostName = @"pier.example"; String Zone = @"north"; }
prototype Pier#Old : Host { String Berth = @"nine"; }
"""

DEVIATIONS = (
    Deviation("V01", "PARSE", 2, "A JSON list is read as ProtoScript; it is JSON, whatever else it could be.", "m0006",
        ("[1, 2]", '["Pier"]')),
    Deviation("V02", "UNKNOWN_TYPE", 4, "The type of a value is taken as base and then dropped.", "m0034 m0035 m0036",
        ('prototype Quay : String { HostName = @"a"; }', "prototype Quay : Int { }", "prototype Quay : Host, Collection { }")),
    Deviation("V03", "UNKNOWN_TYPE", 5, "A field of an unknown type is dropped without a word (M15).", "m0247 m0248 m0251 m0252 m0253",
        ('prototype Quay : Host { string Zone = @"a"; }', "prototype Quay : Host { int Depth = 4; }", 'prototype Quay : Host { Unheard Zone = @"a"; }')),
    Deviation("V04", "ALREADY_VALUED", 6, "A value that stands is overwritten (M9).", "m0039 m0040 m0041 m0045",
        ('partial prototype Pier { Zone = @"south"; }', 'prototype Pier : Host { HostName = @"quay.example"; }')),
    Deviation("V05", "ALREADY_VALUED", 6, "The typed field of a `#` name is a default for its heirs; a `#` name is an entity (D7), so it is a value.", "m0286",
        ('prototype Quay : Pier#Old { Berth = @"ten"; }',)),
    Deviation("V06", "TYPE_MISMATCH", 4, "Another base replaces the bases of what exists (M11).", "m0043",
        ("prototype Pier : Service { Int Depth = 4; }", "prototype Pier : Host, Service { Int Depth = 4; }")),
    Deviation("V07", "RESERVED_NAME", 3, "A memory redefines a permanent type, for all its heirs (M9, D7).", "m0044",
        ("partial prototype Host { Int Depth = 4; }", "prototype Service : SemanticEntityBase { Int Depth = 4; }")),
    Deviation("V08", "BAD_IDENTIFIER", 3, "Written names are any letters; ours are plain ASCII.", "m0047 m0050",
        ('prototype Kai\u00e9 : Host { HostName = @"a"; }', 'prototype Qu\u0430y : Host { HostName = @"a"; }')),
    Deviation("V09", "PARSE", 2, "Quotes are part of a name (M14).", "m0049 m0280",
        ('prototype "Quay" : Host { HostName = @"a"; }', 'prototype Quay : Host { String "Zone" = @"a"; }')),
    Deviation("V10", "RESERVED_NAME", 3, "Built-in names pass the check and fail in the write (M8).", "m0051 m0052",
        ('prototype String : Host { HostName = @"a"; }', 'prototype Collection : Host { HostName = @"a"; }')),
    Deviation("V11", "PARSE", 2, "An unknown escape is kept in an assignment and fails in a field (M2).", "m0070 m0117",
        (r'prototype Quay : Host { HostName = "C:\quay"; }', r'prototype Quay : Host { String Zone = "a\q"; }')),
    Deviation("V12", "PARSE", 2, "`@` alone is a text.", "m0082 m0083 m0084",
        ("prototype Quay : Host { HostName = @; }", 'prototype Quay : Host { HostName = @ "a"; }')),
    Deviation("V13", "PARSE", 2, "Numbers with exponents, bases or underscores are taken as something else; ours are plain digits.", "m0137 m0143 m0144 m0167 m0168",
        ("prototype Quay : Host { Int Depth = 2e3; }", "prototype Quay : Host { Int Depth = 0x2A; }", "prototype Quay : Host { Int Depth = 4_2; }")),
    Deviation("V14", "FORBIDDEN_CONSTRUCT", 2, "Operators, calls, members, parentheses and the like stand as values.",
        "m0088 m0089 m0090 m0109 m0112 m0113 m0114 m0154 m0155 m0157 m0179 m0190 m0191 m0192 m0193 m0206 m0207 m0215 "
        "m0216 m0217 m0219 m0236 m0237 m0264",
        ('prototype Quay : Host { HostName = "a" + "b"; }', "prototype Quay : Host { HostName = Read(); }", "prototype Quay : Host { HostName = Pier.HostName; }", "prototype Quay : Host { Int Depth = (4); }")),
    Deviation("V15", "FORBIDDEN_CONSTRUCT", 2, "A prototype string stands as value.", "m0091",
        ('prototype Quay : Host { HostName = $$"Pier"; }',)),
    Deviation("V16", "FORBIDDEN_CONSTRUCT", 2, "A new instance of any prototype stands as value; ours makes a Collection only.", "m0203 m0204 m0235",
        ("prototype Quay : Host { Host Twin = new Host(); }", "prototype Quay : Host { Collection Twins = [new Host()]; }")),
    Deviation("V17", "FORBIDDEN_CONSTRUCT", 2, "An assignment reaches another's property; ours reach their own only.", "m0259 m0262 m0263",
        ('prototype Quay : Host { Pier.Zone = @"a"; }', 'prototype Quay : Host { this.HostName = @"a"; }')),
    Deviation("V18", "FORBIDDEN_CONSTRUCT", 2, "init, functions, methods, statements, nested and extern declarations are taken (M14).",
        "m0265 m0266 m0267 m0268 m0269 m0270 m0278",
        ("prototype Quay : Host { init { } }", "prototype Quay : Host { function Run() : Int { return 1; } }", "prototype Quay : Host { String Run() { } }", "prototype Quay : Host { prototype Inner : Host { } }", "extern prototype Quay : Host { }")),
    Deviation("V19", "FORBIDDEN_CONSTRUCT", 2, "Annotations of any form are taken, hanging ones too (M14, R85).",
        "m0288 m0289 m0290 m0291 m0293 m0294 m0295",
        ('[Marked("a")] prototype Quay : Host { HostName = @"a"; }', 'prototype Quay : Host { [Marked("a")] String Zone = @"a"; }', 'prototype Quay : Host { HostName = @"a"; [Marked("a")] }')),
    Deviation("V20", "TYPE_MISMATCH", 5, "Values are hardly held to their types (M7).",
        "m0096 m0098 m0100 m0103 m0105 m0111 m0133 m0135 m0140 m0141 m0148 m0149 m0151 m0153 m0158 m0170 m0171 m0185 "
        "m0187 m0188 m0201 m0202 m0205 m0208 m0209 m0210 m0211 m0214 m0232 m0254",
        ('prototype Quay : Host { Int Depth = @"four"; }', "prototype Quay : Host { HostName = 4; }", "prototype Quay : Host { Int Depth = 4.5; }", "prototype Quay : Host { Int Depth = 99999999999; }", "prototype Quay : Host { Service Twin = Pier; }", "prototype Quay : Host { Collection Twins = Pier; }", "prototype Quay : Host { Bool Open = 1; }")),
    Deviation("V21", "TYPE_MISMATCH", 5, "A property given twice takes the last value.", "m0244 m0246",
        ('prototype Quay : Host { HostName = @"a"; HostName = @"b"; }', 'prototype Quay : Host { String Zone = @"a"; String Zone = @"b"; }')),
    Deviation("V22", "TYPE_MISMATCH", 5, "An inherited property is declared again and shadows it.", "m0255 m0256",
        ('prototype Quay : Host { String HostName = @"a"; }', "prototype Quay : Host { Int HostName = 4; }")),
    Deviation("V23", "UNKNOWN_REFERENCE", 5, "A name that leads nowhere is dropped without a word (M6).",
        "m0106 m0108 m0110 m0156 m0159 m0183 m0184 m0194 m0195 m0197 m0198",
        ("prototype Quay : Host { HostName = Nowhere; }", "prototype Quay : Host { Host Twin = Nowhere; }", "prototype Quay : Host { Collection Twins = [Pier, Nowhere]; }")),
    Deviation("V24", "UNKNOWN_REFERENCE", 5, "The name of a value's type stands as a prototype.", "m0107",
        ("prototype Quay : Host { Host Twin = String; }",)),
    Deviation("V25", "UNKNOWN_PROPERTY", 5, "An assignment to an undeclared property is dropped, and takes others with it (M6).",
        "m0257 m0258 m0271 m0272 m0273 m0276",
        ('prototype Quay : Host { Berth = @"a"; }', 'prototype Quay : Host { HostName = @"a"; Depth = 4; }')),
    Deviation("V26", "UNKNOWN_PROPERTY", 5, "Members of the host's nodes stand as properties.", "m0274",
        ('prototype Quay : Host { PrototypeName = @"a"; }', "prototype Quay : Host { Children = null; }")),
    Deviation("V27", "BAD_TEXT", 1, "Control characters are kept, escaped ones too.", "m0118",
        ('prototype Quay : Host { HostName = "a\\u0007"; }', 'prototype Quay : Host { HostName = @"a\x07"; }'),
        steps=(("s062", 0), ("s062", 1))),
    Deviation("V28", "TOO_LARGE", 1, "A definition has no size; ours has 16 KiB.", "m0125",
        (f'prototype Quay : Host {{ Notes = @"{"tide " * 3_400}"; }}',),
        steps=(("s059", 0),)),
)  # fmt: skip

# Steps that follow from a deviation before them: (sequence, step) → our answer and the row.
STEPS = {("s059", 1): ("accepted", "V28")}

"""What a definition is answered, whole: every finding with its property, its place, what is said and what to do.

One step more or less in a rule shows here: another place, another property, one finding more or none.
"""
# ruff: noqa: E501 - tables of cases keep one case a line

import pytest
from rule_cases import Person, refusals

from ferrule.memory.submission import Written

# Code, property, the text at the place, how message and remedy begin; both empty where the parser says them.
Told = tuple[str, str, str, str, str]

ANSWERS: list[tuple[str, str | list[Told]]] = [
    ("", [("PARSE", "", "", "The text is empty.", "Send exactly one definition:")]),
    ("   ", [("PARSE", "", "   ", "The text is empty.", "Send exactly one definition:")]),
    ('```\nprototype Q : Host { HostName = @"b"; }\n```', [("PARSE", "", "```", "The text is wrapped in a Markdown fence.", "Send the bare definition.")]),
    ('{"a": 1}', [("PARSE", "", '{"a": 1}', "The text is JSON, not ProtoScript.", "Send exactly one definition:")]),
    ('"prototype"', [("PARSE", "", '"prototype"', "The text is JSON, not ProtoScript.", "Send exactly one definition:")]),
    ('["a"]', [("PARSE", "", '["a"]', "The text is JSON, not ProtoScript.", "Send exactly one definition:")]),
    ('[SemanticEntity("x")] prototype Q : Host { HostName = @"b"; }', [("FORBIDDEN_CONSTRUCT", "", "[SemanticEnt", "The definition holds an annotation.", "Leave it out: an annotation ")]),
    ('prototype Q : Host { HostName = @"b"; Notes = @"a\u202eb"; String C = @"d\u200be"; }', [("BAD_TEXT", "", '\u202eb"; String ', "The text holds a direction mark, which peopl", "Remove that character."), ("BAD_TEXT", "", '\u200be"; }', "The text holds an invisible character, which", "Remove that character.")]),
    ('prototype Q\u200b : Host { HostName = @"b"; }', [("BAD_IDENTIFIER", "", "\u200b : Host { H", "A name holds an invisible character.", "Write names with ASCII lette")]),
    ('prototype \u200bQ : Host { HostName = @"b"; }', [("BAD_IDENTIFIER", "", "\u200bQ : Host { ", "A name holds an invisible character.", "Write names with ASCII lette")]),
    ('prototype Q : Host { HostName = @"b"; \u200b }', [("BAD_TEXT", "", "\u200b }", "The text holds an invisible character, which", "Remove that character.")]),
    ('prototype Q : Host { HostName = @"b"; } \u200b', [("BAD_TEXT", "", "\u200b", "The text holds an invisible character", "Remove that character.")]),
    ('prototype Q\x00 : Host { HostName = @"b"; }', [("BAD_TEXT", "", "\x00 : Host { H", "The text holds a control character, which pe", "Remove that character.")]),
    ('prototype Q : Host { HostName = @"b"; Notes = "a\\u0001b\\u0002c"; }', [("BAD_TEXT", "Notes", '"a\\u0001b\\u0', "The text holds a control character, which pe", "Remove that character.")]),
    ('prototype Q : Host { HostName = @"b"; Notes = @"a\u200db"; }', "written"),
    ('prototype Q\u200dR : Host { HostName = @"b"; }', [("BAD_IDENTIFIER", "", "\u200dR : Host { ", "A name holds a zero-width joiner outside of ", "Write names with ASCII lette")]),
    ('prototype Q : Host { HostName = @"b"; Notes = @"\u200d"; }', [("BAD_TEXT", "", '\u200d"; }', "The text holds a zero-width joiner that join", "Remove that character.")]),
    ('prototype Q : Host { HostName = @"b"; } // a\u200db', [("BAD_IDENTIFIER", "", "\u200db", "A name holds a zero-width joiner outside of ", "Write names with ASCII lette")]),
    ('prototype Q : Host { HostName = @"b"; Notes = "\u200b\u200b\u200b\u200b\u200b\u200b\u200b"; }', [("BAD_TEXT", "", '\u200b\u200b\u200b\u200b\u200b\u200b\u200b"; }', "The text holds an invisible character, which", "Remove that character."), ("BAD_TEXT", "", '\u200b\u200b\u200b\u200b\u200b\u200b"; }', "The text holds an invisible character, which", "Remove that character."), ("BAD_TEXT", "", '\u200b\u200b\u200b\u200b\u200b"; }', "The text holds an invisible character, which", "Remove that character."), ("BAD_TEXT", "", '\u200b\u200b\u200b\u200b"; }', "The text holds an invisible character, which", "Remove that character."), ("BAD_TEXT", "", '\u200b\u200b\u200b"; }', "The text holds an invisible character, which", "Remove that character.")]),
    ('prototype Q : Host { HostName = @"b"; Notes = @"a\rb"; }', [("BAD_TEXT", "", '\rb"; }', "The text holds a control character, which pe", "Remove that character.")]),
    ('prototype Q : Host { HostName = @"b"; Notes = @"a\u0600b"; }', "written"),
    ('prototype Q : Host { HostName = @"b"; Notes = @"a\ue000b"; }', "written"),
    ('prototype Q : Host { HostName = @"b"; Notes = @"a\u0378b"; }', [("BAD_TEXT", "", '\u0378b"; }', "The text holds an unassigned character, whic", "Remove that character.")]),
    ('prototype Q : Host { HostName = @"b"; } prototype R : Host { HostName = @"b"; }', [("NOT_ONE_PROTOTYPE", "", "prototype Q ", "The text declares 2 prototypes.", "Send exactly one definition:")]),
    ("Int x;", [("NOT_ONE_PROTOTYPE", "", "Int x;", "The text declares no prototype.", "Send exactly one definition:"), ("FORBIDDEN_CONSTRUCT", "", "Int x;", "The definition holds a statement.", "Leave it out: a memory holds")]),
    ('include "a.pts"; prototype Q : Host { HostName = @"b"; }', [("FORBIDDEN_CONSTRUCT", "", 'include "a.p', "The definition holds an include directive.", "Leave it out: a memory holds")]),
    ('reference A B; prototype Q : Host { HostName = @"b"; }', [("FORBIDDEN_CONSTRUCT", "", "reference A ", "The definition holds a reference directive.", "Leave it out: a memory holds")]),
    ("namespace N { }", [("NOT_ONE_PROTOTYPE", "", "namespace N ", "The text declares no prototype.", "Send exactly one definition:"), ("FORBIDDEN_CONSTRUCT", "", "namespace N ", "The definition holds a namespace.", "Leave it out: a memory holds")]),
    ('prototype Q : Host { HostName = @"b"; init { } }', [("FORBIDDEN_CONSTRUCT", "", "init { } }", "The definition holds an init block.", "Leave it out: a memory holds")]),
    ('prototype Q : Host { HostName = @"b"; function F() : Int { return 1; } }', [("FORBIDDEN_CONSTRUCT", "", "function F()", "The definition holds a function.", "Leave it out: a memory holds")]),
    ('prototype Q : Host { HostName = @"b"; prototype R : Host { } }', [("FORBIDDEN_CONSTRUCT", "", "prototype R ", "The definition holds a nested prototype.", "Leave it out: a memory holds")]),
    ('[A] prototype Q : Host { HostName = @"b"; }', [("FORBIDDEN_CONSTRUCT", "", "[A] prototyp", "The definition holds an annotation.", "Leave it out: an annotation ")]),
    ('extern prototype Q : Host { HostName = @"b"; }', [("FORBIDDEN_CONSTRUCT", "", "extern proto", "The definition holds the modifier extern.", "Leave it out: a memory holds")]),
    ('private prototype Q : Host { HostName = @"b"; }', [("PARSE", "", "private prot", "", "")]),
    ('prototype Q : Host { [A] HostName = @"b"; }', [("FORBIDDEN_CONSTRUCT", "", "[A] HostName", "", ""), ("FORBIDDEN_CONSTRUCT", "", "[A] HostName", "", "")]),
    ('prototype Q : Host { [A] String C = @"d"; }', [("FORBIDDEN_CONSTRUCT", "C", "[A] String C", "The definition holds an annotation.", "Leave it out: a memory holds")]),
    ('prototype Q : Host { static String C = @"d"; HostName = @"b";}', [("FORBIDDEN_CONSTRUCT", "C", "static Strin", "The definition holds the modifier static.", "Leave it out: a memory holds")]),
    ('prototype Q : Host { this.HostName = @"d"; }', [("FORBIDDEN_CONSTRUCT", "", "this.HostNam", "The definition holds an assignment to someth", "Leave it out: a memory holds")]),
    ('prototype Q : Host { a.b = @"d"; }', [("FORBIDDEN_CONSTRUCT", "", 'a.b = @"d"; ', "The definition holds an assignment to someth", "Leave it out: a memory holds")]),
    ('prototype Q : Host { HostName = @"b"; Notes = $"a{b}"; }', [("FORBIDDEN_CONSTRUCT", "Notes", '$"a{b}"; }', "The definition holds a computed text.", 'Write the text itself as @"…')]),
    ('prototype Q : Host { HostName = @"b"; Notes = \'a\'; }', "written"),
    ('prototype Q : Host { HostName = @"b"; Notes = F(1); }', [("FORBIDDEN_CONSTRUCT", "Notes", "F(1); }", "The definition holds an expression (call).", "Use texts, numbers, true, fa")]),
    ('prototype Q : Host { HostName = @"b"; Collection C = new Collection(); }', "written"),
    ('prototype Q : Host { HostName = @"b"; Collection C = new Host(); }', [("FORBIDDEN_CONSTRUCT", "C", "new Host(); ", "The definition holds a new instance.", "Use texts, numbers, true, fa")]),
    ('prototype Q : Host { HostName = @"b"; Collection C = [1, F(2), [G(3)]]; }', [("FORBIDDEN_CONSTRUCT", "C", "F(2), [G(3)]", "The definition holds an expression (call).", "Use texts, numbers, true, fa"), ("FORBIDDEN_CONSTRUCT", "C", "G(3)]]; }", "The definition holds an expression (call).", "Use texts, numbers, true, fa")]),
    ('prototype Q : Host { HostName = @"b"; Int N = 1e999; }', [("TYPE_MISMATCH", "", "1e999; }", "", "")]),
    ('prototype Q : Host { HostName = @"b"; Int N = 1e; }', [("PARSE", "", "1e; }", "", "")]),
    ('prototype Q : Host { HostName = @"b"; Int N = 12x; }', [("PARSE", "", "12x; }", "", "")]),
    ('prototype Q : Host { HostName = @"b"; String N = @"a" } }', [("PARSE", "", " } }", "", ""), ("PARSE", "", "}", "", "")]),
    ('prototype Q : Host { HostName = @"b"; # a\n }', [("FORBIDDEN_CONSTRUCT", "", "# a", "The definition holds a # that is not part of", "Write # only inside a name, ")]),
    ('prototype Q #a : Host { HostName = @"b"; }', [("PARSE", "", "#a : Host { ", "", "")]),
    ('prototype Q#a : Host { HostName = @"b"; }', "written"),
    ('prototype Q : Host { HostName = @"b"; if (a) { } }', [("PARSE", "", "(a) { } }", "", "")]),
    ('prototype if : Host { HostName = @"b"; }', [("RESERVED_NAME", "", "if : Host { ", "", "")]),
    ('prototype Q : Host where a == b { HostName = @"b"; }', [("FORBIDDEN_CONSTRUCT", "", "prototype Q ", "The definition holds a where clause.", "Leave it out: a memory holds")]),
    ("prototype Q { ", [("PARSE", "", " ", "", "")]),
    ("prototype : Host { }", [("PARSE", "", " : Host { }", "", "")]),
    ("prototype 1Q : Host { }", [("BAD_IDENTIFIER", "", "1Q : Host { ", "", "")]),
    ('prototype Q : Host { HostName = @"b"; String if = @"a"; }', "written"),
    ('prototype Q : Host { HostName = @"b"; String größe = @"a"; }', [("BAD_IDENTIFIER", "größe", 'größe = @"a"', "A property's name is not a plain ASCII name.", "Use ASCII letters, digits an")]),
    ('prototype Host : Host { HostName = @"b"; }', [("RESERVED_NAME", "", "Host : Host ", "Host is a permanent type, and types are not ", "Derive from it: prototype Ho")]),
    ('prototype this : Host { HostName = @"b"; }', [("RESERVED_NAME", "", "this : Host ", "The name is a reserved or built-in word.", "Choose a name that says whic")]),
    ('prototype String : Host { HostName = @"b"; }', [("RESERVED_NAME", "", "String : Hos", "The name is a reserved or built-in word.", "Choose a name that says whic")]),
    ('prototype String.A : Host { HostName = @"b"; }', [("RESERVED_NAME", "", "String.A : H", "The name is a reserved or built-in word.", "Choose a name that says whic")]),
    ('prototype Object : Host { HostName = @"b"; }', [("RESERVED_NAME", "", "Object : Hos", "The name is a reserved or built-in word.", "Choose a name that says whic")]),
    ('prototype QQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQ : Host { HostName = @"b"; }', [("BAD_IDENTIFIER", "", "QQQQQQQQQQQQ", "The prototype's name is not a plain ASCII na", "Use ASCII letters, digits an")]),
    ('prototype QQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQ : Host { HostName = @"b"; }', [("BAD_IDENTIFIER", "", "QQQQQQQQQQQQ", "The prototype's name is not a plain ASCII na", "Use ASCII letters, digits an")]),
    ('prototype Q-R : Host { HostName = @"b"; }', [("PARSE", "", "-R : Host { ", "", "")]),
    ('prototype BUOY : Host { HostName = @"b"; }', [("ALREADY_EXISTS", "", "BUOY : Host ", "The name differs only in case from Buoy, whi", "Augment Buoy or choose anoth")]),
    ('prototype Q : Host { HostName = @"b"; String Value = @"a"; String PrototypeName = @"a"; String TypeOfs = @"b"; String Descendants = @"c"; String Children = @"c"; String Properties = @"c"; String PrototypeID = @"c"; }', [("RESERVED_NAME", "Value", 'Value = @"a"', "Value is a member of every prototype and can", "Choose a name that says whic"), ("RESERVED_NAME", "PrototypeName", "PrototypeNam", "PrototypeName is a member of every prototype", "Choose a name that says whic"), ("RESERVED_NAME", "TypeOfs", 'TypeOfs = @"', "TypeOfs is a member of every prototype and c", "Choose a name that says whic"), ("RESERVED_NAME", "Descendants", "Descendants ", "Descendants is a member of every prototype a", "Choose a name that says whic"), ("RESERVED_NAME", "Children", "Children = @", "Children is a member of every prototype and ", "Choose a name that says whic"), ("RESERVED_NAME", "Properties", "Properties =", "Properties is a member of every prototype an", "Choose a name that says whic"), ("RESERVED_NAME", "PrototypeID", "PrototypeID ", "PrototypeID is a member of every prototype a", "Choose a name that says whic")]),
    ('prototype Q : Host { Value = @"a"; }', [("UNKNOWN_PROPERTY", "Value", 'Value = @"a"', "Value is not declared.", "Give it a type, as in String")]),
    ('prototype Q : ProtoScriptAction { HostName = @"b"; }', [("RESERVED_NAME", "", "ProtoScriptA", "ProtoScriptAction is an action or starts its", "Derive from an entity type s")]),
    ('prototype Q : OpsAction { HostName = @"b"; }', [("RESERVED_NAME", "", "OpsAction { ", "OpsAction is an action or starts itself, and", "Derive from an entity type s")]),
    ('prototype Q : PromptAction { HostName = @"b"; }', [("RESERVED_NAME", "", "PromptAction", "PromptAction is an action or starts itself, ", "Derive from an entity type s")]),
    ('prototype Q : CoreAction { HostName = @"b"; }', [("RESERVED_NAME", "", "CoreAction {", "CoreAction is an action or starts itself, an", "Derive from an entity type s")]),
    ('prototype Q : Host { HostName = @"b"; String CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC = @"a"; }', [("BAD_IDENTIFIER", "CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC", "CCCCCCCCCCCC", "A property's name is not a plain ASCII name.", "Use ASCII letters, digits an")]),
    ('prototype Q { HostName = @"b"; }', [("UNKNOWN_TYPE", "", "Q { HostName", "The prototype names no base.", "Write prototype Q : Semantic"), ("UNKNOWN_PROPERTY", "HostName", "HostName = @", "HostName is not declared.", "Give it a type, as in String")]),
    ('partial prototype Q { HostName = @"b"; }', [("UNKNOWN_TYPE", "", "Q { HostName", "The prototype names no base.", "Write prototype Q : Semantic"), ("UNKNOWN_PROPERTY", "HostName", "HostName = @", "HostName is not declared.", "Give it a type, as in String")]),
    ('prototype Buoy { String C = @"d"; }', [("UNKNOWN_TYPE", "", "Buoy { Strin", "The prototype names no base.", "Write partial prototype Buoy")]),
    ('prototype Q : Q { HostName = @"b"; }', [("TYPE_MISMATCH", "", "Q { HostName", "The prototype would become its own ancestor.", "Name a base that does not de")]),
    ('prototype Q : Q, Host { HostName = @"b"; }', [("TYPE_MISMATCH", "", "Q, Host { Ho", "The prototype would become its own ancestor.", "Name a base that does not de")]),
    ('prototype Q : String { HostName = @"b"; }', [("UNKNOWN_TYPE", "", "String { Hos", "String is the type of a value, not a base.", "Use SemanticEntityBase or a ")]),
    ('prototype Q : Int, Nowhere { HostName = @"b"; }', [("UNKNOWN_TYPE", "", "Int, Nowhere", "Int is the type of a value, not a base.", "Use SemanticEntityBase or a "), ("UNKNOWN_TYPE", "", "Nowhere { Ho", "A base is not known in this session's ontolo", "Use SemanticEntityBase or a ")]),
    ('prototype Buoy : Service { String C = @"d"; }', [("TYPE_MISMATCH", "", "Service { St", "Buoy exists with other bases.", "Keep its bases: Host.")]),
    ('prototype Buoy : Host, Service { String C = @"d"; }', [("TYPE_MISMATCH", "", "Host, Servic", "Buoy exists with other bases.", "Keep its bases: Host.")]),
    ('prototype Q : Host { HostName = @"b"; HostName = @"c"; }', [("TYPE_MISMATCH", "HostName", "HostName = @", "HostName stands twice in the definition.", "Write it once.")]),
    ('prototype Q : Host { HostName = @"b"; String C; String C = @"a"; }', [("TYPE_MISMATCH", "C", 'C = @"a"; }', "C stands twice in the definition.", "Write it once.")]),
    ('prototype Q : Host { HostName = @"b"; String C = @"a"; C = @"b"; }', [("TYPE_MISMATCH", "C", 'C = @"b"; }', "C stands twice in the definition.", "Write it once.")]),
    ('prototype Q : Host { HostName = @"b"; String C; C = @"b"; }', "written"),
    ('prototype Q : Host { HostName = @"b"; HostNam = @"c"; }', [("UNKNOWN_PROPERTY", "HostNam", 'HostNam = @"', "HostNam is not declared.", "Did you mean HostName? Else ")]),
    ('prototype Q : Host { HostName = @"b"; Zzzz = @"c"; }', [("UNKNOWN_PROPERTY", "Zzzz", 'Zzzz = @"c";', "Zzzz is not declared.", "Give it a type, as in String")]),
    ('prototype Q : Host { HostName = @"b"; string C = @"c"; }', [("UNKNOWN_TYPE", "C", "string C = @", "The type of C is not known.", "Write String.")]),
    ('prototype Q : Host { HostName = @"b"; Widget C = @"c"; }', [("UNKNOWN_TYPE", "C", "Widget C = @", "The type of C is not known.", "Use String, Int, Bool, Doubl")]),
    ('prototype Q : Host { String HostName = @"c"; }', [("TYPE_MISMATCH", "HostName", "String HostN", "HostName is declared above already.", "Assign it without a type: Ho")]),
    ('prototype Q : Host { HostName = @"b"; String hostname = @"c"; }', [("ALREADY_EXISTS", "hostname", "hostname = @", "hostname differs only in case from HostName.", "Use HostName, or a name of i")]),
    ("partial prototype Buoy { Int Zone = 4; }", [("TYPE_MISMATCH", "Zone", "Int Zone = 4", "Zone is declared with another type.", "Its type is String."), ("ALREADY_VALUED", "Zone", "4; }", "Zone has a value already.", "Drop this line; for a later ")]),
    ('partial prototype Buoy { String zone = @"c"; }', [("ALREADY_EXISTS", "zone", 'zone = @"c";', "zone differs only in case from Zone.", "Use Zone, or a name of its o")]),
    ("partial prototype Buoy { Int ZoneAtTurn3 = 4; }", [("TYPE_MISMATCH", "ZoneAtTurn3", "Int ZoneAtTu", "ZoneAtTurn3 is declared with another type.", "Its type is String.")]),
    ('partial prototype Buoy { ZoneAtTurn3 = @"c"; }', "written"),
    ('partial prototype Buoy { String ZoneAtTurn3 = @"c"; }', "written"),
    ('prototype Q : Host { HostName = @"b"; Int C = @"c"; }', [("TYPE_MISMATCH", "C", '@"c"; }', "C is of type Int and cannot hold a text.", "Give it a value of type Int,")]),
    ('prototype Q : Host { HostName = @"b"; String C = 4; }', [("TYPE_MISMATCH", "C", "4; }", "C is of type String and cannot hold a whole ", "Give it a value of type Stri")]),
    ('prototype Q : Host { HostName = @"b"; Bool C = 1; }', [("TYPE_MISMATCH", "C", "1; }", "C is of type Bool and cannot hold a whole nu", "Give it a value of type Bool")]),
    ('prototype Q : Host { HostName = @"b"; Double C = 1; Int D = 1.5; }', [("TYPE_MISMATCH", "D", "1.5; }", "D is of type Int and cannot hold a number wi", "Give it a value of type Int,")]),
    ('prototype Q : Host { HostName = @"b"; Int C = 1f; Double D = 2.5d; Int E = 3L; }', [("PARSE", "", "2.5d; Int E ", "", "")]),
    ('prototype Q : Host { HostName = @"b"; Double C = NaN; Double D = Infinity; }', [("TYPE_MISMATCH", "C", "NaN; Double ", "C cannot hold a number that is not finite.", "Give it a number."), ("TYPE_MISMATCH", "D", "Infinity; }", "D cannot hold a number that is not finite.", "Give it a number.")]),
    ('prototype Q : Host { HostName = @"b"; Host C = Nobody; String D = Nobody; }', [("UNKNOWN_REFERENCE", "C", "Nobody; Stri", "C refers to something that is not a known pr", "Name a known prototype that "), ("UNKNOWN_REFERENCE", "D", "Nobody; }", "D refers to something that is not a known pr", "Write a text in quotes, or w")]),
    ('prototype Q : Host { HostName = @"b"; Service C = Buoy; }', [("TYPE_MISMATCH", "C", "Buoy; }", "C is of type Service and cannot hold a refer", "Name a known prototype that ")]),
    ('prototype Q : Host { HostName = @"b"; Host C = Buoy; }', "written"),
    ('prototype Q : Host { HostName = @"b"; Host C = @"Buoy"; }', [("TYPE_MISMATCH", "C", '@"Buoy"; }', "C is of type Host and cannot hold a text.", "Name a known prototype that ")]),
    ('prototype Q : Host { HostName = @"b"; Collection C = [Nobody, Buoy, Other]; }', [("UNKNOWN_REFERENCE", "C", "Nobody, Buoy", "C refers to something that is not a known pr", "Write a text in quotes, or w"), ("UNKNOWN_REFERENCE", "C", "Other]; }", "C refers to something that is not a known pr", "Write a text in quotes, or w")]),
    ('partial prototype Buoy { Zone = @"c"; }', [("ALREADY_VALUED", "Zone", '@"c"; }', "Zone has a value already.", "Drop this line; for a later ")]),
    ('partial prototype Buoy { HostName = @"c"; Zone = @"d"; }', [("ALREADY_VALUED", "HostName", '@"c"; Zone =', "HostName has a value already.", "Drop this line; for a later "), ("ALREADY_VALUED", "Zone", '@"d"; }', "Zone has a value already.", "Drop this line; for a later ")]),
    ('partial prototype Buoy { Zone = @"pier"; }', "unaltered"),
    ("partial prototype Buoy { Zone = null; }", [("ALREADY_VALUED", "Zone", "null; }", "Zone has a value already.", "Drop this line; for a later ")]),
    ('prototype Q : Host { Notes = @"a"; }', "written"),
    ("prototype Q : Host { Host C = Buoy; }", "written"),
    ('prototype Q : Host { EntityName = @"quay"; }', "written"),
    ('prototype QQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQ : Host { HostName = @"b"; }', "written"),
    ('prototype QQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQ : Host { HostName = @"b"; }', [("BAD_IDENTIFIER", "", "QQQQQQQQQQQQ", "The prototype's name is not a plain ASCII na", "Use ASCII letters, digits an")]),
    ('prototype Q : Host { HostName = @"b"; String CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC = @"a"; }', "written"),
    ('prototype Q : Host { HostName = @"b"; String CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC = @"a"; }', [("BAD_IDENTIFIER", "CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC", "CCCCCCCCCCCC", "A property's name is not a plain ASCII name.", "Use ASCII letters, digits an")]),
    ('prototype Q : Host { HostName = @"b"; Collection C = [@"a", 1, [true, null]]; }', "written"),
    ('prototype Q : Host { HostName = @"b"; Bool C = true; Bool D = @"no"; }', [("TYPE_MISMATCH", "D", '@"no"; }', "D is of type Bool and cannot hold a text.", "Give it a value of type Bool")]),
    ('prototype Q : Host, Service { HostName = @"b"; }', "written"),
    ('prototype Q.R : Host { HostName = @"b"; }', [("BAD_IDENTIFIER", "", "Q.R : Host {", "The prototype's name is not a plain ASCII na", "Use ASCII letters, digits an")]),
    ('prototype Q_1 : Host { HostName = @"b"; }', "written"),
    ("Q : Host", [("PARSE", "", "Q : Host", "", "")]),
    ('prototype Q : Host { HostName = "a\\q"; }', [("PARSE", "", '\\q"; }', "", "")]),
    ('prototype Q : Host { HostName = @"a; }', [("PARSE", "", '@"a; }', "", "")]),
    ("/* prototype", [("PARSE", "", "/* prototype", "", "")]),
    ('// prototype Q\nprototype Q : Host { HostName = @"b"; } /* # */', "written"),
    ('prototype Q : Host { HostName = @"b"; Notes = @"# a"; }', "written"),
    ("a# # b", [("PARSE", "", " # b", "", "")]),
    ('prototype Q : Host { HostName = @"b"; }#', [("FORBIDDEN_CONSTRUCT", "", "#", "The definition holds a # that is not part of", "Write # only inside a name, ")]),
    ("`prototype`", [("PARSE", "", "`prototype`", "", ""), ("PARSE", "", "", "", "")]),
    ("[1, 2]", [("PARSE", "", "[1, 2]", "The text is JSON, not ProtoScript.", "Send exactly one definition:")]),
    ("[prototype]", [("FORBIDDEN_CONSTRUCT", "", "[prototype]", "", "")]),
    ("```prototype Q : Host { }", [("PARSE", "", "```prototype", "The text is wrapped in a Markdown fence.", "Send the bare definition.")]),
    ('prototype Q : Host { HostName = @"b"; Notes = @"a""b\\"; /* c */ // d\n }', "written"),
    ('import A; prototype Q : Host { HostName = @"b"; }', [("PARSE", "", "; prototype ", "", "")]),
    ('prototype Q : Host { HostName = @"b"; x = 1; y() ; }', [("PARSE", "", "() ; }", "", "")]),
    ('extern partial prototype Buoy { String C = @"d"; }', [("FORBIDDEN_CONSTRUCT", "", "extern parti", "The definition holds the modifier extern.", "Leave it out: a memory holds")]),
    ("prototype Q : Host; ", "written"),
    ("prototype Q : Host { ; }", [("PARSE", "", "; }", "", "")]),
    ('prototype Q : Host { HostName = @"b"; Service HostNameAtTurn3 = Buoy; }', [("TYPE_MISMATCH", "HostNameAtTurn3", "Service Host", "HostNameAtTurn3 is declared with another typ", "Its type is String.")]),
    ('prototype Q : Host { HostName = @"b"; String C = @"d"; Int CAtTurn2 = 3; }', "written"),
    ('prototype Q : Host { HostName = @"b"; Bool = true; }', [("UNKNOWN_PROPERTY", "Bool", "Bool = true;", "Bool is not declared.", "Give it a type, as in String")]),
    ('prototype Q : Host { HostName = @"b"; Int C = 0x10; Int D = 99999999999999999999; }', [("PARSE", "", "0x10; Int D ", "", "")]),
    ('prototype Q : Host { HostName = @"b"; Int C = -5; Double D = -1.5; }', "written"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), ANSWERS)
def test_an_answer_tells_each_thing_at_its_place(text: str, expected: str | list[Told]) -> None:
    """R54, R59, INV-I1: a person who knows one host writes; rules 1 to 8 answer."""
    person = Person()
    person.write('prototype Buoy : Host { HostName = @"buoy"; String Zone = @"pier"; }')
    verdict = person.judge(text)
    if isinstance(expected, str):
        assert type(verdict).__name__.lower() == expected
        return
    found = refusals(verdict)
    seen = [
        (one.code.value, one.property, text[one.offset : one.offset + 12].split("\n", maxsplit=1)[0]) for one in found
    ]
    assert seen == [row[:3] for row in expected]
    for one, (*_, message, remedy) in zip(found, expected, strict=True):
        assert one.message.startswith(message)
        assert one.remedy.startswith(remedy)
        assert one.line == text.count("\n", 0, one.offset) + 1
        assert one.column == one.offset - text.rfind("\n", 0, one.offset)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('prototype Q : Host { Notes = @"a"; }', ["NO_HANDLE"]),
        ('prototype Q : Host { EntityName = @"quay"; }', ["NO_HANDLE"]),
        ('prototype Q : Host { HostName = @"b"; }', []),
        ("prototype Q : Host { Host C = Buoy; }", []),
        ('prototype SessionSummary : SemanticEntityBase { String FilePath = @"/srv/a.md"; }', ["NOT_DURABLE"]),
        ('prototype Decision : SemanticEntityBase { EntityName = @"a decision"; }', ["NO_HANDLE", "NOT_DURABLE"]),
    ],
)
def test_a_person_is_warned_and_not_refused(text: str, expected: list[str]) -> None:
    """DEC-D5, D8: rules 8 and 12 speak to a person without refusing."""
    person = Person()
    person.write('prototype Buoy : Host { HostName = @"buoy"; }')
    verdict = person.judge(text)
    assert isinstance(verdict, Written)
    assert [one.code.value for one in verdict.warnings] == expected

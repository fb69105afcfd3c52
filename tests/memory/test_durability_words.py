"""Each word, size and shape by which something is no memory, and the next one that is a memory again."""
# ruff: noqa: E501 - tables of cases keep one case a line

import pytest
from rule_cases import FILE, Critic, Person, a_turn, refusals

from ferrule.memory.rules.reserved import ACTION_ROOTS, BUILTIN_NAMES, HOST_MEMBERS, RESERVED_WORDS
from ferrule.memory.submission import Written


def warned(text: str) -> list[tuple[str, str]]:
    """Property and message of what rule 12 tells a person."""
    verdict = Person().judge(text)
    assert isinstance(verdict, Written), refusals(verdict)
    return [(one.property, one.message) for one in verdict.warnings if one.code.value == "NOT_DURABLE"]


def host(members: str, name: str = "Buoy", base: str = "Host") -> str:
    """A host with these members."""
    return f'prototype {name} : {base} {{ HostName = @"buoy"; {members} }}'


def neutral(name: str, members: str = 'String FilePath = @"/srv/quay/a.md";') -> str:
    """Something of no type, with a handle."""
    return f"prototype {name} : SemanticEntityBase {{ {members} }}"


WRAPS = "It wraps a fact, decision, failure or summary instead of naming a thing."
SUMS = "It summarises a turn or session."
WRAPPERS = (
    *("fact", "facts", "decision", "decisions", "blocker", "blockers", "failure", "failures", "finding", "findings"),
    *("insight", "insights", "lesson", "lessons", "learning", "learnings", "observation", "conclusion", "recap"),
    *("summary", "takeaway", "takeaways", "rationale"),
)


@pytest.mark.parametrize("word", WRAPPERS)
def test_what_is_called_a_wrapper_of_facts_is_none_of_the_things(word: str) -> None:
    """R61, R67, DEC-D14: by its last word, as name or as EntityName; a type of its own and a handle make it a thing."""
    name = f"Pier{word.title()}"
    assert warned(neutral(name)) == [("", WRAPS)]
    assert warned(neutral("PierThing", f'EntityName = @"pier {word}"; String FilePath = @"/srv/quay/a.md";')) == [
        ("", WRAPS)
    ]
    assert warned(neutral(f"{word.title()}Pier")) == []
    assert warned(f'prototype {name} : Document {{ FilePath = @"/srv/quay/a.md"; }}') == []
    assert warned(f'prototype {name} : Document {{ EntityName = @"pier"; }}') == [("", WRAPS)]


SUMMARIES = [
    ("session summary", True), ("turn recap", True), ("conversation summary", True), ("chat-recap", True),
    ("summary of the session", True), ("recap of this turn", True), ("overview of work", True), ("summary of changes", True),
    ("overview session", True), ("session overview", False), ("summary of the pier", False), ("overview of the pier", False),
    ("sessions summary page", False), ("work summary page", False), ("session notes", False),
]  # fmt: skip


@pytest.mark.parametrize(("words", "sums"), SUMMARIES)
def test_a_summary_of_a_session_is_no_thing(words: str, *, sums: bool) -> None:
    """R62, R68: whatever it is, unless its own handle is called so."""
    told = warned(f'prototype Pier : Document {{ EntityName = @"{words}"; FilePath = @"/srv/quay/a.md"; }}')
    assert told == ([("", SUMS)] if sums else [])
    for name in ("summary", "recap", "overview"):
        text = f'prototype Pier : Document {{ EntityName = @"{words}"; FilePath = @"/srv/quay/session-{name}.md"; }}'
        assert warned(text) == []


LONG = "Call it in a few words."
NAMES = [
    ('EntityName = @"' + "a" * 160 + '";', []),
    ('EntityName = @"' + "a" * 161 + '";', ["EntityName"]),
    ('EntityName = @"' + "a" * 100 + "; " + "b" * 100 + '";', ["EntityName"]),
    ('Aliases = @"' + "a" * 100 + "; " + "b" * 100 + '";', []),
    ('Aliases = @"' + "a" * 100 + "\n" + "b" * 100 + '";', []),
    ('Aliases = @"short; ' + "b" * 161 + '";', ["Aliases"]),
    ('String AliasAtTurn3 = @"' + "b" * 161 + '";', ["AliasAtTurn3"]),
    ('EntityName = @"first\nsecond";', ["EntityName"]),
    ('EntityName = @" first\n";', []),
    ('String Title = @"' + "a" * 161 + '\nb";', []),
]


@pytest.mark.parametrize(("members", "props"), NAMES)
def test_a_name_is_a_few_words_on_one_line(members: str, props: list[str]) -> None:
    """R67: 160 characters are the longest name; aliases are counted one by one."""
    assert warned(host(members)) == [(prop, f"{prop} holds a text, not a name.") for prop in props]


LOG, DUMP, TEXT = "log lines", "a tool's dump", "a long text"
SHAPES = [
    ("2026-01-02 10:00:01 a\n2026-01-02T10:00:02 b\n[2026-01-02 10:00:03] c", LOG),
    ("2026-01-02 10:00:01 a\n2026-01-02 10:00:02 b\nc", ""),
    ("10:00:01 a\n[10:00:02] b\n10:00:03 c", LOG),
    ("INFO a\n[WARN] b\n(ERROR) c", LOG),
    ("TRACE a\nDEBUG b\nFATAL c", LOG),
    ("WARNING a\nCRITICAL b\nERROR c", LOG),
    ("INFORMED a\nWARNED b\nERRORS c", ""),
    ("at a.b(c)\nat d.e(f)\nat g(h)", LOG),
    ('File ""a.py"", line 3\nFile ""b.py"", line 4\nFile ""c.py"", line 5', LOG),
    ("npm ERR a\nnpm WARN b\nnpm ERR c", LOG),
    ("npm a\nnpm b\nnpm c", ""),
    ("a\n\n   INFO a\n\nINFO b\nINFO c", LOG),
    ("Traceback (most recent call last)", LOG),
    ("  at a.b.c(d.java:12)", LOG),
    ("x\n  at a.b.c(d.java:12)", LOG),
    ("meet at a.b.c(d.java:12)", ""),
    ('{""a"": 1, ""b"": 2, ""c"": 3, ""d"": 4}', DUMP),
    ('{""a"": 1, ""b"": 2, ""c"": 3}', ""),
    ('  [{""a"": 1, ""b"": 2, ""c"": 3, ""d"": 4}]', DUMP),
    ('<""a"": 1, ""b"" : 2, ""c"": 3, ""d"": 4', DUMP),
    ('see ""a"": 1, ""b"": 2, ""c"": 3, ""d"": 4', ""),
    ("a|b|c|d\na|b|c|d\na|b|c|d", DUMP),
    ("a|b|c|d\na|b|c|d\na|b|c", ""),
    ("a\tb\tc\na\tb\tc\na\tb\tc", DUMP),
    ("a\tb\na\tb\na\tb", ""),
    ("see " + "ab/c" * 100, DUMP),
    ("see " + "ab/c" * 99 + "abc", ""),
    ("\n".join(["a"] * 20), ""),
    ("\n".join(["a"] * 21), TEXT),
    ("\n\n".join(["a"] * 20), ""),
    ("ab " * 400, ""),
    ("ab " * 400 + "c", TEXT),
]


@pytest.mark.parametrize(("value", "what"), SHAPES)
def test_logs_dumps_and_long_texts_are_told_by_their_shape(value: str, what: str) -> None:
    """R62, R67, R70: three lines of a log, three rows of a table, four pairs of JSON, more than twenty lines."""
    assert warned(host(f'Notes = @"{value}";')) == ([("Notes", f"Notes holds {what}.")] if what else [])


def test_a_command_may_be_long_and_no_log() -> None:
    """R67: a command of many lines is a handle; a log is none, whatever holds it."""
    command = "make " + " \\\n ".join(f"--flag{n} a" for n in range(25))
    for prop, expected in (("RunCommand", []), ("Notes", [("Notes", "Notes holds a long text.")])):
        member = f'String {prop} = @"{command}";' if prop == "RunCommand" else f'{prop} = @"{command}";'
        assert warned(host(member)) == expected


MECHANICS = [
    ('Notes = @"ONLINE_MEMORY_CRITIC_RESULT here";', ["Notes"]),
    ('Notes = @"see omcbench:12";', ["Notes"]),
    ('Notes = @"see romcbench:12";', []),
    ('Notes = @"online-memory-critic: wrote";', ["Notes"]),
    ('Notes = @"online-memory-critic";', []),
    ('String SourceSessionKey = @"quay-online-memory-critic";', ["SourceSessionKey"]),
    ('String SourceSessionKey = @"quay-online-memory-critics";', []),
    ('String SourceSessionKey = @"quay-online-action-critic";', ["SourceSessionKey"]),
    ('String SourceSessionKey = @"quay-online-action-critic-x";', []),
    ('String SourceSessionKey = @"quay-level-2";', ["SourceSessionKey"]),
    ('String SourceSessionKey = @"quay-level-two";', ["SourceSessionKey"]),
    ('String SourceSessionKey = @"quay-level-22";', []),
    ('String SourceSessionKey = @"quay-level-3";', []),
    ('Notes = @"on quay-level-2";', []),
    ('String FilePath = @"/srv/omcbench:12";', []),
]


@pytest.mark.parametrize(("members", "props"), MECHANICS)
def test_the_critics_own_mechanics_are_no_memory(members: str, props: list[str]) -> None:
    """R70: its markers, its companions, whoever watches it; a path of such a name is a path."""
    assert warned(host(members)) == [(prop, f"{prop} is about the critic itself.") for prop in props]


def test_not_more_than_three_things_are_said_of_what_does_not_last() -> None:
    """R59: an answer has an end."""
    members = " ".join(f'String Line{letter} = @"Traceback (most recent call last)";' for letter in "ABCDE")
    assert len(warned(host(members))) == 3


GAUGE = f'prototype TideGauge : SourceFile {{ EntityName = @"Tide gauge"; FilePath = @"{FILE}"; Notes = @"%s"; }}'


@pytest.mark.parametrize(
    ("mark", "note", "told"),
    [
        ("path:git.example/harbor/quay:tide/gauge.py", "rounds", True),
        ("path:git.example/harbor/quay:tide/other.py", "rounds", False),
        ("tidegauge", "rounds", True),
        ("waterclock", "rounds", False),
        ("url:https://docs.example/tide", "documented at https://docs.example/tide", True),
        ("url:https://docs.example/tide", "documented elsewhere", False),
    ],
)
def test_what_is_forgotten_comes_back_under_no_mark(mark: str, note: str, *, told: bool) -> None:
    """DEC-D14: by handle, by name, and by what free text points at; nothing else is said beside it."""

    def forgotten(marks: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(one for one in marks if one == mark)

    found = refusals(Critic(view=a_turn(), extra={"forgotten": forgotten}).judge(GAUGE % note))
    codes = [(one.code.value, one.property, one.message) for one in found]
    forgot = ("NOT_DURABLE", "", "A person has told Ferrule to forget this.")
    assert (codes == [forgot]) if told else (forgot not in codes)


RESERVED = ("this", "that", "global", "ref", "out", "await", "lazy", "prototype", "partial", "function")
BUILTIN = (
    *("bool", "string", "int", "double", "float", "object", "var", "void", "stringref", "StringRef", "String", "Int"),
    *("Function", "System", "Ontology", "Lexeme", "SemanticEntity", "SemanticProgram", "Object", "Type", "Bool"),
)
MEMBERS = ("PrototypeName", "Value", "Children", "Properties", "PrototypeID", "TypeOfs", "Descendants")
ROOTS = ("ProtoScriptAction", "OpsAction", "PromptAction", "CoreAction")


def test_reserved_names_are_these() -> None:
    """CASE-B25, R5: none is lost when the tables are sorted anew."""
    assert set(RESERVED) <= RESERVED_WORDS
    assert set(BUILTIN) <= BUILTIN_NAMES
    assert set(MEMBERS) == HOST_MEMBERS
    assert set(ROOTS) == ACTION_ROOTS

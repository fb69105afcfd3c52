"""What the code reads, collected into one page for readers (`docs/grammar.md`, checked by a test).

The grammar is written above the functions that read it, in Wirth's notation; tables of tokens, precedence, limits,
findings and quirks come from the data that the tests read too, and what is shown of a finding is what a reader of that
text would see. Owns the order and form of the page. Knows nothing of reading.
"""

import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import fields
from importlib import import_module
from inspect import getdoc, isfunction
from textwrap import fill

from ferrule.protoscript.examples import MISTAKES, NEVER_RUN, TOKENS
from ferrule.protoscript.opaque import opaque_parts
from ferrule.protoscript.parser.operators import LEVELS
from ferrule.protoscript.quirks import QUIRKS
from ferrule.protoscript.reading import Limits, parse

__all__ = ["rules", "show"]

FAMILIES = (
    "files", "directives", "annotations", "prototypes", "members", "functions", "types", "values", "creations",
    "interpolations", "postfixes", "operators", "literals", "statements",
)  # fmt: skip

WIDTH = 118
_RULE = re.compile(r"([A-Z][A-Za-z]*) = (.+?) \.(?: +([^\n]+(?:\n[^\n]+)*))?(?:\n\n.*)?", re.DOTALL)
_HEAD = """# The language, as it is read here

Made from the code by `python -m ferrule.protoscript.grammar > docs/grammar.md`; a test compares the two.

ProtoScript declares prototypes: named things with bases and properties. A file is read without anything being run.
[Tokens](#tokens) · [Grammar](#grammar) · [Precedence](#precedence) · [Many files](#many-files) ·
[What is never run](#what-is-never-run) · [Limits](#limits) · [Findings](#findings) · [Quirks](#quirks)
"""
_TRIVIA = """White space, `// …` to the end of the line, `/* … */` (not nested) and `#` to the end of the line where no
letter follows it stand between tokens and mean nothing; they are kept in the tree. A byte-order mark before the text is
kept beside it. Words are cut as names; which of them carry structure is decided where they stand."""
_MANY = """Names, bases, properties and annotations of many files are one graph; the order of files decides nothing but
which of two values stands.

- `partial prototype Name` adds to a prototype that another part declares, before or behind it, in any file. Bases and
  properties of all parts count; of two values for one property the earlier one stands. To declare a name twice without
  `partial` is an error.
- A prototype inside of another one is called `Outer.Inner`, one inside of a namespace `Space.Name`. A short name means
  what stands nearest: inside, then one step further out, and so on.
- `[SemanticEntity("phrase")]` and `[SemanticProgram.InfinitivePhrase("phrase")]` give a name to search by. Every
  annotation is kept as data.
- A typed field with a value is a default on a type, and assigns the property on an entity.
- `include` is followed when an ontology is read, never when one text is checked by itself. A path is seen from the
  folder of the including file; `*` and `?` may stand in the name of the file, and `include recursive` looks into the
  folders below as well. Each file is read once, so files may include each other. A file that is missing is told at the
  statement. A path that leaves the folders which were named (by `..`, an absolute path, an address, or through a link)
  is told there too, and what it leads to is never opened.
- `reference`, `import` and `using` are recorded and not followed."""


def rules() -> dict[str, list[tuple[str, str, str]]]:
    """For each construct family its rules in source order: name, right side, remark."""
    found: dict[str, list[tuple[str, str, str]]] = {}
    for family in FAMILIES:
        module = import_module(f"ferrule.protoscript.parser.{family}")
        found[family] = []
        for function in vars(module).values():
            rule = _RULE.fullmatch(getdoc(function) or "") if isfunction(function) else None
            if rule and function.__module__ == module.__name__:
                found[family].append((rule[1], " ".join(rule[2].split()), " ".join((rule[3] or "").split())))
    return found


def show() -> str:
    """The page, as Markdown."""
    sections = {
        "Tokens": _tokens(),
        "Grammar": _grammar(),
        "Precedence": _precedence(),
        "Many files": [_MANY],
        "What is never run": _never_run(),
        "Limits": _limits(),
        "Findings": _findings(),
        "Quirks": _quirks(),
    }
    parts = [_HEAD, *(f"\n## {title}\n\n" + "\n".join(lines) + "\n" for title, lines in sections.items())]
    return "".join(parts)


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    head = list(head)
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |"


def _code(text: str) -> str:
    """A text of one line between backticks."""
    shown = text.strip().replace("\n", "⏎").replace("\ufeff", "<BOM>")
    return f"`` {shown} ``" if "`" in shown else f"`{shown}`"


def _fenced(lines: Iterable[str], kind: str = "text") -> Iterator[str]:
    yield f"````{kind}"
    yield from lines
    yield "````"


def _tokens() -> Iterator[str]:
    yield _TRIVIA + "\n"
    rows = ((_code(row.kind), row.rule, row.what, _code(row.example) if row.example else "") for row in TOKENS)
    yield from _table(("Kind", "In the rules", "What it is", "Example"), rows)


def _grammar() -> Iterator[str]:
    yield "A rule ends with a period, `[ ]` is optional, `{ }` repeats, terminals stand in quotes, `(* *)` is a remark."
    yield "Names in capitals are tokens (see above). A rule is used under its name in small letters; a"
    yield "name that no rule explains says in words what stands there."
    for family, lines in rules().items():
        yield f"\n### {family.capitalize()}\n"
        yield from _fenced((_rule(*line) for line in lines), "ebnf")


def _rule(name: str, right: str, remark: str) -> str:
    text = f"{name} = {right} .{f'  (* {remark} *)' if remark else ''}"
    return fill(text, WIDTH, subsequent_indent=" " * 4, break_long_words=False, break_on_hyphens=False)


def _precedence() -> Iterator[str]:
    yield "From tight to loose. What stands on one line is grouped from the left, the last two from the right.\n"
    rows = [
        "`.` `?.` `[ ]` `( )` `++` `--` and `-> { }` behind an operand",
        "one prefix: `+` `-` `!` `~` `++` `--` `await` `out` `ref`",
    ]
    rows += [" ".join(_code(operator) for operator in level) for level in reversed(LEVELS)]
    rows += ["`? :`, `=>`", "`=` and all that end with it, as `+=`"]
    yield from (f"{number}. {row}" for number, row in enumerate(rows, start=1))


def _never_run() -> Iterator[str]:
    yield "These parts are read, kept and named, and nothing is done with them. A property whose value is computed"
    yield "counts as valued, and is shown as `(computed: call, not run)`. `ferrule check -v` lists them, and so does"
    yield "`ferrule check --json` under `opaque`.\n"
    rows = ((what, _code(text), opaque_parts(parse(text).tree)[0].what) for what, text in NEVER_RUN)
    yield from _table(("What", "Example", "Listed as"), rows)


def _limits() -> Iterator[str]:
    limits = Limits()
    said = {
        "nesting": "constructs inside of each other; length, as of a chain of operators, costs none",
        "problems": "findings of one text; one more says that there are others",
        "skipped": "tokens that could not be read before the rest is one error node",
    }
    rows = ((_code(field.name), f"{getattr(limits, field.name):,}", said[field.name]) for field in fields(limits))
    yield from _table(("Limit", "Value", "Of what"), rows)


def _findings() -> Iterator[str]:
    yield "Every code there is, with a text and what is said of it: line, column, the place, and what would mend it."
    yield "An error means that the text could not be read; a warning that it could. What stands around an error still"
    yield "counts: it is read, and what is wrong there is told too."
    for row in MISTAKES:
        found = next(one for one in parse(row.example).diagnostics if one.code is row.code)
        yield f"\n### {row.code}\n\n{row.what}\n"
        yield from _fenced([*([row.shown] if row.shown else []), *_rendered(found.render(), hidden=bool(row.shown))])


def _rendered(text: str, *, hidden: bool) -> Iterator[str]:
    """A finding as it is shown; of a text too long for the page without the line that it points into."""
    lines = text.split("\n")
    kept = [lines[0], *(line for line in lines[1:] if line.startswith("hint: "))] if hidden else lines
    for line in kept:
        yield line if line.startswith(" ") else fill(line, WIDTH, subsequent_indent="  ", break_on_hyphens=False)


def _quirks() -> Iterator[str]:
    yield "Where the reference implementation does something odd: what it does, and what is done here."
    for row in QUIRKS:
        found = ", ".join(map(_code, row.codes)) or "read"
        decision = "followed" if row.decision == "follow" else "not followed"
        text = f"- **{row.tag}** ({decision}). The reference: {row.what} Here: {row.why}"
        yield fill(text, WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
        yield f"  <br>{_code(row.example)}: {found}"


if __name__ == "__main__":
    sys.stdout.write(show())

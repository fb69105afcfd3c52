"""The grammar is written above the functions that read it; this collects it into one page.

Owns the order of the rules and the form of the page (`docs/grammar.md`, checked by a test). The notation is Wirth's: a
rule ends with a period, `[ ]` is optional, `{ }` repeats, terminals stand in quotes. Knows nothing of reading.
"""

import re
import sys
from importlib import import_module
from inspect import getdoc, isfunction

__all__ = ["rules", "show"]

FAMILIES = (
    "files", "directives", "annotations", "prototypes", "members", "functions", "types", "values", "creations",
    "interpolations", "postfixes", "operators", "literals", "statements",
)  # fmt: skip

_RULE = re.compile(r"([A-Z][A-Za-z]*) = (.+?) \.(?:\s+(.*))?", re.DOTALL)
_HEAD = """# The grammar

What Ferrule reads, collected from the parse functions by `python -m ferrule.protoscript.grammar > docs/grammar.md`.
A rule ends with a period, `[ ]` is optional, `{ }` repeats, terminals stand in quotes.
"""


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
    parts = [_HEAD]
    for family, lines in rules().items():
        parts.append(f"\n## {family.capitalize()}\n\n```ebnf\n")
        parts += [f"{name} = {right} .{f'  (* {remark} *)' if remark else ''}\n" for name, right, remark in lines]
        parts.append("```\n")
    return "".join(parts)


if __name__ == "__main__":
    sys.stdout.write(show())

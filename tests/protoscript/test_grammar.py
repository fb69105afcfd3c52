"""The grammar stands above the functions that read it, one rule each, and can be printed from there."""

import inspect
import re
from importlib import import_module
from pkgutil import iter_modules

from ferrule.protoscript import parser

_RULE = re.compile(r"([A-Z][A-Za-z]*) = (.+?) \.(?:\s|$)", re.DOTALL)

# Rules of one construct each; a new construct adds its name here and its rule above its function.
NAMES = {
    "Access", "Annotation", "Args", "Arguments", "Assignment", "Block", "Body", "Bases", "Brackets", "Call", "Case",
    "Conditions",
    "Default", "Directive", "Do", "Dotted", "Expression", "Field", "File", "For", "Foreach", "Function", "Ident", "If",
    "Import", "Include", "Infix", "Init", "Initializer", "Interpolated", "Items", "Jump", "List", "Member", "Method",
    "Modified", "Namespace", "New", "Number", "Operand", "Param", "Parameters", "Parenthesised", "Postfix", "Prototype",
    "Reference", "Return", "Statement", "Switch", "Term", "Text", "Try", "Type", "Using", "VarDecl", "Where", "While",
    "Word", "Yield",
}  # fmt: skip


def _rules() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for info in iter_modules(parser.__path__):
        module = import_module(f"{parser.__name__}.{info.name}")
        for _, function in inspect.getmembers(module, inspect.isfunction):
            rule = _RULE.match(inspect.getdoc(function) or "")
            if rule and function.__module__ == module.__name__:
                found.setdefault(rule[1], []).append(rule[2])
    return found


def test_every_construct_has_its_rule_above_the_function_that_reads_it() -> None:
    """The printed grammar is complete, and no rule is written twice in two ways."""
    rules = _rules()
    assert set(rules) == NAMES
    assert [name for name, texts in rules.items() if len(texts) > 1] == []


def test_brackets_of_every_rule_are_balanced() -> None:
    """A rule is Wirth notation: `[ ]` optional, `{ }` repeated, `( )` grouped, terminals in quotes."""
    for texts in _rules().values():
        for text in texts:
            bare = re.sub(r'"[^"]*"', "", text)
            for opening, closing in ("[]", "()", "{}"):
                assert bare.count(opening) == bare.count(closing), text

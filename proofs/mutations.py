"""A text is changed a little: characters, tokens, whole runs of another text.

Owns the seed texts of the fuzz campaign and the ways of changing one; chance comes from outside. Knows nothing of what
a change breaks.
"""

import random
from collections.abc import Callable

from ferrule.protoscript.lexer import lex
from ferrule.protoscript.quirks import QUIRKS
from ferrule.protoscript.tokens import END

__all__ = ["LONGEST", "SEEDS", "changed"]

LONGEST = 1_500
"""Characters of an input at most: what can be found is found in short texts."""

_TOKENS = r"""
    prototype partial extern namespace function init include recursive lazy import reference using static if else for
    foreach in while do switch case default try catch finally new return throw yield break continue typeof is as cast
    !is nameof initialized where extends this ref out await true false null const A B#1 Int x List<Int> 1 2.5 007 1e5 3L
    "a" "a\n\q\u0041" @"b""c" $"{c}" $"{c + 1}{" $$"d" 'e' '\n' { } ( ) [ ] < > ; : , . = == => -> ?. ?? ? ! !== - -- ++
    += -= *= >>= <<= + * / % & && | || ^ ~ << >> :: [] # @ $ $$ ' " @" $" /* */ // \ \\ ½ é 😀 “ ```
    { } ( ) [ ] ; ; = , name Type<A, Type
""".split()  # noqa: SIM905 - a page of words reads better
_BLANKS = (
    " ",
    " ",
    " ",
    "",
    "\n",
    "\r\n",
    "\t",
    "\n\n\n",
    " /* c */ ",
    " // z\n",
    "# h\n",
    "\ufeff",
    "\x00",
    "\r",
    "\u2028",
)
_CHARACTERS = "aA1_#\"'@$/*\\ \n\r\t{}[]()<>!=&|+-.,:;?^~%`é\ufeff\ud800\u2028\u0301½"

SEEDS: tuple[str, ...] = (
    *(quirk.example for quirk in QUIRKS),
    "/* one */ prototype A; // two\nx /* three */ = f(/* four */ 1);\n# five\n",
    'include "town.pts";\ninclude recursive parts/north.pts;\ninclude lazy a\\b.pts;\n',
    'reference "lib/harbour.dll" Harbour;\nimport Harbour Town.Quay Quay;\nusing static Town.Names;\n',
    'namespace Town.North\n{\n\tprototype Pier;\n\tName = "north";\n}\n',
    '[Marked("x", -1.5)]\n[Plain]\npartial prototype Quay#N : A, Spot<Int>\n{\n\tString Name = @"a ""b""";\n}\n',
    "prototype A extends B where T : C { [Deep] static readonly Int Depth = 4; List<Int>[] Berths; B.C = 'k'; }",
    'prototype A { Boats = [Ada, $$"N[x]", new Boat(),[1L, 2.5]]; prototype I { X = 1; } init { D = 5; } init E = 6; }',
    "prototype A { function static Dig(Int depth = 1, ref String why) : String { const Int most = 3, b; return; } }",
    "prototype A { public override Int Count(this Int? a) { return - depth; } function F() : Int; }",
    "function F() : Int\n{\n\tif (a > b && c != null || !d) return c;\n\telse if (e typeof F) g();\n\telse { }\n}\n",
    'throw new Error("deep") { Code = 1, { 2, 3 }, new A[3] };',
    "for (Int i = 0; i < 3; i++, j -= 1) { continue; } for (;;) break;",
    "foreach (Berth berth in Berths.Where(x => x.Size >= depth)[0].All()) { break; }",
    "while (a == 1) { yield return a; } do { a++; } while (a !is Deep);",
    "switch (a) { case 1: Dig(2, ref why); default: yield break; }",
    "try { Dig(); } catch (Error e) { throw; } catch { } finally { }",
    'Open = boat -> Boat { Size > 2, Owner.Name == "Ada" } ? yes : maybe ?? no;',
    "Act = (a) => { return a + b * c << d | e ^ f & g; }; x >>= 2; y = x >> 1;",
    'extern String host; Names?.First<Int>(1); nameof(A<B>); initialized(a); $"{a}{b + 1}";',
)
"""One text for each construct; every way of breaking them is the campaign's to find."""


def changed(chance: random.Random, text: str, other: str) -> str:
    """The text with one to four changes; `other` lends runs of tokens."""
    for _ in range(chance.choice((1, 1, 1, 2, 2, 3, 4))):
        text = chance.choice(_CHANGES)(chance, text, other)[:LONGEST]
    return text


def _words(text: str) -> list[str]:
    """The tokens, each with the trivia before it."""
    return [token.trivia + token.text for token in lex(text) if token.kind != END or token.trivia]


def _drop(chance: random.Random, text: str, _: str) -> str:
    words = _words(text)
    at = chance.randrange(len(words) + 1)
    del words[at : at + chance.choice((1, 1, 1, 2, 5))]
    return "".join(words)


def _double(chance: random.Random, text: str, _: str) -> str:
    words = _words(text)
    at = chance.randrange(len(words) + 1)
    run = words[at : at + chance.choice((1, 1, 2, 6, 12))]
    return "".join([*words[:at], *run * chance.choice((2, 2, 2, 3, 20)), *words[at + len(run) :]])


def _swap(chance: random.Random, text: str, _: str) -> str:
    words = _words(text)
    if words:
        one, two = chance.randrange(len(words)), chance.randrange(len(words))
        words[one], words[two] = words[two], words[one]
    return "".join(words)


def _insert(chance: random.Random, text: str, _: str) -> str:
    words = _words(text)
    words.insert(chance.randrange(len(words) + 1), chance.choice(_BLANKS) + chance.choice(_TOKENS))
    return "".join(words)


def _replace(chance: random.Random, text: str, _: str) -> str:
    words = _words(text)
    if words:
        words[chance.randrange(len(words))] = chance.choice(_BLANKS) + chance.choice(_TOKENS)
    return "".join(words)


def _blank(chance: random.Random, text: str, _: str) -> str:
    words = _words(text)
    words.insert(chance.randrange(len(words) + 1), chance.choice(_BLANKS))
    return "".join(words)


def _splice(chance: random.Random, text: str, other: str) -> str:
    words, lent = _words(text), _words(other)
    at, first = chance.randrange(len(words) + 1), chance.randrange(len(lent) + 1)
    run = lent[first : first + chance.randrange(1, 30)]
    gone = chance.choice((0, 0, 1, len(run), len(words)))
    return "".join([*words[:at], chance.choice(_BLANKS), *run, *words[at + gone :]])


def _character(chance: random.Random, text: str, _: str) -> str:
    at = chance.randrange(len(text) + 1)
    added: str = chance.choice((*_CHARACTERS, ""))
    return text[:at] + added + text[at + chance.choice((0, 1)) :]


def _cut(chance: random.Random, text: str, _: str) -> str:
    at = chance.randrange(len(text) + 1)
    return text[:at] if chance.randrange(3) else text[at:]


def _nest(chance: random.Random, text: str, _: str) -> str:
    words = _words(text)
    one, two = sorted((chance.randrange(len(words) + 1), chance.randrange(len(words) + 1)))
    opening, closing = chance.choice(_PAIRS)
    many = chance.choice((1, 1, 1, 2, 3, 130))
    return "".join([*words[:one], opening * many, *words[one:two], closing * many, *words[two:]])


_PAIRS = (
    ("(", ")"), ("[", "]"), ("{", "}"), ("f(", ")"), ("a ? ", " : b"), (' $"{', '}"'), ("/*", "*/"), ("<", ">"),
    ("new A { ", " }"), ("a -> B { ", " }"), ("{ if (a) ", " }"), ("prototype N { ", " }"), ("x => { ", " }"),
)  # fmt: skip
_CHANGES: tuple[Callable[[random.Random, str, str], str], ...] = (
    _drop, _double, _swap, _insert, _insert, _replace, _replace, _blank, _splice, _splice, _splice, _character,
    _character, _cut, _nest,
)  # fmt: skip

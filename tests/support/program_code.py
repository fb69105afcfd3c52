"""Random statements and expressions of ProtoScript, as lists of tokens: valid by the reference's grammar, and bounded.

Made from reference/protoscript.md section 3, so that a program of this kind must be read without a finding. Knows
nothing of declarations, nor of what stands between the tokens.
"""

import random
from collections.abc import Callable, Iterable

__all__ = ["Code", "Words", "comma"]

Words = list[str]

NAMES = (
    "Quay",
    "pier",
    "x",
    "Berth#1",
    "Ωmega",
    "日本",
    "_a",
    "a1",
    "Name",
    "value",
    "get",
    "lazy",
    "self",
    "Part#A#2",
)
LITERALS = (
    "0", "7", "12", "1.5", "0.25", "3L", "4ul", "2.5f", "1.0M", '""', '"a b"', r'"tab\t\"quoted\" \\ \u00e9"',
    '"two\nlines"', '@"C:\\x"', '@"say ""hi"""', '@""', "'c'", r"'\n'", "'\"'", r"'\''", '$"plain"',
    '$"{x} of {x.Name + 1}"', '$$"N[x]"', '$$ "N"', "true", "false", "null",
)  # fmt: skip
INFIX = (
    "??",
    "||",
    "&&",
    "|",
    "^",
    "&",
    "==",
    "!=",
    "<",
    ">",
    "<=",
    ">=",
    "is",
    "as",
    "typeof",
    "<<",
    ">>",
    "+",
    "-",
    "*",
    "/",
    "%",
)
ASSIGNING = ("=", "+=", "-=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=")
PREFIX = ("+", "-", "!", "~", "++", "--", "await", "out", "ref")


def comma(parts: Iterable[Words]) -> Words:
    """The parts with commas between them."""
    found: Words = []
    for part in parts:
        found += [",", *part] if found else part
    return found


class Expressions:
    """Random values, names, types and expressions. `room` bounds how deep they nest."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.room = 4

    def some(self, make: Callable[[], Words], most: int, least: int = 0) -> list[Words]:
        """Between `least` and `most` of what `make` makes; the least when there is no more room."""
        return [make() for _ in range(self.chance.randint(least, most if self.room > 0 else least))]

    def one_of(self, *makes: Callable[[], Words]) -> Words:
        """One of them, one level deeper; the first when there is no more room."""
        self.room -= 1
        made = self.chance.choice(makes if self.room > 0 else makes[:1])()
        self.room += 1
        return made

    def name(self) -> Words:
        """One word."""
        return [self.chance.choice(NAMES)]

    def type(self) -> Words:
        """`A.B<C, D>[]?`, mostly without the odd parts."""
        found = self.name()
        if self.chance.random() < 0.2:
            found += [self.chance.choice((".", "::")), *self.name()]
        if self.chance.random() < 0.1:
            found += ["?"]
        if self.chance.random() < 0.2 and self.room > 0:
            found += self.one_of(lambda: ["<", *comma(self.some(self.type, 2, 1)), ">"])
        if self.chance.random() < 0.2:
            found += ["[", *self.chance.choice(([], [], ["3"])), "]"]
        return found

    def expression(self) -> Words:
        """Operands with operators between them, and at the end perhaps `? :`, `=>`, an assignment or `new T`."""
        found = self.operand()
        for _ in range(self.chance.choice((0, 0, 0, 1, 1, 2, 4))):
            operator = self.chance.choice(INFIX)
            negated = operator.isalpha() and self.chance.random() < 0.3
            found += [*(["!"] if negated else []), operator, *self.operand()]
        if self.room <= 0 or self.chance.random() < 0.7:
            return found
        return self.one_of(
            lambda: found,
            lambda: [*found, "?", *self.expression(), ":", *self.expression()],
            lambda: [*self.name(), "=>", *self.expression()],
            lambda: [*self.name(), self.chance.choice(ASSIGNING), *self.expression()],
            lambda: ["new", *self.type()],
        )

    def operand(self) -> Words:
        """Perhaps a prefix, a term, and what may stand behind it."""
        chance = self.chance
        found = [chance.choice(PREFIX)] if chance.random() < 0.12 else []
        found += self.one_of(
            self.name,
            lambda: [chance.choice(LITERALS)],
            lambda: [chance.choice(LITERALS)],
            lambda: ["this"],
            lambda: ["(", *self.expression(), ")"],
            lambda: ["[", *comma(self.some(self.expression, 3)), "]"],
            lambda: ["[", *comma(self.some(self.expression, 3, 1)), ",", "]"],
            lambda: [*self.name(), *self.arguments()],
            lambda: [*self.name(), "<", *comma(self.some(self.type, 2, 1)), ">", *self.arguments()],
            lambda: ["nameof", "(", *self.type(), ")"],
            lambda: ["initialized", "(", *self.expression(), ")"],
            self.new,
        )
        while chance.random() < 0.2 and self.room > 0:
            found += self.one_of(self.member, self.member, self.index, lambda: [chance.choice(("++", "--"))])
        if chance.random() < 0.05 and self.room > 0:
            found += ["->", *self.name(), "{", *comma(self.some(self.expression, 2)), "}"]
        return found

    def arguments(self) -> Words:
        """In parentheses."""
        return ["(", *comma(self.some(self.expression, 3)), ")"]

    def member(self) -> Words:
        """Behind `.` or `?.`, perhaps called."""
        called = self.chance.choice(([], self.arguments(), ["<", *self.name(), ">", *self.arguments()]))
        return [self.chance.choice((".", "?.")), *self.name(), *called]

    def index(self) -> Words:
        """In brackets."""
        return ["[", *self.expression(), "]"]

    def new(self) -> Words:
        """An object that something may stand behind: with parentheses, or with an initializer, or both."""
        arguments = self.arguments() if self.chance.random() < 0.7 else []
        braces = self.initializer() if not arguments or self.chance.random() < 0.2 else []
        return ["new", *self.name(), *arguments, *braces]

    def initializer(self) -> Words:
        """In braces: properties, values, further braces."""
        item = self.chance.choice((self.operand_of_initializer, lambda: [*self.name(), "=", *self.expression()]))
        return ["{", *comma(self.some(lambda: self.one_of(item, self.initializer), 2)), "}"]

    def operand_of_initializer(self) -> Words:
        """A value; what begins with `new` would have to end there."""
        return ["(", *self.expression(), ")"] if self.chance.random() < 0.3 else self.name()


class Code:
    """Random statements, over one source of chance and of room."""

    def __init__(self, values: Expressions) -> None:
        self.values = values
        self.chance = values.chance

    def statement(self) -> Words:
        """One statement of any kind; a short one when there is no more room."""
        return self.values.one_of(
            self.plain, self.plain, self.plain, self.declaration, self.declaration, self.jump, self.choice, self.loop,
            self.loop, self.attempt, lambda: ["{", *self.statements(), "}"], self.switch,
        )  # fmt: skip

    def statements(self) -> Words:
        """Up to three."""
        return [word for part in self.values.some(self.statement, 3) for word in part]

    def body(self) -> Words:
        """In braces, or one statement."""
        if self.chance.random() < 0.7 or self.values.room <= 0:
            return ["{", *self.statements(), "}"]
        return self.statement()

    def plain(self) -> Words:
        """A call, an assignment, or a step."""
        values = self.values
        target = [*values.name(), *self.chance.choice(([], values.member(), values.index()))]
        made = self.chance.choice(
            (
                [*values.name(), *values.arguments()],
                [*target, self.chance.choice(ASSIGNING), *values.expression()],
                [*target, self.chance.choice(("++", "--"))],
                ["(", *values.expression(), ")"],
                [*values.name(), "=>", "{", *self.statements(), "}"],
            )
        )
        return [*made, ";"]

    def declaration(self) -> Words:
        """`const Type a = 1, b;`."""
        words = self.chance.choice(([], [], [], ["const"], ["extern"], ["extern", "const"]))
        return [*words, *self.values.type(), *comma(self.values.some(self.variable, 2, 1)), ";"]

    def variable(self) -> Words:
        """A name, perhaps with a value."""
        value = ["=", *self.values.expression()] if self.chance.random() < 0.6 else []
        return [*self.values.name(), *value]

    def jump(self) -> Words:
        """What leaves the block."""
        value = self.values.expression()
        return self.chance.choice(
            (["return", ";"], ["return", *value, ";"], ["throw", ";"], ["throw", *value, ";"], ["break", ";"],
             ["continue", ";"], ["yield", "break", ";"], ["yield", "return", *value, ";"])
        )  # fmt: skip

    def choice(self) -> Words:
        """`if` with what may follow."""
        found = ["if", "(", *self.values.expression(), ")", *self.body()]
        for _ in range(self.chance.choice((0, 0, 1, 2))):
            found += ["else", "if", "(", *self.values.expression(), ")", *self.body()]
        return found + (["else", *self.body()] if self.chance.random() < 0.4 else [])

    def loop(self) -> Words:
        """One of the four."""
        values = self.values
        start = self.chance.choice(([";"], self.plain(), self.declaration()))
        condition = self.chance.choice(([], values.expression()))
        steps = comma(values.some(values.expression, 2))
        return self.chance.choice(
            (
                ["for", "(", *start, *condition, ";", *steps, ")", *self.body()],
                ["foreach", "(", *values.type(), *values.name(), "in", *values.expression(), ")", *self.body()],
                ["while", "(", *values.expression(), ")", *self.body()],
                ["do", "{", *self.statements(), "}", "while", "(", *values.expression(), ")", ";"],
            )
        )

    def switch(self) -> Words:
        """With labels among its statements."""
        label = self.chance.choice((["default", ":"], ["case", *self.values.operand(), ":"]))
        return ["switch", "(", *self.values.expression(), ")", "{", *label, *self.statements(), "}"]

    def attempt(self) -> Words:
        """`try` with what may follow."""
        found = ["try", *self.body()]
        for _ in range(self.chance.choice((0, 1, 2))):
            caught = self.chance.choice(([], ["(", *self.values.type(), ")"], ["(", *self.values.type(), "e", ")"]))
            found += ["catch", *caught, "{", *self.statements(), "}"]
        return found + (["finally", *self.body()] if self.chance.random() < 0.4 else [])

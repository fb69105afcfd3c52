"""Random ProtoScript programs, each valid by the reference's grammar (reference/protoscript.md sections 1 to 3).

Every kind of node comes out within a few dozen seeds; the size is bounded; between the tokens stands whatever may stand
there. Made from the reference and not from our parser, so that the two can be held against each other.
"""

import random

from program_code import Code, Expressions, Words, comma

__all__ = ["Programs", "program", "spread", "words"]

MODIFIERS = ("static", "sealed", "override", "new", "async", "abstract", "const", "readonly", "public", "virtual")
TRIVIA = (
    " ", "  ", "\t", "\n", "\r\n", "\n\n\t", " /* c */ ", "/**/", " /* two\nlines * / */\n", " // z\n", "\n\t// own \n",
    " # h\n", "\n#! run\n", " /*a*/ /*b*/ ", "\u3000", " //\r\n", "\x0c",
)  # fmt: skip
CLOSE = frozenset(";{}(),[]")
"""What may stand beside anything with nothing between."""


def program(seed: int) -> str:
    """The text of one program."""
    chance = random.Random(seed)  # noqa: S311 - chance under a seed is the point
    return spread(Programs(chance).file(), chance)


def words(seed: int) -> Words:
    """The tokens of the same program."""
    return Programs(random.Random(seed)).file()  # noqa: S311 - chance under a seed is the point


def spread(tokens: Words, chance: random.Random) -> str:
    """The tokens with white space and comments between them; nothing, where nothing is needed."""
    odd = chance.choice((0.0, 0.1, 0.5))
    parts = [chance.choice(("", "", "\ufeff", "// head\n", "#!/usr/bin/env run\n", "\n"))]
    before = ";"
    for token in tokens:
        gap = chance.choice(TRIVIA) if chance.random() < odd else chance.choice((" ", " ", "\n"))
        if (CLOSE & {before, token}) and before != "/" and chance.random() < 0.4:
            gap = ""
        if gap.startswith("/") and (before == "/" or before.endswith(".pts")):
            gap = " " + gap
        parts += [gap, token]
        before = token
    return "".join(parts) + chance.choice(("", "\n", " ", "\n// tail", " /* tail */", "\n# tail"))


class Programs:
    """Random files, over one source of chance."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.values = Expressions(chance)
        self.code = Code(self.values)

    def file(self) -> Words:
        """One to five items."""
        return [word for _ in range(self.chance.randint(1, 5)) for word in self.item()]

    def item(self) -> Words:
        """A directive, a namespace, or what may stand in one."""
        return self.chance.choice((self.directive, self.namespace, self.inner, self.inner, self.inner, self.inner))()

    def inner(self) -> Words:
        """A declaration or a statement; one in braces could be taken for the body of a short declaration before it."""
        found = self.chance.choice((self.prototype, self.prototype, self.function, self.code.statement))()
        return self.code.plain() if found[0] == "{" else found

    def directive(self) -> Words:
        """`include`, `reference`, `import`, `using`; a path without quotes is one token here."""
        chance = self.chance
        path = chance.choice(('"town.pts"', '@"a\\b.pts"', "parts/north.pts", "..\\a-b\\*.pts", "c.pts"))
        alias = chance.choice(([], ["Alias"], ["Town", ".", "Alias"]))
        return chance.choice(
            (
                ["include", *chance.choice(([], [], ["recursive"], ["lazy"])), path, ";"],
                ["reference", *chance.choice((['"lib/harbour.dll"'], ["Harbour"], ["Har", ".", "Bour"])), *alias, ";"],
                ["import", "Harbour", "Town", ".", "Quay", *alias, ";"],
                ["using", "Town", ".", "Names", ";"],
            )
        )

    def namespace(self) -> Words:
        """With a few items and neither directives nor further namespaces."""
        items = [word for _ in range(self.chance.randint(0, 2)) for word in self.inner()]
        return ["namespace", *self.chance.choice((["Town"], ["Town", ".", "North"])), "{", *items, "}"]

    def annotations(self) -> Words:
        """None, one or two."""
        found: Words = []
        for _ in range(self.chance.choice((0, 0, 0, 1, 2))):
            arguments = self.chance.choice(([], ["(", '"a"', ")"], self.values.arguments()))
            found += ["[", *self.chance.choice((["Marked"], ["Town", ".", "Loud"])), *arguments, "]"]
        return found

    def prototype(self, *, nested: bool = False) -> Words:
        """Short, or with a body."""
        chance, values = self.chance, self.values
        opening = (
            [] if nested else chance.choice(([], [], [], ["partial"], ["extern"], ["extern", chance.choice(MODIFIERS)]))
        )
        name = chance.choice((["Quay"], ["Pier#North"], ["Ωmega"], ["List", "<", "T", ">"], ["Town", ".", "Quay"]))
        bases: Words = []
        if chance.random() < 0.5:
            bases = [chance.choice((":", ":", "extends")), *comma(values.some(values.type, 2, 1))]
        head = [*self.annotations(), *opening, "prototype", *name, *bases]
        if chance.random() < 0.2:
            return [*head, ";"]
        where = ["where", "T", ":", "Place"] if chance.random() < 0.1 else []
        members = [word for _ in range(chance.randint(0, 4)) for word in self.member()]
        return [*head, *where, "{", *members, "}"]

    def member(self) -> Words:
        """Anything that may stand in a body."""
        return self.values.one_of(
            self.assignment, self.assignment, self.field, self.field, self.field, self.function, self.method, self.init,
            lambda: self.prototype(nested=True),
        )  # fmt: skip

    def assignment(self) -> Words:
        """`Name = value;`, now and then to a member of something."""
        target = self.chance.choice((self.values.name(), self.values.name(), ["Town", ".", "Name"]))
        return [*target, "=", *self.values.expression(), ";"]

    def field(self) -> Words:
        """`[A] static Type name = value;`; the name may be a word of the language."""
        chance, values = self.chance, self.values
        modifiers = [chance.choice(MODIFIERS) for _ in range(chance.choice((0, 0, 0, 1, 2)))]
        name = chance.choice((values.name(), values.name(), ["init"], ["where"], ["return"]))
        value = ["=", *values.expression()] if chance.random() < 0.5 else []
        return [*self.annotations(), *modifiers, *values.type(), *name, *value, ";"]

    def init(self) -> Words:
        """`init`, in braces or before one statement."""
        return ["init", *self.code.body()]

    def function(self) -> Words:
        """`function`, with or without a body."""
        modifiers = [self.chance.choice(MODIFIERS) for _ in range(self.chance.choice((0, 0, 1)))]
        body = [";"] if self.chance.random() < 0.3 else self.code.body()
        head = [*self.annotations(), "function", *modifiers, "Dig", *self.parameters(), ":", *self.values.type()]
        return [*head, *body]

    def method(self) -> Words:
        """`Type Name(…) { … }`."""
        modifiers = [self.chance.choice(MODIFIERS) for _ in range(self.chance.choice((0, 0, 1)))]
        return [*self.annotations(), *modifiers, *self.values.type(), "Dig", *self.parameters(), *self.code.body()]

    def parameters(self) -> Words:
        """In parentheses."""

        def one() -> Words:
            words = self.chance.choice(([], [], ["ref"], ["out"], ["this"], ["this", "ref"]))
            default = ["=", *self.values.expression()] if self.chance.random() < 0.2 else []
            return [*words, *self.values.type(), *self.values.name(), *default]

        return ["(", *comma(self.values.some(one, 2)), ")"]

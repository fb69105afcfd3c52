"""Programs made at random from the reference's grammar: read whole, given back, printed, formatted; and broken.

`tests/support/programs.py` makes them. What must hold for any text at all is asked by `proofs.reading.wrong`.
"""

import random

import pytest
from program_code import Words
from programs import Programs, program, spread, words
from proofs.meanings import meaning
from proofs.reading import wrong

from ferrule.protoscript import syntax
from ferrule.protoscript.printer import print_file
from ferrule.protoscript.reading import Parsed, parse
from ferrule.protoscript.syntax import ErrorNode, Node
from ferrule.protoscript.walking import walk

KINDS = {kind for kind in vars(syntax).values() if isinstance(kind, type) and issubclass(kind, Node)}
ABSTRACT = {Node, syntax.Computed, syntax.Statement, ErrorNode}
LONGEST = 20_000


def test_every_kind_of_node_comes_out() -> None:
    """Within 40 programs, none of them long; so what is shown below is shown of the whole language."""
    texts = [program(seed) for seed in range(40)]
    assert {type(node) for text in texts for node in walk(parse(text).tree)} == KINDS - ABSTRACT
    assert max(map(len, texts)) < LONGEST


@pytest.mark.parametrize("first", range(0, 160, 20))
def test_what_the_reference_accepts_is_read_and_written(first: int) -> None:
    """R57, DEC-D11: not one finding; byte for byte; print after parse; the same meaning and comments when formatted."""
    for seed in range(first, first + 20):
        text = program(seed)
        assert parse(text).clean, (seed, [found.render() for found in parse(text).diagnostics])
        assert not wrong(text), seed


@pytest.mark.parametrize("first", range(0, 80, 20))
def test_what_stands_between_the_tokens_means_nothing(first: int) -> None:
    """R57: white space, comments and line ends of every kind may stand anywhere, and the tree is the same."""
    for seed in range(first, first + 20):
        tokens = words(seed)
        one, two = (parse(spread(tokens, random.Random(other))) for other in (seed, seed + 1))  # noqa: S311 - under a seed
        assert one.clean, seed
        assert two.clean, seed
        # What is kept as it is written (directives, `where`, sizes of arrays) has its blanks in the text.
        assert _blankless(one) == _blankless(two), seed


def _blankless(parsed: Parsed) -> list[str]:
    """The meaning, without what is kept as it is written and tells blanks and comments apart."""
    printed = parse(print_file(parsed.tree))
    return [type(node).__name__ for node in walk(printed.tree)] + [
        token.text for token in printed.tokens if token.kind not in {"string", "verbatim"}
    ]


@pytest.mark.parametrize("first", range(0, 90, 15))
def test_a_broken_item_costs_itself(first: int) -> None:
    """R94: a token too few or too many; what stands before is the same, what follows comes out, findings lie behind."""
    seen = 0
    for seed in range(first, first + 15):
        chance = random.Random(seed)  # noqa: S311 - chance under a seed is the point
        before, item = _item(seed), _item(seed + 10_000)
        for _ in range(4):
            broken = list(item)
            at = chance.randrange(len(broken))
            broken[at : at + 1] = chance.choice(([], [broken[at]] * 2))
            head = f"prototype First {{ X = 1; }}\n{' '.join(before)}\n"
            text = f"{head}{' '.join(broken)}\nprototype Last : B\n{{\n\tY = 2;\n}}\n"
            parsed = parse(text)
            seen += not parsed.ok
            _located(parsed, len(head.rstrip()), text)
            whole = parse(head).tree.items
            assert [meaning(one) for one in parsed.tree.items[: len(whole)]] == [meaning(one) for one in whole], text
            assert "Last" in {node.name for node in walk(parsed.tree) if isinstance(node, syntax.Prototype)}, text
    assert seen


def _item(seed: int) -> Words:
    made = Programs(random.Random(seed))  # noqa: S311 - chance under a seed is the point
    return made.function() if seed % 3 == 0 else made.prototype()


def _located(parsed: Parsed, least: int, text: str) -> None:
    for found in parsed.diagnostics:
        assert found.severity == "warning" or found.hint, text
        assert least <= found.span.start <= len(text), (found.render(), text)
        assert parsed.source.position(found.span.start) == (found.line, found.column), text

"""Cases with known answers: a secret of a kind in a context, or a look-alike, drawn from one half of the templates.

Owns how templates, values and wrappers meet. The rules are developed on the `learning` half; figures are of the other.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import islice

from benchmarks.secret_cases.announced import ANNOUNCED, PASSWORD
from benchmarks.secret_cases.drawing import Draw
from benchmarks.secret_cases.harmless import HARMLESS
from benchmarks.secret_cases.issued import ISSUED_FORMS, PEM_FORMS
from benchmarks.secret_cases.prose import TOLD
from benchmarks.secret_cases.wrapping import WRAPPERS

__all__ = ["Half", "Harmless", "Planted", "harmless", "planted"]

_BARE = ("{v}", "key {v}", 'x = "{v}"', "use {v} for it", "TOKEN={v}", "- {v}", "f('{v}')", "[{v}]")
_SENTENCES = frozenset({"backslash", "concatenated", "shell", "base64", "base64 of a url", "percent-encoded", "hex"})
_OUTSIDE = ("alone", "prose", "log", "patch", "json", "table", "fence", "numbered", "inline code")


class Half(Enum):
    """Which templates: those the rules were developed on, or those held out."""

    LEARNING = 0
    HELD_OUT = 1


@dataclass(frozen=True, slots=True)
class Planted:
    """A text that holds a secret, and the strings of which nothing may stay after scrubbing."""

    kind: str
    context: str
    text: str
    needles: tuple[str, ...]

    def left_in(self, clean: str) -> bool:
        """Whether half of the secret, or more, still stands in the text."""
        return any(part in clean for needle in self.needles for part in _halves(needle))


@dataclass(frozen=True, slots=True)
class Harmless:
    """A text that only looks as if it held one."""

    kind: str
    context: str
    text: str


def _halves(needle: str) -> tuple[str, ...]:
    middle = len(needle) // 2
    return (needle[:middle], needle[middle:]) if middle >= 5 else (needle,)  # noqa: PLR2004 - shorter halves are anybody's


def planted(seed: int, half: Half, *, contexts: int = 3) -> Iterator[Planted]:
    """Every kind with each template of this half, each in as many contexts as asked."""
    draw = Draw(f"{seed} {half.name} planted")
    for kind, shapes, templates in _kinds():
        for template in templates[half.value :: 2]:
            names = [name for name in WRAPPERS if name not in _SENTENCES or not kind.startswith("told ")]
            draw.chance.shuffle(names)
            cases = (_planted(draw, kind, name, (draw.chance.choice(shapes), template)) for name in names)
            yield from islice((case for case in cases if case is not None), contexts)


def harmless(seed: int, half: Half, *, contexts: int = 2) -> Iterator[Harmless]:
    """Every look-alike of this half, each in as many contexts as asked."""
    draw = Draw(f"{seed} {half.name} harmless")
    for kind, templates in HARMLESS.items():
        for template in templates[half.value :: 2]:
            for name in draw.chance.sample(_OUTSIDE, contexts):
                wrapped = WRAPPERS[name](draw, draw.fill(template), "")
                if wrapped is not None:
                    yield Harmless(kind, name, wrapped[0])


def _planted(draw: Draw, kind: str, name: str, form: tuple[str, str]) -> Planted | None:
    shape, template = form
    value = draw.fill(shape)
    wrapped = WRAPPERS[name](draw, template.replace("{{", "{").replace("}}", "}").replace("{v}", value), value)
    if wrapped is None:
        return None
    text, needles = wrapped
    lines = tuple(line for needle in needles for line in needle.split("\n") if not line.startswith("-----"))
    return Planted(kind, name, text, lines)


def _kinds() -> Iterator[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    for kind, form in {**ISSUED_FORMS, **PEM_FORMS}.items():
        yield kind, (form,), _BARE if kind in ISSUED_FORMS else ("{v}", "the key:\n{v}\nis old")
    for kind, (shapes, templates) in ANNOUNCED.items():
        yield kind, shapes, templates
    for language, sentences in TOLD.items():
        yield f"told {language}", PASSWORD, sentences

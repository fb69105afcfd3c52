"""What single questions of referents answer on hundreds of drawn words each, one letter an answer.

`PYTHONPATH=. python tests/support/predicate_rows.py` writes the answers anew; they record what is. A question that is
asked on its own shows a changed condition that a whole text would hide behind another one.
"""

import base64
import random
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import drawn_shapes as shapes

from ferrule.referents.scan import commands, names, no_paths, paths
from ferrule.referents.secrets import innocent, spoken

ROWS = Path(__file__).parents[2] / "tests/referents/predicates.tsv"
_COUNT = 600
_ENDINGS = ("", "", ".", "x", "9", "-", "_", "/", "=", "!", " ", ":", "é", "A", "%", "\\n")
_Ask = Callable[[str], object]


def _rest(raw: str) -> list[str]:
    return raw.split()[1:] or ["x"]


def _parts(value: str) -> list[str]:
    return [part for part in f"{value}/x/y".split("/") if part][:2]


COMMANDS: Mapping[str, _Ask] = {
    "is_command": commands.is_command,
    "ticked": commands._ticked,
    "prose": commands._prose,
    "strict": lambda raw: commands._known(raw, strict=True),
    "known": lambda raw: commands._known(raw, strict=False),
    "cmdlet": lambda raw: commands._is_cmdlet("Get-Item" + raw, strict=False),
    "strict cmdlet": lambda raw: commands._is_cmdlet(raw, strict=True),
    "script": lambda raw: commands._is_script(commands._program(raw), raw, strict=False),
    "strict script": lambda raw: commands._is_script(commands._program(raw), raw, strict=True),
    "setting": lambda raw: commands._with_setting("CI=1 " + raw, commands._program(raw), strict=False),
    "strict setting": lambda raw: commands._with_setting("CI=1 " + raw, commands._program(raw), strict=True),
    "folder": lambda raw: commands._in_folder("bin/" + commands._program(raw), raw),
    "argued": lambda raw: commands._argued(_rest(raw), strict=False),
    "strict argued": lambda raw: commands._argued(_rest(raw), strict=True),
}
PATHS: Mapping[str, _Ask] = {
    "is_path": paths.is_path,
    "spaced": lambda value: " " in value and paths._is_spaced(value),
    "relative": lambda value: "/" in value and paths._is_relative(value, tick=False),
    "ticked relative": lambda value: "/" in value and paths._is_relative(value, tick=True),
    "backslashed": lambda value: paths._is_backslashed(value.replace("/", "\\")),
    "quoted": lambda value: paths._is_quoted_path(value, tick=False),
    "ticked quoted": lambda value: paths._is_quoted_path(value, tick=True),
    "classified": lambda value: paths._classify(value.replace(" ", "-"), "", tick=False),
    "ticked classified": lambda value: paths._classify(value.replace(" ", "-"), "run ", tick=True),
    "file": paths._known_file,
    "no path": lambda value: "/" in value and no_paths.is_no_path(value, tick=False),
    "ticked no path": lambda value: "/" in value and no_paths.is_no_path(value, tick=True),
}
VALUES: Mapping[str, _Ask] = {
    "innocent": innocent.is_innocent,
    "random": innocent.is_random,
    "short random": lambda value: innocent.is_random(value, length=6),
    "documented": innocent.is_documented,
    "chosen": spoken.is_chosen,
    "secret name": names.is_secret_name,
}
_MARKED = (
    ("", "", "", "mailto:", ".", "/", "s/", "ctrl+"),
    ("ann", "a.b", "image", "text", "Model", "1", "p50", "10am", "he", "MIT", "c", "f(x", "[a", "[a-z]",
     "btn-primary", "a\\d"),
    ("@", "/", "/", "/", "-", "_", "~1/", "/../"),
    ("h.example", "home.md", "2x.png", "png", "vnd.x", "x-y", "a.b", "she", "p95", "pm", "2", "C++", "y)", "b]",
     "card", ".", "**"),
    ("", "", "", "/", "/x", "/they", ".org", "/3", "/c", "/g"),
)  # fmt: skip
_JUMBLED = (("aB", "Ab", "ABc", "a", "é", "Abcd"), *[("aB", "Bc", "cD", "xYz", "Q", "q", "Word", "w1")] * 6)
_BASIC = (
    ("ann", "", "a\x1f", "a\x7f", "a~"),
    (":", ":", ""),
    (*shapes._VALUES[:8], "none", "<token>", "\x1f", "~ ", "\x7f"),
)


def _basic(plain: str) -> str:
    return base64.b64encode(plain.encode("latin-1", "replace")).decode().rstrip("=" if len(plain) % 2 else "")


MARKED: Mapping[str, _Ask] = {
    "mail": no_paths.is_mail,
    "selector": no_paths.is_selector,
    "media": lambda value: no_paths._is_media(_parts(value)),
    "words": lambda value: no_paths._are_words(_parts(value)),
    "three words": lambda value: no_paths._are_words([*_parts(value), "c"]),
    "opens": no_paths._opens_only,
    "no path": lambda value: no_paths.is_no_path(value, tick=False),
    "ticked no path": lambda value: no_paths.is_no_path(value, tick=True),
}
LETTERS: Mapping[str, _Ask] = {"jumbled": innocent.is_jumbled, "camel": innocent._camel, "random": innocent.is_random}
BASIC: Mapping[str, _Ask] = {"basic": lambda plain: innocent.is_basic(_basic(plain))}
_PARTS = {
    "commands": shapes._CALLS[1:5],
    "paths": shapes._PATHS[1:5],
    "marked": _MARKED,
    "letters": _JUMBLED,
    "basic": _BASIC,
    "values": (shapes._VALUES, _ENDINGS, (*shapes._VALUES, *_ENDINGS, *_ENDINGS)),
}


@cache
def asked(group: str) -> tuple[str, ...]:
    """The words that a group of questions is asked about."""
    chance = random.Random(f"words of {group}")  # noqa: S311 - drawn again each time
    drawn = ("".join(map(chance.choice, _PARTS[group])) for _ in range(_COUNT))
    return tuple(dict.fromkeys(one for one in drawn if one.strip()))


GROUPS: Mapping[str, Mapping[str, _Ask]] = {
    "commands": COMMANDS,
    "paths": PATHS,
    "values": VALUES,
    "marked": MARKED,
    "letters": LETTERS,
    "basic": BASIC,
}


def answers(group: str, name: str) -> str:
    """One letter for each word: whether the question holds of it."""
    return "".join("y" if GROUPS[group][name](word) else "n" for word in asked(group))


def rows() -> dict[tuple[str, str], str]:
    """The answers that are written down."""
    lines = (line.split("\t") for line in ROWS.read_text(encoding="utf-8").splitlines())
    return {(group, name): told for group, name, told in lines}


def main() -> None:
    """Write the answers anew."""
    lines = (f"{group}\t{name}\t{answers(group, name)}\n" for group, names_ in GROUPS.items() for name in names_)
    ROWS.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()

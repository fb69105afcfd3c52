"""No text makes a recogniser slow: every expression and every scan meets texts that were made against it."""
# ruff: noqa: E501 - tables of cases

import inspect
import re
from collections.abc import Callable

import pytest
from hostile_texts import Attack, anchored, attacks, expressions, growth, hidden, modules

import ferrule.referents
from ferrule.referents.kinds import HandleKind, Place
from ferrule.referents.recognise import recognisers

EXPRESSIONS = expressions(ferrule.referents)
ANCHORED = anchored(ferrule.referents)
SMALL, FACTOR = 4_000, 4
LINEAR = 10.0  # four times the text may take four times as long; sixteen times would be quadratic
LONG, LONG_FACTOR, LONG_LINEAR = (
    12_500,
    8,
    28.0,
)  # up to a hundred thousand letters; sixty-four times would be quadratic


def work_of(name: str) -> Callable[[str], object]:
    """How a module uses its expression: tried at one place, or looked for everywhere."""
    pattern = EXPRESSIONS[name]
    if name.partition("[")[0] in ANCHORED:
        return lambda text: (pattern.match(text), pattern.fullmatch(text))
    return lambda text: sum(1 for _ in pattern.finditer(text))


def modules_of(names: list[str]) -> dict[str, list[str]]:
    """Names by module, so that one test speaks for one module."""
    found: dict[str, list[str]] = {}
    for name in names:
        found.setdefault(name.partition("[")[0].rpartition(".")[0] if "toml" not in name else "the table", []).append(
            name
        )
    return found


MODULES = modules_of(sorted(EXPRESSIONS))


@pytest.mark.parametrize("module", sorted(MODULES))
def test_every_expression_reads_texts_made_against_it_in_linear_time(module: str) -> None:
    """CASE-I09: a new expression is here from its first day, for its attacks come from its own parse tree."""
    slow = []
    for name in MODULES[module]:
        work = work_of(name)
        made = attacks(EXPRESSIONS[name])
        assert made, name
        for attack in made:
            grown = growth(work, attack, SMALL, FACTOR)
            if grown > LINEAR and growth(work, attack, SMALL, FACTOR) > LINEAR:
                slow.append((name, attack, grown))
    assert slow == []


def test_the_measure_sees_what_is_not_linear() -> None:
    """CASE-I09: the attacks on an expression that looks at every blank again and again give it away."""
    slow = re.compile(r"[ ]*x")
    grown = [
        growth(lambda text: sum(1 for _ in slow.finditer(text)), attack, 2_000, FACTOR) for attack in attacks(slow)
    ]
    assert max(grown) > LINEAR


def test_no_expression_is_put_together_where_no_test_sees_it() -> None:
    """CASE-I09: but for the rows of the tables, which are tested as rows."""
    assert set(hidden(ferrule.referents)) <= {
        "ferrule.referents.recognise._pattern_scan",
        "ferrule.referents.secrets.issued._row",
        "ferrule.referents.secrets.programs._rows",
    }


FAMILIES = [
    "a", "A", "7", "_", "-", ".", "/", "\\", ":", "@", "#", "=", " ", "\n", "`", '"', "(", "[", "*", "~", "%41", "\u00e9", "\u4e2d",
    "a/", "../", "a.", "a.b@", "A_", "a-", "1.", "0-", "\\ ", "a\\ ", "://", "https://a/", "git@a:b/", "#1 ", "v1.", "ENT-1",
    "```sh\n", "$ a", "PS a>", "Get-A -b ", "HKLM\\a", "file:///", "ghcr.io/a", "FROM a", "run git ", "`a/b` ", "[x](", "a, ", "%(",
    "deadbeef", "0a1b2c3d-", "ses_", "DEPLOY_KEY ", "git push origin ", "ssh -a ", "A.ApiKey", "op://a/",
]  # fmt: skip
FILLERS: dict[str, object] = {
    "place": Place(cwd="/srv/a", root="/srv/a", repository="github.com/ann/tool"), "kind": HandleKind.FILESYSTEM_PATH,
    "value": "a/b", "old": "path:a/b", "at": 0, "tick": True, "long": "a/b", "other": "0a1b2c3d", "ending": "md", "name": "FilePath", "needle": "a", "text": "a/b a/b", "one": "a", "short": "a.py", "folded": "/srv/a", "stem": "a", "url": "https://a",
}  # fmt: skip
_READ_ELSEWHERE = {"table", "vocabulary", "context_before", "load_suffixes", "after", "before", "with_lead", "places"}


def public_functions() -> dict[str, Callable[[str], object]]:
    """Every public function of the package that takes a text, ready to be given one; its other arguments are filled."""
    found: dict[str, Callable[[str], object]] = {}
    for module in modules(ferrule.referents):
        if ".secrets" in module.__name__:
            continue  # its functions are measured with the secrets, its expressions here
        for name in getattr(module, "__all__", ()):
            function = getattr(module, name)
            if inspect.isfunction(function) and function.__module__ == module.__name__ and name not in _READ_ELSEWHERE:
                _add(found, f"{module.__name__}.{name}", function)
    return found


def _add(found: dict[str, Callable[[str], object]], label: str, function: Callable[..., object]) -> None:
    texts = [
        parameter.name
        for parameter in inspect.signature(function).parameters.values()
        if parameter.annotation in (str, "str")
    ]
    for text in texts:
        filled = {
            parameter.name: FILLERS[parameter.name]
            for parameter in inspect.signature(function).parameters.values()
            if parameter.name != text and parameter.default is inspect.Parameter.empty
        }
        found[f"{label}({text})"] = lambda said, text=text, filled=filled: _drained(function(**{text: said}, **filled))  # type: ignore[misc]


def _drained(result: object) -> None:
    if inspect.isgenerator(result):
        for _ in result:
            pass


FUNCTIONS = public_functions()


@pytest.mark.parametrize("label", sorted(FUNCTIONS))
def test_every_function_reads_a_hundred_thousand_hostile_letters_in_linear_time(label: str) -> None:
    """CASE-I09, CASE-I01: every public function of the package that takes a text, over every family."""
    function = FUNCTIONS[label]
    slow = [
        unit
        for unit in FAMILIES
        if growth(function, Attack("", unit), LONG, LONG_FACTOR) > LONG_LINEAR
        and growth(function, Attack("", unit), LONG, LONG_FACTOR) > LONG_LINEAR
    ]
    assert slow == []


def test_every_scan_of_the_table_is_among_them() -> None:
    """CASE-I09: a new row's function or pattern cannot be forgotten."""
    scans = {getattr(row.scan, "__name__", "") for row in recognisers()} - {"scan"}
    assert scans <= {label.rpartition(".")[2].partition("(")[0] for label in FUNCTIONS}

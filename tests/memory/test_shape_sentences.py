"""What the parser says becomes whole sentences, letter by letter; which rules bind whom stands in one table."""

import pytest

from ferrule.memory.admission import RULES
from ferrule.memory.case import Case
from ferrule.memory.rules.shape import _sentence, shape_rule
from ferrule.memory.submission import AdmissionView, Scope, Submission
from ferrule.ontology.layers import InMemoryLayer


@pytest.mark.parametrize(
    ("said", "sentence"),
    [("put it", "Put it."), ("Put it.", "Put it."), ("why?", "Why?"), ("no!", "No!"), ("`a` it", "`a` it."), ("", ".")],
)
def test_what_is_said_is_a_sentence(said: str, sentence: str) -> None:
    """R59: it begins large and ends with one mark."""
    assert _sentence(said) == sentence


@pytest.mark.parametrize("text", ["prototype Q : Host { String A = @b; }", "prototype Q : ", "prototype 1Q;", "a b c"])
def test_the_parsers_words_are_told_whole(text: str) -> None:
    """R59, CASE-B02: message, hint and place of each diagnostic, in their order."""
    view = AdmissionView(permanent=InMemoryLayer(), session=InMemoryLayer())
    case = Case(Submission(text, Scope.PERSON), view)
    found = shape_rule(case)
    assert found
    told = [(one.message, one.remedy, one.span) for one in found]
    assert told == [
        (_sentence(one.message), _sentence(one.hint or "Correct the text at that place."), one.span)
        for one in case.reading.diagnostics
    ]


def test_which_rules_bind_whom() -> None:
    """DEC-D5: 1 to 7 bind everybody, but what only a review can know; 8 and 12 warn a person; 6 and 7 drop lines."""
    numbers = [rule.number for rule in RULES]
    assert numbers == [1, 2, 3, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
    assert [at for at, rule in enumerate(RULES) if not rule.for_person] == [3, 9, 10, 11]
    assert [rule.number for rule in RULES if rule.warns_person] == [8, 12]
    assert [rule.number for rule in RULES if rule.drops] == [6, 7]
    assert [rule.number for rule in RULES if rule.of_what_is_left] == [8, 9, 10, 11, 12]
    assert [rule.number for rule in RULES if rule.rests] == [10]
    assert [rule.number for rule in RULES if rule.always] == [7]

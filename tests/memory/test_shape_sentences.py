"""What the parser says becomes whole sentences, letter by letter."""

import pytest

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

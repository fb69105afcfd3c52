"""One rule by itself on a person's definition: every finding as one row, its place with its end."""

from collections.abc import Callable
from functools import cache

from rule_cases import Person

from ferrule.memory.case import Case, Finding
from ferrule.memory.submission import AdmissionView, Scope, Submission

__all__ = ["Row", "rows_of"]

# Code, property, the text at the place, message, how the remedy begins.
Row = tuple[str, str, str, str, str]
_REMEDY, _SHOWN = 28, 24
_KNOWN = (
    'prototype Buoy : Host { HostName = @"buoy"; String Zone = @"pier"; Int Depth; }',
    'prototype Lamp : Buoy { String Shade = @"red"; }',
    "prototype Bell : Host, Service { String Tone; }",
)


@cache
def _view() -> AdmissionView:
    person = Person()
    for text in _KNOWN:
        person.write(text)
    return AdmissionView(permanent=person.permanent, session=person.session)


def rows_of(rule: Callable[[Case], list[Finding]], text: str) -> list[Row]:
    """What a rule finds, for somebody who knows a buoy, a lamp on it and a bell."""
    found = rule(Case(Submission(text, Scope.PERSON), _view()))
    return [
        (one.code.value, one.property, _place(text[one.span.start : one.span.end]), one.message, one.remedy[:_REMEDY])
        for one in found
    ]


def _place(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}… {len(text)}"

"""Neutral turns as one of the formats that are read."""

from ferrule.adapters.transcripts.formats import Format, Given, Sample
from ferrule.adapters.transcripts.neutral import FORMAT as NAME
from ferrule.adapters.transcripts.neutral import is_neutral, read_neutral
from ferrule.session.imported import ImportedSession

__all__ = ["FORMAT"]


def _looks(sample: Sample) -> bool:
    return any(is_neutral(value) for value in sample.values)


def _read(given: Given) -> tuple[ImportedSession, ...]:
    return read_neutral(given.records, given.lines, given.scrub)


FORMAT = Format(NAME, "neutral turns", _looks, _read)

"""Copilot CLI sessions as one of the formats that are read."""

from ferrule.adapters.transcripts.copilot_cli.reader import NAME, is_copilot, session_of
from ferrule.adapters.transcripts.formats import Format, Given, Sample
from ferrule.session.imported import ImportedSession

__all__ = ["FORMAT"]


def _looks(sample: Sample) -> bool:
    return not sample.text and any(is_copilot(value) for value in sample.values)


def _read(given: Given) -> tuple[ImportedSession, ...]:
    return (session_of(given),)


FORMAT = Format(NAME, "a Copilot CLI session", _looks, _read)

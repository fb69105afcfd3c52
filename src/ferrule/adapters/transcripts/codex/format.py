"""Codex rollouts as one of the formats that are read."""

from ferrule.adapters.transcripts.codex.reader import FORMAT as NAME
from ferrule.adapters.transcripts.codex.reader import is_codex, read_codex
from ferrule.adapters.transcripts.formats import Format, Given, Sample
from ferrule.session.imported import ImportedSession

__all__ = ["FORMAT"]


def _looks(sample: Sample) -> bool:
    return any(is_codex(value) for value in sample.values)


def _read(given: Given) -> tuple[ImportedSession, ...]:
    return read_codex(given.records, given.lines, given.scrub, profiles=given.profiles)


FORMAT = Format(NAME, "a Codex rollout", _looks, _read)

"""Aider's chat history as one of the formats that are read."""

from ferrule.adapters.transcripts.aider.lines import is_aider
from ferrule.adapters.transcripts.aider.reader import NAME, read_aider
from ferrule.adapters.transcripts.formats import Format, Sample

__all__ = ["FORMAT"]


def _looks(sample: Sample) -> bool:
    return is_aider(sample.text)


FORMAT = Format(NAME, "an Aider chat history", _looks, read_aider)

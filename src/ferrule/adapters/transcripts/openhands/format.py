"""OpenHands' event lists and evaluation outputs as one of the formats that are read."""

from ferrule.adapters.transcripts.formats import Format, Sample
from ferrule.adapters.transcripts.openhands.reader import NAME, is_openhands, read_openhands

__all__ = ["FORMAT"]


def _looks(sample: Sample) -> bool:
    return not sample.text and is_openhands(sample.document, sample.values)


FORMAT = Format(NAME, "an OpenHands conversation", _looks, read_openhands)

"""SpecStory's and Cursor's markdown exports as one of the formats that are read."""

from ferrule.adapters.transcripts.formats import Format, Sample
from ferrule.adapters.transcripts.specstory.blocks import is_export
from ferrule.adapters.transcripts.specstory.reader import NAME, read_specstory

__all__ = ["FORMAT"]


def _looks(sample: Sample) -> bool:
    return is_export(sample.text)


FORMAT = Format(NAME, "a SpecStory chat export", _looks, read_specstory)

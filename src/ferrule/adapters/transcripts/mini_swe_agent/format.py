"""Trajectories of mini-swe-agent as one of the formats that are read."""

from ferrule.adapters.transcripts.formats import Format, Sample
from ferrule.adapters.transcripts.mini_swe_agent.reader import NAME, is_bare, is_mini_swe_agent, read_mini_swe_agent

__all__ = ["FORMAT"]


def _looks(sample: Sample) -> bool:
    if isinstance(sample.document, list):
        return is_bare(sample.document)
    return not sample.text and any(is_mini_swe_agent(value) for value in sample.values)


FORMAT = Format(NAME, "a mini-swe-agent trajectory", _looks, read_mini_swe_agent)

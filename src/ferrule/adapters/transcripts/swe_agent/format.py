"""SWE-agent trajectories as one of the formats that are read."""

from ferrule.adapters.transcripts.formats import Format, Sample
from ferrule.adapters.transcripts.swe_agent.reader import NAME, is_swe_agent, read_swe_agent

__all__ = ["FORMAT"]


def _looks(sample: Sample) -> bool:
    return not sample.text and any(is_swe_agent(value) for value in sample.values)


FORMAT = Format(NAME, "a SWE-agent trajectory", _looks, read_swe_agent)

"""Pygments, the highlighter that rich brings: ProtoScript as one of its languages."""

"""The embedded reviewer: deterministic, explained in words, and no language model."""

"""Codex rollouts: enveloped events (0.40 to 0.171) and the flat files before them, one thread per file."""

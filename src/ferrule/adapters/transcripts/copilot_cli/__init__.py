"""Copilot CLI sessions: one log of events, `events.jsonl`."""

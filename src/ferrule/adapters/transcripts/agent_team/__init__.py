"""Logs of teams of agents that talk to each other about one question."""

"""Ferrule inside a Python program: what an agent's host calls after each turn. `from ferrule import Ferrule`."""

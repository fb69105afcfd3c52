"""Doors for people and agents. They decide nothing."""

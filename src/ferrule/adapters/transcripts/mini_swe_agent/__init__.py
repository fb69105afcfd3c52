"""Trajectories of mini-swe-agent as sessions."""

"""Trajectories in the agent trajectory interchange format."""

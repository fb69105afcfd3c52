"""SWE-agent trajectories as sessions: one task, one turn."""

"""What goes back to the agent: ranking, budget, the context text."""

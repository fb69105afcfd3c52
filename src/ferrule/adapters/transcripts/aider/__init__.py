"""Chat histories of Aider as sessions."""

"""Text to tree and back. Never raises on bad input, executes nothing, ever."""

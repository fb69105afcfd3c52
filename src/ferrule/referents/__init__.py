"""What a handle is, and what a secret looks like."""

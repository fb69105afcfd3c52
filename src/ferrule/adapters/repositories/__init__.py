"""Where repositories are on the disk."""

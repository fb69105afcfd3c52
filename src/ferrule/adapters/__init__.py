"""The outside: one folder per technology, each behind a port of an inner package."""

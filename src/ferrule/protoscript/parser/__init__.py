"""Recursive descent, one file per construct family; each parse function is headed by its grammar rule."""

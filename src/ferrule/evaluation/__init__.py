"""Benchmarks: turns reviewed in isolation, scored against labels."""

"""The figures of design section 9, measured: `make bench` runs everything and writes docs/benchmarks.md."""

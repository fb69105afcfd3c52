"""One worker process per home on a person's own machine: its lock, its bell, its log, its start."""

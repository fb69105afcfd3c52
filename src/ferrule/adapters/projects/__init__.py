"""Projects on this machine: where one begins, its own ontology, and what a person decided about it."""

"""NLMemory, owned by the source: the admission rules, staging and commit, reading back, forgetting."""

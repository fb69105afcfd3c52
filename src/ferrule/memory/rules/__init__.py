"""The twelve admission rules, one small function each, in the order of design.md section 4."""

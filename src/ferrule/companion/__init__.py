"""The critic's life: eligibility, the hidden child, instructions, lanes and the worker."""

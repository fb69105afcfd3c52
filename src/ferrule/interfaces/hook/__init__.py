"""What an agent's client runs at the end of a turn: one file of the standard library, which spools and leaves."""

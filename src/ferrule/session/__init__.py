"""The source's facts: keys, turns, the action ledger, profiles, instructions."""

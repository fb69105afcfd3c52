"""The evaluate gate between the processes of one home."""

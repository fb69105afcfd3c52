"""The one door between critic and source, and every value that passes through it."""

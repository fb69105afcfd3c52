"""Transcripts of real clients, each format in its own module, all read into the same completed turns."""

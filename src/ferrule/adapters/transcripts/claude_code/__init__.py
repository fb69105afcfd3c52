"""Claude Code sessions: one content block a line, a tree of lines, one file per session (versions 1.0 to 2.1)."""

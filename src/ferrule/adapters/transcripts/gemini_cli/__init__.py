"""Gemini CLI sessions: one JSON document, or the log of newer versions whose later lines replace earlier ones."""

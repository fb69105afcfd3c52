"""OpenCode sessions: one export, the folders of older versions, or the database of newer ones."""

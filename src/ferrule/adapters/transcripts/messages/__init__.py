"""Conversations as plain lists of chat messages, and what all message lists have in common."""

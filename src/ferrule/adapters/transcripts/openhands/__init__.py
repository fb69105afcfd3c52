"""Conversations of OpenHands as sessions, of its event stream and of its newer SDK."""

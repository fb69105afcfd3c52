"""Campaigns that try to break the promise: simulation under seeds, kills, deliveries, a long backlog."""

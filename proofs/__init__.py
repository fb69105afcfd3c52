"""Campaigns that try to break the promise: a simulation under seeds, kills, deliveries, a long backlog (`make prove`)."""

"""Stub until the ontology loader lands."""

"""Detectors of secrets from elsewhere, each an extra that a person switches on."""

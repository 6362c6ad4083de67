"""Releases: what the built packages contain."""

"""Releases and the checks before a commit."""

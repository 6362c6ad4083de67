"""Compares declared games with OpenSpiel, which plays them by its own rules."""

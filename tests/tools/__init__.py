"""The tools for developers."""

"""The games layer."""

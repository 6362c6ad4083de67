"""The log layer."""

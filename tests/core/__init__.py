"""The core layer."""

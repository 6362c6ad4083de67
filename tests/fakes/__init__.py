"""Simulated devices and buses, faithful to the byte, in the place of the real ones."""

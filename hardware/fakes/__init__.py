"""Simulated devices and buses, faithful to the bytes, for tests and for machines without the hardware."""

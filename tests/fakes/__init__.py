"""Simulated devices and buses that behave like the real ones, byte by byte."""

"""Tests of Gear."""

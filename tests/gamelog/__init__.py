"""Tests of the game log layer."""

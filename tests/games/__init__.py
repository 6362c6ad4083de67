"""Tests of `companion.games`."""

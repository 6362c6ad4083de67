"""Tests of East Rune."""

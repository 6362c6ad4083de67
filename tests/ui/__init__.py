"""Tests of the user interface: key grammar, screens, pictures."""

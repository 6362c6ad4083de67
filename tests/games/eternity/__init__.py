"""Tests of Eternity."""

"""Tests of the Debian package and its scripts."""

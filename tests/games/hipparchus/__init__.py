"""Tests of Hipparchus."""

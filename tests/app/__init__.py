"""Tests of the application and the command line."""

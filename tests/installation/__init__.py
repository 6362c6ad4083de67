"""Tests of installing a version: checking, linking, choosing, and what a power cut leaves."""

"""Tests of installing a version: building, checking, choosing, and what a power cut leaves."""

"""Tests of the box on a virtual Pi: with a real kernel, a real systemd, and power that can be cut.

``python -m tests.harness.virtual_pi`` runs all of it where such a lab exists, see ``machine``; no other test needs one.
"""

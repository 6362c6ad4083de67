"""Looks up what a box needs: ``python -m tests.harness.arm``, which uses the network.

Debian's packages are resolved as by apt. Nothing is installed.
"""

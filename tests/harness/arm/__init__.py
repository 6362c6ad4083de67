"""Looks up what a box needs: ``python -m tests.harness.arm``, which uses the network.

Python's packages are those of the lock files, Debian's are resolved as by apt. Nothing is installed.
"""

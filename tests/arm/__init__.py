"""Looks up what a box needs: ``python -m tests.arm``, which uses the network.

Python's packages are those of the lock files, Debian's are resolved as by apt. Nothing is installed.
"""

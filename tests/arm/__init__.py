"""Looks up what an installation on a Raspberry Pi needs: ``python -m tests.arm``, which uses the network.

Python's packages are resolved for each machine as by pip, Debian's as by apt. Nothing is installed.
"""

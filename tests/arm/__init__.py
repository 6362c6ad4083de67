"""What an installation on a Raspberry Pi takes, looked up: ``python -m tests.arm``, which needs the network.

Python's packages are resolved as pip does it on each machine, Debian's as apt does. Nothing is installed.
"""

"""Tests of the box on a virtual Pi: with a real kernel, a real systemd, and power that can be cut.

`make virtual-pi` runs all of it where such a lab exists, see ``machine``; it is not part of the other tests.
"""

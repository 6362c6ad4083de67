"""The box proved on a virtual Pi: real kernel, real service manager, a power cord that can be pulled.

`make virtual-pi` runs all of it where there is such a lab, see ``machine``; it is no part of the other tests.
"""

"""The figures, measured in one run beside their peers: ``make bench``.

Times are of this machine's processors and mean little alone; the ratios are what is kept.
"""

"""Benchmarks, measured in one run beside peers: ``make bench``.

Times depend on this machine; the ratios to the peers are the results to compare.
"""

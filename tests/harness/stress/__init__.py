"""Stress tests of the promises: ``make stress`` runs every chapter at full length, the suite a short form.

A chapter is a module with a generator ``run(times, seed)``. It yields its results line by line, and raises
AssertionError if a promise is broken. The same seed repeats the same run.
"""

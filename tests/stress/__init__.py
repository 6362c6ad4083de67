"""The promises, tried hard: ``make stress`` goes through every chapter at full length, the suite through short forms.

A chapter is a module with a generator ``run(times, seed)`` that yields what it saw, line by line, and raises
AssertionError where a promise was broken. The same seed does the same things.
"""

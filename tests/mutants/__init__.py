"""Faults put into the rules one at a time, to see whether the tests of the rules notice: ``python -m tests.mutants``.

mutmut says which faults there are. They are not run by it: it has pytest collect anew for each of them, which takes
longer than the tests themselves. Here the tests are collected once, and each fault lives in a process forked from that
one, in which its function is exchanged and the tests that reach its line are run, quickest first, until one fails.
"""

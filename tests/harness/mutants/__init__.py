"""Mutation tests: puts faults in, one at a time; a test must fail for each.

mutmut supplies the faults but does not run them, as it would have pytest collect anew for each, which takes longer than
the tests themselves. Here the tests are collected once. Each fault gets a process forked from that one, which replaces
the fault's function and runs the tests that reach its line, quickest first, until one fails.
"""

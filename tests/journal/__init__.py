"""Tests of the journal: one contract for every journal, and what only a file on a disk goes through."""

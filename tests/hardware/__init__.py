"""Tests of boards, keys, panels, lamp, buzzer and system, mostly on the fakes of `tests/fakes`."""

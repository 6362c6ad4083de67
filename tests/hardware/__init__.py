"""Boards, keys, panels, lamp, buzzer and the system, mostly on the fakes of `tests/fakes`."""

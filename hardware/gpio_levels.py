"""Reads and drives GPIO lines without releasing Python's global interpreter lock.

gpiod gives it up for each call, and its thread then waits for it while another one computes: a scan of a keypad takes
a dozen calls, and lasted tens of milliseconds. The kernel needs microseconds for a call: nobody misses anything.
"""

from __future__ import annotations

import ctypes
import os

import gpiod

READ, DRIVE = 0xC010B40E, 0xC010B40F  # the kernel's GPIO_V2_LINE_GET_VALUES_IOCTL and GPIO_V2_LINE_SET_VALUES_IOCTL


class Levels(ctypes.Structure):
    """The kernel's struct gpio_v2_line_values. The first line of a request is the lowest bit."""

    _fields_ = (("high", ctypes.c_uint64), ("lines", ctypes.c_uint64))
    high: int  # the lines that are high
    lines: int  # the lines to read or drive


ioctl = ctypes.PyDLL(None, use_errno=True).ioctl  # a PyDLL keeps the interpreter, other than a CDLL
ioctl.argtypes = ctypes.c_int, ctypes.c_ulong, ctypes.POINTER(Levels)


def read(request: gpiod.LineRequest) -> bool:
    """Return whether the first line of a request is high."""
    return bool(_call(request, READ, Levels(0, 1)).high)


def drive(request: gpiod.LineRequest, high: int, lines: int = 1) -> None:
    """Drive lines of a request: those of a bit mask high, the others low."""
    _call(request, DRIVE, Levels(high, lines))


def _call(request: gpiod.LineRequest, order: int, levels: Levels) -> Levels:
    if ioctl(request.fd, order, levels):
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return levels

"""The game log, format 1: how a game is written down and read back, strictly.

May live here: text to values and back. No files are opened and nothing is kept.
"""

from .codec import LogError, check_names, decode_header, decode_line, encode, encode_line
from .replay import Misread, Reading, read, replay

__all__ = [
    "LogError",
    "Misread",
    "Reading",
    "check_names",
    "decode_header",
    "decode_line",
    "encode",
    "encode_line",
    "read",
    "replay",
]

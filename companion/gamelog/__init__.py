"""The game log, format 1: strict encoding, decoding and replay.

Pure functions from bytes to values and back; no files are opened.
"""

from .errors import InvalidLineError, LogError
from .log import (
    NOT_INSTALLED,
    ReplayStep,
    decode_header,
    decode_line,
    encode,
    encode_line,
    is_seat_names,
    read,
    replay,
    snapshot,
)
from .player_names import are_names, check_names, is_too_long, name_key, without_last

__all__ = [
    "NOT_INSTALLED",
    "InvalidLineError",
    "LogError",
    "ReplayStep",
    "are_names",
    "check_names",
    "decode_header",
    "decode_line",
    "encode",
    "encode_line",
    "is_seat_names",
    "is_too_long",
    "name_key",
    "read",
    "replay",
    "snapshot",
    "without_last",
]

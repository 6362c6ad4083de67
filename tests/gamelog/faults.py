"""What is said of lines of logs and of names that are no such thing; of others, what is read."""

from __future__ import annotations

import json

from companion.gamelog import LogError, check_names, decode_header, decode_line, encode_line

HEADER = decode_header('{"format":1,"game":"eternity","players":["Aki","Bea","Cyr","Dai"]}')


def log_headers(line: str | bytes) -> str:
    """Return what is said of a header: why it is none, or how it is kept."""
    try:
        return decode_header(line).written
    except LogError as fault:
        return _sentence(fault)


def log_lines(line: str | bytes) -> str:
    """Return what is said of a line of a log of Eternity for four: why it is none, or how it is written."""
    try:
        return encode_line(decode_line(line, HEADER))
    except LogError as fault:
        return _sentence(fault)


def player_names(line: str | bytes) -> str:
    """Return what is said of names in a list: why they cannot be, or which they are."""
    try:
        return json.dumps(check_names(json.loads(line)))
    except LogError as fault:
        return _sentence(fault)


def _sentence(fault: LogError) -> str:
    said = str(fault)
    return f"no: {said if said.isprintable() else ascii(said)}"

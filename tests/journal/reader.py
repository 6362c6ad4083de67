"""Reads and checks the companion's files: an independent reader, written only from the page on their format."""

import hashlib
import json
import os
import re
import sys
from pathlib import Path
from typing import Any

NAME = re.compile(r"[0-9]{6,18}-[a-z0-9-]{1,40}-[0-9a-f]{8}")
CHECK = 16  # digits
TABS = 2  # in a line


def load(path: Path) -> bytes:
    """Return the content of a file; empty if it is missing, unreadable, a link or no regular file."""
    try:
        return path.read_bytes() if path.is_file() and not path.is_symlink() else b""
    except OSError:
        return b""


def check_of(line: bytes) -> bytes:
    """Return the CHECK of a line, damaged or not: the 16 bytes before its newline; empty for a shorter line."""
    return line[-CHECK - 1 : -1] if len(line) > CHECK else b""


def proved(line: bytes, before: bytes) -> bool:
    """Return whether the check of a line (newline included) is right after BEFORE."""
    if line.count(b"\t") != TABS:
        return False
    said, _, check = line[:-1].rpartition(b"\t")
    return hashlib.blake2b(before + b"\t" + said, digest_size=8).hexdigest().encode() == check


class File:
    """One file: its body, its lines, the rest after the last newline, and which lines follow which."""

    def __init__(self, content: bytes, start: bytes) -> None:
        """Split the content into lines; `start` is the id."""
        self.body = content.rstrip(b"\0")
        *pieces, self.tail = self.body.split(b"\n")
        self.lines = [piece + b"\n" for piece in pieces]
        self.behind: dict[bytes, bytes] = {}  # CHECK (or the id): the line directly behind it, which it proves
        self.loose: list[bytes] = []  # the lines that are not proved by the line above them
        before = start
        for line in self.lines:
            if proved(line, before):
                self.behind.setdefault(before, line)
            else:
                self.loose.append(line)
            before = check_of(line)


def follow(first: File, second: File, start: bytes) -> list[bytes]:
    """Return the chain that prefers the lines of the first file."""
    chain: list[bytes] = []
    left = list(dict.fromkeys(first.loose + second.loose))
    before = start
    while True:
        line = first.behind.get(before) or second.behind.get(before)
        if not line:
            line = next((other for other in left if proved(other, before)), b"")
            if not line:
                return chain
            left.remove(line)
        chain.append(line)
        before = check_of(line)


def find_chain(main: File, copy: File, start: bytes) -> list[bytes]:
    """Return the longer of the two chains; of equally long ones, the one that prefers the main file."""
    return max(follow(main, copy, start), follow(copy, main, start), key=len)


def is_whole(body: bytes, chain: bytes) -> bool:
    """Return whether the body is the chain, perhaps with one partly written line after it."""
    rest = body.removeprefix(chain)
    pieces = rest.split(b"\t")
    if len(pieces) == 3 and b"\n" not in rest and re.match(rb"[0-9a-f]{16}.", pieces[2], re.DOTALL):
        return False  # something behind its CHECK, which is no newline
    return body.startswith(chain) and b"\n" not in rest[:-1] and (not rest.endswith(b"\n") or b"\0" in rest)


def holds_more(file: File, chain: list[bytes], start: bytes) -> bool:
    """Return whether the file has a line of the chain, is longer and ends otherwise, or continues differently."""
    known = set(chain)
    longer = len(file.body) > sum(map(len, chain)) and not (chain and file.body.endswith(chain[-1]))
    if longer and known & set(file.lines):
        return True
    above = [start, *(check_of(line) if line in known else b"" for line in file.lines)]
    for before, line in zip(above, file.lines, strict=False):
        if before and line not in known and proved(line, before):
            return True
    return False


def parse(part: bytes) -> dict[str, Any]:
    """Return a JSON object; an empty one if this is none."""
    try:
        value = json.loads(part.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def read_game(folder: Path, name: str) -> dict[str, Any]:
    """Return the content of a game's files and their faults. The name is one that `games` returns."""
    paths = [folder / where / f"{name}.jsonl" for where in ("copies", "games")]
    start = name[-8:].encode()
    copy, main = (File(load(path), start) for path in paths)  # the copy first: the box may be writing
    lines = find_chain(main, copy, start)
    chain = b"".join(lines)
    main_whole = bool(lines) and is_whole(main.body, chain)
    copy_good = chain.startswith(copy.body) or is_whole(copy.body, chain)
    damaged = [file for file, good in ((copy, copy_good), (main, main_whole)) if not good]
    more = any(holds_more(file, lines, start) for file in damaged) if lines else any(map(os.path.lexists, paths))
    notes = [parse(line.split(b"\t")[1]) for line in lines]
    return {
        "lines": [line.split(b"\t")[0].decode("utf-8", "replace") for line in lines],
        "tracking": notes[-1].get("tracking") if notes else None,
        "over": bool(notes) and notes[-1].get("over") is True,
        "at": notes[0].get("at") if notes else None,
        "more": more,
        "damaged_main": not main_whole,
        "damaged_copy": not copy_good,
    }


def games(folder: Path) -> list[str]:
    names = {path.stem for where in ("games", "copies") for path in (folder / where).glob("*.jsonl")}
    return sorted(name for name in names if NAME.fullmatch(name))


if __name__ == "__main__":
    data = Path(sys.argv[1])
    for game in games(data):
        sys.stdout.write(json.dumps({"name": game, **read_game(data, game)}) + "\n")

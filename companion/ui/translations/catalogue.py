"""Catalogues as files: gettext's ``.po`` read and its ``.mo`` written, by the standard library alone.

The build loads this file by itself, before anything the package needs is installed.
"""

from __future__ import annotations

import json
import re
import struct
from pathlib import Path

CONTEXT = "\x04"
"""What gettext puts between a template's context and the template."""

_STRING = re.compile(r'(?:(msgctxt|msgid|msgstr)\s+)?(".*")')


def read(source: str) -> dict[str, str]:
    """Return what a ``.po`` says for each template, untranslated ones too; its head is under the empty one.

    Raises:
        ValueError: A line is none of those a catalogue has; plural forms are not used.
    """
    found: dict[str, str] = {}
    entry: dict[str, str] = {}
    field = ""
    for number, line in enumerate((*source.splitlines(), 'msgid ""'), 1):
        if not line.strip() or line.startswith("#"):
            continue
        match = _STRING.fullmatch(line.strip())
        if match is None:
            raise ValueError(f"line {number} of the catalogue is neither a string nor a remark: {line}")
        if match[1]:
            field = match[1]
            if field != "msgstr" and "msgstr" in entry:
                context = entry["msgctxt"] + CONTEXT if "msgctxt" in entry else ""
                found[context + entry["msgid"]] = entry["msgstr"]
                entry = {}
        entry[field] = entry.get(field, "") + str(json.loads(match[2]))
    return found


def compiled(messages: dict[str, str]) -> bytes:
    """Return what a ``.mo`` holds: every template that has words, in the order gettext looks them up."""
    pairs = sorted((key.encode(), words.encode()) for key, words in messages.items() if words)
    start = 7 * 4
    strings = start + 16 * len(pairs)
    tables: tuple[list[int], list[int]] = [], []
    text = b""
    for place in (0, 1):
        for pair in pairs:
            tables[place].extend((len(pair[place]), strings + len(text)))
            text += pair[place] + b"\0"
    head = struct.pack("<7I", 0x950412DE, 0, len(pairs), start, start + 8 * len(pairs), 0, 0)
    return head + struct.pack(f"<{4 * len(pairs)}I", *tables[0], *tables[1]) + text


def compile_all(catalogues: Path, into: Path) -> list[tuple[Path, Path]]:
    """Compile every catalogue of a folder into another.

    Returns:
        Each ``.mo`` that was written, and its place within the folder of catalogues.
    """
    made = []
    for source in sorted(catalogues.glob("*/LC_MESSAGES/*.po")):
        place = source.relative_to(catalogues).with_suffix(".mo")
        target = into / place
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(compiled(read(source.read_text(encoding="utf-8"))))
        made.append((target, place))
    return made

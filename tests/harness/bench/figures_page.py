"""Writes measured figures into ``docs/figures.md``: each part has a block there, between two comments."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from string import ascii_lowercase

from .table import Row, brief

NAME = "docs/figures.md"
PAGE = Path(__file__).parents[3] / NAME
HEADS = ("figure", "measured", "limit", "compared with, in the same run", "ratio")
END = "<!-- end -->"
BLOCK = r"(?P<begin><!-- part: {part} -->\n).*?(?P<end>" + END + ")"


def write(part: str, rows: Sequence[Row], page: Path = PAGE) -> None:
    """Replace a part's block by newly measured figures."""
    day = f"{datetime.now(UTC):%Y-%m-%d}"
    load = os.getloadavg()[0]  # a busy machine spoils figures of time
    machine = f"{os.cpu_count()} cores {platform.machine()}, Python {platform.python_version()}, load {load:.0f}"
    block = "\n".join((*lines(rows), "", f"Measured on {day}: {machine}.", ""))
    text, count = re.subn(
        BLOCK.format(part=part),
        lambda found: found["begin"] + block + found["end"],
        page.read_text("utf-8"),
        flags=re.S,
    )
    if count != 1:
        raise ValueError(f"{NAME} has {count} blocks for {part}")
    page.write_text(text, "utf-8")


def lines(rows: Sequence[Row]) -> list[str]:
    """Return figures as a table in Markdown; the reasons for the limits stand below it, once each, by a letter."""
    letters = dict(zip(dict.fromkeys(_why(row) for row in rows if row.limits), ascii_lowercase, strict=False))
    table = [_line(HEADS), _line("---" for _head in HEADS), *(_line(_cells(row, letters)) for row in rows)]
    return [*table, *([""] if letters else []), *(f"- ({letter}) {why}" for why, letter in letters.items())]


def limits(part: str, page: Path = PAGE) -> list[tuple[str, str, str]]:
    """Return the figures of a part on the page: name, limit and its reason, numbers in names blotted out."""
    found = re.search(BLOCK.format(part=part), page.read_text("utf-8"), re.S)
    if found is None:
        raise ValueError(f"{NAME} has no block for {part}")
    reasons = dict(re.findall(r"^- \((\w)\) (.*)$", found[0], re.MULTILINE))
    rows = (line.strip("| ").split(" | ") for line in found[0].splitlines() if line.startswith("| "))
    told = [
        (cells[0], *_limit_and_letter("".join(cells[2:3]) or NONE))
        for cells in rows
        if cells[0] not in (HEADS[0], "---")
    ]
    return [blotted(name, limit, reasons.get(letter, "")) for name, limit, letter in told]


def _limit_and_letter(cell: str) -> tuple[str, str]:
    """Return a limit without the mark that it was missed, and the letter of its reason; empty if it has none."""
    found = re.fullmatch(r"(.*) \((\w)\)", cell.removesuffix(MISSED))
    return (cell, "") if found is None else (found[1], found[2])


def promised(row: Row) -> tuple[str, str, str]:
    """Return name, limit and reason of a measured figure, as `limits` does."""
    return blotted(_name(row), _limits(row), _why(row))


def blotted(name: str, limit: str, why: str) -> tuple[str, str, str]:
    """Return them without the numbers of the name: those are the sizes of a measurement."""
    return re.sub(r"[\d,]+", "#", name), limit, why


MISSED = " **missed**"
NONE = "–"
"""The limit of a figure that has none; where no cell follows it, it is left out."""


def _why(row: Row) -> str:
    return "; ".join(limit.why for limit in row.limits)


def _name(row: Row) -> str:
    return f"… {row.figure.strip()}" if row.figure.startswith(" ") else row.figure.strip()


def _limits(row: Row) -> str:
    return ", ".join(map(str, row.limits)) or NONE


def _cells(row: Row, letters: Mapping[str, str]) -> tuple[str, ...]:
    letter = f" ({letters[_why(row)]})" if row.limits else ""
    cells = (_name(row), f"{brief(row.measured)} {row.unit}".rstrip())
    limit = _limits(row) + letter + ("" if row.kept() else MISSED)
    if row.theirs is None or row.ratio is None:
        return (*cells, limit) if row.limits else cells
    return (*cells, limit, f"{row.peer}: {brief(row.theirs)} {row.unit}".rstrip(), f"{row.ratio:.2f}")


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"

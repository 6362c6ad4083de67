"""Writes measured figures as a page in Markdown, with the reasons of their limits: CI keeps it every night."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from string import ascii_lowercase

from tools import ROOT

from .table import Row, brief

PAGE = ROOT / "build" / "lab" / "figures.md"
HEADS = ("figure", "measured", "limit", "compared with, in the same run", "ratio")
MISSED = " **missed**"


def write(parts: Mapping[str, tuple[str, Sequence[Row]]]) -> None:
    """Write the page: of each part what it measures, and its figures."""
    PAGE.parent.mkdir(parents=True, exist_ok=True)
    PAGE.write_text("\n".join(_page(parts)) + "\n", "utf-8")


def _page(parts: Mapping[str, tuple[str, Sequence[Row]]]) -> Iterator[str]:
    load = os.getloadavg()[0]  # a busy machine spoils figures of time
    machine = f"{os.cpu_count()} cores {platform.machine()}, Python {platform.python_version()}, load {load:.0f}"
    yield from ("# Figures", "", f"Measured on {datetime.now(UTC):%Y-%m-%d}: {machine}.")
    for part, (what, rows) in parts.items():
        yield from ("", f"## {part}", "", what, "", *_lines(rows))


def _lines(rows: Sequence[Row]) -> list[str]:
    """Return figures as a table; the reasons for the limits stand below it, once each, by a letter."""
    letters = dict(zip(dict.fromkeys(_why(row) for row in rows if row.limits), ascii_lowercase, strict=False))
    table = [_line(HEADS), _line("---" for _head in HEADS), *(_line(_cells(row, letters)) for row in rows)]
    return [*table, *([""] if letters else []), *(f"- ({letter}) {why}" for why, letter in letters.items())]


def _why(row: Row) -> str:
    return "; ".join(limit.why for limit in row.limits)


def _cells(row: Row, letters: Mapping[str, str]) -> tuple[str, ...]:
    name = f"… {row.figure.strip()}" if row.figure.startswith(" ") else row.figure
    limit = f"{', '.join(map(str, row.limits))} ({letters[_why(row)]})" if row.limits else ""
    theirs = "" if row.theirs is None else f"{row.peer}: {brief(row.theirs)} {row.unit}".rstrip()
    ratio = "" if row.ratio is None else f"{row.ratio:.2f}"
    return name, f"{brief(row.measured)} {row.unit}".rstrip(), limit + ("" if row.kept() else MISSED), theirs, ratio


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"

"""Prints the table of figures: ``python -m tests.harness.bench [--short] [--write] [PART...]``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence

from . import figures_page, parts
from .table import Row, table


def main(arguments: Sequence[str]) -> None:
    """Measure the named parts, or all, and print the table."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.harness.bench",
        description="Measure speed and size beside other programs.",
        epilog="parts:\n" + "\n".join(f"  {part:<9} {parts.what(part)}" for part in parts.PARTS),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("parts", nargs="*", metavar="PART", help="what to measure; all by default")
    parser.add_argument("--short", action="store_true", help="the short forms, as in the suite: some seconds each")
    parser.add_argument("--write", action="store_true", help="write the figures to build/lab/figures.md, too")
    wanted = parser.parse_args(arguments)
    unknown = [part for part in wanted.parts if part not in parts.PARTS]
    if unknown:
        parser.error(f"there is no part {unknown[0]}; there are {', '.join(parts.PARTS)}")
    if wanted.short and wanted.write:
        parser.error("the page shows whole measurements, not short ones")

    found: dict[str, tuple[str, list[Row]]] = {}

    def rows() -> Iterator[Row]:
        for part in wanted.parts or parts.PARTS:
            found[part] = parts.what(part), []
            for row in parts.rows(part, short=wanted.short):
                found[part][1].append(row)
                yield row

    for line in table(rows()):
        print(line, flush=True)
    if wanted.write:
        figures_page.write(found)


if __name__ == "__main__":
    main(sys.argv[1:])

"""Prints the table of figures."""

from collections.abc import Iterator

from . import boards, games, history, keys, length, many, panel, phones, process, slips
from .table import Row, table


def rows() -> Iterator[Row]:
    """Yield every figure as soon as it is measured."""
    for part in games, length, panel, process, many, history, keys, slips, boards, phones:
        yield from part.rows()


if __name__ == "__main__":
    for line in table(rows()):
        print(line, flush=True)

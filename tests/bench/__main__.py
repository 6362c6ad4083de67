"""Print the figures."""

from collections.abc import Iterator

from . import boards, games, panel, process


def rows() -> Iterator[str]:
    """Yield every figure, as soon as it is known."""
    yield from games.rows()
    yield from boards.rows()
    yield from panel.rows()
    yield from process.rows()


if __name__ == "__main__":
    for row in rows():
        print(row, flush=True)

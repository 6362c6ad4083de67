"""Chains, compared with an independent reader written from docs/journal.md."""

from __future__ import annotations

import random
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from companion.journal import chain

from .folders import longest, texts

PAGE = Path(__file__).parents[2] / "docs" / "journal.md"
SEED = b"7f3a9c21"
EXAMPLE = (
    b'{"format":1,"game":"hipparchus","players":["Aki","Bea"]}\t{"at":1795357200.5,"tracking":"full"}\t1909736de6965b06\n'
    b'{"type":"start","player":0}\t{"at":1795357231.0,"tracking":"full","keys":"1"}\t0767dae7290428a7\n'
)


def written(lines: list[str], seed: bytes = SEED) -> list[bytes]:
    rows: list[bytes] = []
    for line in lines:
        rows.append(chain.chained(chain.check(rows[-1]) if rows else seed, line, {"at": len(rows)}))
    return rows


def test_the_example_of_the_page_is_proved() -> None:
    assert chain.longest_chain(SEED, [EXAMPLE]) == EXAMPLE.splitlines(keepends=True)
    assert texts(EXAMPLE, SEED) == [chain.text(row) for row in chain.rows(EXAMPLE)]
    assert EXAMPLE.replace(b"\t", b"<tab>").decode().splitlines() == [
        line.strip() for line in PAGE.read_text("utf-8").splitlines() if line.startswith("    {") and "<tab>" in line
    ]


LINES = st.lists(st.text(st.characters(exclude_characters="\t\n", exclude_categories=["Cs"])), min_size=1, max_size=8)


@given(LINES)
def test_a_chain_is_proved_as_it_was_written(lines: list[str]) -> None:
    content = b"".join(written(lines))
    assert chain.longest_chain(SEED, [content + bytes(100)]) == written(lines)
    assert texts(content, SEED) == [chain.text(row) for row in written(lines)] == lines


@given(LINES, st.data())
def test_a_line_that_was_changed_lost_moved_or_taken_from_elsewhere_ends_the_chain(
    lines: list[str], data: st.DataObject
) -> None:
    rows = written(lines)
    at = data.draw(st.integers(0, len(rows) - 1))
    other = data.draw(st.sampled_from([*written(lines, b"01234567"), b"\n", b"\t\t\n", rows[at][1:], b"\0" + rows[at]]))
    content = b"".join([*rows[:at], other, *rows[at + 1 :]])
    assert chain.longest_chain(SEED, [content]) == rows[:at]
    assert chain.longest_chain(SEED, [content, rows[at]]) == rows


@given(LINES, st.randoms(use_true_random=False))
def test_a_chain_is_taken_from_both_copies_in_any_order(lines: list[str], chance: random.Random) -> None:
    rows = written(lines)
    first, second = [list(rows), list(rows)]
    for at in range(len(rows)):
        chance.choice([first, second])[at] = chance.choice([b"", b"junk\n", rows[at].replace(b"\t", b" ")])
    if chance.random() < 0.3:
        chance.shuffle(first)
    contents = [b"".join(first), b"".join(second) + bytes(chance.randrange(20))]
    expected = longest(SEED, *contents)
    assert chain.longest_chain(SEED, contents) == expected


@given(LINES, LINES)
def test_of_two_forks_the_longer_is_taken(lines: list[str], others: list[str]) -> None:
    rows = written(lines)
    forks = [b"".join([*rows, *written(more, chain.check(rows[-1]))]) for more in (others, [*others, "more"])]
    assert chain.longest_chain(SEED, forks) == chain.rows(forks[1])
    assert chain.longest_chain(SEED, forks[::-1]) == chain.rows(forks[1])


def test_of_two_forks_that_are_as_long_that_of_the_first_file_is_taken() -> None:
    forks = [b"".join(written(["a", more])) for more in ("b", "c")]
    assert chain.longest_chain(SEED, forks) == chain.rows(forks[0])
    assert chain.longest_chain(SEED, forks[::-1]) == chain.rows(forks[1])


def test_a_line_that_stands_twice_is_followed_by_what_it_proves() -> None:
    rows = written(["a", "b", "c"])
    header = rows[:1]
    fork = [*header, *written(["x"], chain.check(header[0]))]
    twice = [*rows, *header, b"junk\n"]
    assert chain.longest_chain(SEED, [b"".join(fork), b"".join(twice)]) == rows


def test_files_without_lines_hold_no_chain() -> None:
    for contents in ([], [b""], [b"", bytes(9)]):
        assert chain.longest_chain(SEED, contents) == []


@given(st.binary(), st.binary())
def test_junk_proves_nothing(first: bytes, second: bytes) -> None:
    assert chain.longest_chain(SEED, [first, second]) == longest(SEED, first, second) == []


def test_a_line_that_was_not_written_whole_is_told_from_damage() -> None:
    row = EXAMPLE.splitlines(keepends=True)[0]
    for at in range(1, len(row)):
        assert chain.unfinished(row[:at]), row[:at]
        assert chain.unfinished(bytes(at) + row[at:]), "the first of two sectors did not come"
    for rest in (row, row + row[:9], row[:9] + row, b"\n\n", b"x\n", row[:-1] + b"\b", row[:-1] + b"x" * 9):
        assert not chain.unfinished(rest)
        assert not chain.unfinished(rest + bytes(40))

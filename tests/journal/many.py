"""Journals of many games: which files are opened, and how many bytes they take."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from companion.journal import Journal, chain

from .calls import Call, Calls
from .folders import laid

JOURNAL = "*/companion/journal/*"
"""Whose memory is counted: threads of other tests, and what loads by then for the first time, take some, too."""


def filled(folder: Path, games: int) -> Path:
    """Write a journal of many short games, without an index."""
    files = {}
    for number in range(1, games + 1):
        name = f"{number:06d}-gear-{number:08x}"
        header = chain.chained(name[-8:].encode(), f'{{"game":{number}}}', {"at": number, "tracking": "full"})
        line = chain.chained(chain.check(header), '{"type":"undo"}', {"at": number, "tracking": "quick", "over": True})
        files[f"games/{name}.jsonl"] = files[f"copies/{name}.jsonl"] = header + line
    return laid(folder, files)


def opened(box: Path, use: Callable[[Journal], object]) -> list[str]:
    """Use a journal, and return the names of the games whose files were opened."""
    names = []

    def note(call: Call) -> None:
        if call.name in ("open", "create") and call.path.endswith(".jsonl"):
            names.append(Path(call.path).stem)

    with Calls(box, note).watched(), closing(Journal(box)) as journal:
        use(journal)
    return sorted({name for name in names if name[:1].isdigit()})


def start(box: Path, games: int) -> int:
    """Start on a journal of many games without an index, then with it; return the bytes each game then takes.

    Raises:
        AssertionError: The second start reads a game other than the open one, or a game is not listed.
    """
    filled(box, games)
    with closing(Journal(box)) as journal:
        listed = len(journal.games())
        assert 10 <= listed < games, f"{listed} of {games} games are read at once"
        assert len(journal.names()) == games
        for _ in range(listed):
            journal.check_next()
        tracemalloc.start()
        try:
            journal.check_all()
            held = tracemalloc.take_snapshot().filter_traces(
                [tracemalloc.Filter(inclusive=True, filename_pattern=JOURNAL)]
            )
        finally:
            tracemalloc.stop()
        latest = journal.names()[-1]
        journal.set_open_game(latest)

    def open_game(journal: Journal) -> None:
        assert journal.open_game() == latest
        journal.draft(latest)
        journal.lines(latest)
        assert len(journal.games()) == games

    assert opened(box, open_game) == [latest]
    return sum(trace.size for trace in held.traces) // games

"""Sessions compared with a model, a plain list of games, over random lines."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from companion.core.game import Amend, Finish, Line, Redo, Splice, Undo
from companion.core.text import IllegalEventError

from .toy import ROOM, Put, heap

END = -1
"""The finish among the counts of a list."""

puts = st.builds(Put, st.integers(0, 4)) | st.builds(Finish)
lines = st.one_of(
    puts,
    puts,
    st.builds(Put, st.integers(0, 2)),
    st.builds(Undo),
    st.builds(Redo),
    st.builds(Amend, st.integers(-1, 9), puts),
    st.builds(Splice, st.integers(-1, 9), st.integers(-1, 4), st.lists(puts, max_size=4).map(tuple)),
)


def count_of(entry: object) -> int:
    return entry.count if isinstance(entry, Put) else END


class Model:
    """All lists of entries so far, and which of them is current."""

    def __init__(self) -> None:
        self.lists: list[list[int]] = [[]]
        self.at = 0

    def add(self, line: Line) -> bool:
        """Add a line; return whether it is legal."""
        counts = list(self.lists[self.at])
        if isinstance(line, Undo):
            fits = self.at > 0
            self.at -= fits
            return fits
        if isinstance(line, Redo):
            fits = self.at < len(self.lists) - 1
            self.at += fits
            return fits
        if isinstance(line, Amend):
            if not 1 <= line.event <= len(counts):
                return False
            counts[line.event - 1] = count_of(line.to)
        elif isinstance(line, Splice):
            beyond = line.event + line.drop
            if not (1 <= line.event <= len(counts) + 1 and line.drop >= 0 and beyond <= len(counts) + 1):
                return False
            if line.drop == len(line.put) == 0:
                return False
            counts = [*counts[: line.event - 1], *map(count_of, line.put), *counts[beyond - 1 :]]
        else:
            assert isinstance(line, Put | Finish)
            counts.append(count_of(line))
        if END in counts[:-1] or sum(counts) - counts.count(END) * END > ROOM:
            return False
        self.lists = [*self.lists[: self.at + 1], counts]
        self.at += 1
        return True


@given(st.lists(lines, max_size=40))
def test_a_session_is_a_list_of_lists(entries: list[Line]) -> None:
    session, model = heap(), Model()
    for line in entries:
        before = session
        try:
            session = session.add(line)
            fits = True
        except IllegalEventError:
            fits = False
            assert session is before
        assert fits == model.add(line)
        stand = [count for count in model.lists[model.at] if count != END]
        assert session.state == tuple(stand)
        assert session.finished == (len(stand) < len(model.lists[model.at]))
        assert [step.event for step in session.steps()] == [Put(count) for count in stand][::-1]
        assert (session.latest is not None) == (model.at > 0)
        assert (session.undone is not None) == (model.at < len(model.lists) - 1)

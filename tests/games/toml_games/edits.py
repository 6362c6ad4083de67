"""Files of games for tests, in `tests/transcripts/files`, and small changes of them.

A change is written ``7-8: most = 3 ¶ step = 2``, other lines in place of some, or ``7+: most = 3``, lines after one;
several of them, with the numbers of the lines as they were, are parted by ``;;``.
"""

from __future__ import annotations

from difflib import SequenceMatcher
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "transcripts" / "files"
NEXT, ALSO = " ¶ ", " ;; "


def text_of(said: str) -> str:
    """Return the text of a file, changed: ``tally 7-8: most = 3``."""
    name, _, changes = said.partition(" ")
    lines = (FOLDER / f"{name}.toml").read_text(encoding="utf-8").split("\n")
    for change in reversed(changes.split(ALSO) if changes else []):
        place, _, text = change.partition(":")
        new = text.removeprefix(" ").split(NEXT) if text else []
        if place.endswith("+"):
            lines[int(place[:-1]) : int(place[:-1])] = new
        else:
            first, last = map(int, place.split("-"))
            lines[first - 1 : last] = new
    return "\n".join(lines)


def as_change(text: str) -> str:
    """Return how a text is said, with the file of which the least is changed."""
    said = []
    for file in sorted(FOLDER.glob("*.toml")):
        before, after = file.read_text(encoding="utf-8").split("\n"), text.split("\n")
        changes = []
        for kind, first, last, start, end in SequenceMatcher(a=before, b=after, autojunk=False).get_opcodes():
            new = NEXT.join(after[start:end])
            if kind == "insert":
                changes.append(f"{first}+: {new}")
            elif kind != "equal":
                changes.append(f"{first + 1}-{last}:{f' {new}' if end > start else ''}")
        said.append(" ".join((file.stem, ALSO.join(changes))).strip())
    return min(said, key=len)

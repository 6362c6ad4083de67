"""Reads scores as people and other programs write them: sums, fractions, thousands, points with their unit."""

from __future__ import annotations

import re
import unicodedata
from decimal import ROUND_HALF_UP, Decimal
from typing import NamedTuple

from .imported import MOST_POINTS

_LONGEST = 100  # letters of a score; a longer one is no number
_THOUSANDS = re.compile("(?<![0-9.,])[1-9][0-9]{0,2}(?:[., '’][0-9]{3})+(?![0-9])")
_NUMBER = "[0-9]+(?:[.,][0-9]+)?"
_SUM = re.compile(f"[+-]? ?{_NUMBER}(?: ?[+-] ?{_NUMBER})* ?(?:p|pts?|points?|vp|点)?\\.?", re.IGNORECASE)
_TERM = re.compile(f"([+-]?) ?({_NUMBER})")
_DASHES = str.maketrans("−–—", "---")


class WrittenScore(NamedTuple):
    """A score that was read."""

    exact: Decimal | None = None  # None if there is none, or if it is unreadable
    unreadable: bool = False

    @property
    def points(self) -> int | None:
        """The score as a whole number; a half is rounded away from 0."""
        return None if self.exact is None else int(self.exact.to_integral_value(ROUND_HALF_UP))

    @property
    def rounded(self) -> bool:
        return self.exact is not None and self.exact != self.points


def read_score(written: str | float | None) -> WrittenScore:
    """Return a score; three digits after a point, a comma or a blank of a text are thousands.

    >>> [read_score(written).points for written in ("12+5-3", "7 pts", "12,5", "1.250", "49-46ish")]
    [14, 7, 13, 1250, None]
    >>> read_score(1.125).points
    1
    """
    text = unicodedata.normalize("NFKC", "" if written is None else str(written)).translate(_DASHES).strip()
    if not text:
        return WrittenScore()
    text = text[: _LONGEST + 1]
    if isinstance(written, str):
        text = _THOUSANDS.sub(lambda found: re.sub("[^0-9]", "", found[0]), text)
    if len(text) > _LONGEST or not _SUM.fullmatch(text):
        return WrittenScore(unreadable=True)
    exact = sum((Decimal(sign + number.replace(",", ".")) for sign, number in _TERM.findall(text)), Decimal(0))
    return WrittenScore(exact) if abs(exact) <= MOST_POINTS else WrittenScore(unreadable=True)

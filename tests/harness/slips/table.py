"""Prints the figures of slips as tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from .case import SLIPS
from .figures import BEST, Figures, Result, calls, is_later
from .late import LATER


def noticed(figures: Figures) -> Iterator[str]:
    """Yield how slips are noticed if nobody compares the figures of a round."""
    middle, most = figures.entries_later()
    yield f"{figures.game}: {figures.games} games, {len(figures.results)} slips"
    yield f"  noticed at once             {figures.share(lambda each: each.right):5.1f} %"
    later = figures.share(lambda each: is_later(each.unasked) and not each.right)
    yield f"  later in the round          {later:5.1f} %   entries later: {middle:g}, 90 of 100 by {most}"
    yield f"  round ends too early, late  {figures.share(lambda each: each.unasked == 'round end'):5.1f} %"
    yield f"  never, harmless             {figures.share(lambda each: each.unasked == 'never-harmless'):5.1f} %"
    yield f"  never, score wrong          {figures.share(lambda each: each.unasked == 'never-wrong'):5.1f} %"
    yield f"  the same if people enter the figures of each round: {figures.silent():.1f} %"
    yield f"  false alerts                {figures.share(lambda each: each.alarm == 'alert'):5.1f} %"
    yield f"  keys a card without a slip  {figures.keys_a_card():5.2f}"
    some = {name: count for name, count in sorted(figures.shared.items()) if count < figures.games}
    for name, count in some.items():
        yield f"  games with {name:<17}{100 * count / figures.games:5.0f} %"


WHERE: dict[str, Callable[[Result], bool]] = {
    "alarms": calls,
    "questions": lambda each: each.searched and each.alarm == "kind",
    "round ends": lambda each: each.searched and each.alarm == "round end",
}
"""Where the box looks for a correction."""


def suggested(figures: Figures) -> Iterator[str]:
    """Yield how often the true correction is suggested."""
    yield f"  {'':>10}" + "".join(f"{where:>12}  1st of {BEST}  offered" for where in WHERE)
    for slip in (None, *SLIPS):
        yield f"  {slip or 'all':>10}" + "".join(found(figures, slip, among) for among in WHERE.values())
    yield "  (1st, of 3: exactly the true line; offered: first, of 3 on the panel, where a missing card is one offer)"
    mean, longest = figures.seconds()
    yield f"  false alert without the true correction among {BEST}: {figures.accused():.1f} % of all slips"
    yield f"  a search takes {mean:.3f} s, at most {longest:.2f} s"


def found(figures: Figures, slip: str | None, among: Callable[[Result], bool]) -> str:
    """Return how often the true correction of a kind of slip is found somewhere, as a part of a line."""

    def chosen(each: Result) -> bool:
        return among(each) and slip in (None, each.slip)

    count = sum(map(chosen, figures.results))
    exact = figures.found(1, chosen), figures.found(BEST, chosen)
    shares = (*exact, figures.offered(1, chosen), figures.offered(BEST, chosen))
    return f"{count:>12}" + "".join(f"{share:>5.0f}" if count else " " * 5 for share in shares)


def corrected(figures: Figures) -> Iterator[str]:
    """Yield the keys of late corrections."""
    for slip, found in figures.late.items():
        spelt = sorted(keys for keys in found if keys is not None)
        mean = f"{sum(spelt) / len(spelt):.1f} keys, at most {spelt[-1]}" if spelt else "no keys"
        yield f"  {slip}, corrected {LATER} entries later: {mean} ({len(spelt)} of {len(found)} spelt)"

"""The nine slips of an evening, played again: how few keys correct each."""

from __future__ import annotations

from contextlib import suppress

import pytest

from companion.cli.log_to_keys import LogToKeys
from companion.core.errors import IllegalEventError
from companion.ui.keys import parse
from companion.ui.screens.suggestions import SuggestionsScreen
from tests.app.boxes import press
from tests.harness.slips.case import SLIPS, Case, Slip, correction, entries
from tests.harness.slips.cases import cases

from .test_suggestions import typed_in

BEFORE: dict[Slip, int] = dict.fromkeys(SLIPS, 9) | {"swapped": 26}
"""The keys that were used when the evening was played first."""

WAYS = ("h#", "h#6", "h#h#6", "h#61", "h#62")
"""The keys that open corrections that are offered."""


def fewest(found: Case) -> int:
    """Return how few keys correct a case: those of an offer, or of the list of entries."""
    if found.right:
        return 0
    goals = (found.truth, found.truth[:-1]) if found.alarm == "refused" else (found.truth,)
    counts = []
    for keys in WAYS:
        screen = press(typed_in(found), keys).state.panel.screen
        if isinstance(screen, SuggestionsScreen):
            counts += [
                len(parse(keys)) + 1
                for offer in screen.offered.offers
                if not offer.open and entries(found.session.add(offer.line)) in goals
            ]
    for goal in goals:
        with suppress(IllegalEventError):
            counts.append(len(parse(LogToKeys(found.session).spell(correction(found.entries, goal)))))
    return min(counts)


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_is_corrected_with_no_more_keys_than_before(slip: Slip) -> None:
    noticed = (
        each
        for each in cases("eternity", range(30), (slip,))
        if each.alarm in ("alert", "refused", "kind") and len(each.entries) < 150
    )
    assert fewest(next(noticed)) <= min(10, BEFORE[slip])

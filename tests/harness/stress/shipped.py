"""Random games of every declared game that comes with the program: typed, turned to with few keys, and tapped."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator, Sequence

from companion.app.state import PANEL
from companion.cli.log_to_keys import LogToKeys
from companion.cli.random_play import random_game, random_header
from companion.core.prompt import DetailLevel
from companion.core.session import Session
from companion.games import GAMES, shipped
from companion.history.results import result_of, seat_ranks
from companion.ui.keys import BUTTONS, KEYPAD, answer_name, parse
from companion.ui.live_page.content import LivePageContent
from companion.ui.screens.phones import Phone
from tests.app.selecting import JOYSTICK, on, turn_to
from tests.harness.taps.log_to_taps import taps_of
from tests.harness.taps.tapper import Tapper

LONGEST = 400
"""The most entries of a game; some end only when people say so."""
TURNED = 4
"""The entries of a game that are turned to: looking for the shortest way takes long."""
MOST_TURNED = 40
"""The games that are turned to; the others are typed or tapped."""


class Hasty(Tapper):
    """A box whose phones tap before the search for corrections ends: people at random revoke at every other card."""

    def shown_to(self, phone: Phone) -> LivePageContent:
        self.box.search.cancel()
        return super().shown_to(phone)


def run(times: int, seed: int) -> Iterator[str]:
    """Yield a line for each game: so many random games, and what an entry of the finest level takes."""
    for name in shipped.names():
        game, chance = GAMES[name], random.Random(f"{seed} {name}")
        level, found = next(iter(game.trackings)), Counter[str]()
        for place in range(times):
            steps = [*random_game(random_header(game, chance.choice(game.seats), chance), chance, level, LONGEST)]
            ways = (_typed, _tapped, _turned) if place < 3 * MOST_TURNED else (_typed, _tapped)
            found.update(ways[place % len(ways)](steps, level))
            result = result_of("000001-game", 1, steps[-1], (), level.value)
            assert (result is not None) == steps[-1].progress.over, f"{name}: only finished games have a result"
            found["over"] += result is not None
            assert result is None or len(seat_ranks(result)) == len(result.players)
        keys, taps = (found[way] / max(1, found[f"{way}: entries"]) for way in ("keys", "taps"))
        yield (
            f"{name}: {times:,} games, {found['over']:,} to their end; {keys:.2f} keys and {taps:.2f} taps an entry; "
            f"{found['turned']:,} entries with few keys"
        )


def _typed(steps: Sequence[Session], level: DetailLevel) -> Counter[str]:
    """Enter a game on the keypad."""
    box, log = on(KEYPAD), LogToKeys(steps[0], level)
    box.begin(steps[0].header, level)
    count = 0
    for after in steps[1:]:
        assert after.head.event is not None  # an entry has been added
        keys = parse(log.spell(after.head.event))
        count += len(keys)
        for key in keys:
            box.take(PANEL, key)
    assert box.game is not None
    assert box.game.session.state == steps[-1].state
    return Counter({"keys": count, "keys: entries": len(steps) - 1})


def _turned(steps: Sequence[Session], level: DetailLevel) -> Counter[str]:
    """Enter the beginning of a game with few keys: buttons or a joystick."""
    box = on(BUTTONS if len(steps) % 2 else JOYSTICK)
    last = min(TURNED, len(steps) - 1)
    box.begin(steps[0].header, level)
    for before, after in itertools.pairwise(steps[: last + 1]):
        assert after.head.event is not None  # an entry has been added
        for answer in before.header.game.answers(before.state, after.head.event):
            turn_to(box, answer_name(answer))
    assert box.game is not None
    assert box.game.session.state == steps[last].state
    return Counter({"turned": last})


def _tapped(steps: Sequence[Session], level: DetailLevel) -> Counter[str]:
    """Enter a game with taps on a phone."""
    page, count = Hasty(), 0
    page.box.begin(steps[0].header, level)
    for before, after in itertools.pairwise(steps):
        assert after.head.event is not None  # an entry has been added
        for name, taps in taps_of(before, after.head.event, level):
            page.tap(name)
            assert page.told() is None, f"{name}: {page.told()}"
            count += taps
    assert page.box.game is not None
    assert page.box.game.session.state == steps[-1].state
    return Counter({"taps": count, "taps: entries": len(steps) - 1})
